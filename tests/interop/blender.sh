#!/usr/bin/env bash
# blender.sh BIN: runs of smoke, fire and liquid, exported, opened in Blender without a screen and rendered there;
# blender_check.py says what is looked at. Exit 77: skipped, there is no Blender.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
whorl=$1/whorl
command -v blender >/dev/null || { echo "skipped: there is no Blender (Debian: blender)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# No two sides of a domain are as long, none begins at zero, and nothing is in the middle: what is turned, scaled or
# moved wrongly shows.
cat >smoke.toml <<'END'
solver = "smoke"
dimension = 3
[time]
fps = 30
frames = 12
[domain]
min = [1, 0.5, -2]
max = [2.2, 2.5, -1.2]
sides = { default = "open", bottom = "wall" }
[grid]
cell_size = 0.05
[[source]]
shape = { sphere = { center = [1.35, 0.75, -1.8], radius = 0.15 } }
density_rate = 12
temperature = 600
[output]
png = false
video = false
END
cat >liquid.toml <<'END'
solver = "liquid"
dimension = 3
[time]
fps = 30
frames = 6
[domain]
min = [-1, 0.25, 0.5]
max = [1, 1.25, 1.3]
sides = { default = "wall", top = "open" }
[grid]
cell_size = 0.05
[[fill]]
shape = { box = { min = [-1, 0.25, 0.5], max = [-0.3, 0.95, 0.9] } }
[whitewater]
speed = [0.01, 0.1]
trapped_air = [0.1, 1]
[output]
png = false
video = false
particles = true
END
cat >fire.toml <<'END'
solver = "smoke"
dimension = 3
[time]
fps = 30
frames = 6
[domain]
min = [1, 0.5, -2]
max = [2.2, 2.5, -1.2]
sides = { default = "open", bottom = "wall" }
[grid]
cell_size = 0.05
[smoke]
color = [1, 0.5, 0.25]
[fire]
burn_rate = 4
[[source]]
shape = { sphere = { center = [1.35, 0.85, -1.8], radius = 0.15 } }
fuel_rate = 20
density_rate = 1
temperature = 1400
[[solid]]
name = "paddle"
shape = { box = { min = [1.8, 0.7, -1.7], max = [2, 0.8, -1.4] } }
motion = { keys = [ { t = 0 }, { t = 0.2, translate = [0, 0.4, 0.1] } ] }
[render]
light = { sun = 0, sky = 0.3 }
[output]
png = false
video = false
END

for kind in smoke fire liquid; do
  "$whorl" run $kind.toml -q -o $kind
  "$whorl" export $kind --for blender -q -o $kind-export
  for frame in 0003 0006; do "$whorl" info --json $kind/vdb/$kind.$frame.vdb >$kind/$frame.json; done
  # What Blender prints on its own is of no interest unless it fails.
  blender -b --factory-startup --python-exit-code 1 --python "$here/blender_check.py" -- $kind $kind $kind-export \
    >$kind.log 2>&1 || { cat $kind.log; echo "$kind: not as the run has it"; exit 1; }
  grep '^found:' $kind.log
done

# Blender cuts long names.
long=$(printf 'a%.0s' {1..99})
sed "s/^solver/name = \"$long\"\nsolver/; s/^frames = .*/frames = 1/" smoke.toml >long.toml
"$whorl" run long.toml -q -o long
"$whorl" export long --for blender -q -o long-export
script="long-export/open_in_blender.py"
blender -b --factory-startup --python-exit-code 1 --python $script --python $script >long.log 2>&1 ||
  { cat long.log; echo "a long name: the script fails"; exit 1; }
