#include "sim/run.h"

#include "io/file.h"
#include "sim/kept_scene.h"
#include "sim/meshes.h"
#include "sim/picture.h"
#include "sim/run_cached.h"
#include "sim/run_checkpoints.h"
#include "sim/run_folder.h"
#include "sim/run_limits.h"
#include "sim/run_report.h"
#include "sim/run_room.h"
#include "sim/run_video.h"
#include "sim/scene_content.h"
#include "sim/stage_record.h"
#include "sim/stopwatch.h"
#include "sim/timed_stages.h"

#include <algorithm>
#include <filesystem>
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
        pictures_(picture_files(scene, stages_)),
        paths_{options.folder, scene.name()},
        limits_(options.limits) {
    report_.name = paths_.name;
    report_.folder = paths_.folder;
  }

  RunReport execute() {
    report_.outcome = simulate();
    const bool disk_is_fine = report_.outcome || report_.outcome.error().code != ErrorCode::resources;
    if (record_ && report_.frames > 0 && disk_is_fine && stages_.render && scene_.wants_video())
      make_run_video(paths_, scene_.fps(), observer_, report_, *record_);
    if (report_.frames > 0 && report_.show.empty()) report_.show = last_file();
    if (report_.last_frame > 0) tell();
    report_.resumable = !paths_.checkpoint_frames().empty();
    report_.seconds = clock_.seconds();
    return std::move(report_);
  }

 private:
  Result<void> simulate() {
    Result<Simulation> simulation = Simulation::create(scene_, {.threads = options_.threads});
    if (!simulation) return simulation.error();
    warnings_ = simulation.value().warnings();
    if (const std::string of_pictures = warning_of_pictures(); stages_.render && !of_pictures.empty())
      warnings_.push_back(of_pictures);
    for (const std::string& warning : warnings_) observer_.on_warning(warning);
    if (Result<void> made = make_folder(paths_.folder); !made) return made;
    Result<FolderLock> lock = FolderLock::take(paths_.folder);
    if (!lock) return lock.error();
    lock_.emplace(std::move(lock).value());  // until the video is made of its images
    if (Result<void> ready = prepare_folder(simulation.value()); !ready) return ready;
    Result<void> done;
    bool whole = true;  // after a failure, the state is no frame's
    while (done && report_.frames < report_.last_frame) {
      done = next_frame(simulation.value());
      whole = done || done.error().code == ErrorCode::interrupted;
      // With limits, the newest is to be of the last good frame.
      if (done && (checkpoints_->due(report_.frames) || options_.limits.any()))
        done = save_checkpoint(simulation.value());
      if (report_.frames == report_.last_frame) break;
      if (done) done = room_for_another(paths_, report_.frames);
      if (done && observer_.should_stop()) done = interrupted();
    }
    if (whole) save_last_checkpoint(simulation.value());
    return done;
  }

  // A place for the run with its scene in it: an empty one, or one with the frames that it goes on from.
  Result<void> prepare_folder(Simulation& simulation) {
    const int last_frame = options_.last_frame > 0 ? options_.last_frame : scene_.frames();
    RunStart start{.folder = paths_.folder,
                   .dimension = scene_.dimension(),
                   .last_frame = last_frame,
                   .fps = scene_.fps()};
    if (Result<void> placed = go_on_or_replace(simulation, start); !placed) return placed;
    if (Result<void> kept = keep_scene(last_frame); !kept) return kept;
    if (Result<void> made = make_folders(); !made) return made;
    checkpoints_.emplace(paths_, checkpoint_config());
    Exec ex({.threads = 1});
    record_.emplace(ex, scene_.content().config, paths_, pictures_);
    // From here on, its checkpoint is of the scene as it is here.
    if (options_.from_frame)
      if (Result<void> saved = checkpoints_->save(simulation); !saved) return saved;
    if (options_.limits.volume_drift) limits_.start_from(paths_);
    report_.last_frame = last_frame;
    start.name = paths_.name;
    observer_.on_start(start);
    return {};
  }

  Result<void> go_on_or_replace(Simulation& simulation, RunStart& start) {
    const Result<RunPaths> earlier = earlier_run();
    if (!earlier) return earlier.error();
    if (options_.resume || options_.from_frame) {
      const Result<std::optional<int>> resumed =
          resume_run(earlier.value(), simulation, scene_,
                     {options_.from_frame, start.last_frame, stages_.whitewater}, observer_);
      if (!resumed) return resumed.error();
      start.resumed = resumed.value();
    }
    if (start.resumed) {
      paths_.name = report_.name = earlier.value().name;
      report_.frames = *start.resumed;
      return {};
    }
    if (options_.from_frame) return no_such_checkpoint(earlier.value());
    // One that was killed before its first checkpoint has a frame at most.
    if (options_.resume && finished_frames(earlier.value()) > 1)
      return Error{ErrorCode::usage,
                   fmt::format("there is no good checkpoint in {} to go on from, and its frames would be "
                               "replaced; start anew without --resume",
                               paths_.folder)};
    if (options_.resume)
      observer_.on_warning(fmt::format(
          "there is no checkpoint in {} to go on from; starting from the beginning", paths_.folder));
    return replace(earlier.value(), start);
  }

  // It may have another name.
  Result<RunPaths> earlier_run() const {
    if (!std::filesystem::exists(paths_.scene())) return paths_;
    const Result<std::string> text = read_text(paths_.scene());
    if (!text) return text.error();
    const std::optional<KeptScene> kept = parse_kept(text.value());
    if (!kept)
      return Error{ErrorCode::usage,
                   fmt::format("{} is not of a run, and would be overwritten; name another folder with -o",
                               paths_.scene())};
    if (kept->name.empty() || kept->name.find('/') != std::string::npos) return paths_;
    return RunPaths{paths_.folder, kept->name};
  }

  Result<void> replace(const RunPaths& earlier, RunStart& start) const {
    const Result<std::string> text = read_text(paths_.scene());
    const std::optional<KeptScene> kept = text ? parse_kept(text.value()) : std::nullopt;
    start.replaced_unfinished = kept && !options_.resume && !earlier.checkpoint_frames().empty() &&
                                finished_frames(earlier) < kept->last_frame;
    const Result<int> replaced = remove_run(earlier);
    if (!replaced) return replaced.error();
    start.replaced = replaced.value();
    if (earlier.name == paths_.name) return {};
    const Result<int> namesakes = remove_run(paths_);
    if (!namesakes) return namesakes.error();
    start.replaced += namesakes.value();
    return {};
  }

  Error no_such_checkpoint(const RunPaths& earlier) const {
    const std::set<int> frames = earlier.checkpoint_frames();
    return {
        ErrorCode::usage,
        fmt::format("there is no good checkpoint at frame {} or before it in {}; there {}",
                    *options_.from_frame, paths_.checkpoints(),
                    frames.empty() ? "is none" : fmt::format("are those of {}", fmt::join(frames, ", ")))};
  }

  Result<void> keep_scene(int last_frame) const {
    const std::optional<KeptScene> again = parse_kept(options_.scene_text);
    std::vector<std::string> overrides = options_.overrides;
    // The copy is in another folder than the scene, and so finds its meshes where they are.
    for (const std::string& mesh : mesh_overrides(scene_.content().config)) {
      const std::string key = mesh.substr(0, mesh.find('=') + 1);
      std::erase_if(overrides, [&](const std::string& o) { return o.starts_with(key); });
      overrides.push_back(mesh);
    }
    return write_whole_text(paths_.scene(), kept_text({again ? again->text : options_.scene_text, overrides,
                                                       paths_.name, last_frame}));
  }

  Result<void> make_folders() const {
    for (const auto& [wanted, folder] :
         {std::pair(scene_.wants_vdb(), paths_.volumes()),
          {stages_.surface, paths_.meshes()},
          {scene_.wants_particles() || stages_.whitewater, paths_.particle_files()},
          {pictures_.png, paths_.images()},
          {pictures_.exr, paths_.exr_files()}})
      if (wanted)
        if (Result<void> made = make_folder(folder); !made) return made;
    return {};
  }

  Result<void> save_checkpoint(const Simulation& simulation) {
    const Stopwatch clock;
    Result<void> saved = record_->flush();  // as the frames' lines are
    if (saved) saved = checkpoints_->save(simulation);
    add_stages(report_.by_stage, {{"write_checkpoint", clock.seconds()}});
    return saved;
  }

  void save_last_checkpoint(const Simulation& simulation) {
    if (const Result<void> flushed = record_->flush(); !flushed)
      observer_.on_warning(flushed.error().message);
    checkpoints_->save_last(simulation, observer_);
  }

  const CheckpointConfig& checkpoint_config() const {
    return std::visit([](const auto& scene) -> const CheckpointConfig& { return scene.checkpoint; },
                      scene_.content().config);
  }

  std::string warning_of_pictures() const {
    return std::visit([](const auto& scene) { return picture_warning(scene.render); },
                      scene_.content().config);
  }

  Result<void> next_frame(Simulation& simulation) {
    try {
      return make_frame(simulation);
    } catch (const std::bad_alloc&) {
      return Error{ErrorCode::resources, "the memory is used up; a coarser grid (--resolution) needs less"};
    }
  }

  // The line in frames.jsonl comes last: it says that the frame's files are whole.
  Result<void> make_frame(Simulation& simulation) {
    const Stopwatch clock;
    Result<FrameStatistics> advanced = advance(simulation);
    if (!advanced) return advanced.error();
    FrameStatistics& statistics = advanced.value();
    if (Result<void> kept = limits_.check(statistics); !kept) return kept;
    const int frame = statistics.frame;
    // Where a run goes on, there are notes of the frames that it dropped.
    if (Result<void> forgot = record_->forget(stages_, frame, statistics.state_hash); !forgot) return forgot;
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
    write(pictures_.png, "write_png", [&] { return simulation.write_image(paths_.image(frame)); });
    write(pictures_.exr, "write_exr", [&] { return simulation.write_exr(paths_.exr(frame)); });
    if (!write.outcome()) return write.outcome();
    statistics.seconds.emplace_back(total_stage, clock.seconds());
    if (Result<void> noted = record_->note(stages_, frame, statistics.state_hash); !noted) return noted;
    if (Result<void> noted = append_line(paths_.statistics(), to_json(statistics)); !noted) return noted;
    report_.frames = frame;
    add_stages(report_.by_stage, statistics.seconds);
    observer_.on_frame(statistics, clock.seconds());
    if (statistics.not_evened)
      observer_.on_warning(
          fmt::format("frame {}: particles could not be kept evenly spread in {} of {} steps; if that goes "
                      "on, volume may "
                      "be lost: shorter steps (time.cfl) may help",
                      frame, statistics.not_evened, statistics.substeps));
    return {};
  }

  Result<FrameStatistics> advance(Simulation& simulation) {
    Result<FrameStatistics> advanced = simulation.advance([&](const StepProgress& step) {
      observer_.on_step(step);
      return !observer_.should_stop();
    });
    if (!advanced && advanced.error().code == ErrorCode::interrupted) return interrupted();
    return advanced;
  }

  void tell() {
    const std::string why = report_.outcome ? "" : ": " + report_.outcome.error().message;
    const ReportWords words{frames_there(report_.frames, report_.last_frame) + why + ".", warnings_};
    Result<void> told = write_report(paths_, words, record_->has_video(report_.frames));
    if (told) told = keep_words(paths_, words);
    if (!told) observer_.on_warning("no report: " + told.error().message);
  }

  Error interrupted() const {
    return {ErrorCode::interrupted, fmt::format("stopped at frame {}", report_.frames + 1)};
  }

  std::string last_file() const {
    if (stages_.render) return pictures_.png ? paths_.image(report_.frames) : paths_.exr(report_.frames);
    if (stages_.surface) return paths_.mesh(report_.frames);
    return scene_.wants_vdb() ? paths_.volume(report_.frames) : paths_.statistics();
  }

  const SceneFile& scene_;
  const RunOptions& options_;
  RunObserver& observer_;
  RunStages stages_;
  PictureFiles pictures_;
  RunPaths paths_;
  Stopwatch clock_;
  RunReport report_;
  std::optional<FolderLock> lock_;
  std::optional<RunCheckpoints> checkpoints_;
  std::optional<StageRecord> record_;
  std::vector<std::string> warnings_;  // of the scene
  LimitCheck limits_;
};

