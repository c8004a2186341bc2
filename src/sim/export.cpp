#include "sim/export.h"

#include "base/json_text.h"
#include "io/file.h"
#include "io/particle_file.h"
#include "io/surface_file.h"
#include "io/vdb_convert.h"
#include "scene/scene.h"
#include "sim/export_look.h"
#include "sim/export_scripts.h"
#include "sim/export_solids.h"
#include "sim/kept_scene.h"
#include "sim/run_folder.h"
#include "sim/usage_error.h"
#include "whorl/version.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <new>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace whorl {

namespace fs = std::filesystem;

namespace {

// What a program expects.
struct Target {
  const char* name;
  UpAxis up;
  VdbConversion volumes;
  bool usd;  // meshes as USD, else PLY
  const char* script_name;
  const char* script;
};

Target target_of(ExportTarget target) {
  if (target == ExportTarget::houdini)
    return {.name = "houdini",
            .up = UpAxis::y,
            .volumes = {.colour = "Cd"},
            .usd = true,
            .script_name = "open_in_houdini.py",
            .script = open_in_houdini};
  return {.name = "blender",
          .up = UpAxis::z,
          .volumes = {.up = UpAxis::z, .names = {{"vel", "velocity"}}, .colour = "color"},
          .usd = false,
          .script_name = "open_in_blender.py",
          .script = open_in_blender};
}

// Without slashes at its end.
std::string folder_name(const std::string& folder) {
  fs::path place = fs::path(folder).lexically_normal();
  if (!place.has_filename() && place.has_parent_path()) place = place.parent_path();
  return place.string();
}

// A box in Whorl's axes from corners that a file has.
Bounds<3> y_up(const std::array<std::array<double, 3>, 2>& box, UpAxis up) {
  const auto& [lo, hi] = box;
  if (up == UpAxis::z) return {{lo[0], lo[2], -hi[1]}, {hi[0], hi[2], -lo[1]}};
  return {{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}};
}

class Export {
 public:
  Export(const ExportOptions& options, ExportObserver& observer)
      : options_(options), observer_(observer), target_(target_of(options.target)) {
    from_.folder = folder_name(options.run);
    to_.folder = options.folder.empty() ? fmt::format("{}/export-{}", from_.folder, target_.name)
                                        : folder_name(options.folder);
  }

  ExportReport execute() {
    try {
      report_.outcome = all();
    } catch (const std::bad_alloc&) {
      report_.outcome = Error{ErrorCode::resources, "the memory is used up"};
    }
    report_.folder = to_.folder;
    return std::move(report_);
  }

 private:
  Result<void> all() {
    if (const Result<void> found = find_run(); !found) return found;
    if (const Result<void> found = find_frames(); !found) return found;
    if (const Result<void> made = prepare(); !made) return made;
    if (solids_)
      if (const Result<void> made = solids_->write(frames_, [&](const auto& w) { observer_.on_warning(w); });
          !made)
        return made;
    for (const int frame : frames_) {
      if (const Result<void> written = write_frame(frame); !written) return written;
      report_.frames.insert(frame);
      observer_.on_frame(frame, int(report_.frames.size()), int(frames_.size()));
      if (observer_.should_stop() && frame != *frames_.rbegin())
        return Error{ErrorCode::interrupted, fmt::format("stopped after frame {}", frame)};
    }
    return finish();
  }

