#!/usr/bin/env bash
# include_direction.sh must catch what it is there for: plants one include at a time in a made-up tree.
set -euo pipefail
check=$(dirname -- "$(readlink -f -- "$0")")/include_direction.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

# expect accept|reject FILE INCLUDE
expect() {
  local wanted=$1 file=$2 include=$3 got=accept said
  rm -rf "${tree:?}/"*
  mkdir -p "$tree/src/base" "$(dirname "$tree/$file")"
  printf '#pragma once\n\n#include <vector>\n' >"$tree/src/base/vec.h"
  printf '#include "base/vec.h"\n  #  include %s  // planted\n' "$include" >"$tree/$file"
  [[ $file == include/* ]] && sed -i 1d "$tree/$file"
  said=$("$check" "$tree") || got=reject
  if [[ $got != "$wanted" || ($got == reject && $said != "$file:"*"$include"*) ]]; then
    echo "$file with #include $include: wanted $wanted, got $got: $said"
    failures=$((failures + 1))
  fi
}

expect accept src/stages/advect.cpp '"grid/field.h"'
expect accept src/grid/field.h '<whorl/error.h>'
expect accept src/geometry/sdf.h '"grid/field.h"'
expect accept src/sim/run.cpp '"io/vdb.h"'
expect accept src/cases/dam.cpp '"solvers/liquid.h"'
expect accept apps/cli/validate.cpp '"validate/validate.h"'
expect accept src/exec/tbb_backend.cpp '<tbb/task_arena.h>'
expect accept src/exec/lane.h '<immintrin.h>'
expect accept src/exec/memory_pool.cpp '<sys/mman.h>'
expect accept src/io/vdb.cpp '<openvdb/openvdb.h>'
expect accept src/scene/parse.cpp '<toml++/toml.h>'
expect accept apps/cli/main.cpp '<CLI/CLI.hpp>'
expect accept include/whorl/frame.h '<whorl/error.h>'

expect reject src/base/log.h '"exec/exec.h"'
expect reject src/grid/field.h '"stages/advect.h"'
expect reject src/grid/field.h '<stages/advect.h>'
expect reject src/grid/cuda/field.cu '"linear/pcg.h"'
expect reject src/grid/field.h '"particles/set.h"'
expect reject src/linear/pcg.cpp '"solvers/smoke.h"'
expect reject src/io/vdb.h '"solvers/smoke.h"'
expect reject src/solvers/smoke.cpp '"io/vdb.h"'
expect reject src/render/image.cpp '"sim/run.h"'
expect reject src/solvers/liquid.cpp '"cases/findings.h"'
expect reject src/cases/dam.cpp '"io/vdb.h"'
expect reject src/sim/run.cpp '"validate/validate.h"'
expect reject src/grid/field.h '"../stages/advect.h"'
expect reject src/grid/field.h '"topology.h"'
expect reject src/novel/thing.h '"base/box.h"'
expect reject include/whorl/frame.h '"grid/field.h"'
expect reject src/exec/exec.cpp '<tbb/task_arena.h>'
expect reject src/grid/field.cpp '<oneapi/tbb/task_arena.h>'
expect reject src/grid/field.cpp '<openvdb/openvdb.h>'
expect reject src/solvers/smoke.cpp '<toml++/toml.h>'
expect reject src/stages/forces.cpp '<muParser.h>'
expect reject src/base/log.cpp '<fmt/core.h>'
expect reject src/base/log.cpp '<CLI/CLI.hpp>'
expect reject src/sim/run.cpp '<toml++/toml.h>'
expect reject src/grid/stencil.h '<immintrin.h>'

((failures == 0)) || { echo "$failures planted includes were judged wrongly"; exit 1; }
