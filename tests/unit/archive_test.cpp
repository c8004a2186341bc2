// A state hashed, saved and loaded: nothing is lost, and nothing that is damaged is let in.
#include "grid/archive.h"
#include "base/check.h"
#include "base/rng.h"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace whorl {
namespace {

// A little of everything that a State may list: fields on two topologies, a vector, scalars.
template <int D>
struct Sample {
  MacField<float, D> velocity;
  Field<double, D> pressure;  // on the velocity's topology
  Field<float, D> heat;       // on one of its own
  std::vector<int> ids;
  double time = 0;
  std::int64_t steps = 0;

  template <class Self, class Visitor>
  static void visit(Self& s, Visitor& v) {
    v("velocity", s.velocity);
    v("pressure", s.pressure);
    v("heat", s.heat);
    v("ids", s.ids);
    v("time", s.time);
    v("steps", s.steps);
  }
};

template <class T, int D>
void randomise(Field<T, D>& field, Rng& rng) {
  for (std::size_t i = 0; i < field.size(); ++i) field.data()[i] = T(rng.uniform(-1.f, 1.f)) / T(3);
}

template <int D>
Sample<D> make_sample(Exec& ex, int side = 6, std::uint64_t seed = 0) {
  const Domain<D> closed = box_domain<D>({Coord<D>::filled(0), Coord<D>::filled(side)}, Side::wall);
  const Domain<D> periodic = box_domain<D>({Coord<D>::filled(-16), Coord<D>::filled(16)}, Side::periodic);
  const TopologyPtr<D> whole = Topology<D>::of_box(ex, closed);
  const TopologyPtr<D> sparse =
      Topology<D>::of_tiles(ex, periodic, {Coord<D>::filled(-1), Coord<D>::unit(0)});

  Rng rng(31, D, seed);
  Sample<D> s;
  s.velocity = MacField<float, D>(ex, whole, Vec<float, D>::filled(0.25f));
  s.pressure = Field<double, D>(ex, whole, 1.5);
  s.heat = Field<float, D>(ex, sparse, 290.f);
  for (int a = 0; a < D; ++a) randomise(s.velocity[a], rng);
  randomise(s.pressure, rng);
  randomise(s.heat, rng);
  s.ids = {3, 1, 4, 1, 5, 9, 2, 6};
  s.time = 0.1;
  s.steps = 7;
  return s;
}

template <class T, int D>
void expect_equal(const Field<T, D>& found, const Field<T, D>& expected) {
  EXPECT_TRUE(found.topology()->same_cells(*expected.topology()));
  EXPECT_EQ(found.background(), expected.background());
  ASSERT_EQ(found.size(), expected.size());
  EXPECT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(T)), 0);
  for (int i = 0; i < tile_cells<D>; ++i)
    EXPECT_EQ(found.data()[found.size() + std::size_t(i)], T(0)) << "tile of zeros";
}

// The same values on a topology with as many tiles.
template <class T, int D>
Field<T, D> moved_to(Exec& ex, const Field<T, D>& field, const TopologyPtr<D>& topology) {
  CHECK(topology->tile_count() == field.topology()->tile_count(), "other tiles");
  auto moved = Field<T, D>::unfilled(ex, topology, field.background());
  std::copy_n(field.data(), field.size(), moved.data());
  return moved;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary).write(content.data(), std::streamsize(content.size()));
}

class Folder {
 public:
  Folder() {
    std::string name = testing::TempDir() + "whorl_archive_XXXXXX";
    CHECK(mkdtemp(name.data()), name);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::filesystem::path operator/(const char* name) const { return path_ / name; }
  std::set<std::string> names() const {
    std::set<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      all.insert(entry.path().filename().string());
    return all;
  }

 private:
  std::filesystem::path path_;
};

using Names = std::set<std::string>;

// `part` somewhere in the message, which begins with the path of the file.
void expect_refused(const Result<void>& result, ErrorCode code, const std::string& path,
                    const std::string& part) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, code);
  EXPECT_NE(result.error().message.find(path), std::string::npos) << result.error().message;
  EXPECT_NE(result.error().message.find(part), std::string::npos) << result.error().message;
}

