#!/usr/bin/env bash
# resume.sh BIN: what `whorl run --resume` and `--from-frame` of BIN go on from, what they refuse, and what a run keeps
# where something goes wrong.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
whorl=$1/whorl
work=$(mktemp -d)
trap 'umount "$work/small" 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"
# shellcheck source=tests/cli/checks.sh
source "$here/checks.sh"

{
  tiny_smoke 9 0.0625
  cat <<'TOML'
[output]
video = false
width = 32
height = 64
[checkpoint]
frames = 2
TOML
} >tiny.toml

same() { cmp -s <(physics "$1") <(physics "$2") && diff -rq "$1/png" "$2/png" >/dev/null; }
checkpoints() { (cd "$1/checkpoint" && find . -type f -printf '%f\n' | sort | xargs); }
# several CODE WORD ARGUMENT...: this exit code, and WORD on stderr, which may be more lines.
several() {
  local code=$1 word=$2
  shift 2
  run "$@"
  if [[ $status != "$code" ]] || ! says "$word"; then fail "whorl $*: wanted exit $code and '$word'"; fi
}
# flip FILE AT: another byte there; from the end where AT is less than 0.
flip() {
  local at=$2 byte
  ((at >= 0)) || at=$(($(stat -c %s "$1") + at))
  byte=$(od -An -tu1 -j "$at" -N 1 "$1")
  printf '%b' "$(printf '\\x%02x' $((byte ^ 64)))" | dd of="$1" bs=1 seek="$at" conv=notrunc status=none
}

run run tiny.toml -o whole
check "a run: exit 0" exits 0
check "a run: the newest two" test "$(checkpoints whole)" == "tiny.0008.whorl tiny.0009.whorl"
run run tiny.toml -o none --set checkpoint.keep=0 --frames 2
check "keep = 0: none" test "$status $(find none -name '*.whorl' | wc -l)" == "0 0"

refuses 2 'dry-run' run tiny.toml -o none --resume --dry-run
refuses 2 'dry-run' run tiny.toml -o none --from-frame 1 --dry-run

