// Stages that work on the particles or the volumes of an earlier run.
#include "sim/run_stages.h"

#include "base/base64.h"
#include "io/particle_file.h"
#include "sim/run.h"
#include "sim/run_folder.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <regex>
#include <set>

namespace {

std::mutex flushing;
std::vector<std::string> flushed;  // files, in the order in which they were

}  // namespace

// Stands before the system's own, for what a power cut would leave cannot be tried out.
extern "C" int fsync(int file) {
  std::error_code ignored;
  const auto path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file), ignored);
  {
    const std::lock_guard lock(flushing);
    flushed.push_back(path.filename().string());
  }
  return int(syscall(SYS_fsync, file));
}

namespace whorl {
namespace {

namespace fs = std::filesystem;

// Small and far from the origin, where places in metres lose bits that cells have.
const std::string splash = R"(
solver = "liquid"
name = "splash"
[time]
fps = 30
frames = 3
[domain]
min = [30000, -7, 20000]
max = [30000.015625, -6.984375, 20000.015625]
sides = { default = "wall", top = "open" }
[grid]
resolution = 16
[[fill]]
shape = { box = { min = [30000, -7, 20000], max = [30000.006, -6.989, 20001] } }
[output]
vdb = []
particles = true
width = 32
height = 32
video = false
[render]
samples = 3
)";

std::map<std::string, std::string> files_in(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    files[fs::relative(entry.path(), folder).string()] =
        std::string(std::istreambuf_iterator<char>(file), {});
  }
  return files;
}

RunReport run_in(const std::string& folder, const std::string& stages,
                 const std::vector<std::string>& overrides = {}, const std::string& text = splash,
                 int threads = 2, bool again = false, RunObserver&& observer = {}) {
  const Result<SceneFile> scene = SceneFile::parse(text, "splash.toml", overrides);
  EXPECT_TRUE(scene) << (scene ? "" : scene.error().message);
  RunOptions options;
  options.folder = folder;
  options.threads = threads;
  options.scene_text = text;
  options.overrides = overrides;
  options.again = again;
  if (!stages.empty()) options.stages = parse_stages(stages).value();
  return run(scene.value(), options, observer);
}

std::string why(const RunReport& report) { return report.outcome ? "" : report.outcome.error().message; }

class StagesAgain : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  const std::string folder = testing::TempDir() + "whorl_stages_" + std::to_string(getpid());
};

TEST(StageList, IsReadFromWords) {
  const Result<RunStages> two = parse_stages("surface,simulate");
  ASSERT_TRUE(two);
  EXPECT_TRUE(two.value().simulate && two.value().surface);
  EXPECT_FALSE(two.value().whitewater || two.value().render);
  for (const char* wrong : {"", "surfaces", "surface,", ",surface", "surface, render", "Surface"}) {
    const Result<RunStages> stages = parse_stages(wrong);
    ASSERT_FALSE(stages) << wrong;
    EXPECT_EQ(stages.error().code, ErrorCode::usage);
    EXPECT_NE(stages.error().message.find("simulate, surface"), std::string::npos);
  }
}

const std::set<std::string> tells_of_meshes = {"stages.jsonl", "frames.jsonl", "report.html"};

// Meshes made again are those of the run to the last byte, and nothing else is touched.
TEST_F(StagesAgain, SurfaceAgainIsTheSame) {
  ASSERT_EQ(why(run_in(folder, "")), "");
  const auto before = files_in(folder);
  ASSERT_EQ(before.count("mesh/splash.0003.ply"), 1u);
  for (int frame = 1; frame <= 3; ++frame) fs::remove(RunPaths{folder, "splash"}.mesh(frame));
  const RunReport again = run_in(folder, "surface");
  ASSERT_EQ(why(again), "");
  EXPECT_EQ(again.frames, 3);
  EXPECT_TRUE(files_in(folder) == before);

  ASSERT_EQ(why(run_in(folder, "surface", {"output.mesh_refinement=1"})), "");
  for (const auto& [name, content] : files_in(folder))
    EXPECT_EQ(content != before.at(name), name.starts_with("mesh/") || tells_of_meshes.contains(name))
        << name;
}

