// Every file of the corpus once more, those that a fuzzer found among them, and checkpoints that are whole
// but forged. Under the address sanitizer, a leak fails the program at its end.
#include "fuzz/archive_records.h"
#include "fuzz/fuzzers.h"
#include "fuzz/tiny_checkpoints.h"
#include "io/temporary_folder.h"
#include "io/vdb_info.h"

#include <gtest/gtest.h>

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