# ---- killed before its first checkpoint, or with none left
run run tiny.toml -o early --frames 1
check "the first frame has a checkpoint" test "$(checkpoints early)" == "tiny.0001.whorl"
rm early/checkpoint/*
run run tiny.toml -o early --resume
check "a frame and no checkpoint: exit 0" exits 0
check "a frame and no checkpoint: says so" says 'no checkpoint in early to go on from; starting from the beginning'
check "a frame and no checkpoint: the same" same whole early
rm early/checkpoint/*
refuses 2 'no good checkpoint in early to go on from, and its frames would be replaced' run tiny.toml -o early --resume

# ---- going on
run run tiny.toml -o cut --frames 5
run run tiny.toml -o cut --resume
check "more frames: exit 0" exits 0
check "more frames: says so" prints '^going on after frame 5 of the run in cut$'
check "more frames: the same" same whole cut
cp -r whole finished
run run tiny.toml -o finished --resume
check "all there: exit 0" exits 0
check "all there: the same" same whole finished
run run whole --resume -q --frames 12
check "by its folder: exit 0" exits 0
check "by its folder: all frames" test "$(lines whole)" == 12
rm -rf whole && cp -r finished whole
run run whole/scene.toml --resume --set output.png=false --frames 11
check "by its own scene: exit 0" exits 0
check "by its own scene: all frames" test "$(lines whole) $(count whole/png '*.png')" == "11 9"
rm -rf whole && cp -r finished whole
run run tiny.toml -o named --frames 5 --set name=first
run run tiny.toml -o named --resume --set name=second
check "another name: the run keeps its own" test "$status $(count named/vdb 'first.????.vdb') $(count named/vdb '*')" == "0 9 9"
refuses 2 'frame 9, and 4 are asked for' run tiny.toml -o whole --resume --frames 4
refuses 2 'add simulate' run tiny.toml -o whole --resume --stages render
run run tiny.toml -o json --frames 3 -q
run run tiny.toml -o json --resume --log-json
check "--log-json: where it goes on" prints '"event":"start".*"resumed":3\}'

# ---- nothing to go on from
run run tiny.toml -o fresh --resume
check "nothing there: exit 0" exits 0
check "nothing there: says so" says 'no checkpoint in fresh to go on from; starting from the beginning'
check "nothing there: all frames" same whole fresh
mkdir mine && cp tiny.toml mine/scene.toml
refuses 2 'mine/scene.toml' run tiny.toml -o mine --resume
refuses 2 'no good checkpoint at frame 3 or before it in whole/checkpoint; there are those of 8, 9' \
  run tiny.toml -o whole --from-frame 3
refuses 2 'there is none' run tiny.toml -o none --from-frame 1
check "refused: all is as it was" same whole finished

# ---- without --resume
run run tiny.toml -o cut --frames 5 -q
sed -i 's/^#   --frames 5$/#   --frames 9/' cut/scene.toml # as one that was killed
run run tiny.toml -o cut --frames 2
check "over an unfinished run: says so" prints 'replacing 5 frames .* not finished; --resume would have gone on with it$'
check "over an unfinished run: no old checkpoint" test "$(checkpoints cut)" == "tiny.0001.whorl tiny.0002.whorl"

# ---- a scene that has changed
cp -r whole changed
several 3 'the scene has changed since; --from-frame 9 goes on' run tiny.toml -o changed --resume --frames 12 \
  --set source.burner.density_rate=4 --set "smoke.buoyancy_density=2"
check "a changed scene: what" says '^  source.0.density_rate: 8 there, 4 here$'
check "a changed scene: what else" says '^  smoke.buoyancy_density: 0 there, 2 here$'
check "a changed scene: no more" test "$(wc -l <err.txt)" == 3
several 3 'start anew:' run tiny.toml -o changed --resume --resolution 48
several 3 'size of cells: 0.0625 m there' run tiny.toml -o changed --from-frame 9 --resolution 48
check "a changed scene: nothing is touched" diff -rq whole changed
run run tiny.toml -o changed --from-frame 8 --frames 10 --set source.burner.density_rate=4
check "--from-frame: exit 0" exits 0
check "--from-frame: says so" prints '^going on after frame 8 '
check "--from-frame: the frames before stay" cmp -s <(physics whole | head -n 8) <(physics changed | head -n 8)
check "--from-frame: the others do not" not cmp -s <(physics whole | sed -n 9p) <(physics changed | sed -n 9p)
run run tiny.toml -o changed --resume --frames 11 --set source.burner.density_rate=4
check "--from-frame: the changed scene goes on" test "$status $(lines changed)" == "0 11"

# ---- checkpoints that are damaged
damage() {
  rm -rf bad && cp -r whole bad
  "$@"
  run run tiny.toml -o bad --resume
  check "$*: exit 0" exits 0
  check "$*: says so" says 'warning: bad/checkpoint/tiny.0009.whorl: .*; taking the one before it'
  check "$*: the one before" prints '^going on after frame 8 '
  check "$*: the same" same whole bad
  check "$*: whole again" cmp -s whole/checkpoint/tiny.0009.whorl bad/checkpoint/tiny.0009.whorl
}
damage flip bad/checkpoint/tiny.0009.whorl 200
damage flip bad/checkpoint/tiny.0009.whorl -3000
damage truncate -s -1 bad/checkpoint/tiny.0009.whorl
damage truncate -s 0 bad/checkpoint/tiny.0009.whorl
damage sed -i '9s/frame/fra/' bad/frames.jsonl
flip bad/checkpoint/tiny.0008.whorl -3000
flip bad/checkpoint/tiny.0009.whorl -3000
cp -r bad before
run run tiny.toml -o bad --resume
check "all damaged: exit 2" exits 2
check "all damaged: says so" says 'no good checkpoint in bad to go on from, .* start anew without --resume'
check "all damaged: nothing is touched" diff -rq before bad
check "all damaged: one before the other" [ "$(grep -c 'taking the one before it' err.txt)" = 1 ]
rm -rf before

# ---- of another version
rm -rf bad && cp -r whole bad
printf 99 | dd of=bad/checkpoint/tiny.0009.whorl bs=1 seek=6 conv=notrunc status=none
cp -r bad before
refuses 2 'tiny.0009.whorl: it is a checkpoint of another version of Whorl' run tiny.toml -o bad --resume
check "another version: nothing is touched" diff -rq before bad

# ---- places that cannot be written to
rm -rf bad && cp -r whole bad && rm -rf bad/checkpoint && touch bad/checkpoint
run run tiny.toml -o bad
check "no folder for checkpoints: exit 5" exits 5
check "no folder for checkpoints: says so" says 'bad/checkpoint: .*frame 1 is in bad'
check "no folder for checkpoints: frames" test "$(lines bad)" == 1
if ((EUID != 0)); then
  rm -rf bad && cp -r whole bad && chmod a-w bad/checkpoint
  refuses 5 'bad' run tiny.toml -o bad --resume --frames 12
  chmod u+w bad/checkpoint
fi

# ---- a disk that is full when a checkpoint comes: its file is the largest
full() {
  local largest
  largest=$(stat -c %s whole/checkpoint/tiny.0008.whorl)
  ulimit -f $((largest / 1024 - 1))
  exec "$whorl" run tiny.toml -o full --resume --frames 12 --set output.vdb=[]
}
cp -r whole full
status=0
(full) >out.txt 2>err.txt </dev/null || status=$?
check "a full disk: exit 5" exits 5
check "a full disk: says so" says 'cannot write full/checkpoint/tiny.0010.whorl.*; frames 1-10 are in full'
check "a full disk: the frames before are whole" test "$(lines full) $(count full/png '*.png')" == "10 10"
check "a full disk: nothing half-written" test "$(find full -name '*.tmp' | wc -l)" == 0
check "a full disk: the checkpoints before" test "$(checkpoints full)" == "tiny.0008.whorl tiny.0009.whorl"
run run tiny.toml -o full --resume --frames 12 -q
check "a full disk: goes on" test "$status $(lines full)" == "0 12"
mkdir small
if mount -t tmpfs -o size=600k whorl small 2>/dev/null; then
  run run tiny.toml -o small/run --frames 100
  check "a full file system: exit 5" exits 5
  check "a full file system: says so before it is" says 'small/run has .* MiB left, .* stopped before it is full'
  finished=$(lines small/run)
  check "a full file system: frames" test "$finished" -gt 0 -a "$(count small/run/png 'tiny.*.png')" -ge "$finished"
  run run tiny.toml -o again --frames "$finished" -q
  check "a full file system: whole ones" cmp -s <(physics again) <(physics small/run)
  check "a full file system: a checkpoint of the last" test -s "$(printf 'small/run/checkpoint/tiny.%04d.whorl' "$finished")"
  mount -o remount,size=20m small
  run run tiny.toml -o small/run --frames $((finished + 2)) --resume -q
  check "a full file system: goes on where there is room" test "$status $(lines small/run)" == "0 $((finished + 2))"
  umount small
else
  echo "no small file system can be mounted here: the limit on the size of files stands for it"
fi

# ---- memory that is used up on the way: the least limit that lets a frame be finished
cat >grow.toml <<'TOML'
solver = "liquid"
[time]
frames = 60
[domain]
max = [1, 1, 1]
sides = { default = "wall", top = "open" }
[grid]
resolution = 64
[[source]]
shape = { sphere = { center = [0.5, 0.8, 0.5], radius = 0.25 } }
velocity = [0, -8, 0]
[output]
mesh = false
png = false
vdb = []
[checkpoint]
frames = 1
TOML
short_of_memory() {
  ulimit -v "$1"
  exec "$whorl" run grow.toml -o grow --threads 2
}
for ((limit = 260000; limit < 2000000; limit += 40000)); do
  rm -rf grow
  status=0
  (short_of_memory $limit) >out.txt 2>err.txt </dev/null || status=$?
  (($(lines grow) == 0)) || break
done
finished=$(lines grow)
check "memory: exit 5" exits 5
check "memory: says so" says 'out of memory: the system refused [0-9]+ bytes more; .* its last checkpoint$'
check "memory: a checkpoint of the last frame" test -s "$(printf 'grow/checkpoint/grow.%04d.whorl' "$finished")"
run run grow.toml -o grow --resume --frames $((finished + 1)) --threads 2
check "memory: goes on where there is more" test "$status $(lines grow)" == "0 $((finished + 1))"

# ---- a volume that something else has cut short
rm -rf bad && cp -r whole bad && truncate -s 1000 bad/vdb/tiny.0009.vdb
refuses 2 'cannot read bad/vdb/tiny.0009.vdb: not a VDB file, or not all of one' info bad/vdb/tiny.0009.vdb
run run tiny.toml -o bad --from-frame 8 -q
check "a volume cut short: made anew" test "$status $("$whorl" info --hash bad/vdb/tiny.0009.vdb)" == \
  "0 $("$whorl" info --hash whole/vdb/tiny.0009.vdb)"

# ---- limits
refuses 2 'of liquids' run tiny.toml -o limits --max-volume-drift 0.1
refuses 2 'max-divergence' run tiny.toml -o limits --max-divergence=-1
run run tiny.toml -o limits --max-divergence 1e9
check "a limit that is kept: exit 0" exits 0
run run tiny.toml -o limits --frames 20 --resume --max-divergence 1e-30
check "a limit that is not: exit 4" exits 4
check "a limit that is not: says so" says 'frame 10 has a divergence of .* 1/s, more than the limit of 1e-30 .*frames 1-9 are in limits'
check "a limit that is not: frames" test "$(lines limits) $(checkpoints limits)" == "9 tiny.0008.whorl tiny.0009.whorl"
# At the first frame that is worse than all before it.
worst=$(sed 's/.*"pressure_residual":\([^,]*\),.*"max_divergence":\([^,]*\),.*/\1 \2/' whole/frames.jsonl |
  awk '{ d = $1 > $2 ? $1 : $2; if (NR > 1 && d > most) { printf "%d %.17g\n", NR, most; exit } if (d > most) most = d }')