template <class Dimension>
class Archive : public testing::Test {
 protected:
  // Every damaged file must be refused, and leave the state it was to be loaded into alone.
  void expect_refused_and_untouched(const std::string& what) {
    const Result<void> result = load_state(exec, path, state);
    ASSERT_FALSE(result) << what;
    ASSERT_EQ(result.error().code, ErrorCode::usage) << what;
    ASSERT_FALSE(result.error().message.empty()) << what;
    ASSERT_EQ(state_hash(exec, state), untouched) << what;
  }

  Exec exec{{.threads = 1}};
  Folder folder;
  const std::filesystem::path path = folder / "state";
  Sample<Dimension::value> state = make_sample<Dimension::value>(exec, 6, 1);
  const std::uint64_t untouched = state_hash(exec, state);
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Archive, Dimensions);

class ArchiveFile : public Archive<std::integral_constant<int, 2>> {};  // where the dimension does not matter

// ---- there and back

TYPED_TEST(Archive, WhatIsLoadedIsWhatWasSaved) {
  constexpr int D = TypeParam::value;
  Exec& ex = this->exec;
  const Sample<D> saved = make_sample<D>(ex);
  Sample<D>& loaded = this->state;
  ASSERT_NE(state_hash(ex, loaded), state_hash(ex, saved));
  ASSERT_TRUE(save_state(ex, this->path, saved));
  ASSERT_TRUE(load_state(ex, this->path, loaded));
  EXPECT_EQ(state_hash(ex, loaded), state_hash(ex, saved));
  for (int a = 0; a < D; ++a) expect_equal(loaded.velocity[a], saved.velocity[a]);
  expect_equal(loaded.pressure, saved.pressure);
  expect_equal(loaded.heat, saved.heat);
  EXPECT_EQ(loaded.ids, saved.ids);
  EXPECT_EQ(loaded.time, saved.time);
  EXPECT_EQ(loaded.steps, saved.steps);
  EXPECT_EQ(this->folder.names(), Names{"state"}) << "no temporary file stays";
}

TYPED_TEST(Archive, FieldsThatShareATopologyShareItAfterLoading) {
  Exec& ex = this->exec;
  ASSERT_TRUE(save_state(ex, this->path, make_sample<TypeParam::value>(ex)));
  ASSERT_TRUE(load_state(ex, this->path, this->state));
  const auto& topology = this->state.pressure.topology();
  for (int a = 0; a < TypeParam::value; ++a) EXPECT_EQ(this->state.velocity[a].topology(), topology);
  EXPECT_NE(this->state.heat.topology(), topology);
}

TYPED_TEST(Archive, EmptyAndTinyThingsComeBack) {
  constexpr int D = TypeParam::value;
  Exec& ex = this->exec;
  Sample<D> saved = make_sample<D>(ex);
  saved.ids.clear();
  saved.heat = Field<float, D>(ex, Topology<D>::of_tiles(ex, Domain<D>{}, {}), 2.f);
  ASSERT_TRUE(save_state(ex, this->path, saved));
  ASSERT_TRUE(load_state(ex, this->path, this->state));
  EXPECT_TRUE(this->state.ids.empty());
  EXPECT_EQ(this->state.heat.size(), 0u);
  EXPECT_EQ(this->state.heat.background(), 2.f);
  EXPECT_EQ(state_hash(ex, this->state), state_hash(ex, saved));
}

TYPED_TEST(Archive, FileDoesNotDependOnThreads) {
  constexpr int D = TypeParam::value;
  std::set<std::string> contents;
  for (const Backend backend : built_backends())
    for (const int threads : {1, 2, 7}) {
      Exec ex({.threads = threads, .backend = backend});
      ASSERT_TRUE(save_state(ex, this->path, make_sample<D>(ex)));
      contents.insert(read_file(this->path));
    }
  EXPECT_EQ(contents.size(), 1u);
}

// ---- hash

TYPED_TEST(Archive, HashDoesNotDependOnThreads) {
  constexpr int D = TypeParam::value;
  const int side = D == 2 ? 300 : 44;  // several of the blocks that are hashed in parallel
  std::set<std::uint64_t> hashes;
  for (const Backend backend : built_backends())
    for (const int threads : {1, 2, 7}) {
      Exec ex({.threads = threads, .backend = backend});
      const Sample<D> s = make_sample<D>(ex, side);
      ASSERT_GT(s.pressure.size() * sizeof(double), std::size_t(2) << 18);
      hashes.insert(state_hash(ex, s));
    }
  EXPECT_EQ(hashes.size(), 1u);
}