  Result<void> find_run() {
    std::error_code ignored;
    if (!fs::is_directory(from_.folder, ignored))
      return usage_error(fmt::format("there is no folder {}; name the folder of a run", from_.folder));
    const Result<std::string> text = read_text(from_.scene());
    const std::optional<KeptScene> kept = text ? parse_kept(text.value()) : std::nullopt;
    if (!kept)
      return usage_error(
          fmt::format("{} is not the folder of a run: it holds no scene.toml of one", from_.folder));
    // A run may be of a larger machine.
    constexpr SceneLimits any{.memory = std::numeric_limits<std::uint64_t>::max()};
    Result<SceneConfig> scene =
        parse_scene(text.value(), from_.scene(), with_kept(text.value(), options_.overrides), any);
    if (!scene) return scene.error();
    scene_ = std::move(scene).value();
    fps_ = std::visit([](const auto& s) { return s.time.fps; }, scene_);
    from_.name = to_.name = kept->name;
    if (const auto* in_3d = std::get_if<Scene<3>>(&scene_)) solids_.emplace(*in_3d, to_.solids(), target_.up);
    if (fs::exists(to_.scene(), ignored))
      return usage_error(fmt::format(
          "{} is the folder of a run, which an export must not touch; name another with -o", to_.folder));
    return {};
  }

  Result<void> find_frames() {
    volumes_ = from_.volume_frames();
    meshes_ = from_.mesh_frames();
    particles_ = from_.particle_frames();
    whitewater_ = from_.whitewater_frames();
    std::set<int> there;
    for (const auto* kind : {&volumes_, &meshes_, &particles_, &whitewater_})
      there.insert(kind->begin(), kind->end());
    if (there.empty())
      return usage_error(fmt::format(
          "there are no volumes, meshes or particles of '{}' in {}; run the scene with output.vdb, "
          "output.mesh or output.particles",
          from_.name, from_.folder));
    const int last = options_.last_frame > 0 ? options_.last_frame : *there.rbegin();
    for (const int frame : there)
      if (frame >= options_.first_frame && frame <= last) frames_.insert(frame);
    if (frames_.empty())
      return usage_error(fmt::format("the run in {} has no frame {}; it has {} to {}", from_.folder,
                                     options_.first_frame == last
                                         ? fmt::format("{}", last)
                                         : fmt::format("from {} to {}", options_.first_frame, last),
                                     *there.begin(), *there.rbegin()));
    for (auto* kind : {&volumes_, &meshes_, &particles_, &whitewater_})
      std::erase_if(*kind, [&](int frame) { return !frames_.contains(frame); });
    return {};
  }

  Result<void> prepare() {
    if (const Result<void> made = make_folder(to_.folder); !made) return made;
    Result<FolderLock> lock = FolderLock::take(to_.folder);
    if (!lock) return lock.error();
    lock_.emplace(std::move(lock).value());
    const std::vector<std::string> solids = solids_ ? solids_->names() : std::vector<std::string>{};
    if (const Result<void> removed = remove_exported(to_, solids); !removed) return removed;
    for (const auto& [frames, folder] : {std::pair(&volumes_, to_.volumes()),
                                         {&meshes_, to_.meshes()},
                                         {&particles_, to_.particle_files()},
                                         {&whitewater_, to_.particle_files()}})
      if (!frames->empty())
        if (const Result<void> made = make_folder(folder); !made) return made;
    return {};
  }

  Result<void> write_frame(int frame) {
    if (solids_)
      if (const Result<void> done = solids_->write_frame(frame); !done) return done;
    if (volumes_.contains(frame))
      if (const Result<void> done = write_volume(frame); !done) return done;
    if (meshes_.contains(frame))
      if (const Result<void> done = write_mesh(frame); !done) return done;
    if (particles_.contains(frame))
      if (const Result<void> done = write_points(from_.particles(frame), to_.particles(frame)); !done)
        return done;
    if (whitewater_.contains(frame)) return write_points(from_.whitewater(frame), to_.whitewater(frame));
    return {};
  }

  Result<void> write_volume(int frame) {
    const Result<VdbConverted> done = convert_vdb(from_.volume(frame), to_.volume(frame), target_.volumes);
    if (!done) return done.error();
    for (const std::string& name : done.value().grids)
      if (std::ranges::find(grids_, name) == grids_.end()) grids_.push_back(name);
    if (done.value().box) see(y_up(*done.value().box, target_.up));
    return {};
  }

