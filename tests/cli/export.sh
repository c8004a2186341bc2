#!/usr/bin/env bash
# export.sh BIN: what `whorl export` of BIN writes, refuses and leaves alone.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
whorl=$1/whorl
python=/usr/bin/python3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# shellcheck source=tests/cli/checks.sh
source "$here/checks.sh"

cat >smoke.toml <<'END'
solver = "smoke"
dimension = 3
[time]
fps = 25
frames = 3
[domain]
min = [1, 0.5, -2]
max = [2, 1.5, -1.5]
sides = { default = "open", bottom = "wall" }
[grid]
cell_size = 0.125
[[source]]
shape = { sphere = { center = [1.5, 0.8, -1.75], radius = 0.2 } }
density_rate = 8
temperature = 600
color = [1, 0.5, 0.25]
[output]
png = false
video = false
END
cat >water.toml <<'END'
solver = "liquid"
dimension = 3
[time]
frames = 2
[domain]
min = [0, 0, 0]
max = [1, 1, 0.5]
[grid]
cell_size = 0.125
[[fill]]
shape = { box = { min = [0, 0, 0], max = [0.4, 0.6, 0.5] } }
[output]
png = false
video = false
particles = true
END
run run smoke.toml -q -o smoke
check "smoke runs" exits 0
run run water.toml -q -o water
check "water runs" exits 0
cp -r smoke smoke_before

