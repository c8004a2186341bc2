#!/usr/bin/env bash
# validate.sh BIN ROOT: what `whorl validate` of BIN prints, writes and ends with; the sources are in ROOT.
set -euo pipefail
# shellcheck disable=SC2034  # for checks.sh
whorl=$1/whorl root=$2
checks=$(dirname -- "$(readlink -f -- "$0")")/checks.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# shellcheck source=tests/cli/checks.sh
source "$checks"

run validate --list
check "--list: exit 0" exits 0
check "--list: a case with its group and title" prints '^V-D4 +liquid +.*dam'
check "--list: nothing is run" not prints passed
while read -r line; do
  check "docs/validation.md is out of date: whorl validate --all --markdown docs/validation.md" \
    grep -qF "## ${line%% *}: ${line##*  }" "$root/docs/validation.md"
done <out.txt
check "docs/validation.md has every case" not grep -q 'Not run' "$root/docs/validation.md"
check "docs/validation.md has no row that failed" not grep -qF '**fail**' "$root/docs/validation.md"

refuses 2 "no case or group 'V-B99'" validate V-B99
refuses 2 "did you mean 'V-H4'" validate V-D7 V-H44
refuses 2 "did you mean 'liquid'" validate liquids
refuses 2 nonsense validate --nonsense

run validate V-H4 v-d7 --markdown page.md
check "V-H4 and V-D7: exit 0" exits 0
check "V-H4 and V-D7: the head of the table" prints '^test +what +reference +Whorl +error +allowed'
check "V-H4 and V-D7: a row" prints '^V-H4 +x at 1000 K +0.6528 +0.65.* pass$'
check "V-H4 and V-D7: how many" prints '^12 of 12 rows passed in '
check "V-H4 and V-D7: all pass" not prints FAIL
check "a page is written" grep -q '^| x at 1000 K | 0.6528 |' page.md

touch file
mkdir folder
refuses 5 "cannot write 'folder': it is a folder" validate --all --markdown folder
refuses 5 "cannot write 'new/': it is a folder" validate --all --markdown new/
refuses 5 "cannot write file/page.md" validate --all --markdown file/page.md

run validate V-P2 --markdown new/page.md
check "V-P2: exit 0" exits 0
check "V-P2: the plot that the page shows" grep -q '(images/page/cylinder.svg)' new/page.md
check "V-P2: the plot is a picture" grep -q '^<svg' new/images/page/cylinder.svg

((failures == 0)) || { echo "$failures checks failed"; exit 1; }
