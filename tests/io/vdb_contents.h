// What VDB files hold, and what they should.
#pragma once

#include "io/vdb.h"
#include "io/vdb_case.h"
#include "io/vdb_info.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace whorl {

using Voxels = std::map<std::array<int, 3>, std::array<float, 3>>;

inline Voxels read(const std::string& path, const std::string& grid) {
  const auto list = read_vdb_voxels(path, grid);
  if (!list) {
    ADD_FAILURE() << list.error().message;
    return {};
  }
  Voxels voxels;
  for (std::size_t i = 0; i < list.value().index.size(); ++i)
    voxels[list.value().index[i]] = list.value().value[i];
  EXPECT_EQ(voxels.size(), list.value().index.size()) << "a voxel twice";
  return voxels;
}

template <int D>
void write(const std::string& path, const VdbCase<D>& c, const VdbOptions& options = {}) {
  const auto written = write_vdb(c.ex, path, c.snapshot(), options);
  EXPECT_TRUE(written) << written.error().message;
}

inline VdbInfo info(const std::string& path) {
  const auto found = read_vdb_info(path);
  EXPECT_TRUE(found) << found.error().message;
  return found ? found.value() : VdbInfo{};
}

inline std::uint64_t hash(const std::string& path) {
  const auto found = hash_vdb(path);
  EXPECT_TRUE(found) << found.error().message;
  return found ? found.value() : 0;
}

template <int D>
std::array<int, 3> index(const Coord<D>& cell) {
  std::array<int, 3> i{};
  for (int a = 0; a < D; ++a) i[std::size_t(a)] = cell[a];
  return i;
}

template <int D>
Voxels expected_scalar(const VdbCase<D>& c, const Field<float, D>& field) {
  Voxels voxels;
  c.for_each_cell([&](const Coord<D>& cell) {
    if (c.is_active(cell) && field.get(cell) != field.background())
      voxels[index<D>(cell)] = {field.get(cell)};
  });
  return voxels;
}

// Cell by cell. A face that is not stored is on a closed wall.
template <int D>
Voxels expected_velocity(const VdbCase<D>& c) {
  const auto face = [&](int a, const Coord<D>& cell) {
    return c.velocity[a].stores(cell) ? c.velocity[a].get(cell) : 0.f;
  };
  Voxels voxels;
  c.for_each_cell([&](const Coord<D>& cell) {
    if (!c.is_active(cell)) return;
    for (int a = 0; a < D; ++a)
      voxels[index<D>(cell)][std::size_t(a)] = 0.5f * (face(a, cell) + face(a, cell + Coord<D>::unit(a)));
  });
  return voxels;
}

}  // namespace whorl