# json FILE EXPRESSION: of the object `o` in a JSON file, must be true.
json() {
  [[ -x $python ]] || return 0
  "$python" -c 'import json, sys; o = json.load(open(sys.argv[1])); sys.exit(not eval(sys.argv[2]))' "$1" "$2"
}
grids() { "$whorl" info --json "$1" >info.json && json info.json "[g['name'] for g in o['grids']] == '$2'.split()"; }
valid_python() { [[ ! -x $python ]] || "$python" -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$1"; }

# ---- for Blender
run export smoke --for blender
check "export: succeeds" exits 0
check "export: a line a frame" prints '^frame 3, 3 of 3$'
out=smoke/export-blender
check "export: says how to open it" prints "^3 frames in $out; open with: $out/open_in_blender.py\$"
check "export: a volume a frame" test "$(count smoke/export-blender/vdb 'smoke.????.vdb')" == 3
check "export: nothing half-written" test -z "$(find smoke/export-blender -name '.*' -type f)"
check "export: Blender's names" grids smoke/export-blender/vdb/smoke.0002.vdb "density temperature velocity color"
check "export: z is up" json info.json "[round(x, 6) for x in o['grids'][0]['origin']] == [1.0625, 1.9375, 0.5625]"
check "export: the run is as it was" diff -rq -x export-blender smoke_before smoke
facts=smoke/export-blender/export.json
check "facts: frames" json $facts "o['fps'] == 25 and o['volumes']['frames'] == [1, 2, 3] and o['up'] == 'z'"
check "facts: the domain" json $facts "o['domain'] == [[1, 1.5, 0.5], [2, 2, 1.5]] and o['floor'] == 0.5"
check "facts: the camera sees it" json $facts "o['camera']['position'][1] < 1.5 and o['camera']['towards'][1] > 0"
check "facts: the light" json $facts "[s['irradiance'] for s in o['light']['suns']] == [[7, 6.15, 5.1], [0.36, 0.5, 0.75]]"
check "facts: what is behind" json $facts "o['light']['backdrop'] == [0.03, 0.036, 0.046]"
check "the script is Python" valid_python smoke/export-blender/open_in_blender.py

# What the scene says of its light is all of it: the key goes with the sun; rim, sky and backdrop with the sky.
run run smoke.toml -q -o dim --frames 1 --set render.light.sun=0 --set render.light.sky=0.5
run export dim --for blender -q
check "dim: succeeds" exits 0
check "dim: the suns" json dim/export-blender/export.json \
  "[s['irradiance'] for s in o['light']['suns']] == [[0, 0, 0], [0.18, 0.25, 0.375]]"
check "dim: the sky" json dim/export-blender/export.json \
  "[round(x, 6) for x in o['light']['zenith']] == [0.0575, 0.075, 0.105]"
run export dim --for blender -q -o dim_again --set render.light.sky=1
check "dim: another light than the run's, as render has it" json dim_again/export.json \
  "[s['irradiance'] for s in o['light']['suns']] == [[0, 0, 0], [0.36, 0.5, 0.75]]"
refuses 3 'render.light.moon' export dim --for blender -o dim_again --set render.light.moon=1
check "dim: what is behind" json dim/export-blender/export.json "o['light']['backdrop'] == [0.015, 0.018, 0.023]"

run export smoke --for blender --frames 2 -q
check "again: quiet" test "$status $(wc -c <out.txt)" == "0 0"
check "again: takes the place of the first" test "$(find $out/vdb -type f)" == $out/vdb/smoke.0002.vdb
check "a number is that frame alone" json $facts "o['volumes']['frames'] == [2] == [o['first_frame']]"

run export water --for blender -o for/blender
check "water: succeeds" exits 0
check "water: meshes" test "$(count for/blender/mesh 'water.????.ply')" == 2
check "water: particles" test "$(count for/blender/particles 'water.????.ply')" == 2
check "water: z is up" grep -qa '^comment metres, z up$' for/blender/mesh/water.0001.ply
check "water: facts" json for/blender/export.json "o['water']['depth'] > 0 and 'smoke' not in o"
check "water: the light" json for/blender/export.json \
  "[s['irradiance'] for s in o['light']['suns']] == [[4.1, 3.6, 2.9]] and 'backdrop' not in o['light']"

cat >flat.toml <<'END'
solver = "smoke"
dimension = 2
[time]
frames = 1
[grid]
cell_size = 0.1
[[source]]
shape = { sphere = { center = [2, 1], radius = 0.3 } }
density_rate = 8
[output]
png = false
video = false
END
run run flat.toml -q -o flat
run export flat --for blender -q
check "in 2D, without a domain: succeeds" exits 0
check "in 2D: a camera that looks at the smoke" json flat/export-blender/export.json \
  "abs(o['camera']['position'][0] - 2) < 3 and o['camera']['position'][1] < 0 and 'domain' not in o"

# ---- for Houdini
run export smoke --for houdini
check "Houdini: its names" grids smoke/export-houdini/vdb/smoke.0002.vdb "density temperature vel Cd"
check "Houdini: y is up" json smoke/export-houdini/export.json "o['up'] == 'y' and o['domain'][0] == [1, 0.5, -2]"
run export water --for houdini
check "Houdini: meshes as USD" test "$(count water/export-houdini/mesh 'water.????.usda')" == 2
check "Houdini: velocities" grep -q 'vector3f\[\] velocities.timeSamples' water/export-houdini/mesh/water.0002.usda
check "Houdini: a sequence" grep -q '@./water.0002.usda@' water/export-houdini/mesh/water.usda
check "Houdini: the script is Python" valid_python water/export-houdini/open_in_houdini.py
cp -r water half
truncate -s -10 half/mesh/water.0001.ply
run export half --for houdini -q
check "Houdini: a failed export leaves no sequence of the one before" not grep -rq water.0002.usda half/export-houdini

# ---- solids
cat >solids.toml <<'END'
solver = "smoke"
dimension = 3
[time]
fps = 10
frames = 2
[domain]
min = [0, 0, 0]
max = [1, 1, 1]
[grid]
cell_size = 0.125
[smoke]
initial_density = 1
[[solid]]
name = "left wall"
shape = { box = { min = [0, 0, 0], max = [0.2, 1, 1] } }
[[solid]]
name = "left_wall"
shape = { box = { min = [0.8, 0, 0], max = [1, 1, 1] } }
[[solid]]
name = "plate"
shape = { box = { min = [0, 0.5, 0], max = [1, 0.501, 1] } }
[[solid]]
name = "ground"
shape = { plane = { point = [0, 0.1, 0], normal = [0, 1, 0] } }
motion = { keys = [ { t = 0 }, { t = 0.2, translate = [0, 0.1, 0] } ] }
[[solid]]
name = "film"
shape = { transform = { shape = { box = { min = [0.4, 0.2, 0], max = [0.4000001, 0.8, 1] } }, rotate_deg = [0, 9, 9] } }
[output]
png = false
video = false
END
run run solids.toml -q -o solids
check "solids: runs" exits 0
run export solids --for blender -q
check "solids: exits well" exits 0
check "solids: one that is left out is told of" says "warning: without the solid 'film': .*thinner than 0.00.* m"
check "solids: no other is" one_line err.txt
check "solids: a file each" test "$(cd solids/export-blender/solid && echo *)" == \
  "ground.0001.ply ground.0002.ply left_wall.ply left_wall_2.ply plate.ply"
check "solids: each by its name" json solids/export-blender/export.json "[s['files'] for s in o['solids']] == \
  ['solid/left_wall.ply', 'solid/left_wall_2.ply', 'solid/plate.ply', 'solid/ground.####.ply']"
touch solids/export-blender/solid/mine.ply
run export solids --for blender -q --frames 1
check "solids: no stale frames, and what is not an export's stays" \
  test "$(cd solids/export-blender/solid && echo *)" == "ground.0001.ply left_wall.ply left_wall_2.ply mine.ply plate.ply"

# ---- what it refuses
refuses 2 '--for' export smoke
refuses 2 "maya" export smoke --for maya
refuses 2 "DIR" export --for blender
refuses 2 "no folder nosuch" export nosuch --for blender
refuses 2 "no scene.toml" export for --for blender
refuses 2 "'0'" export smoke --for blender --frames 0
refuses 2 "no frame from 7 to 9; it has 1 to 3" export smoke --for blender --frames 7-9
refuses 2 "no frame 7; it has 1 to 3" export smoke --for blender --frames 7
refuses 2 "which an export must not touch" export smoke --for blender -o smoke
refuses 2 "which an export must not touch" export smoke --for blender -o water
check "refused: the run is as it was" diff -rq -x 'export-*' smoke_before smoke
mkdir -p mine/png
touch mine/report.html mine/png/smoke.0001.png
run export smoke --for blender -q -o mine
check "what else is in the folder stays" test -f mine/report.html -a -f mine/png/smoke.0001.png
: >file
refuses 5 "cannot write to the folder file" export smoke --for blender -o file
cp -r smoke_before broken
run export broken --for blender -q
check "before it breaks" exits 0
truncate -s -10 broken/vdb/smoke.0002.vdb
refuses 2 "vdb/smoke.0002.vdb: not a VDB file, or not all of one; 1 frame in" export broken --for blender -q
check "a failed export does not pass for the one before" absent broken/export-blender/export.json
check "nor does its script" absent broken/export-blender/open_in_blender.py
rm broken/vdb/*
refuses 2 "no volumes, meshes or particles" export broken --for blender

((failures == 0)) || { echo "$failures wrong"; exit 1; }
