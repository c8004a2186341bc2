#include "sim/run.h"

#include "io/file.h"
#include "sim/kept_scene.h"
#include "sim/meshes.h"
#include "sim/run_cached.h"
#include "sim/run_folder.h"
#include "sim/run_video.h"
#include "sim/scene_content.h"
#include "sim/stopwatch.h"
#include "sim/timed_stages.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <new>

#include <fmt/format.h>

namespace whorl {
namespace {

class Run {
 public:
  Run(const SceneFile& scene, const RunOptions& options, RunObserver& observer)
      : scene_(scene),
        options_(options),
        observer_(observer),
        stages_(options.stages.value_or(stages_of(scene))),
        paths_{options.folder, scene.name()} {
    report_.name = paths_.name;
    report_.folder = paths_.folder;
  }

  RunReport execute() {
    report_.outcome = simulate();
    const bool disk_is_fine = report_.outcome || report_.outcome.error().code != ErrorCode::resources;
    if (report_.frames > 0 && disk_is_fine && stages_.render && scene_.wants_video())
      make_run_video(paths_, scene_.fps(), observer_, report_);
    if (report_.frames > 0 && report_.show.empty()) report_.show = last_file();
    report_.seconds = clock_.seconds();
    return std::move(report_);
  }

 private:
  Result<void> simulate() {
    Result<Simulation> simulation = Simulation::create(scene_, {.threads = options_.threads});
    if (!simulation) return simulation.error();
    for (const std::string& warning : simulation.value().warnings()) observer_.on_warning(warning);
    if (Result<void> made = make_folder(paths_.folder); !made) return made;
    Result<FolderLock> lock = FolderLock::take(paths_.folder);
    if (!lock) return lock.error();
    lock_.emplace(std::move(lock).value());  // until the video is made of its images
    if (Result<void> ready = prepare_folder(); !ready) return ready;
    while (report_.frames < report_.last_frame) {
      if (Result<void> done = next_frame(simulation.value()); !done) return done;
      if (observer_.should_stop() && report_.frames < report_.last_frame) return interrupted();
    }
    return {};
  }

  // An empty place for the run, with its scene in it.
  Result<void> prepare_folder() {
    const Result<int> replaced = remove_earlier_run();
    if (!replaced) return replaced.error();
    const int last_frame = options_.last_frame > 0 ? options_.last_frame : scene_.frames();
    const std::optional<KeptScene> again = parse_kept(options_.scene_text);
    std::vector<std::string> overrides = options_.overrides;
    // The copy is in another folder than the scene, and so finds its meshes where they are.
    for (const std::string& mesh : mesh_overrides(scene_.content().config)) {
      const std::string key = mesh.substr(0, mesh.find('=') + 1);
      std::erase_if(overrides, [&](const std::string& o) { return o.starts_with(key); });
      overrides.push_back(mesh);
    }
    const std::string text =
        kept_text({again ? again->text : options_.scene_text, overrides, paths_.name, last_frame});
    if (Result<void> kept =
            write_whole(paths_.scene(), [&](const std::string& file) { return write_text(file, text); });
        !kept)
      return kept;
    if (scene_.wants_vdb())
      if (Result<void> made = make_folder(paths_.volumes()); !made) return made;
    if (stages_.surface)
      if (Result<void> made = make_folder(paths_.meshes()); !made) return made;
    if (scene_.wants_particles() || stages_.whitewater)
      if (Result<void> made = make_folder(paths_.particle_files()); !made) return made;
    if (stages_.render)
      if (Result<void> made = make_folder(paths_.images()); !made) return made;
    report_.last_frame = last_frame;
    observer_.on_start({.name = paths_.name,
                        .folder = paths_.folder,
                        .dimension = scene_.dimension(),
                        .last_frame = last_frame,
                        .fps = scene_.fps(),
                        .replaced = replaced.value()});
    return {};
  }

