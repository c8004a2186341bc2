#!/usr/bin/env bash
# commands.sh BIN VERSION ROOT: the exit codes and messages of the programs in BIN, built from the sources in ROOT.
set -euo pipefail
bin=$1 version=$2 root=$3
whorl=$bin/whorl
checks=$(dirname -- "$(readlink -f -- "$0")")/checks.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# shellcheck source=tests/cli/checks.sh
source "$checks"

# accepts WORD ARGUMENT...: exit 0 with WORD on stdout.
accepts() {
  local word=$1
  shift
  run "$@"
  if ! exits 0 || ! prints "$word"; then fail "whorl $*: wanted exit 0 and '$word'"; fi
}

accepts "whorl $version" --version
accepts bench --help
accepts --size bench --help
refuses 2 --help
refuses 2 simulate simulate scenes/plume.toml
refuses 2 --nonsense --nonsense
refuses 2 NAME bench
refuses 2 nosuch bench nosuch
refuses 2 --size bench stencil --size
refuses 2 lots bench stencil --size lots
refuses 2 -4 bench stencil --size -4
refuses 2 0 bench stencil --size 0
refuses 2 1.5 bench stencil --size 1.5
refuses 2 none bench stencil --threads none
refuses 2 --nonsense bench stencil --nonsense
refuses 2 extra bench stencil extra

accepts --resolution run --help
accepts --hash info --help
refuses 2 SCENE run
refuses 2 nosuch.toml run nosuch.toml
refuses 2 --nonsense run "$root/tests/scenes/bad/no_grid.toml" --nonsense
refuses 2 FILE_OR_DIR info
refuses 2 nosuch info nosuch

accepts solver help-scene
accepts fps help-scene time.fps
accepts '"type"' help-scene --schema
refuses 2 nosuchkey help-scene nosuchkey
refuses 2 porridge new porridge
refuses 2 SCENE check
accepts solver new smoke
cp out.txt my.toml
accepts "nothing wrong" check my.toml
accepts "nothing wrong" check my.toml --set time.fps=30
accepts "nothing wrong" check --set time.fps=30 --set grid.cell_size=0.1 my.toml
accepts "3D smoke scene" info my.toml
run check my.toml --set time.fps=-1 --set smoke.advection=magic
if ! exits 3 || [[ $(wc -l <err.txt) != 2 || $(<err.txt) != *fps*magic* ]]; then
  fail "whorl check with two mistakes: wanted exit 3 and two lines"
fi
refuses 2 nosuch.toml check nosuch.toml
cp "$root/scenes/meshes/lump_broken.obj" lump.obj
cat >mesh.toml <<'END'
solver = "smoke"
smoke = { sparse = false }
grid = { resolution = 16 }
domain = { min = [-1, -1, -1], max = [1, 1, 1] }
[[solid]]
shape = { mesh = { file = "lump.obj" } }
END
accepts "nothing wrong" check mesh.toml
check "a scene with an open mesh: a warning" \
  says '^.*mesh.toml:6: solid.0.shape.mesh.file: .*an open mesh: 45 boundary edges'
refuses 3 "nosuch.obj: there is no such file" check mesh.toml --set solid.0.shape.mesh.file=nosuch.obj
run help-scene --markdown
check "docs/scene-reference.md is out of date: whorl help-scene --markdown > docs/scene-reference.md" \
  cmp -s out.txt "$root/docs/scene-reference.md"

run bench stencil --size 16 --json stencil.json
check "bench stencil: exit 0" exits 0
check "bench stencil: a file" test -s stencil.json
run bench smoke --size 16 --threads 1 --only whorl --json smoke.json
check "bench smoke: exit 0" exits 0
check "bench smoke: a file" grep -q '"ns_per_cell"' smoke.json

cp "$bin/whorl" alone
whorl=./alone
refuses 1 "whorl-bench: No such file" bench stencil

((failures == 0)) || { echo "$failures checks failed"; exit 1; }
