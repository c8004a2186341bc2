// State files that are damaged, or say what cannot be, are refused, and the state stays what it was.
#include "base/check.h"
#include "unit/archive_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace whorl {
namespace {

TEST_F(ArchiveFile, RefusesAMissingFile) {
  expect_refused(load_state(exec, path, state), ErrorCode::usage, path.string(), "No such file");
  EXPECT_EQ(state_hash(exec, state), untouched);
}

TEST_F(ArchiveFile, RefusesWhatIsNoStateFile) {
  for (const char* content : {"", "WHORLS", "solver = \"smoke\"\n"}) {
    write_text(path, content);
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
  const std::string whole = text_in(this->path);
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
  const std::string whole = text_in(path);
  for (const std::size_t more : {1, 16, 1000}) {
    write_text(path, whole + std::string(more, '\0'));
    expect_refused_and_untouched(concat(more, " bytes more"));
  }
  write_text(path, whole + whole);
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
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "state";
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
  const TemporaryFolder folder;
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
  const TemporaryFolder folder;
  for (const std::uint64_t claimed :
       {std::uint64_t(100), std::uint64_t(1) << 40, std::uint64_t(1) << 62, ~std::uint64_t(0)}) {
    const std::filesystem::path path = folder / "state";
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
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "state";
  const auto walls = [](int side) { return box_domain<2>({{0, 0}, {side, side}}, Side::wall); };
  EXPECT_TRUE(load_cells(ex, path, walls(8), {{0, 0}}, 0xff));
  expect_refused(load_cells(ex, path, walls(64), {{0, 0}}, 0xff), ErrorCode::usage, path.string(),
                 "lacks tiles");
  expect_refused(load_cells(ex, path, walls(64), {{1, 1}, {1, 1}}, 0), ErrorCode::usage, path.string(), "");
  expect_refused(load_cells(ex, path, walls(0), {{0, 0}}, 0), ErrorCode::usage, path.string(),
                 "must be positive");
}

}  // namespace
}  // namespace whorl
