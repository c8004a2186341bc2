#!/usr/bin/env bash
# kill_resume.sh BIN [ROUNDS [SEED]]: runs of smoke and of liquid are killed at some moment, go on, may be killed again,
# and in the end have the frames of a run that nothing happened to, byte for byte; ROUNDS of each. Then once with each
# of the signals that ask for an end.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
whorl=$(cd "$1" && pwd)/whorl rounds=${2:-5} seed=${3:-1}
RANDOM=$seed
work=$(mktemp -d)
pid=
trap '[[ -z $pid ]] || kill -9 "$pid" 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"
# shellcheck source=tests/cli/checks.sh
source "$here/checks.sh"

cat >smoke.toml <<'TOML'
solver = "smoke"
dimension = 2
[time]
frames = 60
[domain]
max = [1, 2]
sides = { default = "open", bottom = "wall" }
[grid]
resolution = 48
[smoke]
advection = "bimocq"
energy = "none"
[[source]]
shape = { sphere = { center = [0.5, 0.2], radius = 0.12 } }
density_rate = 8
temperature = 400
vortex_particles = { rate = 60, acceleration = 2, radius = 0.1 }
[output]
video = false
exr = true
width = 32
height = 64
TOML
cat >liquid.toml <<'TOML'
solver = "liquid"
[time]
frames = 60
[domain]
max = [1, 1, 0.5]
sides = { default = "wall", top = "open" }
[grid]
resolution = 8
[[fill]]
shape = { box = { min = [0, 0, 0], max = [0.4, 0.6, 0.5] } }
[[source]]
shape = { sphere = { center = [0.85, 0.85, 0.25], radius = 0.1 } }
velocity = [-1, 0, 0]
end = 1
[whitewater]
trapped_air_rate = 30
wave_crest_rate = 30
[output]
particles = true
mesh_refinement = 1
video = false
exr = true
width = 32
height = 32
TOML

milliseconds() { echo $(($(date +%s%N) / 1000000)); }
# made FOLDER: what its files were made of, by frame and stage. Of each the last line counts: those of frames that were
# dropped are taken back before they are made again.
made() {
  sed -n 's/^{"frame":\([0-9]*\),"stage":"\([a-z]*\)","of":"\([0-9a-f]*\)"}$/\1 \2 \3/p' "$1/stages.jsonl" |
    awk '{ last[$1 " " $2] = $3 } END { for (k in last) print k, last[k] }' | sort
}
# same NAME FOLDER: all frames, and the state at the end, are those of the run that nothing happened to.
same() {
  local name=$1 folder=$2 file
  cmp <(physics "$name") <(physics "$folder") || return 1
  [[ $(made "$name" | wc -l) -ge 60 ]] || { echo "$name: not all frames are on record"; return 1; }
  cmp <(made "$name") <(made "$folder") || return 1
  diff -rq -x frames.jsonl -x stages.jsonl -x report.html -x scene.toml -x vdb -x checkpoint "$name" "$folder" || return 1
  cmp "$name/checkpoint/$name.0060.whorl" "$folder/checkpoint/$name.0060.whorl" || return 1
  [[ $(cd "$name/vdb" && find . | sort) == $(cd "$folder/vdb" && find . | sort) ]] || return 1
  for file in "$folder"/vdb/*.vdb; do
    same_volume "$file" "$name/vdb/${file##*/}" || { echo "$file differs"; return 1; }
  done
}
# Each file of OpenVDB begins with a random number of its own.
same_volume() { cmp -s -i 57 "$1" "$2" || [[ $("$whorl" info --hash "$1") == $("$whorl" info --hash "$2") ]]; }

# start NAME FOLDER ARGUMENT...: a run in the background, as `pid`.
start() {
  local name=$1 folder=$2
  shift 2
  set -m # without job control, a background job ignores Ctrl-C
  "$whorl" run "$name.toml" -o "$folder" --threads 2 "$@" >out.txt 2>err.txt </dev/null &
  pid=$!
  set +m
}
end() {
  status=0
  wait "$pid" 2>/dev/null || status=$?
  pid=
}
resumed_after() { sed -n 's/^going on after frame \([0-9]*\) .*/\1/p' out.txt; }

kills=0 resumed=0
for name in smoke liquid; do
  begin=$(milliseconds)
  run run "$name.toml" -q -o "$name" --threads 2
  took=$(($(milliseconds) - begin))
  check "$name: exit 0" exits 0
  for ((round = 1; round <= rounds; ++round)); do
    folder=$name.$round
    every=$((1 + RANDOM % 7))
    said="$name, round $round, a checkpoint every $every frames"
    start "$name" "$folder" --set checkpoint.frames=$every
    for ((more = RANDOM % 3; more >= 0; --more)); do
      moment=$((RANDOM % took))
      printf -v pause '%d.%03d' $((moment / 1000)) $((moment % 1000))
      sleep "$pause"
      kill -9 "$pid" 2>/dev/null || true
      end
      [[ $status != 137 ]] || kills=$((kills + 1))
      finished=$(lines "$folder")
      start "$name" "$folder" --set checkpoint.frames=$every --resume
    done
    end
    check "$said: exit 0" exits 0
    after=$(resumed_after)
    [[ -z $after ]] || resumed=$((resumed + 1))
    # No more is lost than what lies between two checkpoints.
    check "$said: went on after frame ${after:-0} of $finished" test $((${after:-0} + every)) -ge "$finished"
    check "$said: the frames are the same" same "$name" "$folder"
    rm -rf "$folder"
  done

  for signal in INT TERM; do
    folder=$name.$signal
    start "$name" "$folder"
    for ((try = 0; try < 3000 && $(lines "$folder") < 20; ++try)); do sleep 0.01; done
    kill -$signal "$pid" || true
    end
    finished=$(lines "$folder")
    check "$name, SIG$signal: exit 130" exits 130
    run run "$name.toml" -o "$folder" --threads 2 --resume
    check "$name, SIG$signal: goes on where it was" test "$status $(resumed_after)" == "0 $finished"
    check "$name, SIG$signal: the frames are the same" same "$name" "$folder"
  done
done

check "runs were killed" test "$kills" -gt 0
check "runs went on from checkpoints" test "$resumed" -gt 0
echo "$kills kills, $resumed runs that went on from a checkpoint to their end"
((failures == 0)) || { echo "$failures checks failed"; exit 1; }
