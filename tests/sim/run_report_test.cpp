// report.html of a run.
#include "sim/run_report.h"

#include "sim/run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace whorl {
namespace {

namespace fs = std::filesystem;

class Report : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(folder); }

  RunReport run_scene(const std::string& output, const std::vector<std::string>& overrides = {}) {
    const std::string text = R"(
solver = "smoke"
dimension = 2
[time]
frames = 3
[domain]
min = [0, 0]
max = [1, 1]
[grid]
resolution = 16
[[source]]
name = "a < b"
shape = { sphere = { center = [0.5, 0.3], radius = 0.2 } }
density_rate = 1
temperature_rate = 500
[output]
vdb = []
width = 32
height = 32
)" + output;
    const Result<SceneFile> scene = SceneFile::parse(text, "puff.toml", overrides);
    EXPECT_TRUE(scene) << scene.error().message;
    RunOptions options;
    options.folder = folder.string();
    options.threads = 1;
    options.scene_text = text;
    options.overrides = overrides;
    RunObserver nobody;
    return run(scene.value(), options, nobody);
  }
  std::string page() const {
    std::ifstream file(folder / "report.html");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  bool has(const std::string& words) const { return page().find(words) != std::string::npos; }

  const fs::path folder = fs::path(testing::TempDir()) / ("whorl_report_" + std::to_string(getpid()));
};

TEST_F(Report, TellsOfARun) {
  const RunReport report = run_scene("video = false\n");
  ASSERT_TRUE(report.outcome) << report.outcome.error().message;
  EXPECT_TRUE(has("All 3 frames are there."));
  EXPECT_TRUE(has(">Kinetic energy</text>"));
  EXPECT_TRUE(has(">Time by stage</text>"));
  EXPECT_TRUE(has("name = \"a &lt; b\""));  // the scene is text
  EXPECT_FALSE(has("a < b"));
  EXPECT_TRUE(has("--frames 3"));
  EXPECT_FALSE(has("Volume</text>"));  // smoke has none
}

TEST_F(Report, NeedsNoOtherFile) {
  ASSERT_TRUE(run_scene("video = false\n").outcome);
  EXPECT_TRUE(has("data:image/png;base64,iVBORw0KGgo"));
  EXPECT_FALSE(has("src=\"png"));
  std::string rest = page();
  const std::string name = "http://www.w3.org/2000/svg";  // of what SVG is, not a place to load it from
  for (std::size_t at; (at = rest.find(name)) != std::string::npos;) rest.erase(at, name.size());
  EXPECT_EQ(rest.find("http"), std::string::npos);
}

TEST_F(Report, IsOfWhatIsThere) {
  ASSERT_TRUE(run_scene("video = false\n").outcome);
  // A run that was cut off in the middle of a line.
  std::ofstream(folder / "frames.jsonl", std::ios::app) << "{\"frame\": 4, \"ti";
  const RunPaths paths{folder.string(), "puff"};
  const Result<std::string> again = report_page(paths, {"Stopped.", {"mind the <gap>"}}, false);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_NE(again.value().find("<tr><td>frames</td><td>3</td></tr>"), std::string::npos);
  EXPECT_NE(again.value().find("mind the &lt;gap&gt;"), std::string::npos);
}

// Where a run's words say no more than its folder does, the folder is enough.
TEST_F(Report, WordsAreKeptForLater) {
  ASSERT_TRUE(run_scene("video = false\n").outcome);
  const RunPaths paths{folder.string(), "puff"};
  EXPECT_EQ(kept_words(paths), (ReportWords{"All 3 frames are there.", {}}));
  EXPECT_EQ(read_text(paths.stages()).value().find("outcome"), std::string::npos);

  const ReportWords hard{"3 of 9 frames are there: \"disk\" full.", {"mind the <gap>", "and\nthe step"}};
  ASSERT_TRUE(keep_words(paths, hard));
  EXPECT_EQ(kept_words(paths), hard);
  const std::string before = read_text(paths.stages()).value();
  ASSERT_TRUE(keep_words(paths, hard));
  EXPECT_EQ(read_text(paths.stages()).value(), before) << "twice the same";
  ASSERT_TRUE(keep_words(paths, {"All 3 frames are there.", {}}));
  EXPECT_EQ(kept_words(paths), (ReportWords{"All 3 frames are there.", {}})) << "the last are good";
}

// A run that went on after it had said how it ended, and was killed.
TEST_F(Report, OutcomeIsOfAsManyFrames) {
  ASSERT_TRUE(run_scene("video = false\n").outcome);
  const RunPaths paths{folder.string(), "puff"};
  ASSERT_TRUE(keep_words(paths, {"3 of 9 frames are there: stopped at frame 4.", {"mind"}}));
  std::ofstream(folder / "frames.jsonl", std::ios::app) << "{\"frame\":4}\n";
  EXPECT_EQ(kept_words(paths), (ReportWords{"All 4 frames are there.", {"mind"}}));
  fs::remove(folder / "stages.jsonl");
  fs::remove(folder / "frames.jsonl");
  EXPECT_EQ(kept_words(paths), (ReportWords{"0 of 3 frames are there.", {}}));
}

TEST_F(Report, CommandIsForAShell) {
  ASSERT_TRUE(run_scene("video = false\n", {"source.0.name=it's"}).outcome);
  EXPECT_TRUE(has(R"(--set 'source.0.name=it'\''s')"));
}

TEST_F(Report, ShowsAVideoOnlyOfItsPictures) {
  ASSERT_TRUE(run_scene("video = false\n").outcome);
  std::ofstream(folder / "puff.mp4") << "moving";
  const RunPaths paths{folder.string(), "puff"};
  const std::string with = report_page(paths, {}, true).value(),
                    without = report_page(paths, {}, false).value();
  EXPECT_NE(with.find("video/mp4"), std::string::npos);
  EXPECT_EQ(with.find("image/png"), std::string::npos);
  EXPECT_EQ(without.find("video/mp4"), std::string::npos);
  EXPECT_NE(without.find("image/png"), std::string::npos);
}

}  // namespace
}  // namespace whorl