if [[ -n $worst ]]; then
  run run tiny.toml -o limited --set checkpoint.frames=100 --max-divergence "${worst#* }"
  check "a limit within a run: exit 4" exits 4
  check "a limit within a run: says so" says "frame ${worst% *} has a divergence"
  printf -v last 'tiny.%04d.whorl' $((${worst% *} - 1))
  check "a limit within a run: the last good frame" test "$(lines limited) $(checkpoints limited | grep -o '[^ ]*$')" == "$((${worst% *} - 1)) $last"
else
  fail "no frame is worse than the first"
fi
cat >water.toml <<'TOML'
solver = "liquid"
dimension = 2
[time]
frames = 20
[domain]
max = [1, 1]
sides = { default = "wall", top = "open" }
[grid]
resolution = 24
[[fill]]
shape = { box = { min = [0, 0], max = [0.4, 0.6] } }
[output]
vdb = []
png = false
TOML
run run water.toml -o water --max-volume-drift 0.05
check "volume is kept: exit 0" exits 0
several 3 'this cannot change within a run; name another folder' run water.toml -o water --from-frame 20 --frames 22 \
  --set liquid.surface=level_set
check "another surface: says which" says '^  liquid.surface: particles there, level_set here$'
check "another surface: the run is as it was" test "$(lines water) $(wc -l <err.txt)" == "20 2"
# As if there had been more at the start.
sed -i '1s/"liquid_volume":[^,]*/"liquid_volume":0.5/' water/frames.jsonl
run run water.toml -o water --resume --frames 22 --max-volume-drift 0.05
check "volume is lost: exit 4" exits 4
check "volume is lost: says so" says 'frame 21 has .* m³ of liquid too little, .* more than the limit of 0.05 '

# ---- spray that was not made
sed -e 's/^dimension = 2/[whitewater]/' -e 's/frames = 20/frames = 3/' -e 's/, 1\]$/, 1, 1]/' -e 's/0, 0\]/0, 0, 0]/' \
  -e 's/0.6\]/0.6, 1]/' -e 's/= 24/= 8/' water.toml >spray.toml
run run spray.toml -o spray --stages simulate --frames 1
check "a run without its spray: exit 0" exits 0
refuses 2 'no whitewater to go on from' run spray.toml -o spray --resume
run run spray.toml -o spray --stages simulate --resume --frames 2
check "a run without its spray: goes on" test "$status $(lines spray)" == "0 2"
run run spray.toml -o spray2 --frames 1
run run spray.toml -o spray2 --resume --stages simulate --frames 2
check "a run that leaves its spray out: exit 0" exits 0
refuses 2 'no whitewater to go on from' run spray.toml -o spray2 --resume

((failures == 0)) || { echo "$failures checks failed"; exit 1; }
