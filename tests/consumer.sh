#!/usr/bin/env bash
# consumer.sh BUILD CMAKE CXX GENERATOR: installs BUILD into a temporary prefix, then configures, builds and
# runs tests/consumer against it.
set -euo pipefail
build=$1 cmake=$2 cxx=$3 generator=$4
root=$(readlink -f -- "$(dirname -- "$0")/..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$cmake" --install "$build" --prefix "$work/prefix" >"$work/install.log" || { cat "$work/install.log"; exit 1; }
"$cmake" -S "$root/tests/consumer" -B "$work/build" -G "$generator" \
  -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_PREFIX_PATH="$work/prefix"
"$cmake" --build "$work/build"

said=$("$work/build/consumer")
[[ $said == "whorl "[0-9]* ]] || { echo "the consumer said: $said"; exit 1; }
[[ -x $work/prefix/bin/whorl-bench ]] || { echo "whorl-bench was not installed"; exit 1; }
if grep -rlF "$root" "$work/prefix/lib"*/cmake; then
  echo "the installed package names the source tree"
  exit 1
fi