// The statistics tell of the meshes that there are, and of nothing else anew.
TEST_F(StagesAgain, StatisticsTellOfTheMeshesThatThereAre) {
  ASSERT_EQ(why(run_in(folder, "", {"output.mesh_refinement=1"})), "");
  const std::string coarse = files_in(folder).at("frames.jsonl");
  ASSERT_EQ(why(run_in(folder, "surface")), "");
  const std::string fine = files_in(folder).at("frames.jsonl");
  EXPECT_NE(fine, coarse);
  ASSERT_EQ(why(run_in(folder, "surface", {"output.mesh_refinement=1"})), "");
  EXPECT_EQ(files_in(folder).at("frames.jsonl"), coarse) << "with what it said of coarse meshes";
  const auto without_volumes = [](const std::string& lines) {
    return std::regex_replace(lines, std::regex("\"mesh_volume\":[^,]*,"), "");
  };
  EXPECT_EQ(without_volumes(fine), without_volumes(coarse));
}

struct StopAfterTwo : RunObserver {
  bool should_stop() override { return frames >= 2; }
  void on_frame(const FrameStatistics& statistics, double) override { frames = statistics.frame; }
  int frames = 0;
};

// The report goes with the pictures, and says of the run what the run had said.
TEST_F(StagesAgain, ReportShowsTheNewPictures) {
  const RunReport stopped = run_in(folder, "", {}, splash, 2, false, StopAfterTwo());
  ASSERT_NE(why(stopped), "");
  const auto before = files_in(folder);
  const auto shows = [&](const std::string& picture) {
    return files_in(folder).at("report.html").find(base64(picture)) != std::string::npos;
  };
  ASSERT_TRUE(shows(before.at("png/splash.0002.png")));
  ASSERT_EQ(why(run_in(folder, "render", {"render.samples=2"})), "");
  EXPECT_FALSE(shows(before.at("png/splash.0002.png")));
  EXPECT_TRUE(shows(files_in(folder).at("png/splash.0001.png")));
  EXPECT_TRUE(shows(files_in(folder).at("png/splash.0002.png")));
  EXPECT_NE(files_in(folder).at("report.html").find("2 of 3 frames are there: stopped at frame 3."),
            std::string::npos);
  EXPECT_EQ(run_in(folder, "render", {"render.samples=2"}).kept, 2) << "its words are no stage's";

  ASSERT_EQ(why(run_in(folder, "render")), "");
  EXPECT_TRUE(files_in(folder).at("report.html") == before.at("report.html"));
  // One that stops half-way as well.
  fs::remove(folder + "/report.html");
  const std::string particles = RunPaths{folder, "splash"}.particles(2);
  fs::resize_file(particles, fs::file_size(particles) - 1);
  EXPECT_NE(why(run_in(folder, "render", {"render.samples=2"})), "");
  EXPECT_TRUE(shows(files_in(folder).at("png/splash.0001.png")));
}

// The same specks from the files as from the simulation, on any number of threads, and others by another
// seed.
TEST_F(StagesAgain, WhitewaterAgainIsTheSame) {
  const std::string text = splash +
                           "[whitewater]\nspeed = [0.01, 0.1]\ntrapped_air = [0.01, 0.1]\ntrapped_air_rate = "
                           "5\nwave_crest_rate = 5\n";
  ASSERT_EQ(why(run_in(folder, "simulate,whitewater", {"time.frames=6"}, text)), "");
  const RunPaths paths{folder, "splash"};
  EXPECT_EQ(paths.whitewater_frames().size(), 6u);
  EXPECT_EQ(paths.particle_frames().size(), 6u);
  const auto before = files_in(folder);
  const Result<ParticleTable> specks = read_particles_ply(paths.whitewater(6));
  ASSERT_TRUE(specks);
  EXPECT_GT(specks.value().position.size(), 100u);
  ASSERT_EQ(specks.value().columns.size(), 3u);
  EXPECT_EQ(specks.value().columns[0].name, "kind");
  for (int frame = 2; frame <= 6; ++frame) fs::remove(paths.whitewater(frame));
  ASSERT_EQ(why(run_in(folder, "whitewater", {"time.frames=6"}, text, 3)), "");
  EXPECT_TRUE(files_in(folder) == before);
  ASSERT_EQ(why(run_in(folder, "whitewater", {"time.frames=6", "whitewater.seed=1"}, text)), "");
  for (const auto& [name, content] : files_in(folder)) {
    const bool is_first = name.ends_with("0001.ply");  // which has none
    const bool is_made = name.find("whitewater") != std::string::npos || name == "stages.jsonl";
    EXPECT_EQ(content == before.at(name), is_first || !is_made) << name;
  }
  ASSERT_TRUE(remove_run(paths));
  EXPECT_TRUE(paths.whitewater_frames().empty());
  EXPECT_NE(why(run_in(folder, "whitewater")).find("needs a [whitewater] table"), std::string::npos);
}