  Result<void> write_mesh(int frame) {
    const Result<SurfaceMesh> surface = read_ply(from_.mesh(frame));
    if (!surface) return surface.error();
    if (!target_.usd) return write_ply(to_.mesh(frame), surface.value(), target_.up);
    const std::string file = fmt::format("{}.{:04}.usda", to_.name, frame);
    const UsdOptions options{.fps = fps_};
    const fs::path folder = to_.meshes();
    if (Result<void> done = write_usd_frame(folder / file, surface.value(), frame, options); !done)
      return done;
    clips_.push_back({frame, file});
    return write_usd_sequence(folder / (to_.name + ".usda"), clips_, surface.value(), options);
  }

  Result<void> write_points(const std::string& from, const std::string& to) const {
    const Result<ParticleTable> points = read_particles_ply(from);
    if (!points) return points.error();
    return write_particles_ply(to, points.value(), target_.up);
  }

  // Takes a box into what there is to see.
  void see(const Bounds<3>& box) {
    if (!seen_) seen_ = box;
    for (int a = 0; a < 3; ++a) {
      seen_->lo[a] = std::min(seen_->lo[a], box.lo[a]);
      seen_->hi[a] = std::max(seen_->hi[a], box.hi[a]);
    }
  }

  Result<void> finish() {
    const std::string script = fmt::format("{}/{}", to_.folder, target_.script_name);
    if (const Result<void> done = write_whole_text(to_.folder + "/export.json", facts()); !done) return done;
    if (const Result<void> done = write_whole_text(script, target_.script); !done) return done;
    report_.script = script;
    return {};
  }

  // Names of files have # for the digits of the frame.
  static std::string sequence(const char* kind, const std::string& files, const std::set<int>& frames,
                              const std::string& more = "") {
    if (frames.empty()) return "";
    return fmt::format("\"{}\": {{\"files\": {}, \"frames\": [{}]{}}},\n ", kind, json_text(files),
                       fmt::join(frames, ", "), more);
  }

  std::string facts() const {
    const std::string& name = to_.name;
    std::string json = fmt::format(
        "{{\"whorl\": {}, \"for\": {}, \"name\": {}, \"fps\": {}, \"up\": \"{}\",\n ", json_text(version()),
        json_text(target_.name), json_text(name), json_text(fps_), target_.up == UpAxis::z ? "z" : "y");
    json += fmt::format("\"first_frame\": {}, \"last_frame\": {},\n ", *frames_.begin(), *frames_.rbegin());
    json += sequence("volumes", "vdb/" + name + ".####.vdb", volumes_,
                     fmt::format(", \"grids\": {}", json_list(grids_)));
    json += sequence("meshes", "mesh/" + name + (target_.usd ? ".####.usda" : ".####.ply"), meshes_);
    json += sequence("particles", "particles/" + name + ".####.ply", particles_);
    json += sequence("whitewater", "particles/" + name + "_whitewater.####.ply", whitewater_);
    if (solids_) json += solids_->json();
    json += std::visit([&](const auto& scene) { return look_json(scene, target_.up, seen_); }, scene_);
    return json + "}\n";
  }

  const ExportOptions& options_;
  ExportObserver& observer_;
  Target target_;
  RunPaths from_, to_;
  SceneConfig scene_;
  double fps_ = 0;
  std::set<int> frames_, volumes_, meshes_, particles_, whitewater_;
  std::vector<std::string> grids_;
  std::vector<UsdFrame> clips_;
  std::optional<ExportedSolids> solids_;  // of a scene in 3D
  std::optional<Bounds<3>> seen_;
  std::optional<FolderLock> lock_;
  ExportReport report_;
};

}  // namespace

ExportReport export_run(const ExportOptions& options, ExportObserver& observer) {
  return Export(options, observer).execute();
}

}  // namespace whorl
