// VDB files as other programs take them: the same voxels, turned and by other names.
#include "io/vdb_convert.h"

#include "io/full_disk.h"
#include "io/temporary_folder.h"
#include "io/vdb_contents.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace whorl {
namespace {

std::vector<std::string> names_of(const VdbInfo& info) {
  std::vector<std::string> names;
  for (const VdbGridInfo& grid : info.grids) names.push_back(grid.name);
  return names;
}

VdbConverted convert(const std::string& from, const std::string& to, const VdbConversion& conversion) {
  const Result<VdbConverted> done = convert_vdb(from, to, conversion);
  EXPECT_TRUE(done) << done.error().message;
  return done ? done.value() : VdbConverted{};
}

// The box round voxels first … last, as z-up places of VdbCase's grid.
template <int D>
std::array<std::array<double, 3>, 2> z_up_box(const VdbCase<D>& c, const VdbGridInfo& grid) {
  const Snapshot<D> snapshot = c.snapshot();
  Vec<double, 3> lo{}, hi{};
  for (int a = 0; a < 3; ++a) {
    const double low_corner = a < D ? snapshot.origin[a < D ? a : 0] : -0.5 * snapshot.h;
    lo[a] = low_corner + grid.first[std::size_t(a)] * snapshot.h;
    hi[a] = low_corner + (grid.last[std::size_t(a)] + 1) * snapshot.h;
  }
  return {{{lo[0], -hi[2], lo[1]}, {hi[0], -lo[2], hi[1]}}};
}

template <int D>
void expect_turned() {
  Exec ex;
  const VdbCase<D> c(ex);
  const TemporaryFolder folder;
  write(folder / "y.vdb", c);
  const VdbConverted done =
      convert(folder / "y.vdb", folder / "z.vdb", {.up = UpAxis::z, .names = {{"vel", "velocity"}}});
  const VdbInfo before = info(folder / "y.vdb"), after = info(folder / "z.vdb");
  EXPECT_EQ(names_of(after), (std::vector<std::string>{"density", "temperature", "velocity"}));
  EXPECT_EQ(done.grids, names_of(after));
  ASSERT_TRUE(done.box);
  const auto box = z_up_box(c, before.grids[0]);
  for (std::size_t end = 0; end < 2; ++end)
    for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR((*done.box)[end][a], box[end][a], 1e-9) << end << a;
  for (std::size_t k = 0; k < 3; ++k) {
    const VdbGridInfo &y = before.grids[k], &z = after.grids[k];
    EXPECT_EQ(z.half, y.half);
    EXPECT_EQ(z.grid_class, y.grid_class);
    EXPECT_EQ(z.vector_type, y.vector_type);
    EXPECT_EQ(z.unit, y.unit);
    EXPECT_EQ(z.active_voxels, y.active_voxels);
    for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(z.voxel_size[a], y.voxel_size[a], 1e-15);
    EXPECT_EQ(z.origin, (std::array<double, 3>{y.origin[0], 0 - y.origin[2], y.origin[1]}));
  }
  for (const char* scalar : {"density", "temperature"})
    EXPECT_EQ(read(folder / "z.vdb", scalar), read(folder / "y.vdb", scalar));
  Voxels velocity = read(folder / "y.vdb", "vel");
  for (auto& [at, u] : velocity) u = {u[0], 0 - u[2], u[1]};
  EXPECT_EQ(read(folder / "z.vdb", "velocity"), velocity);
  const std::vector<double> wind = before.grids[2].background;
  EXPECT_EQ(after.grids[2].background, (std::vector<double>{wind[0], 0 - wind[2], wind[1]}));
  ASSERT_EQ(after.metadata.size(), before.metadata.size());
  for (std::size_t k = 0; k < before.metadata.size(); ++k)
    EXPECT_EQ(after.metadata[k].value, before.metadata[k].value) << before.metadata[k].name;
}

TEST(VdbConvert, TurnsPlacesAndVectors2D) { expect_turned<2>(); }
TEST(VdbConvert, TurnsPlacesAndVectors3D) { expect_turned<3>(); }

TEST(VdbConvert, LeavesValuesAndPlacesUnlessTold) {
  Exec ex;
  const VdbCase<3> c(ex);
  const TemporaryFolder folder;
  write(folder / "a.vdb", c);
  convert(folder / "a.vdb", folder / "b.vdb", {});
  EXPECT_EQ(hash(folder / "a.vdb"), hash(folder / "b.vdb"));
}

TEST(VdbConvert, JoinsColours) {
  Exec ex;
  const VdbCase<3> c(ex);
  const TemporaryFolder folder;
  Snapshot<3> snapshot = c.snapshot();
  std::vector<Field<float, 3>> parts;
  for (const float part : {1.f, 0.5f, 0.25f}) {
    parts.emplace_back(ex, c.topology, 0.f);
    for (std::size_t i = 0; i < c.density.size(); ++i) parts.back().data()[i] = part * c.density.data()[i];
  }
  const char* names[] = {"color_r", "color_g", "color_b"};
  for (std::size_t k = 0; k < 3; ++k) snapshot.scalars.push_back({names[k], &parts[k]});
  ASSERT_TRUE(write_vdb(ex, folder / "a.vdb", snapshot,
                        {.grids = {"density", "color_r", "color_g", "color_b", "vel"}}));
  const VdbConverted done = convert(folder / "a.vdb", folder / "b.vdb", {.colour = "Cd"});
  EXPECT_EQ(done.grids, (std::vector<std::string>{"density", "vel", "Cd"}));
  const Voxels density = read(folder / "b.vdb", "density"), colour = read(folder / "b.vdb", "Cd");
  ASSERT_EQ(colour.size(), density.size());
  for (const auto& [at, x] : colour) {
    EXPECT_TRUE(density.contains(at));
    for (std::size_t k = 0; k < 3; ++k) ASSERT_NEAR(x[k], std::ldexp(1.f, -int(k)), 2e-3);
  }
  // Without all of the three there is nothing to join.
  ASSERT_TRUE(write_vdb(ex, folder / "a.vdb", snapshot, {.grids = {"density", "color_r", "color_g"}}));
  EXPECT_EQ(convert(folder / "a.vdb", folder / "b.vdb", {.colour = "Cd"}).grids,
            (std::vector<std::string>{"density", "color_r", "color_g"}));
}

TEST(VdbConvert, SaysWhatItCannotDo) {
  Exec ex;
  const VdbCase<3> c(ex);
  const TemporaryFolder folder;
  write(folder / "a.vdb", c, {.staggered = true});
  const auto refused = [&](const std::string& from, const char* word) {
    const Result<VdbConverted> done = convert_vdb(from, folder / "b.vdb", {.up = UpAxis::z});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::usage);
    EXPECT_NE(done.error().message.find(word), std::string::npos) << done.error().message;
  };
  refused(folder / "a.vdb", "staggered");
  refused(folder / "missing.vdb", "missing.vdb");
  write_text(folder / "text.vdb", "hello");
  refused(folder / "text.vdb", "not a VDB file");
  EXPECT_FALSE(folder.names().contains("b.vdb"));

  write(folder / "a.vdb", c);
  const FullDisk full(1000);
  const Result<VdbConverted> done = convert_vdb(folder / "a.vdb", folder / "b.vdb", {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::resources);
  EXPECT_FALSE(folder.names().contains("b.vdb"));
}

}  // namespace
}  // namespace whorl