TEST_F(StagesAgain, BeforeThereIsLiquid) {
  const std::string text = splash + "[whitewater]\n";
  const std::vector<std::string> later = {"fill.0.start=0.05"};  // after frame 1
  ASSERT_EQ(why(run_in(folder, "", later, text)), "");
  const auto before = files_in(folder);
  ASSERT_EQ(why(run_in(folder, "surface,whitewater,render", later, text)), "");
  const auto after = files_in(folder);
  EXPECT_EQ(after.size(), before.size());
  for (const auto& [name, content] : after) {
    ASSERT_EQ(before.count(name), 1u) << name;
    EXPECT_TRUE(content == before.at(name)) << name;
  }
}

TEST_F(StagesAgain, RenderFromParticles) {
  ASSERT_EQ(why(run_in(folder, "simulate")), "");
  EXPECT_FALSE(fs::exists(folder + "/png"));
  EXPECT_FALSE(fs::exists(folder + "/mesh"));
  ASSERT_EQ(why(run_in(folder, "render")), "");
  EXPECT_EQ((RunPaths{folder, "splash"}.image_frames()), (std::set<int>{1, 2, 3}));
  EXPECT_FALSE(fs::exists(folder + "/mesh"));
}

TEST_F(StagesAgain, RenderLight) {
  const RunPaths paths{folder, "splash"};
  const std::set<int> all{1, 2, 3};
  ASSERT_EQ(why(run_in(folder, "", {"output.exr=true"})), "");
  EXPECT_EQ(paths.exr_frames(), all);
  EXPECT_EQ(paths.image_frames(), all);
  auto before = files_in(folder);
  EXPECT_EQ(run_in(folder, "render", {"output.exr=true"}).kept, 3);
  fs::remove(paths.exr(2));
  EXPECT_EQ(run_in(folder, "render", {"output.exr=true"}).kept, 2);
  EXPECT_TRUE(files_in(folder) == before);
  fs::remove_all(paths.exr_files());
  fs::remove_all(paths.images());
  ASSERT_EQ(why(run_in(folder, "render", {"output.exr=true", "output.png=false"})), "");
  EXPECT_FALSE(fs::exists(paths.images()));
  ASSERT_EQ(why(run_in(folder, "render")), "");
  auto after = files_in(folder);
  for (auto* files : {&before, &after}) files->erase("stages.jsonl");
  EXPECT_TRUE(after == before);
}