template <class T>
void flip_bit(T& x, std::size_t bit) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &x, sizeof(T));
  bytes[bit / 8] = static_cast<unsigned char>(bytes[bit / 8] ^ 1u << bit % 8);
  std::memcpy(&x, bytes, sizeof(T));
}

// A topology like another but for one thing, with the same number of tiles.
template <int D, class Change>
TopologyPtr<D> altered(Exec& ex, const Topology<D>& t, const Change& change) {
  Domain<D> domain = t.domain();
  std::vector<Coord<D>> tiles(t.tiles().begin(), t.tiles().end());
  std::vector<std::uint8_t> active(t.active().begin(), t.active().end());
  change(domain, tiles, active);
  return Topology<D>::of_cells(ex, domain, tiles, active);
}

TYPED_TEST(Archive, HashSeesEveryMember) {
  constexpr int D = TypeParam::value;
  using S = Sample<D>;
  Exec& ex = this->exec;
  std::vector<std::pair<std::string, std::function<void(S&)>>> changes;
  const auto change = [&](const std::string& name, std::function<void(S&)> f) {
    changes.push_back({name, std::move(f)});
  };
  for (int a = 0; a < D; ++a) {
    change(concat("velocity cell ", a),
           [a](S& s) { flip_bit(s.velocity[a].data()[s.velocity[a].size() / 2], 0); });
    change(concat("velocity background ", a), [a](S& s) { s.velocity[a].set_background(0.5f); });
  }
  change("first pressure", [](S& s) { flip_bit(s.pressure.data()[0], 63); });
  change("last pressure", [](S& s) { flip_bit(s.pressure.data()[s.pressure.size() - 1], 0); });
  change("pressure background", [](S& s) { s.pressure.set_background(std::nextafter(1.5, 2.)); });
  change("first heat", [](S& s) { flip_bit(s.heat.data()[0], 31); });
  change("heat background", [](S& s) { s.heat.set_background(0.f); });
  // Of a topology that only one field uses, so that who shares what stays as it is.
  const auto alter = [&](S& s, const auto& how) {
    s.heat = moved_to(ex, s.heat, altered(ex, *s.heat.topology(), how));
  };
  change("one active cell less", [&](S& s) {
    alter(s, [](auto&, auto&, auto& active) {
      const auto row = std::find_if(active.begin(), active.end(), [](std::uint8_t r) { return r != 0; });
      *row = std::uint8_t(*row & (*row - 1));
    });
  });
  change("other sides", [&](S& s) {
    alter(s, [](auto& domain, auto&, auto&) { domain.sides[D - 1] = {Side::open, Side::open}; });
  });
  change("other tiles", [&](S& s) {
    alter(s, [](auto&, auto& tiles, auto&) {
      for (auto& tile : tiles) --tile[D - 1];
    });
  });
  change("a topology of its own", [&](S& s) {
    s.pressure = moved_to(ex, s.pressure, altered(ex, *s.pressure.topology(), [](auto&...) {}));
  });
  change("first id", [](S& s) { flip_bit(s.ids.front(), 0); });
  change("last id", [](S& s) { flip_bit(s.ids.back(), 31); });
  change("one id less", [](S& s) { s.ids.pop_back(); });
  change("one id more", [](S& s) { s.ids.push_back(0); });
  change("two ids swapped", [](S& s) { std::swap(s.ids[0], s.ids[1]); });
  change("sign of the time", [](S& s) { s.time = -s.time; });
  change("time", [](S& s) { flip_bit(s.time, 0); });
  change("steps", [](S& s) { ++s.steps; });

  std::set<std::uint64_t> hashes = {state_hash(ex, make_sample<D>(ex))};
  for (const auto& [name, apply] : changes) {
    S s = make_sample<D>(ex);
    apply(s);
    EXPECT_TRUE(hashes.insert(state_hash(ex, s)).second) << name;
  }
}

TEST(HashBytes, SeesEveryBitAtEveryPlace) {
  Exec ex({.threads = 1});
  for (std::size_t size = 1; size < 80; ++size) {
    std::vector<unsigned char> data(size, 0x5a);
    std::set<std::uint64_t> hashes = {hash_bytes(ex, data.data(), size)};
    for (std::size_t bit = 0; bit < 8 * size; ++bit) {
      flip_bit(data[bit / 8], bit % 8);
      hashes.insert(hash_bytes(ex, data.data(), size));
      flip_bit(data[bit / 8], bit % 8);
    }
    EXPECT_EQ(hashes.size(), 8 * size + 1) << size << " bytes";
  }
}

