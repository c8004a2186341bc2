#include "fuzz/fuzzers.h"
#include "fuzz/input_file.h"
#include "io/vdb_convert.h"
#include "io/vdb_fields.h"
#include "io/vdb_info.h"

namespace whorl {
namespace {

// As for pictures of a scene whose cells are the voxels of `grid`.
template <int D>
void read_fields(Exec& ex, const std::string& path, const VdbGridInfo& grid) {
  VdbPlace<D> place;
  place.h = grid.voxel_size[0];
  for (int a = 0; a < D; ++a) place.origin[a] = grid.origin[std::size_t(a)] - 0.5 * place.h;
  static_cast<void>(read_vdb_fields<D>(ex, path, place, {grid.name}));
}

}  // namespace

void fuzz_vdb(std::string_view bytes) {
  const std::string path = input_file("fuzz.vdb", bytes);
  const Result<VdbInfo> info = read_vdb_info(path);
  if (!info) return;
  to_json(info.value());
  to_text(info.value());
  static_cast<void>(hash_vdb(path));
  static_cast<void>(convert_vdb(path, path + ".converted.vdb",
                                {.up = UpAxis::z, .names = {{"density", "smoke"}}, .colour = "color"}));
  Exec ex({.threads = 1});
  for (const VdbGridInfo& grid : info.value().grids) {
    read_fields<2>(ex, path, grid);
    read_fields<3>(ex, path, grid);
  }
}

}  // namespace whorl
