// What a VDB file holds is what the snapshot did: the same cells, values and places.
#include "io/vdb.h"
#include "io/temporary_folder.h"
#include "io/vdb_case.h"
#include "io/vdb_info.h"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>
#include <map>
#include <sstream>

namespace whorl {
namespace {

using Voxels = std::map<std::array<int, 3>, std::array<float, 3>>;

Voxels read(const std::string& path, const std::string& grid) {
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

VdbInfo info(const std::string& path) {
  const auto found = read_vdb_info(path);
  EXPECT_TRUE(found) << found.error().message;
  return found ? found.value() : VdbInfo{};
}

std::uint64_t hash(const std::string& path) {
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
  for (const char* part :
       {"\"frame\": 12", "\"fps\": 23.976", "\"name\": \"vel\"", "\"class\": \"staggered\"", "\"half\": true",
        "\"voxel_size\": [0.05,0.05,0.05]"})
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
  s.scalars = {{"fuel", &c.density}, {"say \"colour\"", &c.density}};
  ASSERT_TRUE(write_vdb(ex, folder / "frame.vdb", s, {.grids = {"fuel", "say \"colour\""}}));
  const VdbInfo found = info(folder / "frame.vdb");
  ASSERT_EQ(found.grids.size(), 2u);
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

TEST(Vdb, NowhereToWrite) {
  Exec ex;
  const VdbCase<2> c(ex);
  const TemporaryFolder folder;
  write_text(folder / "file", "");
  for (const char* name : {"nosuch/frame.vdb", "file/frame.vdb"}) {
    const auto written = write_vdb(ex, folder / name, c.snapshot(), {});
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::resources);
    EXPECT_NE(written.error().message.find(folder / name), std::string::npos) << written.error().message;
  }
  EXPECT_EQ(folder.names(), std::set<std::string>{"file"});
}

// No file may grow past `bytes` for as long as this lives: to a writer, a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }

 private:
  rlimit before_;
  void (*signal_)(int);
};

TEST(Vdb, DiskFull) {
  Exec ex;
  const VdbCase<3> c(ex);
  const TemporaryFolder folder;
  write(folder / "frame.vdb", c);
  const std::uint64_t whole = std::filesystem::file_size(folder / "frame.vdb"),
                      first = hash(folder / "frame.vdb");
  for (const std::uint64_t room : {std::uint64_t(0), std::uint64_t(100), whole / 2, whole - 1}) {
    const auto written = [&] {
      const FullDisk full(room);
      return write_vdb(ex, folder / "frame.vdb", c.snapshot(), {});
    }();
    ASSERT_FALSE(written) << "room for " << room << " of " << whole << " bytes";
    EXPECT_EQ(written.error().code, ErrorCode::resources);
    EXPECT_NE(written.error().message.find(folder / "frame.vdb"), std::string::npos)
        << written.error().message;
    EXPECT_EQ(hash(folder / "frame.vdb"), first);
    EXPECT_EQ(folder.names(), std::set<std::string>{"frame.vdb"});
  }
}

TEST(Vdb, WhatIsNoVdbFile) {
  Exec ex;
  const VdbCase<3> c(ex);
  const TemporaryFolder folder;
  write(folder / "frame.vdb", c);
  const std::string bytes = read_text(folder / "frame.vdb");
  write_text(folder / "text.vdb", "density, but in words");
  write_text(folder / "empty.vdb", "");
  std::vector<std::string> names = {"nosuch.vdb", ".", "text.vdb", "empty.vdb"};
  for (std::size_t part = 0; part < 20; ++part) {
    names.push_back("cut" + std::to_string(part));
    write_text(folder / names.back(), bytes.substr(0, (bytes.size() - 1) * part / 19));
  }
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const auto found = read_vdb_info(folder / name);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::usage);
    EXPECT_NE(found.error().message.find(folder / name), std::string::npos) << found.error().message;
    EXPECT_EQ(found.error().message.find('\n'), std::string::npos) << found.error().message;
    EXPECT_FALSE(hash_vdb(folder / name));
    EXPECT_FALSE(read_vdb_voxels(folder / name, "vel"));
  }
}

}  // namespace
}  // namespace whorl
