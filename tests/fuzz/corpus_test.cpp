// Every file of the corpus once more, those that a fuzzer found among them, and checkpoints that are whole
// but forged. Under the address sanitizer, a leak fails the program at its end.
#include "fuzz/archive_records.h"
#include "fuzz/fuzzers.h"
#include "fuzz/tiny_checkpoints.h"
#include "io/temporary_folder.h"
#include "io/vdb_info.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>

namespace whorl {
namespace {

struct Fuzzer {
  const char* name;
  void (*run)(std::string_view);
};

class Corpus : public testing::TestWithParam<Fuzzer> {};

TEST_P(Corpus, IsReadWithoutACrash) {
  const std::string folder = std::string(WHORL_CORPUS) + "/" + GetParam().name;
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path());
    GetParam().run(text_in(entry.path()));
    ++files;
  }
  EXPECT_GT(files, 0) << folder;
}

INSTANTIATE_TEST_SUITE_P(Of, Corpus,
                         testing::Values(Fuzzer{"scene", fuzz_scene}, Fuzzer{"checkpoint", fuzz_checkpoint},
                                         Fuzzer{"vdb", fuzz_vdb}, Fuzzer{"mesh", fuzz_mesh},
                                         Fuzzer{"ply", fuzz_ply}),
                         [](const auto& fuzzer) { return std::string(fuzzer.param.name); });

TEST(DamagedVolume, IsRefused) {
  for (const char* name : {"tile_neither_on_nor_off.vdb", "endless_text.vdb"}) {
    const Result<VdbInfo> info = read_vdb_info(std::string(WHORL_CORPUS) + "/vdb/" + name);
    ASSERT_FALSE(info) << name;
    EXPECT_EQ(info.error().code, ErrorCode::usage) << name;
    EXPECT_NE(info.error().message.find("not a VDB file, or"), std::string::npos) << info.error().message;
  }
}

TEST(ForgedCheckpoint, IsReadWithoutACrash) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_tiny_checkpoints(folder / ""));
  for (const TinyScene& scene : tiny_scenes) {
    const ArchiveParts good = parts_of(text_in(folder / (std::string(scene.name) + ".whorl")));
    ASSERT_GT(good.records.size(), 20u) << scene.name;
    for (std::size_t k = 0; k < good.records.size(); ++k)
      for (const char byte : {'\0', '\x7f', '\xff'}) {
        ArchiveParts forged = good;
        std::string& payload = forged.records[k].payload;
        SCOPED_TRACE(std::string(scene.name) + ": " + good.records[k].name);
        std::fill(payload.begin(), payload.end(), byte);
        fuzz_checkpoint(file_of(forged));
      }
  }
}

// Leaves an array, the one before whose record there is one of its size, without numbers.
void empty(ArchiveParts& parts, const std::string& array) {
  for (ArchiveRecord& record : parts.records) {
    if (record.name == array + ".size") record.payload.assign(sizeof(std::uint64_t), '\0');
    if (record.name == array) record.payload.clear();
  }
}

TEST(ForgedCheckpoint, WithAnEmptyArrayIsReadWithoutACrash) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_tiny_checkpoints(folder / ""));
  for (const TinyScene& scene : tiny_scenes) {
    const ArchiveParts good = parts_of(text_in(folder / (std::string(scene.name) + ".whorl")));
    for (std::size_t k = 1; k < good.records.size(); ++k) {
      if (good.records[k - 1].name != good.records[k].name + ".size") continue;
      SCOPED_TRACE(std::string(scene.name) + ": " + good.records[k].name);
      ArchiveParts forged = good;
      empty(forged, good.records[k].name);
      fuzz_checkpoint(file_of(forged));
    }
  }
}

// Markers that have ids no more: nothing else may be left of them, for the next ones are added to that.
class WithoutMarkers : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(write_tiny_checkpoints(folder_ / ""));
    parts_ = parts_of(text_in(folder_ / "level_set.whorl"));
    if (has_tiles()) return;
    for (ArchiveRecord& record : parts_.records)
      if (record.name == "surface.markers.topology.number")
        record.payload.assign(sizeof(std::uint64_t), '\xff');
  }
  static bool has_tiles() { return GetParam(); }

  // The error, of a checkpoint with what is left of one array.
  std::string wrong_with(const std::string& kept) const {
    ArchiveParts forged = parts_;
    for (const std::string array : {"position.x", "position.y", "velocity.x", "velocity.y", "others.0", "id"})
      if (array != kept) empty(forged, "surface.markers." + array);
    for (ArchiveRecord& record : forged.records)
      if (record.name == "surface.markers.first" && kept != "first")
        std::fill(record.payload.begin(), record.payload.end(), '\0');
    if (!has_tiles() && kept != "zeros") empty(forged, "surface.markers.first");
    const std::string path = folder_ / "forged.whorl";
    write_text(path, file_of(forged));
    const auto is_level_set = [](const TinyScene& scene) { return scene.name == std::string("level_set"); };
    const TinyScene& scene = *std::find_if(std::begin(tiny_scenes), std::end(tiny_scenes), is_level_set);
    Simulation made =
        Simulation::create(SceneFile::parse(scene.text, "tiny.toml").value(), {.threads = 1}).value();
    const Result<void> restored = made.restore(path);
    return restored ? "" : restored.error().message;
  }

 private:
  TemporaryFolder folder_;
  ArchiveParts parts_;
};

TEST_P(WithoutMarkers, NothingIsLeftOfThem) {
  EXPECT_EQ(wrong_with("nothing"), "");
  for (const std::string array : {"position.x", "velocity.y", "others.0", "id"})
    EXPECT_NE(wrong_with(array).find("its particles are"), std::string::npos)
        << array << ": " << wrong_with(array);
  const std::string first = has_tiles() ? "first" : "zeros";
  EXPECT_NE(wrong_with(first).find("its particles are"), std::string::npos) << wrong_with(first);
}

INSTANTIATE_TEST_SUITE_P(ForgedCheckpoint, WithoutMarkers, testing::Bool(),
                         [](const auto& test) { return test.param ? "OnTiles" : "Nowhere"; });

// Else the tests above would be of no use.
TEST(ForgedCheckpoint, IsReadWhereItIsGood) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_tiny_checkpoints(folder / ""));
  for (const TinyScene& scene : tiny_scenes) {
    const std::string path = folder / (std::string(scene.name) + ".whorl");
    write_text(path, file_of(parts_of(text_in(path))));
    const Result<SceneFile> parsed = SceneFile::parse(scene.text, "tiny.toml");
    ASSERT_TRUE(parsed);
    Result<Simulation> made = Simulation::create(parsed.value(), {.threads = 1});
    ASSERT_TRUE(made);
    const Result<void> restored = made.value().restore(path);
    EXPECT_TRUE(restored) << scene.name << ": " << restored.error().message;
  }
}

}  // namespace
}  // namespace whorl
