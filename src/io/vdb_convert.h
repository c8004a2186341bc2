// A VDB file as another program takes it: names, which way is up, colours.
#pragma once

#include "io/up_axis.h"
#include "whorl/error.h"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace whorl {

struct VdbConversion {
  UpAxis up = UpAxis::y;
  std::vector<std::pair<std::string, std::string>> names = {};  // of grids: from, to
  // What color_r, color_g and color_b, which are a colour times density, become: one grid of the colour.
  // Empty: they stay.
  std::string colour = {};
};

struct VdbConverted {
  std::vector<std::string> grids;
  std::optional<std::array<std::array<double, 3>, 2>>
      box;  // m: round the first grid's active voxels, as written
};

// Values of scalars, voxels and whatever else a grid has stay as they are; with z up, transforms turn, and
// vectors with them. ErrorCode::usage where `from` cannot be read or has staggered vectors that would have to
// turn, ErrorCode::resources where `to` cannot be written.
Result<VdbConverted> convert_vdb(const std::string& from, const std::string& to,
                                 const VdbConversion& conversion);

}  // namespace whorl
