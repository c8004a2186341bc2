#!/usr/bin/env bash
# run.sh BIN: what `whorl run` and `whorl info` of BIN say, write and leave behind, when all goes well and when not.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
whorl=$1/whorl
python=/usr/bin/python3
work=$(mktemp -d)
pid=
# A run that a failed check left behind must not go on.
trap '[[ -z $pid ]] || kill -9 "$pid" 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"
# shellcheck source=tests/cli/checks.sh
source "$here/checks.sh"

{
  tiny_smoke 8 0.03125
  cat <<'TOML'
[output]
width = 64
height = 128
TOML
} >tiny.toml

whole_png() { [[ $(tail -c 8 "$1" | head -c 4) == IEND ]]; }
whole_vdb() { "$whorl" info --hash "$1" >/dev/null 2>&1; }
# whole FOLDER NAME: every frame that frames.jsonl names, 1 to its number of lines, has whole files; so has
# every file that goes by the name of a frame.
whole() {
  local folder=$1 name=$2 frame n=0 line file
  while IFS= read -r line; do
    printf -v frame %04d $((++n))
    [[ $line == "{"*"\"frame\":$n,"*"}" || $line == "{"*"\"frame\": $n,"*"}" ]] || { echo "line $n: $line"; return 1; }
    [[ -f $folder/vdb/$name.$frame.vdb && -f $folder/png/$name.$frame.png ]] || { echo "no files of frame $n"; return 1; }
  done < <(cat "$folder/frames.jsonl" 2>/dev/null)
  for file in "$folder"/png/*.png; do [[ ! -e $file ]] || whole_png "$file" || { echo "not whole: $file"; return 1; }; done
  for file in "$folder"/vdb/*.vdb; do [[ ! -e $file ]] || whole_vdb "$file" || { echo "not whole: $file"; return 1; }; done
}
# begin FOLDER LINES ARGUMENT...: a run in the background, as `pid`, once that many frames are in the folder.
begin() {
  local folder=$1 wanted=$2 try
  shift 2
  set -m # without job control, a background job ignores Ctrl-C
  "$whorl" run tiny.toml -o "$folder" "$@" >out.txt 2>err.txt </dev/null &
  pid=$!
  set +m
  for ((try = 0; try < 3000; ++try)); do
    (($(lines "$folder") < wanted)) || return 0
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.01
  done
  echo "the run in $folder did not get to frame $wanted"
}
# end: waits for it.
end() {
  status=0
  wait "$pid" 2>/dev/null || status=$?
  pid=
}
valid_json_lines() {
  [[ -x $python ]] || return 0
  "$python" -c '
import json, sys
events = [json.loads(line)["event"] for line in open(sys.argv[1])]
if events != sys.argv[2].split(): sys.exit("events: " + " ".join(events))' "$1" "$2"
}

# ---- the command line
refuses 2 nosuch.toml run nosuch.toml
refuses 2 folder run .
refuses 2 SCENE run
for frames in 0 5-3 1-0 -3 some 1- 1-2-3 1.5; do refuses 2 "$frames" run tiny.toml --frames "$frames"; done
refuses 2 checkpoint run tiny.toml --frames 3-9
refuses 2 none run tiny.toml --threads none
refuses 2 0 run tiny.toml --resolution 0
refuses 2 quiet run tiny.toml -q -v
refuses 2 KEY=VALUE run tiny.toml --set
refuses 2 fps run tiny.toml --set time.fps
check "a refused run writes nothing" absent out

# ---- the scene
sed 's/density_rate/densty_rate/' tiny.toml >typo.toml
refuses 3 "^typo.toml:14: .*did you mean 'density_rate'" run typo.toml
refuses 3 '^--set time.fps=-1: ' run tiny.toml --set time.fps=-1
refuses 3 'one of the two' run tiny.toml --set grid.cell_size=0.1 --resolution 32
run run typo.toml --set time.fps=0
check "two mistakes, two lines" test "$(wc -l <err.txt)" == 2
check "a run that is refused writes nothing" absent out

# ---- places that cannot be written to
touch file
refuses 5 'file/out' run tiny.toml -o file/out
refuses 5 'file' run tiny.toml -o file
if ((EUID != 0)); then
  mkdir locked && chmod a-w locked
  refuses 5 'locked' run tiny.toml -o locked/out
fi

# ---- a run
run run tiny.toml
check "run: exit 0" exits 0
check "run: nothing on stderr" test ! -s err.txt
check "run: a line a frame and one more" test "$(wc -l <out.txt)" == 9
check "run: frame 8 of 8" prints '^frame 8/8: '
check "run: says where" prints '^tiny: 8 frames in .*, in out/tiny; (video: out/tiny/tiny.mp4|image: .*0008.png)$'
check "run: frames" whole out/tiny tiny
check "run: statistics" test "$(lines out/tiny)" == 8
check "run: volumes" test "$(count out/tiny/vdb '*')" == 8
check "run: images" test "$(count out/tiny/png '*')" == 8
if command -v ffmpeg >/dev/null; then check "run: video" test -s out/tiny/tiny.mp4; fi
check "run: nothing else" test "$(find out/tiny -mindepth 1 -maxdepth 1 ! -name tiny.mp4 -printf '%f\n' | sort | xargs)" == \
  "checkpoint frames.jsonl png report.html scene.toml stages.jsonl vdb"

# The folder's own scene gives the same again, and does not grow.
hashes() { grep -o '"state_hash": *[^,}]*' "$1/frames.jsonl"; }
run run tiny.toml -q -o first --frames 1-4 --resolution 48 --set 'source.burner.density_rate=4'
check "quiet: exit 0" exits 0
check "quiet: silent" test ! -s out.txt -a ! -s err.txt
check "--frames 1-4: four" test "$(lines first)" == 4
run run first/scene.toml -o again
check "again: exit 0" exits 0
check "again: the name" test -s again/png/tiny.0004.png
check "again: the same" test "$(hashes first)" == "$(hashes again)"
check "again: the same scene" cmp -s first/scene.toml again/scene.toml
run run first/scene.toml -q -o coarser --set grid.cell_size=0.125 --set time.frames=2
check "again, but for what is given: frames" test "$status $(lines coarser)" == "0 2"
check "again, but for what is given: the rest" grep -q '^#   --set source.burner.density_rate=4$' coarser/scene.toml
check "again, but for what is given: cells" not grep -q resolution coarser/scene.toml
run info first/scene.toml
check "info of a run's scene" prints 'cells +24 x 48 of'
check "info of a run's scene: frames" prints 'frames +4,'
check "again: another than the file's" test "$(hashes first)" != "$(hashes out/tiny | head -n 4)"

# ---- light
run run tiny.toml -o light --frames 3 --set output.exr=true
check "exr: exit 0" exits 0
check "exr: both" test "$(count light/exr 'tiny.000?.exr') $(count light/png '*.png')" == "3 3"
rm light/exr/tiny.0002.exr
run info light
check "exr: info" prints '3 vdb, 3 png, 2 exr'
check "exr: info, what is missing" prints 'missing +light/exr/tiny.0002.exr$'
run run tiny.toml -o light --frames 2 --set output.exr=true --set output.png=false --set output.video=false
check "exr alone: says where" prints 'image: light/exr/tiny.0002.exr$'
check "exr alone: of this run alone" test "$(count light/exr '*') $(count light/png '*')" == "2 0"

# ---- over an earlier run
touch out/tiny/notes.txt out/tiny/vdb/other.0001.vdb out/tiny/vdb/tiny.txt out/tiny/png/tiny.final.png
echo half >out/tiny/vdb/.4711.tiny.0005.vdb
run run tiny.toml --set time.fps=-1
check "invalid: leaves the earlier run" test "$(count out/tiny/vdb 'tiny.????.vdb')" == 8
run run tiny.toml --frames 3
check "replace: exit 0" exits 0
check "replace: says so" prints '^replacing 8 frames of an earlier run in out/tiny$'
check "replace: the old frames are gone" test "$(count out/tiny/vdb 'tiny.????.vdb') $(count out/tiny/png 'tiny.????.png') $(lines out/tiny)" == "3 3 3"
check "replace: what a killed run left is gone" absent out/tiny/vdb/.4711.tiny.0005.vdb
for file in notes.txt vdb/other.0001.vdb vdb/tiny.txt png/tiny.final.png; do
  check "replace: $file stays" test -e "out/tiny/$file"
done
run run tiny.toml --frames 2 -o out/tiny --set name=other
check "replace by another name: says so" prints '^replacing 4 frames' # with the stranger of that name
check "replace by another name: no old files" test "$(count out/tiny/vdb 'tiny.????.vdb') $(count out/tiny '*.mp4')" == "0 $(count out/tiny 'other.mp4')"
mkdir mine && cp tiny.toml mine/scene.toml
refuses 2 'mine/scene.toml' run tiny.toml -o mine
check "a scene of the user's own stays" cmp -s tiny.toml mine/scene.toml

# ---- for programs
run run tiny.toml --frames 2 --log-json -o json
check "--log-json: exit 0" exits 0
check "--log-json: events" valid_json_lines out.txt "start frame frame done"
run run tiny.toml --frames 1 --log-json -v -o json
check "--log-json -v: sub-steps" prints '^\{"event":"step",'
check "--log-json -v: replaced" prints '"replaced":2'
run run typo.toml --log-json
check "--log-json: exit 3" exits 3
check "--log-json: the error" valid_json_lines out.txt "error"
run run tiny.toml --frames 2 -v -o verbose
check "-v: sub-steps" prints 'frame 2, sub-step 1:'
check "-v: seconds by stage" prints '[0-9]  write_png$'

# A terminal has one line that is written over, never wider than it is, and empty at the end.
cat >terminal.py <<'END'
import fcntl, os, pty, re, struct, sys, termios
width = int(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    os.environ["TERM"] = "xterm"
    os.execv(sys.argv[2], sys.argv[2:])
text = b""
try:
    while chunk := os.read(terminal, 65536): text += chunk
except OSError: pass
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
*drawn, last = text.decode().split("\r\x1b[K")
drawn = "".join(drawn).replace("\x1b[K", "").split("\r")
wide = [line for line in drawn if len(line) >= width]
if code or wide or not re.search(r"frame \d+/60", "".join(drawn)) or "60 frames in" not in last:
    sys.exit(f"exit {code}; too wide: {wide[:3]}; {text[-300:]}")
END
if [[ -x $python ]] && "$python" -c 'import os; os.openpty()' 2>/dev/null; then
  for width in 30 80 200; do
    check "a terminal of $width columns" "$python" terminal.py "$width" "$whorl" run tiny.toml --frames 60 -o "terminal$width"
  done
fi

# A reader that goes away stops nothing.
piped() { "$whorl" run tiny.toml -o piped 2>err.txt | head -n 1 >out.txt; (exit "${PIPESTATUS[0]}"); }
piped || fail "a closed pipe: exit $?"
check "a closed pipe: all frames" test "$(lines piped)" == 8
"$whorl" run tiny.toml -o closed --frames 3 <&- >&- 2>&- || fail "closed from the start: exit $?"
check "closed from the start: frames whole" whole closed tiny
check "closed from the start: all frames" test "$(lines closed)" == 3

# ---- stopped half-way
begin stop 3 --frames 2000
second=0
"$whorl" run tiny.toml -o stop >second.txt 2>&1 || second=$?
check "two runs in one folder: exit 5" test "$second" == 5
check "two runs in one folder: says why" grep -q 'another run' second.txt
kill -INT "$pid"
end
finished=$(lines stop)
check "Ctrl-C: exit 130" exits 130
check "Ctrl-C: frames whole" whole stop tiny
check "Ctrl-C: some of them" test "$finished" -ge 3 -a "$finished" -lt 2000
check "Ctrl-C: no other file" test "$(find stop/vdb stop/png -type f | wc -l)" == $((2 * finished))
check "Ctrl-C: says so" says "^whorl: stopped at frame $((finished + 1)): frames 1-$finished are in stop; --resume goes on with it\$"
if command -v ffmpeg >/dev/null; then check "Ctrl-C: a video of them" test -s stop/tiny.mp4; fi
run info stop
check "info: how far it got" prints "$finished of 2000 frames finished"
begin term 1 --frames 2000
kill -TERM "$pid"
end
check "SIGTERM: exit 130" exits 130

# A frame of two thousand sub-steps or more does not wait for its end.
begin step 0 --frames 5 --set time.fps=1 --set time.max_step=0.0005 -v
for ((try = 0; try < 3000; ++try)); do
  ! grep -q 'frame 1, sub-step 3:' out.txt || break
  sleep 0.01
done
kill -INT "$pid"
end
check "Ctrl-C in a frame: exit 130" exits 130
check "Ctrl-C in a frame: no frame" test "$(lines step)" == 0
check "Ctrl-C in a frame: says so" says '^whorl: stopped at frame 1: no frame is finished; --resume goes on with it$'

# ---- killed at some moment: in a folder of its own, then over an earlier run
for try in 1 2 3 4 5; do
  rm -rf killed
  begin killed 1 --frames 2000
  sleep "0.0$((RANDOM % 10))$((RANDOM % 10))"
  kill -9 "$pid"
  end
  check "killed ($try): it was" exits 137
  check "killed ($try): frames whole" whole killed tiny
  files=$(find killed/vdb -name '[^.]*' -type f | wc -l)
  check "killed ($try): $files volumes of $(lines killed) frames" test "$files" -le $(($(lines killed) + 1))
done
for try in 1 2 3 4 5; do
  run run tiny.toml -q --frames 20 -o replacing
  begin replacing 0 --frames 2000
  sleep "0.0$((RANDOM % 3))$((RANDOM % 10))"
  kill -9 "$pid"
  end
  check "killed while replacing ($try): frames whole" whole replacing tiny
done
before=$(lines killed)
printf '{"frame":%d,"time":1.2' $((before + 1)) >>killed/frames.jsonl
echo half >killed/vdb/.4711.tiny.9999.vdb
volumes=$(find killed/vdb -name '[^.]*' -type f | wc -l)
run info killed
check "info of a killed run: exit 0" exits 0
check "info of a killed run: frames" prints "$before of 2000 frames finished"
check "info of a killed run: half a line" prints '1 line of frames.jsonl cannot be read'
check "info of a killed run: volumes" prints "files +$volumes vdb"
run run tiny.toml -q --frames 2 -o killed
check "over a killed run: all is new" test "$status $(find killed/vdb killed/png -type f | wc -l) $(lines killed)" == "0 4 2"

# ---- a full disk, as far as a limit on the size of files is one
full() (
  ulimit -f 4
  exec "$whorl" run tiny.toml -o full --frames 60
)
status=0
full >out.txt 2>err.txt </dev/null || status=$?
check "a full disk: exit 5" exits 5
check "a full disk: one line" one_line err.txt
check "a full disk: which file, and what there is" says '^whorl: cannot write .*(frames 1-[0-9]+ are|frame 1 is|no frame is)'
check "a full disk: frames whole" whole full tiny
check "a full disk: nothing half-written" test "$(find full -name '.*' | wc -l)" == 0

# ---- stages, alone and again
cat >water.toml <<'END'
solver = "liquid"
[time]
frames = 2
[domain]
max = [1, 1, 1]
sides = { default = "wall", top = "open" }
[grid]
resolution = 16
[[fill]]
shape = { box = { min = [0, 0, 0], max = [0.4, 0.6, 1] } }
[output]
particles = true
width = 64
height = 64
END
# shows FOLDER FILE: its report has all of the file in it.
shows() { grep -qFf <(base64 -w 0 "$1/$2") "$1/report.html"; }
refuses 2 "'surfaces' is no stage.*simulate" run water.toml --stages surfaces
refuses 2 'no stage' run water.toml --stages surface,
refuses 2 'no folder nosuch' run water.toml --stages surface -o nosuch
refuses 2 'not the folder of a run' run water.toml --stages surface -o mine
refuses 2 'of liquids' run tiny.toml --stages surface -o first
run run water.toml --stages simulate -o water
check "--stages simulate: no meshes, no images" test "$status $(find water -type d | wc -l)" == "0 4"
run run water.toml -o water
check "a run of water: exit 0" exits 0
run info water
check "info of water: its files" prints 'files +2 vdb, 2 mesh, 2 particles, 2 png, a video$'
run info water.toml
check "info of the scene of water" prints 'output .*; meshes; particles; images; a video$'
cp -r water water_before
rm water/mesh/water.0001.ply
run info water
check "info of water: a mesh that is missing" prints 'missing +water/mesh/water.0001.ply$'
run run water.toml --stages surface -o water
check "--stages surface: exit 0" exits 0
check "--stages surface: a line a frame that is made" prints '^frame 1/2: .* particles, '
check "--stages surface: says where" prints '^water: 2 frames \(1 as before.* in .*; mesh: water/mesh/water.0002.ply$'
check "--stages surface: the same again" diff -rq water_before water
run run water.toml --stages surface -o water --set output.mesh_refinement=1
check "another refinement: another mesh" not cmp -s water_before/mesh/water.0001.ply water/mesh/water.0001.ply
volumes() { grep -o '"mesh_volume":[^,]*' "$1/frames.jsonl"; }
rest() { sed 's/"mesh_volume":[^,]*//' "$1/frames.jsonl"; }
check "another refinement: the volumes of the new meshes" test "$(volumes water)" != "$(volumes water_before)"
check "another refinement: the rest of the statistics" test "$(rest water)" == "$(rest water_before)"
check "another refinement: nothing else" \
  diff -rq -x mesh -x stages.jsonl -x frames.jsonl -x report.html water_before water
run run water.toml --stages surface -o water
check "the refinement of the run: all as it was" diff -rq -x stages.jsonl water_before water
run render water
check "render: nothing to do" prints '^water: 2 frames \(all as before'
run render water -q --again
check "render: the same images again" diff -rq -x mesh -x stages.jsonl -x '*.mp4' -x report.html water_before water
check "render: the same report again" cmp -s <(sed '/^<video/d' water_before/report.html) <(sed '/^<video/d' water/report.html)
run render water --set render.samples=1 --frames 1
check "render: by other keys another image" not cmp -s water_before/png/water.0001.png water/png/water.0001.png
check "render: no more frames than asked for" cmp -s water_before/png/water.0002.png water/png/water.0002.png
check "render: nothing to say" test ! -s err.txt
check "render: some pictures, and so no video in the report" not grep -q '^<video' water/report.html
check "render: it shows the pictures" shows water png/water.0001.png
check "render: and that of the other frame" shows water png/water.0002.png
run render water --set render.seconds=0.001 --frames 2
check "render.seconds: says that pictures differ, once" test "$status $(grep -c 'render.seconds.*differ' err.txt)" == "0 1"
run run water.toml -o hasty --set render.seconds=0.001
check "render.seconds: in a run as well" test "$status $(grep -c 'render.seconds.*differ' err.txt) $(count hasty/png '*')" == "0 1 2"
cp -r water water_some
run render water_some --set render.samples=1 --frames 2-2
check "render: some frames" test "$status $(grep -c '^frame' out.txt)" == "0 1"
check "render: some frames: that image" not cmp -s water/png/water.0002.png water_some/png/water.0002.png
check "render: some frames: no other, and no video" diff -rq -x '*.0002.png' -x stages.jsonl -x report.html water water_some
check "render: some frames: in the report" shows water_some png/water.0002.png
check "render: some frames: in the report that alone" \
  cmp -s <(grep -v 'alt="frame 2"' water/report.html) <(grep -v 'alt="frame 2"' water_some/report.html)
run render water_some --again --frames 2 --set render.samples=2
check "render: one frame alone" test "$status $(grep -c '^frame' out.txt)" == "0 1"
refuses 2 'is missing; simulate again$' render water --frames 3
refuses 2 'neither a frame nor a range' render water --frames some
refuses 2 'cannot read' render nosuch
refuses 2 'needs a \[whitewater\] table' run water.toml --stages whitewater -o water
cp water/report.html report_before.html
run run water.toml --stages whitewater -o water --set whitewater.seed=1
check "--stages whitewater: exit 0" exits 0
run info water --json
check "--stages whitewater: info counts it" prints '"mesh":2,"particles":2,"whitewater":2,'
check "--stages whitewater: a file a frame" test "$(count water/particles 'water_whitewater.????.ply')" == 2
check "--stages whitewater: nothing else" diff -rq -x mesh -x png -x stages.jsonl -x '*.mp4' -x '*_whitewater.*' -x report.html water_before water
check "--stages whitewater: the same report" cmp -s report_before.html water/report.html
refuses 2 '--resolution' run water.toml --stages surface -o water --resolution 20
truncate -s -1 water/particles/water.0001.ply
refuses 2 'particles/water.0001.ply: it should hold' run water.toml --stages surface -o water --again
rm water/particles/*
refuses 2 'no water/particles/water.0001.ply' run water.toml --stages surface -o water

cp -r first smoke_again
run render smoke_again
check "render: smoke from its volumes, where nothing has changed" prints '^tiny: .*all as before'
# Its width and how many frames it has; ffprobe comes with ffmpeg, which makes it.
video_of() { ffprobe -v error -count_frames -show_entries stream=nb_read_frames,width -of csv=p=0 "$1"; }
run render smoke_again --set output.width=40
check "render: smoke from its volumes" test "$status $(count smoke_again/png 'tiny.????.png')" == "0 $(count first/png 'tiny.????.png')"
check "render: a video of all frames" test "$(video_of smoke_again/tiny.mp4)" == "40,4"
check "render: in the report" shows smoke_again tiny.mp4
run render smoke_again --frames 1 --again -q --set output.width=40
check "render: a picture alone leaves the video" test "$(video_of smoke_again/tiny.mp4)" == "40,4"
rm smoke_again/tiny.mp4
run render smoke_again -q --set output.width=40
check "render: again a video of all frames" test "$(video_of smoke_again/tiny.mp4)" == "40,4"
touch -d '2 days ago' smoke_again/tiny.mp4
run render smoke_again --frames 2 --again -q --set output.width=40
run render smoke_again -q --set output.width=40
check "render: a new video for a new picture" test smoke_again/tiny.mp4 -nt smoke_again/frames.jsonl
check "render: a new video in the report" shows smoke_again tiny.mp4
mkdir broken
printf '#!/bin/sh\nexit 1\n' >broken/ffmpeg
chmod +x broken/ffmpeg
PATH=$PWD/broken:$PATH run render smoke_again --set output.width=48
check "no video: exit 0" exits 0
check "no video: says so" says 'no video: '
check "no video: the old one stays" test "$(video_of smoke_again/tiny.mp4)" == "40,4"
check "no video: but not in the report" not grep -q '^<video' smoke_again/report.html
check "no video: the new pictures are" shows smoke_again png/tiny.0004.png
run render smoke_again --again --frames 1
check "render: smoke from its volumes: says cells" prints '^frame 1/.* cells, '
short_of_memory() (
  ulimit -v 400000
  exec "$whorl" render smoke_again --frames 1 --set output.width=8192 --set output.height=8192
)
status=0
short_of_memory >out.txt 2>err.txt </dev/null || status=$?
check "render: pictures beyond memory: exit 5" exits 5
check "render: pictures beyond memory: what to do" says 'the memory is used up; smaller pictures .output.width, output.height. need less'

# ---- info
rm first/png/tiny.0002.png
run info first
check "info of a run: all frames" prints "the run 'tiny', 4 frames, all finished"
check "info of a run: what is missing" prints 'missing +first/png/tiny.0002.png$'
check "info of a run: hashes" prints 'hashes +of every frame'
run info first/ --json
if [[ -x $python ]]; then
  check "info --json of a run" "$python" -c '
import json
run = json.load(open("out.txt"))
assert (run["kind"], run["name"], run["frames_finished"], run["vdb"], run["png"]) == ("run", "tiny", 4, 4, 3), run
assert run["seconds"] > 0 and run["active_cells"]["most"] > 0 and run["peak_memory_bytes"] > 0, run'
fi
run info tiny.toml
check "info of a scene" prints 'cells +32 x 64 of 0.03125 m'
run info tiny.toml --json
if [[ -x $python ]]; then
  check "info --json of a scene" "$python" -c '
import json
scene = json.load(open("out.txt"))
assert scene["cells"] == [32, 64] and scene["sources"] == ["burner"], scene'
fi
refuses 3 densty info typo.toml
run info first/vdb/tiny.0001.vdb
check "info of a volume" exits 0
run info first/vdb/tiny.0001.vdb --json
check "info --json of a volume" prints '^\{'
run info first/vdb/tiny.0001.vdb --hash
check "info --hash" prints '^[0-9a-f]{16}$'
cp out.txt hash.txt
run info again/vdb/tiny.0001.vdb --hash
check "info --hash: the same for the same" cmp -s out.txt hash.txt
echo nonsense >broken.vdb
refuses 2 broken.vdb info broken.vdb
refuses 2 nosuch info nosuch
refuses 2 'neither a scene' info first/png/tiny.0001.png
refuses 2 'not the folder of a run' info first/png
refuses 2 '--hash' info tiny.toml --hash

((failures == 0)) || { echo "$failures checks failed"; exit 1; }