TEST(HashBytes, SeesBothSidesOfEveryBlock) {
  constexpr std::size_t block = 1 << 18;  // hashed at a time
  Exec ex({.threads = 2});
  for (const std::size_t size : {block - 1, block, block + 1, 3 * block + 5}) {
    std::vector<unsigned char> data(size, 0);
    std::set<std::uint64_t> hashes = {hash_bytes(ex, data.data(), size)};
    std::size_t places = 0;
    for (std::size_t place = 0; place < size; place += (place + 1) % block == 0 ? 1 : block - 1, ++places) {
      data[place] = 1;
      hashes.insert(hash_bytes(ex, data.data(), size));
      data[place] = 0;
    }
    EXPECT_EQ(hashes.size(), places + 1) << size << " bytes";
  }
}

TEST(HashBytes, SeesHowManyZerosThereAre) {
  Exec ex({.threads = 1});
  const std::vector<unsigned char> zeros((1 << 18) + 40, 0);
  std::set<std::uint64_t> hashes;
  for (std::size_t size = 0; size < 200; ++size) hashes.insert(hash_bytes(ex, zeros.data(), size));
  for (std::size_t size = (1 << 18) - 40; size < zeros.size(); ++size)
    hashes.insert(hash_bytes(ex, zeros.data(), size));
  EXPECT_EQ(hashes.size(), 280u);
}

TEST(HashBytes, SeesBlocksSwapped) {
  constexpr std::size_t block = 1 << 18;
  Exec ex({.threads = 2});
  std::vector<unsigned char> data(2 * block, 1);
  std::fill_n(data.begin(), block, static_cast<unsigned char>(2));
  const std::uint64_t before = hash_bytes(ex, data.data(), data.size());
  std::rotate(data.begin(), data.begin() + block, data.end());
  EXPECT_NE(hash_bytes(ex, data.data(), data.size()), before);
}

// ---- files that must be refused

TEST_F(ArchiveFile, RefusesAMissingFile) {
  expect_refused(load_state(exec, path, state), ErrorCode::usage, path.string(), "No such file");
  EXPECT_EQ(state_hash(exec, state), untouched);
}

TEST_F(ArchiveFile, RefusesWhatIsNoStateFile) {
  for (const char* content : {"", "WHORLS", "solver = \"smoke\"\n"}) {
    write_file(path, content);
    expect_refused(load_state(exec, path, state), ErrorCode::usage, path.string(), "");
  }
  std::filesystem::create_directory(folder / "directory");
  EXPECT_FALSE(load_state(exec, folder / "directory", state));
  EXPECT_EQ(state_hash(exec, state), untouched);
}

