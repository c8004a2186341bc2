#include "blender.h"

#include "dam.h"
#include "exec/usable_cores.h"
#include "plume.h"
#include "program.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace whorl::bench {

namespace {

namespace fs = std::filesystem;

// Gone with all that is in it at the end. In memory where there is such a place: what a disk takes to store
// the cache is no part of a step.
class WorkFolder {
 public:
  WorkFolder() {
    std::error_code failed;
    for (const fs::path& parent : {fs::path("/dev/shm"), fs::temp_directory_path(failed)}) {
      std::string name = parent / "whorl_blender_XXXXXX";
      if (!mkdtemp(name.data())) continue;
      path_ = name;
      return;
    }
  }
  ~WorkFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const fs::path& path() const { return path_; }  // empty: there is none

 private:
  fs::path path_;
};

Result<void> write_lengths(const fs::path& file, const std::vector<double>& lengths) {
  std::ofstream out(file);
  out.precision(9);
  for (const double dt : lengths) out << dt << "\n";
  out.close();
  if (!out) return Error{ErrorCode::resources, "cannot write " + file.string()};
  return {};
}

BlenderFigures read_figures(const fs::path& file, int warm_up) {
  BlenderFigures figures;
  std::ifstream in(file);
  int frames = 0;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    if (name == "frame") {
      BlenderFrame f;
      words >> f.seconds >> f.step_seconds >> f.pressure_seconds >> f.write_seconds >> f.steps >> f.particles;
      if (++frames > warm_up) figures.frames.push_back(f);
    } else if (name == "resolution") {
      for (int& cells : figures.resolution) words >> cells;
    } else if (name == "amount") {
      words >> figures.amount;
    } else if (name == "centre") {
      words >> figures.centre;
    } else if (name == "bytes") {
      words >> figures.bytes;
    } else if (name == "displacement") {
      words >> figures.displacement;
    } else if (name == "pressure") {
      double right_side = 0;
      words >> figures.iterations >> figures.residual >> right_side;
      figures.residual /= right_side;
    }
  }
  return figures;
}

// The last line that says something; Blender's own words come before and after a script's.
std::string reason_in(const Outcome& outcome) {
  std::istringstream lines(outcome.output);
  std::string reason = "exit status " + std::to_string(outcome.exit_code);
  for (std::string line; std::getline(lines, line);)
    if (line.find("Error: ") != std::string::npos || line.starts_with("whorl-peer-")) reason = line;
  return reason;
}

// Blender is glad to simulate nothing: a domain without a source, or one that it could not set up.
Result<BlenderFigures> checked(const BlenderFigures& figures, const BlenderRun& run) {
  const bool plume = run.scene == BlenderScene::plume;
  const auto& cells = figures.resolution;
  if (cells != std::array{run.n, run.n, plume ? 2 * run.n : run.n})
    return Error{ErrorCode::diverged, "its grid has " + std::to_string(cells[0]) + " x " +
                                          std::to_string(cells[1]) + " x " + std::to_string(cells[2]) +
                                          " cells"};
  if (figures.frames.empty()) return Error{ErrorCode::diverged, "it took no frame"};
  if (!(figures.amount > 0))
    return Error{ErrorCode::diverged, plume ? "it made no smoke" : "it has no water"};
  if (plume && !(figures.centre > source_height))
    return Error{ErrorCode::diverged, "its smoke does not rise"};
  if (!plume && !(figures.centre < dam_height / 2))
    return Error{ErrorCode::diverged, "its water does not fall"};
  return figures;
}

const char* name_of(BlenderScene scene) {
  return scene == BlenderScene::plume ? "plume" : scene == BlenderScene::dam ? "dam" : "dam-full";
}

}  // namespace

Result<BlenderFigures> run_blender(const BlenderRun& run) {
  const Result<std::string> script = beside_this_program("whorl-peer-blender.py");
  if (!script) return script.error();
  const WorkFolder folder;
  if (folder.path().empty())
    return Error{ErrorCode::resources, std::string("no temporary folder: ") + std::strerror(errno)};
  if (const Result<void> done = write_lengths(folder.path() / "frames.txt", run.lengths); !done)
    return done.error();
  const int threads = run.threads > 0 ? run.threads : usable_cores();
  const Result<Outcome> outcome =
      run_program({"blender", "--background", "--factory-startup", "-noaudio", "--python-exit-code", "1",
                   "--threads", std::to_string(threads), "--python", script.value(), "--", folder.path(),
                   name_of(run.scene), std::to_string(run.n)},
                  run.timeout_s);
  if (!outcome && outcome.error().code == ErrorCode::usage) return Error{ErrorCode::usage, "not installed"};
  if (!outcome) return outcome.error();
  if (outcome.value().timed_out) {
    char text[64];
    std::snprintf(text, sizeof text, "stopped: not done in %g s", run.timeout_s);
    return Error{ErrorCode::diverged, text};
  }
  if (outcome.value().exit_code != 0) return Error{ErrorCode::diverged, reason_in(outcome.value())};
  return checked(read_figures(folder.path() / "figures.txt", run.warm_up), run);
}

BlenderFrame fastest_frame(const BlenderFigures& figures) {
  return *std::min_element(
      figures.frames.begin(), figures.frames.end(),
      [](const BlenderFrame& a, const BlenderFrame& b) { return a.seconds < b.seconds; });
}

BlenderFrame sum_of_frames(const BlenderFigures& figures) {
  BlenderFrame sum;
  for (const BlenderFrame& f : figures.frames) {
    sum.seconds += f.seconds;
    sum.step_seconds += f.step_seconds;
    sum.pressure_seconds += f.pressure_seconds;
    sum.write_seconds += f.write_seconds;
    sum.steps += f.steps;
    sum.particles += f.steps * f.particles;
  }
  sum.particles /= std::max(1, sum.steps);
  return sum;
}

}  // namespace whorl::bench