  // It may have had another name.
  Result<int> remove_earlier_run() {
    std::string earlier = paths_.name;
    if (std::filesystem::exists(paths_.scene())) {
      const Result<std::string> text = read_text(paths_.scene());
      if (!text) return text.error();
      const std::optional<KeptScene> kept = parse_kept(text.value());
      if (!kept)
        return Error{ErrorCode::usage,
                     fmt::format("{} is not of a run, and would be overwritten; name another folder with -o",
                                 paths_.scene())};
      if (!kept->name.empty() && kept->name.find('/') == std::string::npos) earlier = kept->name;
    }
    Result<int> replaced = remove_run({paths_.folder, earlier});
    if (!replaced || earlier == paths_.name) return replaced;
    const Result<int> namesakes = remove_run(paths_);
    if (!namesakes) return namesakes;
    return replaced.value() + namesakes.value();
  }

  static Result<void> write_text(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (file) return {};
    return Error{ErrorCode::resources, fmt::format("cannot write {}: is the disk full?", path)};
  }

  // The line in frames.jsonl comes last: it says that the frame's files are whole.
  Result<void> next_frame(Simulation& simulation) {
    const Stopwatch clock;
    Result<FrameStatistics> advanced = advance(simulation);
    if (!advanced) return advanced.error();
    FrameStatistics& statistics = advanced.value();
    const int frame = statistics.frame;
    TimedStages write(statistics);
    write(scene_.wants_vdb(), "write_vdb", [&] { return simulation.write_vdb(paths_.volume(frame)); });
    write(stages_.surface, "write_mesh", [&]() -> Result<void> {
      const Result<double> volume = simulation.write_mesh(paths_.mesh(frame));
      if (!volume) return volume.error();
      statistics.mesh_volume = volume.value();
      return {};
    });
    write(scene_.wants_particles(), "write_particles",
          [&] { return simulation.write_particles(paths_.particles(frame)); });
    write(stages_.whitewater, "whitewater",
          [&] { return simulation.write_whitewater(paths_.whitewater(frame)); });
    write(stages_.render, "write_png", [&] { return simulation.write_image(paths_.image(frame)); });
    if (!write.outcome()) return write.outcome();
    statistics.seconds.emplace_back(total_stage, clock.seconds());
    if (Result<void> noted = append_line(paths_.statistics(), to_json(statistics)); !noted) return noted;
    report_.frames = frame;
    add_stages(report_.by_stage, statistics.seconds);
    observer_.on_frame(statistics, clock.seconds());
    return {};
  }

  Result<FrameStatistics> advance(Simulation& simulation) {
    try {
      Result<FrameStatistics> advanced = simulation.advance([&](const StepProgress& step) {
        observer_.on_step(step);
        return !observer_.should_stop();
      });
      if (!advanced && advanced.error().code == ErrorCode::interrupted) return interrupted();
      return advanced;
    } catch (const std::bad_alloc&) {
      return Error{ErrorCode::resources, "the memory is used up; a coarser grid (--resolution) needs less"};
    }
  }

  Error interrupted() const {
    return {ErrorCode::interrupted, fmt::format("stopped at frame {}", report_.frames + 1)};
  }

  std::string last_file() const {
    if (stages_.render) return paths_.image(report_.frames);
    if (stages_.surface) return paths_.mesh(report_.frames);
    return scene_.wants_vdb() ? paths_.volume(report_.frames) : paths_.statistics();
  }

  const SceneFile& scene_;
  const RunOptions& options_;
  RunObserver& observer_;
  RunStages stages_;
  RunPaths paths_;
  Stopwatch clock_;
  RunReport report_;
  std::optional<FolderLock> lock_;
};

}  // namespace

RunReport run(const SceneFile& scene, const RunOptions& options, RunObserver& observer) {
  if (options.stages) {
    if (Result<void> fits = check_stages(scene, *options.stages); !fits) {
      RunReport refused;
      refused.outcome = std::move(fits);
      return refused;
    }
    if (!options.stages->simulate) return run_cached(scene, options, observer);
  }
  return Run(scene, options, observer).execute();
}

void add_stages(StageSeconds& sum, const StageSeconds& more) {
  for (const auto& [stage, seconds] : more) {
    const auto same = std::find_if(sum.begin(), sum.end(), [&](const auto& s) { return s.first == stage; });
    if (same == sum.end())
      sum.emplace_back(stage, seconds);
    else
      same->second += seconds;
  }
}

double total_seconds(const StageSeconds& stages) {
  for (const auto& [stage, seconds] : stages)
    if (stage == total_stage) return seconds;
  return 0;
}

}  // namespace whorl
