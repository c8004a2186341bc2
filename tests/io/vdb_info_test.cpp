// What is told about a VDB file: a summary of its grids, and a hash of their data.
#include "io/vdb_info.h"
#include "io/temporary_folder.h"
#include "io/vdb_contents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace whorl {
namespace {

template <int D>
void expect_summary() {
  Exec ex;
  const VdbCase<D> c(ex);
  const TemporaryFolder folder;
  write(folder / "frame.vdb", c, {.grids = {"vel", "density", "temperature"}});
  const VdbInfo found = info(folder / "frame.vdb");
  EXPECT_EQ(found.file_bytes, std::filesystem::file_size(folder / "frame.vdb"));

  std::map<std::string, std::string> metadata;
  for (const VdbMetadata& entry : found.metadata) metadata[entry.name] = entry.value;
  EXPECT_EQ(metadata["frame"], "12");
  EXPECT_EQ(metadata["fps"], "23.976");
  EXPECT_EQ(std::stod(metadata["time"]), 12 / 23.976);
  EXPECT_EQ(metadata["creator"].find("Whorl "), 0u);

  ASSERT_EQ(found.grids.size(), 3u);
  const std::map<std::string, Voxels> expected = {{"density", expected_scalar(c, c.density)},
                                                  {"temperature", expected_scalar(c, c.temperature)},
                                                  {"vel", expected_velocity(c)}};
  for (const VdbGridInfo& grid : found.grids) {
    SCOPED_TRACE(grid.name);
    const bool is_vector = grid.name == "vel", is_density = grid.name == "density";
    EXPECT_EQ(grid.type, is_vector ? "vec3s" : "float");
    EXPECT_EQ(grid.grid_class, is_density ? "fog volume" : "unknown");
    EXPECT_EQ(grid.vector_type, is_vector ? "contravariant relative" : "");
    EXPECT_EQ(grid.unit, is_vector ? "m/s" : is_density ? "" : "K");
    EXPECT_EQ(grid.half, is_density);
    const std::vector<double> wind = {0.5, 1.5, D == 3 ? 2.5 : 0};
    EXPECT_EQ(grid.background, is_vector ? wind : std::vector<double>{is_density ? 0. : 290.});
    for (int a = 0; a < 3; ++a) {
      EXPECT_DOUBLE_EQ(grid.voxel_size[std::size_t(a)], 0.05);
      EXPECT_DOUBLE_EQ(grid.origin[std::size_t(a)], a < D ? -0.3 + 0.7 * a + 0.025 : 0.);
    }
    const Voxels& voxels = expected.at(grid.name);
    EXPECT_EQ(grid.active_voxels, std::int64_t(voxels.size()));
    std::array<int, 3> first, last;
    first.fill(1 << 30), last.fill(-(1 << 30));
    double min = 1e30, max = -1e30;
    for (const auto& [at, value] : voxels) {
      for (std::size_t a = 0; a < 3; ++a)
        first[a] = std::min(first[a], at[a]), last[a] = std::max(last[a], at[a]);
      const double x = is_vector ? std::hypot(value[0], value[1], value[2]) : value[0];
      min = std::min(min, x), max = std::max(max, x);
    }
    EXPECT_EQ(grid.first, first);
    EXPECT_EQ(grid.last, last);
    EXPECT_NEAR(grid.min.value(), min, min * 0x1p-11);
    EXPECT_NEAR(grid.max.value(), max, max * 0x1p-11);
  }
}

TEST(Vdb, Summary2D) { expect_summary<2>(); }
TEST(Vdb, Summary3D) { expect_summary<3>(); }

TEST(Vdb, SummaryInWords) {
  Exec ex;
  const VdbCase<2> c(ex);
  const TemporaryFolder folder;
  write(folder / "frame.vdb", c, {.staggered = true});
  const std::string json = to_json(info(folder / "frame.vdb"));
  for (const char* part : {"\"frame\": 12", "\"fps\": 23.976", "\"name\": \"vel\"",
                           "\"class\": \"staggered\"", "\"half\": true", "\"voxel_size\": [0.05,0.05,0.05]"})
    EXPECT_NE(json.find(part), std::string::npos) << part << " in\n" << json;

  const std::string text = to_text(info(folder / "frame.vdb"));
  std::istringstream lines(text);
  std::size_t column = 0;
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("grid ")) column = line.find("class");
    if (column == 0 || line.starts_with("grid ")) continue;
    ++rows;
    EXPECT_EQ(line.substr(column - 2, 2), "  ") << text;
    EXPECT_NE(line[column], ' ') << text;
  }
  EXPECT_EQ(rows, 3) << text;
}

TEST(Vdb, HashIsOfTheData) {
  Exec ex;
  VdbCase<3> c(ex);
  const TemporaryFolder folder;
  const auto hash_of = [&](const Snapshot<3>& s, const VdbOptions& options = {}) {
    EXPECT_TRUE(write_vdb(ex, folder / "frame.vdb", s, options));
    return hash(folder / "frame.vdb");
  };
  const std::uint64_t first = hash_of(c.snapshot());
  EXPECT_EQ(hash_of(c.snapshot()), first);
  EXPECT_EQ(hash_of(c.snapshot(), {.grids = {"vel", "temperature", "density"}}), first);
  Snapshot<3> later = c.snapshot();
  later.frame = 13, later.time = 99, later.fps = 30;
  EXPECT_EQ(hash_of(later), first);
  for (const Backend backend : built_backends()) {
    Exec many({.threads = 7, .backend = backend});
    EXPECT_TRUE(write_vdb(many, folder / "frame.vdb", c.snapshot(), {}));
    EXPECT_EQ(hash(folder / "frame.vdb"), first) << to_string(backend);
  }

  Snapshot<3> moved = c.snapshot(), renamed = c.snapshot();
  moved.origin[1] += 1e-9;
  EXPECT_NE(hash_of(moved), first);
  renamed.scalars[0].name = "smoke";
  EXPECT_NE(hash_of(renamed, {.grids = {"smoke"}}),
            hash_of(c.snapshot(), {.grids = {"density"}, .half = false}));
  EXPECT_NE(hash_of(c.snapshot(), {.grids = {"density", "vel"}}), first);
  EXPECT_NE(hash_of(c.snapshot(), {.half = false}), first);

  // The last bit of one value, and two neighbours that change places.
  Coord<3> cell{}, neighbour{};
  c.for_each_cell([&](const Coord<3>& i) {
    const Coord<3> next = i + Coord<3>::unit(2);
    if (c.is_active(i) && c.is_active(next)) cell = i, neighbour = next;
  });
  const float x = c.temperature.get(cell), y = c.temperature.get(neighbour);
  c.temperature.set(cell, std::nextafter(x, 1e9f));
  EXPECT_NE(hash_of(c.snapshot()), first);
  c.temperature.set(cell, 1234.5f), c.temperature.set(neighbour, 290.f);
  const std::uint64_t here = hash_of(c.snapshot());
  c.temperature.set(cell, 290.f), c.temperature.set(neighbour, 1234.5f);
  EXPECT_NE(hash_of(c.snapshot()), here);
  c.temperature.set(cell, x), c.temperature.set(neighbour, y);
  EXPECT_EQ(hash_of(c.snapshot()), first);
  for (int a = 0; a < 3; ++a) {
    const float u = c.velocity[a].get(cell);
    c.velocity[a].set(cell, u + 1);
    EXPECT_NE(hash_of(c.snapshot()), first) << a;
    c.velocity[a].set(cell, u);
  }
}

}  // namespace
}  // namespace whorl
