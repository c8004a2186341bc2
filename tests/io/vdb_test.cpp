// What a VDB file holds is what the snapshot did: the same cells, values and places.
#include "io/vdb.h"
#include "io/temporary_folder.h"
#include "io/vdb_contents.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

namespace whorl {
namespace {

template <int D>
Voxels expected_faces(const VdbCase<D>& c) {
  Voxels voxels;
  c.for_each_cell([&](const Coord<D>& cell) {
    bool live = c.is_active(cell);
    for (int a = 0; a < D; ++a) live = live || c.is_active(cell - Coord<D>::unit(a));
    for (int a = 0; a < D && live; ++a) voxels[index<D>(cell)][std::size_t(a)] = c.velocity[a].get(cell);
  });
  return voxels;
}

bool is_half(float x) {
  int exponent = 0;
  const float mantissa = std::ldexp(std::frexp(x, &exponent), 11);
  return mantissa == std::trunc(mantissa);
}

template <int D>
void expect_round_trip() {
  Exec ex;
  const VdbCase<D> c(ex);
  const TemporaryFolder folder;
  const std::string path = folder / "frame.vdb";
  write(path, c);
  EXPECT_EQ(folder.names(), std::set<std::string>{"frame.vdb"});
  EXPECT_EQ(read(path, "temperature"), expected_scalar(c, c.temperature));
  EXPECT_EQ(read(path, "vel"), expected_velocity(c));

  const Voxels exact = expected_scalar(c, c.density), rounded = read(path, "density");
  ASSERT_EQ(rounded.size(), exact.size());
  int changed = 0;
  for (const auto& [at, value] : exact) {
    ASSERT_TRUE(rounded.contains(at));
    const float x = rounded.at(at)[0];
    EXPECT_NEAR(x, value[0], std::ldexp(value[0], -11));
    EXPECT_TRUE(is_half(x)) << x;
    changed += x != value[0];
  }
  EXPECT_GT(changed, 0);

  write(path, c, {.grids = {"vel", "density"}, .half = false, .staggered = true});
  EXPECT_EQ(read(path, "density"), exact);
  EXPECT_EQ(read(path, "vel"), expected_faces(c));
  EXPECT_FALSE(read_vdb_voxels(path, "temperature"));
}

TEST(Vdb, RoundTrip2D) { expect_round_trip<2>(); }
TEST(Vdb, RoundTrip3D) { expect_round_trip<3>(); }

template <int D>
void expect_sides(Side side) {
  Exec ex;
  const Domain<D> domain = box_domain<D>({Coord<D>::filled(-8), Coord<D>::filled(8)}, side);
  const VdbCase<D> c(ex, Topology<D>::of_box(ex, domain));
  const TemporaryFolder folder;
  write(folder / "frame.vdb", c);
  const Voxels velocity = read(folder / "frame.vdb", "vel");
  EXPECT_EQ(velocity.size(), std::size_t(ipow<D>(16)));
  EXPECT_EQ(velocity, expected_velocity(c));
}

TEST(Vdb, PeriodicDomain2D) { expect_sides<2>(Side::periodic); }
TEST(Vdb, PeriodicDomain3D) { expect_sides<3>(Side::periodic); }
TEST(Vdb, ClosedDomain2D) { expect_sides<2>(Side::wall); }
TEST(Vdb, ClosedDomain3D) { expect_sides<3>(Side::wall); }

TEST(Vdb, NothingToWrite) {
  Exec ex;
  VdbCase<3> c(ex);
  c.density.fill(ex, c.density.background());
  const TemporaryFolder folder;
  write(folder / "frame.vdb", c, {.grids = {"density"}});
  const VdbInfo found = info(folder / "frame.vdb");
  ASSERT_EQ(found.grids.size(), 1u);
  EXPECT_EQ(found.grids[0].active_voxels, 0);
  EXPECT_FALSE(found.grids[0].min);
  EXPECT_NE(to_json(found).find("\"active_box\": null, \"min\": null"), std::string::npos) << to_json(found);
  EXPECT_LT(found.file_bytes, 2000u) << "leaves without active voxels are left out";
  write(folder / "frame.vdb", c, {.grids = {}});
  EXPECT_TRUE(info(folder / "frame.vdb").grids.empty());
}

TEST(Vdb, WhatDoesNotFitInHalfIsWrittenInFull) {
  Exec ex;
  VdbCase<3> c(ex);
  Coord<3> active{};
  c.for_each_cell([&](const Coord<3>& cell) { active = c.is_active(cell) ? cell : active; });
  const TemporaryFolder folder;
  c.density.set(active, -70000.f);
  write(folder / "frame.vdb", c);
  EXPECT_EQ(read(folder / "frame.vdb", "density"), expected_scalar(c, c.density));

  c.density.set(active, std::numeric_limits<float>::quiet_NaN());
  write(folder / "frame.vdb", c);
  const VdbInfo found = info(folder / "frame.vdb");
  EXPECT_EQ(found.grids[0].active_voxels, std::int64_t(expected_scalar(c, c.density).size()));
  EXPECT_TRUE(std::isnan(found.grids[0].max.value()));
  EXPECT_NE(to_json(found).find("\"max\": null"), std::string::npos);
}

TEST(Vdb, OtherFields) {
  Exec ex;
  const VdbCase<3> c(ex);
  const TemporaryFolder folder;
  Snapshot<3> s = c.snapshot();
  s.scalars = {{"fuel", &c.density}, {"say \"colour\"", &c.density}, {"surface", &c.density}};
  ASSERT_TRUE(write_vdb(ex, folder / "frame.vdb", s, {.grids = {"fuel", "say \"colour\"", "surface"}}));
  const VdbInfo found = info(folder / "frame.vdb");
  ASSERT_EQ(found.grids.size(), 3u);
  EXPECT_EQ(found.grids[2].grid_class, "level set");
  EXPECT_FALSE(found.grids[2].half);
  EXPECT_EQ(found.grids[0].grid_class, "fog volume");
  EXPECT_TRUE(found.grids[0].half);
  EXPECT_EQ(found.grids[1].grid_class, "unknown");
  EXPECT_FALSE(found.grids[1].half);
  EXPECT_NE(to_json(found).find(R"("name": "say \"colour\"")"), std::string::npos) << to_json(found);

  const auto written = write_vdb(ex, folder / "other.vdb", s, {.grids = {"fuel", "flame"}});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::usage);
  EXPECT_NE(written.error().message.find("'flame'"), std::string::npos);
  EXPECT_EQ(folder.names(), std::set<std::string>{"frame.vdb"});
}

}  // namespace
}  // namespace whorl