// Frames for which nothing has changed are left alone; what has changed is found, whatever it is.
TEST_F(StagesAgain, OnlyWhatHasChanged) {
  const std::string text = splash +
                           "[whitewater]\n[[solid]]\nshape = { sphere = { center = [30000.01, -7, "
                           "20000.008], radius = 0.002 } }\n";
  ASSERT_EQ(why(run_in(folder, "", {}, text)), "");
  const auto before = files_in(folder);
  ASSERT_EQ(before.count("stages.jsonl"), 1u);
  const auto kept = [&](const std::string& stages, const std::vector<std::string>& overrides = {}) {
    const RunReport report = run_in(folder, stages, overrides, text);
    EXPECT_EQ(why(report), "");
    EXPECT_EQ(report.frames, 3);
    return report.kept;
  };
  const std::string all = "surface,whitewater,render";
  EXPECT_EQ(kept(all), 3);
  EXPECT_EQ(kept(all, {"checkpoint.keep=1", "liquid.keep_volume=false", "output.vdb=[\"surface\"]"}), 3);
  EXPECT_TRUE(files_in(folder) == before);

  const RunPaths paths{folder, "splash"};
  fs::remove(paths.image(2));
  EXPECT_EQ(kept("render"), 2);
  fs::remove(paths.mesh(3));
  EXPECT_EQ(kept("render,surface"), 2);
  fs::remove(paths.whitewater(1));  // the others go on from it
  EXPECT_EQ(kept("whitewater"), 0);
  EXPECT_TRUE(files_in(folder) == before);

  for (const char* change : {"render.samples=2", "output.width=30", "solid.0.color=[1, 0, 0]",
                             "output.mesh_refinement=1", "solid.0.shape.sphere.radius=0.003"})
    EXPECT_EQ(kept("render", {change}), 0) << change;
  EXPECT_EQ(kept("render", {"solid.0.shape.sphere.radius=0.003"}), 3);
  EXPECT_EQ(kept("render"), 0);
  EXPECT_EQ(kept("surface", {"output.mesh_walls=\"clipped\""}), 0);
  EXPECT_EQ(kept("surface", {"render.samples=2", "output.mesh_walls=\"clipped\"", "solid.0.color=[1, 0, 0]"}),
            3);
  EXPECT_EQ(kept("render"), 3);
  EXPECT_EQ(kept("whitewater", {"whitewater.seed=1"}), 0);
  EXPECT_EQ(kept("render"), 0) << "other specks are seen";

  // A stage that fails leaves nothing that passes for what was there before.
  fs::remove(paths.image(1));
  fs::create_directories(paths.image(1) + "/in the way");
  EXPECT_NE(why(run_in(folder, "surface,render", {"output.mesh_refinement=1"}, text)), "");
  fs::remove_all(paths.image(1));
  EXPECT_EQ(kept("surface"), 0);
  EXPECT_EQ(kept("render"), 2);

  // Another state, by its hash, in frames 2 and 3.
  std::string lines = files_in(folder).at("frames.jsonl");
  const std::string key = "\"state_hash\":\"";
  for (std::size_t at = lines.find(key, lines.find('\n')); at != std::string::npos;
       at = lines.find(key, at + 1))
    lines.replace(at + key.size(), 4, "0123");
  std::ofstream(folder + "/frames.jsonl", std::ios::binary) << lines;
  EXPECT_EQ(kept("render"), 1);
  EXPECT_EQ(run_in(folder, "render", {}, text, 2, /*again=*/true).kept, 0);
}

TEST_F(StagesAgain, PicturesShowWhitewaterThatTheSceneHas) {
  const std::vector<std::string> foam = {"whitewater.trapped_air=[0.0001, 0.001]",
                                         "whitewater.speed=[0.0001, 0.001]",
                                         "whitewater.trapped_air_rate=1000"};
  ASSERT_EQ(why(run_in(folder, "")), "");
  ASSERT_EQ(why(run_in(folder, "whitewater", foam)), "");
  EXPECT_EQ(run_in(folder, "render").kept, 3);
  const auto before = files_in(folder);
  EXPECT_EQ(run_in(folder, "render", foam).kept, 0);
  EXPECT_FALSE(files_in(folder).at("png/splash.0003.png") == before.at("png/splash.0003.png"));
  EXPECT_EQ(run_in(folder, "render", foam).kept, 3);
}

// What a kill left is swept up, and a folder that keeps no record has all of it made anew.
TEST_F(StagesAgain, AfterAKillOrAnOlderVersion) {
  ASSERT_EQ(why(run_in(folder, "")), "");
  const auto before = files_in(folder);
  for (const char* half : {"/png/.4711.splash.0002.png", "/mesh/.4711.splash.0001.ply", "/.4711.splash.mp4"})
    std::ofstream(folder + half) << "half";
  fs::remove(folder + "/stages.jsonl");
  EXPECT_EQ(run_in(folder, "surface").kept, 0);
  EXPECT_EQ(run_in(folder, "surface").kept, 3);
  EXPECT_EQ(run_in(folder, "render").kept, 0);
  auto after = files_in(folder);
  after["stages.jsonl"] = before.at("stages.jsonl");
  EXPECT_TRUE(after == before);
}

// What a power cut left of a line does not spoil the next one.
TEST_F(StagesAgain, AfterHalfALine) {
  ASSERT_EQ(why(run_in(folder, "")), "");
  std::ofstream(folder + "/stages.jsonl") << "{\"frame\":3,\"stage\":\"ren";
  EXPECT_EQ(run_in(folder, "render").kept, 0);
  EXPECT_EQ(run_in(folder, "render").kept, 3);
}

