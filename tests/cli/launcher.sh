#!/usr/bin/env bash
# launcher.sh LAUNCHER: what ./whorl does on machines that lack things. Runs a copy of it in a made-up tree,
# where cmake, ninja, ctest, apt-get and dpkg-query are stand-ins that note how they were called.
# shellcheck disable=SC2016  # what a stand-in does is expanded in the stand-in
set -euo pipefail
launcher=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree="$work/a tree" tools=$work/tools calls=$work/calls
failures=0
status=0

stand_in() {
  printf '#!/bin/bash\necho "%s $*" >>"%s"\n%s\n' "$1" "$calls" "$2" >"$tools/$1"
  chmod +x "$tools/$1"
}
# A tree not yet built, on a machine that has everything.
reset() {
  cd /
  rm -rf "${work:?}"/*
  mkdir -p "$tree" "$tools"
  cp "$launcher" "$tree/whorl"
  echo '{}' >"$tree/CMakePresets.json"
  for tool in bash cat cp env flock grep head mkdir readlink rm tail tee; do
    ln -s "$(command -v "$tool")" "$tools/$tool"
  done
  stand_in app 'echo "ran $* in $PWD"'
  stand_in cmake "mkdir -p build/release/bin; echo >build/release/build.ninja; cp '$tools/app' build/release/bin/whorl"
  stand_in ninja 'echo "[1/1] Linking"'
  stand_in ctest ''
  stand_in apt-get ''
  stand_in c++ ''
  stand_in ffmpeg ''
  stand_in dpkg-query 'for p in "${@:4}"; do echo "installed:$p"; done'
}
run() {
  status=0
  : >"$calls"
  PATH=$tools CI='' "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}
# check TEXT CONDITION...: the condition is a command.
check() {
  local text=$1
  shift
  "$@" && return
  printf '%s\n  exit %s\n  stdout: %s\n  stderr: %s\n  calls: %s\n' "$text" "$status" "$(<"$work/out")" \
    "$(<"$work/err")" "$(<"$calls")"
  failures=$((failures + 1))
}
exits() { [[ $status == "$1" ]]; }
prints() { grep -qF -- "$1" "$work/out"; }
says() { grep -qE -- "$1" "$work/err"; }
called() { grep -qE -- "$1" "$calls"; }
not() { ! "$@"; }

# A first run configures, builds, and keeps the user's folder and arguments.
reset
mkdir "$work/elsewhere"
ln -s "$tree/whorl" "$work/elsewhere/link"
cd "$work/elsewhere"
run ./link bench "two words"
check "first run: exit 0" exits 0
check "first run: arguments and folder" prints "ran bench two words in $work/elsewhere"
check "first run: one line a phase" says '^whorl: configured in [0-9]+\.[0-9] s$'
check "first run: one line a phase" says '^whorl: built in [0-9]+\.[0-9] s$'
check "first run: tests are not built" not called 'WHORL_TESTS|ninja .* all'
check "first run: nothing to install" not called apt-get

# A second has nothing to do and says nothing.
stand_in ninja 'echo "ninja: no work to do."'
run ./link bench
check "second run: silent" not says .
check "second run: no configure, no package check" not called '^(cmake|dpkg-query)'

# test turns the tests on, for good; ctest gets the arguments, and its failure is exit 1.
stand_in ctest 'exit 8'
run ./link test -L unit
check "test: tests on" called '^cmake --preset release -DWHORL_TESTS=ON$'
check "test: arguments" called 'ctest --test-dir .*/build/release .*-L unit$'
check "test: exit 1 when one fails" exits 1
check "test: says so" says '^whorl: tests failed in'
run env CI=true "$tree/whorl" bench
check "CI: warnings are errors, tests stay on" called '^cmake .*-DWHORL_TESTS=ON -DWHORL_WERROR=ON$'

# A changed launcher or preset file configures again; so does a moved tree, from scratch.
touch "$tree/CMakePresets.json"
run ./link bench
check "changed presets: configured again" called '^cmake --preset release'
mv "$tree" "$work/moved"
run "$work/moved/whorl" bench
check "moved: fresh" called '^cmake --preset release --fresh'

# Missing packages are installed, only those, with the list refreshed first.
reset
stand_in dpkg-query 'for p in "${@:4}"; do [[ $p == libfmt-dev ]] || echo "installed:$p"; done'
run "$tree/whorl" bench
if ((EUID == 0)); then
  check "install: refreshes" called 'apt-get .*update'
  check "install: the missing one" called 'apt-get .*install -y --no-install-recommends libfmt-dev$'
  check "install: says so" says '^whorl: installed 1 package in'

  reset
  stand_in dpkg-query 'exit 1'
  stand_in apt-get '[[ $* == *install* ]] && { echo "E: Unable to locate package libtbb-dev"; exit 100; }; exit 0'
  run "$tree/whorl" bench
  check "install fails: exit 1" exits 1
  check "install fails: apt's words" says 'E: Unable to locate package'
  check "install fails: what to do" says '^whorl:   apt-get update && apt-get install .*libtbb-dev'
  check "install fails: builds nothing" not called '^cmake'
fi

# Without root and sudo, the command to run.
reset
stand_in dpkg-query 'exit 1'
chmod -R a+rwX "$work"
as_user=()
if ((EUID == 0)); then as_user=("$(command -v setpriv)" --reuid 65534 --regid 65534 --clear-groups); fi
run ${as_user[@]+"${as_user[@]}"} "$tree/whorl" bench
check "no root: exit 2" exits 2
check "no root: the command" says 'apt-get update && apt-get install .*libfmt-dev'

# Without apt, the list.
reset
rm "$tools/apt-get" "$tools/dpkg-query" "$tools/ninja"
run "$tree/whorl" bench
check "no apt: exit 2" exits 2
check "no apt: what is missing" says 'not found here: ninja-build$'

# A build that fails shows the errors, not the log.
reset
stand_in ninja 'for i in {1..200}; do echo "[$i/200] Building"; done
echo "src/grid/field.cpp:3:7: error: expected a semicolon"; exit 1'
run "$tree/whorl" bench
check "broken build: exit 1" exits 1
check "broken build: the error" says 'field.cpp:3:7: error: expected'
check "broken build: the log" says 'build/log/build.log$'
check "broken build: short" test "$(wc -l <"$work/err")" -lt 10
stand_in ninja 'echo "[1/1] Linking"'
run "$tree/whorl" bench
check "mended build: exit 0" exits 0

# A configure that fails likewise.
reset
stand_in cmake 'echo "CMake Error at CMakeLists.txt:3 (find_package):"; echo "  could not find TBB"; exit 1'
run "$tree/whorl" bench
check "broken configure: exit 1" exits 1
check "broken configure: cmake's words" says 'could not find TBB'

# Two launches do not build at once.
reset
stand_in ninja "mkdir '$work/building' || { echo 'error: two builds at once'; exit 1; }; /bin/sleep 0.3; /bin/rmdir '$work/building'"
run "$tree/whorl" bench
PATH=$tools "$tree/whorl" bench >"$work/other" 2>&1 &
run "$tree/whorl" bench
wait $! || status=$?
check "two at once: both succeed" exits 0

((failures == 0)) || { echo "$failures checks failed"; exit 1; }
