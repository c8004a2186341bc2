#!/usr/bin/env bash
# commands.sh BIN VERSION ROOT: the exit codes and messages of the programs in BIN, built from the sources in ROOT.
set -euo pipefail
bin=$1 version=$2 root=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
status=0

run() {
  status=0
  "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}
fail() {
  echo "$*"
  echo "  exit $status; stdout: $(head -n 3 "$work/out"); stderr: $(head -n 3 "$work/err")"
  failures=$((failures + 1))
}
# accepts WORD ARGUMENT...: exit 0 with WORD on stdout.
accepts() {
  local word=$1
  shift
  run "$bin/whorl" "$@"
  if [[ $status != 0 || $(<"$work/out") != *"$word"* ]]; then fail "whorl $*: wanted exit 0 and '$word'"; fi
}
# refuses WORD ARGUMENT...: exit 2, one line on stderr that has WORD, nothing on stdout.
refuses() {
  local word=$1
  shift
  run "$bin/whorl" "$@"
  if [[ $status != 2 || -s $work/out || $(wc -l <"$work/err") != 1 || $(<"$work/err") != *"$word"* ]]; then
    fail "whorl $*: wanted exit 2 and one line with '$word'"
  fi
}

accepts "whorl $version" --version
accepts bench --help
accepts --size bench --help
refuses --help
refuses simulate simulate scenes/plume.toml
refuses --nonsense --nonsense
refuses NAME bench
refuses nosuch bench nosuch
refuses --size bench stencil --size
refuses lots bench stencil --size lots
refuses -4 bench stencil --size -4
refuses 0 bench stencil --size 0
refuses 1.5 bench stencil --size 1.5
refuses none bench stencil --threads none
refuses --nonsense bench stencil --nonsense
refuses extra bench stencil extra

accepts --resolution run --help
accepts --hash info --help
refuses SCENE run
refuses nosuch.toml run nosuch.toml
refuses --nonsense run "$root/tests/scenes/bad/no_grid.toml" --nonsense
refuses FILE_OR_DIR info
refuses nosuch info nosuch

accepts solver help-scene
accepts fps help-scene time.fps
accepts '"type"' help-scene --schema
refuses nosuchkey help-scene nosuchkey
refuses porridge new porridge
refuses SCENE check
accepts solver new smoke
cp "$work/out" "$work/my.toml"
accepts "nothing wrong" check "$work/my.toml"
accepts "nothing wrong" check "$work/my.toml" --set time.fps=30
accepts "nothing wrong" check --set time.fps=30 --set grid.cell_size=0.1 "$work/my.toml"
accepts "3D smoke scene" info "$work/my.toml"
run "$bin/whorl" check "$work/my.toml" --set time.fps=-1 --set smoke.advection=magic
if [[ $status != 3 || $(wc -l <"$work/err") != 2 || $(<"$work/err") != *fps*magic* ]]; then
  fail "whorl check with two mistakes: wanted exit 3 and two lines"
fi
run "$bin/whorl" check "$work/nosuch.toml"
[[ $status == 2 ]] || fail "whorl check of a missing file: wanted exit 2"
cp "$root/scenes/meshes/lump_broken.obj" "$work/lump.obj"
cat >"$work/mesh.toml" <<'END'
solver = "smoke"
smoke = { sparse = false }
grid = { resolution = 16 }
domain = { min = [-1, -1, -1], max = [1, 1, 1] }
[[solid]]
shape = { mesh = { file = "lump.obj" } }
END
accepts "nothing wrong" check "$work/mesh.toml"
[[ $(<"$work/err") == *"mesh.toml:6: solid.0.shape.mesh.file: "*"an open mesh: 45 boundary edges"* ]] ||
  fail "whorl check of a scene with an open mesh: wanted a warning"
run "$bin/whorl" check "$work/mesh.toml" --set solid.0.shape.mesh.file=nosuch.obj
if [[ $status != 3 || $(wc -l <"$work/err") != 1 || $(<"$work/err") != *"nosuch.obj: there is no such file"* ]]; then
  fail "whorl check with a mesh that is not there: wanted exit 3 and one line"
fi
if ! diff -q <("$bin/whorl" help-scene --markdown) "$root/docs/scene-reference.md" >/dev/null; then
  fail "docs/scene-reference.md is out of date: whorl help-scene --markdown > docs/scene-reference.md"
fi

run "$bin/whorl" bench stencil --size 16 --json "$work/stencil.json"
[[ $status == 0 && -s $work/stencil.json ]] || fail "whorl bench stencil --size 16 --json: wanted exit 0 and a file"
run "$bin/whorl" bench smoke --size 16 --threads 1 --only whorl --json "$work/smoke.json"
if [[ $status != 0 || $(<"$work/smoke.json") != *'"ns_per_cell"'* ]]; then fail "whorl bench smoke: wanted exit 0 and a file"; fi

cp "$bin/whorl" "$work/whorl"
run "$work/whorl" bench stencil
if [[ $status != 1 || $(<"$work/err") != *"whorl-bench: No such file"* ]]; then fail "no whorl-bench: wanted exit 1"; fi

((failures == 0)) || { echo "$failures checks failed"; exit 1; }