Result<void> needless_again() {
  return Error{ErrorCode::usage,
               "--again is for stages without simulate, which makes everything anew; leave it out"};
}

Result<void> check_options(const SceneFile& scene, const RunOptions& options) {
  const bool liquid =
      std::visit([](const auto& own) { return own.solver == SolverKind::liquid; }, scene.content().config);
  if (options.limits.volume_drift && !liquid)
    return Error{ErrorCode::usage, "--max-volume-drift is of liquids, which this scene is not; leave it out"};
  if (!options.stages) return options.again ? needless_again() : Result<void>();
  if (!options.stages->simulate && (options.resume || options.from_frame))
    return Error{ErrorCode::usage,
                 "--resume goes on with a simulation; add simulate to --stages, or leave --resume out"};
  if (options.stages->simulate && options.again) return needless_again();
  if (options.first_frame > 1 && (options.stages->simulate || options.stages->whitewater))
    return Error{ErrorCode::usage, "each frame goes on from the one before: the first must be frame 1"};
  return check_stages(scene, *options.stages);
}

}  // namespace

RunReport run(const SceneFile& scene, const RunOptions& options, RunObserver& observer) {
  if (Result<void> fits = check_options(scene, options); !fits) {
    RunReport refused;
    refused.outcome = std::move(fits);
    return refused;
  }
  if (options.stages && !options.stages->simulate) return run_cached(scene, options, observer);
  return Run(scene, options, observer).execute();
}

void add_stages(StageSeconds& sum, const StageSeconds& more) {
  for (const auto& [stage, seconds] : more) {
    const auto same =
        std::find_if(sum.begin(), sum.end(), [&name = stage](const auto& s) { return s.first == name; });
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
