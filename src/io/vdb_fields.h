// Scalars of a VDB file that Whorl wrote, as fields again.
#pragma once

#include "exec/exec.h"
#include "grid/field.h"
#include "whorl/error.h"

#include <string>
#include <vector>

namespace whorl {

template <int D>
struct VdbField {
  std::string name;
  Field<float, D> field;
};

// Where the fields lie.
template <int D>
struct VdbPlace {
  Domain<D> domain;
  Vec<double, D> origin{};  // m: the low corner of cell 0
  double h = 1;             // m
};

// Those of `names` that are there, in their order, on one topology: the tiles that any of them has, and those
// round them.
// ErrorCode::usage where the file cannot be read or its voxels are not the cells of `place`.
template <int D>
Result<std::vector<VdbField<D>>> read_vdb_fields(Exec& ex, const std::string& path, const VdbPlace<D>& place,
                                                 const std::vector<std::string>& names);

}  // namespace whorl