// Were that not on the disk before the new picture is, the old one's hash could pass for it.
TEST_F(StagesAgain, PicturesAreForgottenBeforeTheyAreReplaced) {
  const auto flushed_before_each_picture = [](std::size_t pictures) {
    std::size_t found = 0;
    for (std::size_t k = 0; k < flushed.size(); ++k)
      if (flushed[k].ends_with(".png")) {
        ++found;
        EXPECT_TRUE(k > 0 && flushed[k - 1] == "stages.jsonl") << (k > 0 ? flushed[k - 1] : "nothing");
      }
    EXPECT_EQ(found, pictures);
  };
  ASSERT_EQ(why(run_in(folder, "", {"output.mesh=false", "output.particles=true"})), "");
  flushed.clear();
  ASSERT_EQ(why(run_in(folder, "render", {"render.samples=2"})), "");
  flushed_before_each_picture(3);

  // A run that goes on with other pictures.
  const Result<SceneFile> scene =
      SceneFile::parse(splash, "splash.toml", {"render.samples=4", "time.frames=4"});
  RunOptions options;
  options.folder = folder;
  options.threads = 2;
  options.scene_text = splash;
  options.from_frame = 1;
  options.stages = parse_stages("simulate,render").value();
  RunObserver observer;
  flushed.clear();
  ASSERT_EQ(why(run(scene.value(), options, observer)), "");
  std::erase_if(flushed,
                [](const std::string& file) { return file.ends_with("0004.png") || file.ends_with(".ply"); });
  flushed_before_each_picture(2);
}

TEST_F(StagesAgain, AgainIsForStagesAlone) {
  EXPECT_NE(why(run_in(folder, "", {}, splash, 2, /*again=*/true)).find("--again is for stages"),
            std::string::npos);
  EXPECT_NE(
      why(run_in(folder, "simulate,render", {}, splash, 2, /*again=*/true)).find("--again is for stages"),
      std::string::npos);
}

const std::string puff = R"(
solver = "smoke"
name = "puff"
[time]
frames = 2
[domain]
max = [1, 1, 1]
[grid]
resolution = 24
[smoke]
color = [0.9, 0.3, 0.2]
[fire]
[[source]]
shape = { sphere = { center = [0.5, 0.3, 0.5], radius = 0.2 } }
density_rate = 20
fuel_rate = 20
temperature = 900
[[solid]]
shape = { sphere = { center = [0.5, 0.7, 0.5], radius = 0.1 } }
[output]
half = false
width = 32
height = 32
video = false
)";

// A picture from volumes in full floats is the run's own, byte for byte.
TEST_F(StagesAgain, SmokeIsRenderedFromItsVolumes) {
  for (const std::string& text : {puff, "dimension = 2\n" + puff}) {
    std::string own = text;
    if (text != puff)
      for (const auto& [from, to] : {std::pair("max = [1, 1, 1]", "max = [1, 1]"),
                                     {"[0.5, 0.3, 0.5]", "[0.5, 0.3]"},
                                     {"[0.5, 0.7, 0.5]", "[0.5, 0.7]"}})
        own.replace(own.find(from), std::string_view(from).size(), to);
    ASSERT_EQ(why(run_in(folder, "", {}, own)), "");
    const auto before = files_in(folder);
    EXPECT_EQ(run_in(folder, "render", {}, own).kept, 2);
    const RunReport again = run_in(folder, "render", {}, own, 3, /*again=*/true);
    ASSERT_EQ(why(again), "");
    EXPECT_EQ(again.kept, 0);
    EXPECT_TRUE(files_in(folder) == before);
    fs::remove(RunPaths{folder, "puff"}.image(1));
    EXPECT_EQ(run_in(folder, "render", {"output.width=40"}, own).kept, 0);
    EXPECT_FALSE(files_in(folder).at("png/puff.0001.png") == before.at("png/puff.0001.png"));
  }
  EXPECT_NE(why(run_in(folder, "render")).find("has 2 dimensions"), std::string::npos);
}

