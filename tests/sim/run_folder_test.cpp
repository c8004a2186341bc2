// What is where in a run's folder, and what of it a new run may remove.
#include "sim/run_folder.h"

#include "sim/kept_scene.h"
#include "sim/run.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace whorl {
namespace {

namespace fs = std::filesystem;

class RunFolder : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder);
    fs::create_directories(folder / "vdb");
    fs::create_directories(folder / "png");
    fs::create_directories(folder / "exr");
  }
  void TearDown() override { fs::remove_all(folder); }

  void make(const std::string& file) { std::ofstream(folder / file) << "x"; }
  bool has(const std::string& file) { return fs::exists(folder / file); }

  const fs::path folder = fs::path(testing::TempDir()) / ("whorl_run_folder_" + std::to_string(getpid()));
  const RunPaths paths{folder.string(), "plume"};
};

TEST_F(RunFolder, NamesFilesByFrame) {
  EXPECT_EQ(RunPaths({"out", "plume"}).volume(7), "out/vdb/plume.0007.vdb");
  EXPECT_EQ(RunPaths({"out", "plume"}).image(12345), "out/png/plume.12345.png");
  EXPECT_EQ(RunPaths({"out", "plume"}).exr(3), "out/exr/plume.0003.exr");
  EXPECT_EQ(RunPaths({"out", "plume"}).video(), "out/plume.mp4");
}

TEST_F(RunFolder, RemovesTheFilesOfARunAndNothingElse) {
  const std::string own[] = {"vdb/plume.0001.vdb", "vdb/plume.12345.vdb", "png/plume.0002.png",
                             "frames.jsonl",       "plume.mp4",           "vdb/.4711.plume.0003.vdb",
                             "report.html",        "exr/plume.0005.exr",  "exr/.4711.plume.0006.exr"};
  const std::string foreign[] = {"vdb/plume.001.vdb",     "vdb/plume.00012.vdb",   "vdb/plume.0001.vdb.bak",
                                 "vdb/plumes.0001.vdb",   "vdb/my.plume.0001.vdb", "vdb/plume.0001.png",
                                 "png/plume.final.png",   "plume.0001.vdb",        "notes.txt",
                                 "vdb/.x.plume.0003.vdb", "vdb/.plume.0003.vdb",   "other.mp4",
                                 "exr/plume.final.exr",   "exr/plume.0001.png"};
  for (const std::string& file : own) make(file);
  for (const std::string& file : foreign) make(file);
  EXPECT_EQ(paths.volume_frames(), (std::set<int>{1, 12345}));
  const Result<int> removed = remove_run(paths);
  ASSERT_TRUE(removed);
  EXPECT_EQ(removed.value(), 4);
  for (const std::string& file : own) EXPECT_FALSE(has(file)) << file;
  for (const std::string& file : foreign) EXPECT_TRUE(has(file)) << file;
}

TEST_F(RunFolder, RemovesWhatIsLaterThanAFrame) {
  fs::create_directories(folder / "checkpoint");
  const std::string later[] = {"vdb/plume.0004.vdb",          "png/plume.0012.png",
                               "checkpoint/plume.0004.whorl", "checkpoint/plume.0002.whorl.tmp",
                               "png/.4711.plume.0001.png",    ".4711.frames.jsonl",
                               ".4711.report.html",           ".4711.plume.mp4",
                               ".4711.stages.jsonl",          ".4711.scene.toml",
                               "exr/plume.0004.exr",          "exr/.4711.plume.0002.exr"};
  const std::string earlier[] = {"vdb/plume.0003.vdb", "png/plume.0001.png", "checkpoint/plume.0003.whorl",
                                 "frames.jsonl",       "plume.mp4",          "checkpoint/other.0009.whorl",
                                 "report.html",        ".4711.notes.txt",    ".4711.other.mp4",
                                 "exr/plume.0003.exr"};
  for (const std::string& file : later) make(file);
  for (const std::string& file : earlier) make(file);
  EXPECT_EQ(paths.checkpoint_frames(), (std::set<int>{3, 4}));
  ASSERT_TRUE(remove_later(paths, 3));
  for (const std::string& file : later) EXPECT_FALSE(has(file)) << file;
  for (const std::string& file : earlier) EXPECT_TRUE(has(file)) << file;
}

TEST_F(RunFolder, IsLockedForOneRun) {
  {
    const Result<FolderLock> first = FolderLock::take(paths.folder);
    ASSERT_TRUE(first);
    const Result<FolderLock> second = FolderLock::take(paths.folder);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::resources);
  }
  EXPECT_TRUE(FolderLock::take(paths.folder));
}

TEST_F(RunFolder, LinesAreAppendedOrRefused) {
  ASSERT_TRUE(append_line(paths.statistics(), "one"));
  ASSERT_TRUE(append_line(paths.statistics(), "two"));
  EXPECT_EQ(read_text(paths.statistics()).value(), "one\ntwo\n");
  const Result<void> refused = append_line("/dev/full", "three");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::resources);
}

TEST(KeptScene, ComesBackAsItWasKept) {
  const KeptScene scene{"# mine\nsolver = \"smoke\"\n", {"time.fps=30", "smoke.wind=[1,\n0]"}, "my run", 24};
  const std::optional<KeptScene> back = parse_kept(kept_text(scene));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->text, scene.text);
  EXPECT_EQ(back->name, "my run");
  EXPECT_EQ(back->last_frame, 24);
  EXPECT_EQ(back->overrides,
            (std::vector<std::string>{"name=\"my run\"", "time.fps=30", "smoke.wind=[1, 0]"}));
  EXPECT_EQ(parse_kept(kept_text(*back))->overrides, back->overrides) << "and does not grow";
  EXPECT_FALSE(parse_kept(scene.text));
}

TEST(KeptScene, GoesByItsCommandLineAndWhatIsGivenNow) {
  const KeptScene scene{
      "solver = \"smoke\"\n", {"time.frames=99", "grid.resolution=64", "time.fps=30"}, "my run", 24};
  const std::string text = kept_text(scene);
  EXPECT_EQ(with_kept(text, {}), (std::vector<std::string>{"name=\"my run\"", "grid.resolution=64",
                                                           "time.fps=30", "time.frames=24"}));
  EXPECT_EQ(
      with_kept(text, {"time.fps=60", "grid.cell_size=0.1", "time.frames=48"}),
      (std::vector<std::string>{"name=\"my run\"", "time.fps=60", "grid.cell_size=0.1", "time.frames=48"}));
  EXPECT_EQ(with_kept(scene.text, {"time.fps=60"}), (std::vector<std::string>{"time.fps=60"}));
}

TEST(Stages, AddUpByName) {
  StageSeconds sum;
  add_stages(sum, {{"advect", 1}, {"total", 2}});
  add_stages(sum, {{"project", 0.5}, {"advect", 0.25}, {"total", 3}});
  EXPECT_EQ(sum, (StageSeconds{{"advect", 1.25}, {"total", 5}, {"project", 0.5}}));
  EXPECT_EQ(total_seconds(sum), 5);
  EXPECT_EQ(total_seconds({}), 0);
}

}  // namespace
}  // namespace whorl