TYPED_TEST(Archive, RefusesAFileCutShortAnywhere) {
  ASSERT_TRUE(save_state(this->exec, this->path, make_sample<TypeParam::value>(this->exec)));
  const std::size_t whole = std::filesystem::file_size(this->path);
  for (std::size_t length = whole; length > 0;) {
    length -= std::min(length, whole - length < 50 ? std::size_t(1) : std::size_t(97));
    std::filesystem::resize_file(this->path, length);
    this->expect_refused_and_untouched(concat(length, " bytes of ", whole));
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(Archive, RefusesAnyDamagedByte) {
  ASSERT_TRUE(save_state(this->exec, this->path, make_sample<TypeParam::value>(this->exec)));
  const std::string whole = read_file(this->path);
  std::fstream file(this->path, std::ios::binary | std::ios::in | std::ios::out);
  const auto put = [&](std::size_t place, char byte) { file.seekp(std::streamoff(place)).put(byte).flush(); };
  Rng rng(32, TypeParam::value);
  // Names, sizes and checksums stand close together at both ends, and between long stretches of values.
  for (std::size_t place = 0; place < whole.size();
       place += place < 800 || place + 600 > whole.size() ? 1 : 29) {
    put(place, char(whole[place] ^ int(1 + rng.bits() % 255)));
    this->expect_refused_and_untouched(concat("byte ", place, " of ", whole.size()));
    if (this->HasFatalFailure()) return;
    put(place, whole[place]);
  }
  EXPECT_TRUE(load_state(this->exec, this->path, this->state)) << "all bytes are back in place";
}

TEST_F(ArchiveFile, RefusesTrailingBytes) {
  ASSERT_TRUE(save_state(exec, path, make_sample<2>(exec)));
  const std::string whole = read_file(path);
  for (const std::size_t more : {1, 16, 1000}) {
    write_file(path, whole + std::string(more, '\0'));
    expect_refused_and_untouched(concat(more, " bytes more"));
  }
  write_file(path, whole + whole);
  expect_refused_and_untouched("the file twice");
}

template <class Visit>
Result<void> load_with(Exec& ex, const std::filesystem::path& path, const Visit& visit) {
  Sample<2> s;
  LoadArchive archive(ex, path);
  visit(s, archive);
  return archive.finish();
}

TEST(ArchiveOrder, RefusesOtherNamesOrdersAndSizes) {
  Exec ex({.threads = 1});
  const Folder folder;
  const auto path = folder / "state";
  ASSERT_TRUE(save_state(ex, path, make_sample<2>(ex)));
  const auto fields = [](auto& s, auto& v) {
    v("velocity", s.velocity), v("pressure", s.pressure), v("heat", s.heat);
  };
  const auto expect_refused_with = [&](const std::string& part, const auto& visit) {
    expect_refused(load_with(ex, path, visit), ErrorCode::usage, path.string(), part);
  };

  EXPECT_TRUE(load_with(ex, path, [&](auto& s, auto& v) {
    fields(s, v), v("ids", s.ids), v("time", s.time), v("steps", s.steps);
  }));
  expect_refused_with("it holds 'velocity.x.topology.number' where 'pressure.topology.number' should be",
                      [](auto& s, auto& v) { v("pressure", s.pressure), v("velocity", s.velocity); });
  expect_refused_with("it holds 'time' where 'steps' should be", [&](auto& s, auto& v) {
    fields(s, v), v("ids", s.ids), v("steps", s.steps), v("time", s.time);
  });
  expect_refused_with("more than this program expects",
                      [&](auto& s, auto& v) { fields(s, v), v("ids", s.ids), v("time", s.time); });
  expect_refused_with("", [&](auto& s, auto& v) {
    fields(s, v), v("ids", s.ids), v("time", s.time), v("steps", s.steps), v("more", s.steps);
  });
  expect_refused_with("'time' has 8 bytes, expected 16", [&](auto& s, auto& v) {
    Vec<double, 2> two;
    fields(s, v), v("ids", s.ids), v("time", two), v("steps", s.steps);
  });
}

TEST(ArchiveOrder, RefusesAStateOfTheOtherDimension) {
  Exec ex({.threads = 1});
  const Folder folder;
  ASSERT_TRUE(save_state(ex, folder / "state", make_sample<2>(ex)));
  Sample<3> other = make_sample<3>(ex);
  EXPECT_FALSE(load_state(ex, folder / "state", other));
}

// ---- records that are whole and yet make no sense

struct Numbers {
  std::vector<int> ids;
  template <class Self, class Visitor>
  static void visit(Self& s, Visitor& v) {
    v("ids", s.ids);
  }
};

TEST(ArchiveContent, RefusesMoreEntriesThanTheFileHolds) {
  Exec ex({.threads = 1});
  const Folder folder;
  for (const std::uint64_t claimed :
       {std::uint64_t(100), std::uint64_t(1) << 40, std::uint64_t(1) << 62, ~std::uint64_t(0)}) {
    const auto path = folder / "state";
    SaveArchive archive(ex, path);
    archive("ids.size", claimed);
    archive.bytes("ids", "four", 4);
    ASSERT_TRUE(archive.finish());
    Numbers numbers{{1, 2, 3}};
    expect_refused(load_state(ex, path, numbers), ErrorCode::usage, path.string(),
                   "more than the file holds");
    EXPECT_EQ(numbers.ids, (std::vector{1, 2, 3}));
  }
}

struct Cells {
  TopologyPtr<2> topology;
  template <class Self, class Visitor>
  static void visit(Self& s, Visitor& v) {
    v("cells", s.topology);
  }
};

Result<void> load_cells(Exec& ex, const std::filesystem::path& path, const Domain<2>& domain,
                        const std::vector<Coord<2>>& tiles, std::uint8_t row) {
  SaveArchive archive(ex, path);
  archive("cells.number", std::uint64_t(0));
  archive("cells.domain", domain);
  archive("cells.tile_count", std::uint64_t(tiles.size()));
  archive.bytes("cells.tiles", tiles.data(), tiles.size() * sizeof(Coord<2>));
  const std::vector<std::uint8_t> active(tiles.size() * tile_rows<2>, row);
  archive.bytes("cells.active", active.data(), active.size());
  if (Result<void> saved = archive.finish(); !saved) return saved;
  Cells cells;
  return load_state(ex, path, cells);
}

TEST(ArchiveContent, RefusesTopologiesThatCannotBe) {
  Exec ex({.threads = 1});
  const Folder folder;
  const auto path = folder / "state";
  const auto walls = [](int side) { return box_domain<2>({{0, 0}, {side, side}}, Side::wall); };
  EXPECT_TRUE(load_cells(ex, path, walls(8), {{0, 0}}, 0xff));
  expect_refused(load_cells(ex, path, walls(64), {{0, 0}}, 0xff), ErrorCode::usage, path.string(),
                 "lacks tiles");
  expect_refused(load_cells(ex, path, walls(64), {{1, 1}, {1, 1}}, 0), ErrorCode::usage, path.string(), "");
  expect_refused(load_cells(ex, path, walls(0), {{0, 0}}, 0), ErrorCode::usage, path.string(),
                 "must be positive");
}

// ---- saves that fail

TEST_F(ArchiveFile, AnUnfinishedSaveKeepsTheOldFile) {
  ASSERT_TRUE(save_state(exec, path, make_sample<2>(exec)));
  const std::string before = read_file(path);
  {
    SaveArchive archive(exec, path);
    Sample<2>::visit(state, archive);
    EXPECT_EQ(read_file(path), before) << "while the new one is being written";
  }
  EXPECT_EQ(read_file(path), before);
  EXPECT_EQ(folder.names(), Names{"state"});
}

TEST_F(ArchiveFile, ASaveReplacesTheOldFile) {
  ASSERT_TRUE(save_state(exec, path, make_sample<2>(exec)));
  write_file(folder / "state.tmp", "left by a crash");
  ASSERT_TRUE(save_state(exec, path, state));
  Sample<2> loaded;
  ASSERT_TRUE(load_state(exec, path, loaded));
  EXPECT_EQ(state_hash(exec, loaded), untouched);
  EXPECT_EQ(folder.names(), Names{"state"});
}

TEST_F(ArchiveFile, AFolderThatCannotBeWrittenIsAnError) {
  const auto missing = folder / "no_such_folder/state";
  expect_refused(save_state(exec, missing, state), ErrorCode::resources, missing.string(), "cannot write");
  write_file(folder / "file", "");
  const auto under_a_file = folder / "file/state";
  expect_refused(save_state(exec, under_a_file, state), ErrorCode::resources, under_a_file.string(),
                 "cannot write");
  EXPECT_EQ(folder.names(), Names{"file"});
}

TEST_F(ArchiveFile, AFolderWithoutWritePermissionIsAnError) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  using std::filesystem::perms;
  const auto locked = folder / "locked";
  std::filesystem::create_directory(locked);
  std::filesystem::permissions(locked, perms::owner_read | perms::owner_exec);
  expect_refused(save_state(exec, locked / "state", state), ErrorCode::resources, locked.string(),
                 "Permission denied");
  EXPECT_TRUE(std::filesystem::is_empty(locked));
  std::filesystem::permissions(locked, perms::owner_all);
}

TEST_F(ArchiveFile, ANameThatIsTakenByAFolderIsAnErrorAndLeavesNothing) {
  std::filesystem::create_directory(path);
  expect_refused(save_state(exec, path, state), ErrorCode::resources, path.string(), "cannot rename");
  EXPECT_EQ(folder.names(), Names{"state"});
}

// No file may grow beyond some bytes: what a full disk looks like to a writer.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limited{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  void (*signal_)(int);
  rlimit before_;
};

TEST_F(ArchiveFile, AFullDiskIsAnErrorAndKeepsTheOldFile) {
  ASSERT_TRUE(save_state(exec, path, make_sample<2>(exec)));
  const std::string before = read_file(path);
  for (const std::size_t room : {std::size_t(0), std::size_t(100), before.size() / 2, before.size() - 1}) {
    const Result<void> result = [&] {
      const SmallDisk disk(room);
      return save_state(exec, path, state);
    }();
    expect_refused(result, ErrorCode::resources, path.string(), "cannot write");
    EXPECT_EQ(read_file(path), before);
    EXPECT_EQ(folder.names(), Names{"state"});
  }
}

}  // namespace
}  // namespace whorl
