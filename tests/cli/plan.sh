#!/usr/bin/env bash
# plan.sh BIN: what `whorl plan` of BIN says that a run will take, beside what it takes.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck disable=SC2034  # for checks.sh
whorl=$1/whorl
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# shellcheck source=tests/cli/checks.sh
source "$here/checks.sh"

{ tiny_smoke 6 0.01; printf '[output]\npng = false\nvideo = false\n[checkpoint]\nkeep = 0\n'; } >tiny.toml

# The nonsense in TMPDIR is no business of its.
TMPDIR=/nonexistent run plan tiny.toml
check "plan: exit 0" exits 0
check "plan: says what it tries, aside" says '^trying the scene with the cells that it has$'
check "plan: frames" prints '^tiny: 6 frames, about [0-9]+ steps, at most [0-9.]+ k cells$'
check "plan: the time" prints '^  time    [0-9]'
check "plan: leaves nothing behind" test "$(find . -mindepth 1 -printf '%f\n' | sort | xargs)" == "err.txt out.txt tiny.toml"
cp out.txt plan.txt
run plan tiny.toml -q
check "quiet: the figures alone" test "$status $(wc -c <err.txt) $(wc -l <out.txt)" == "0 0 4"

run run tiny.toml -q -o out
check "run: exit 0" exits 0
# mib NAME: of the plan; a unit other than MiB is a wrong figure.
mib() { sed -nE "s/^  $1 +([0-9.]+) MiB .*/\1/p" plan.txt; }
# within A B FACTOR
within() { awk "BEGIN { exit !($1 + 0 < ($2) * $3 && $1 + 0 > ($2) / $3) }"; }
check "the disk, by the files" within "$(mib disk)" "$(du -sb out | cut -f1) / 2^20" 1.3
check "the memory, by the statistics" \
  within "$(mib memory)" "$(sed -n '$s/.*"peak_memory_bytes":\([0-9]*\).*/\1/p' out/frames.jsonl) / 2^20" 1.5

# A plan that was killed leaves its folder, which the next one takes away; another's that goes on stays.
mkdir -p here/.whorl_plan_1 here/.whorl_plan_222222222 here/.whorl_plan_333333333  # one process is there
touch here/.whorl_plan_222222222/volume
exec 9<here/.whorl_plan_333333333
flock -n 9
run plan tiny.toml -q -o here/out
check "plan: sweeps what a killed one left" test "$status $(ls -A here | xargs)" == "0 .whorl_plan_1 .whorl_plan_333333333"
exec 9<&-

disk() { sed -nE 's/^  disk +([^(]*) \(.*/\1/p' "$1"; }
run run tiny.toml --dry-run -q --stages simulate --set output.png=true
check "--dry-run --stages simulate: no pictures" test "$status $(disk out.txt)" == "0 $(disk plan.txt)"
run run tiny.toml --dry-run -q --set output.png=true
check "--dry-run: with pictures" test "$status $(disk out.txt)" != "0 $(disk plan.txt)"
refuses 2 'add simulate to --stages' run tiny.toml --dry-run -q --stages render
refuses 2 'of liquids' run tiny.toml --dry-run -q --stages simulate,surface
refuses 2 'excludes' run tiny.toml --dry-run --stages render --again
check "--dry-run: no run" test "$(lines out)" == 6

refuses 3 'cell_size' plan tiny.toml --set grid.cell_size=-1
refuses 2 'nosuch.toml' plan nosuch.toml
if [[ $EUID != 0 ]]; then
  mkdir shut
  chmod 555 shut
  run plan tiny.toml -q -o shut/out
  check "a place that cannot be written to: exit 5" exits 5
  check "a place that cannot be written to: says so" says 'cannot write to the folder .*shut'
fi

((failures == 0)) || { echo "$failures wrong"; exit 1; }