// Also where tiles end in the middle of the smoke's edge, at negative places, and before there is any smoke.
TEST_F(StagesAgain, SparseSmokeIsRenderedFromItsVolumes) {
  const std::string text = R"(
solver = "smoke"
name = "drift"
[time]
frames = 4
[grid]
cell_size = 0.05
[smoke]
wind = [-1, 0, 0.3]
[[source]]
shape = { sphere = { center = [-0.41, -0.43, -0.39], radius = 0.12 } }
density_rate = 40
start = 0.06
[output]
half = false
width = 48
height = 48
video = false
)";
  std::string flat = "dimension = 2\n" + text;
  for (const auto& [from, to] :
       {std::pair("[-1, 0, 0.3]", "[-1, 0]"), {"[-0.41, -0.43, -0.39]", "[-0.41, -0.43]"}})
    flat.replace(flat.find(from), std::string_view(from).size(), to);
  for (const std::string& scene : {text, flat}) {
    ASSERT_EQ(why(run_in(folder, "", {}, scene)), "");
    const auto before = files_in(folder);
    ASSERT_EQ(why(run_in(folder, "render", {}, scene, 2, /*again=*/true)), "");
    for (int frame : {3, 4}) {
      const std::string image = "png/drift.000" + std::to_string(frame) + ".png";
      EXPECT_TRUE(files_in(folder).at(image) == before.at(image)) << image;
    }
  }
}

TEST_F(StagesAgain, SmokeWithoutVolumesIsNotRendered) {
  ASSERT_EQ(why(run_in(folder, "", {"output.vdb=[]"}, puff)), "");
  EXPECT_NE(why(run_in(folder, "render", {}, puff)).find("simulate with \"density\" in output.vdb"),
            std::string::npos);
  ASSERT_EQ(why(run_in(folder, "", {"output.vdb=[\"temperature\"]"}, puff)), "");
  EXPECT_NE(why(run_in(folder, "render", {"output.width=40"}, puff)).find("has nothing to show"),
            std::string::npos);
}

TEST_F(StagesAgain, SayWhatIsMissing) {
  const auto refused = [&](const std::string& place, const std::vector<std::string>& overrides = {}) {
    const RunReport report = run_in(place, "surface", overrides);
    EXPECT_TRUE(!report.outcome && report.outcome.error().code == ErrorCode::usage);
    return why(report);
  };
  EXPECT_NE(refused(folder + "/none").find("there is no folder"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder + "/none"));
  EXPECT_NE(refused(folder).find("not the folder of a run"), std::string::npos);
  ASSERT_EQ(why(run_in(folder, "simulate", {"output.particles=false"})), "");
  EXPECT_NE(refused(folder).find("particles/splash.0001.ply; simulate with output.particles = true"),
            std::string::npos);
  ASSERT_EQ(why(run_in(folder, "simulate")), "");
  EXPECT_NE(refused(folder, {"grid.resolution=20"}).find("--resolution"), std::string::npos);
  EXPECT_NE(refused(folder, {"time.fps=24"}).find("30 frames a second"), std::string::npos);
  EXPECT_NE(
      refused(folder, {"domain.max=[30000.015625, -6.984375, 20000.0146484375]"}).find("another domain"),
      std::string::npos);
  const std::string second = RunPaths{folder, "splash"}.particles(2);
  fs::resize_file(second, fs::file_size(second) - 1);
  EXPECT_NE(refused(folder).find(second), std::string::npos);
  fs::remove(second);
  EXPECT_NE(refused(folder).find(second + " is missing"), std::string::npos);

  const RunReport smoke =
      run_in(folder, "simulate,surface", {}, "solver = \"smoke\"\n[grid]\ncell_size = 0.1\n");
  EXPECT_NE(why(smoke).find("of liquids in three dimensions"), std::string::npos);
}

// A run may have been made on a larger machine.
TEST(Stages, OfARunThatIsThereAskForNoMemory) {
  const std::string huge = R"(
solver = "smoke"
[domain]
max = [1, 1, 1]
[grid]
resolution = 20000
[[source]]
shape = { sphere = { center = [0.5, 0.2, 0.5], radius = 0.1 } }
density_rate = 1
)";
  EXPECT_FALSE(SceneFile::parse(huge, "huge"));
  const Result<SceneFile> made = SceneFile::parse_made(huge, "huge");
  EXPECT_TRUE(made) << made.error().message;
}

}  // namespace
}  // namespace whorl
