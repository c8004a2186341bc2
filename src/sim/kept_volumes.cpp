#include "io/vdb_fields.h"
#include "scene/quantities.h"
#include "sim/kept_frames.h"
#include "sim/meshes.h"
#include "sim/moment.h"
#include "sim/picture.h"
#include "sim/timed_stages.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace whorl {
namespace {

// What a picture shows, where there is any.
const std::vector<std::string> shown = {"density", "temperature", "flame",  "color_r",
                                        "color_g", "color_b",     "surface"};

// A frame that was read, as the picture of a simulation looks at it.
template <int D>
struct KeptMoment {
  static constexpr int dimension = D;
  const Scene<D>& own_scene;
  Snapshot<D> own_snapshot;

  const Scene<D>& scene() const { return own_scene; }
  const Snapshot<D>& snapshot() const { return own_snapshot; }
  std::vector<Shape<D>> solids() const { return solids_at(own_scene, own_snapshot.time); }
};

template <int D>
class KeptVolumes final : public KeptFrames {
 public:
  KeptVolumes(Exec& ex, const Scene<D>& scene, const PictureFiles& pictures)
      : ex_(ex), scene_(scene), pictures_(pictures) {}

  std::set<int> frames(const RunPaths& paths) const override { return paths.volume_frames(); }
  std::string file(const RunPaths& paths, int frame) const override { return paths.volume(frame); }
  std::string how_to_keep() const override {
    return fmt::format("\"{}\" in output.vdb", scene_.solver == SolverKind::smoke ? "density" : "surface");
  }

  Result<void> prepare(const RunStages&, RunObserver& observer) override {
    const Result<std::vector<std::string>> warnings = load_meshes(ex_, scene_);
    if (!warnings) return warnings.error();
    for (const std::string& warning : warnings.value()) observer.on_warning(warning);
    observer_ = &observer;
    return {};
  }

  Result<void> make(const RunPaths& paths, const RunStages&, FrameStatistics& statistics) override {
    TimedStages stage(statistics);
    const GridLayout<D> layout = grid_layout(scene_);
    const std::string file = paths.volume(statistics.frame);
    std::vector<VdbField<D>> fields;
    stage(true, "read_vdb", [&]() -> Result<void> {
      Result<std::vector<VdbField<D>>> read =
          read_vdb_fields<D>(ex_, file, {layout.domain, layout.origin, layout.cell_size}, shown);
      if (!read) return read.error();
      fields = std::move(read).value();
      return look_for_all(file, fields);
    });
    stage(true, "render", [&]() -> Result<void> {
      KeptMoment<D> moment{scene_, moment_of(scene_, statistics.frame, statistics.time)};
      Snapshot<D>& snapshot = moment.own_snapshot;
      for (const VdbField<D>& kept : fields) snapshot.scalars.push_back({kept.name, &kept.field});
      statistics.active_cells = snapshot.topology()->active_cells();
      return write_picture(paths, pictures_, statistics.frame, picture(ex_, moment));
    });
    return stage.outcome();
  }

 private:
  // Smoke, or a surface, there must be; of all else it is told that it is not shown.
  Result<void> look_for_all(const std::string& file, const std::vector<VdbField<D>>& fields) {
    const auto has = [&](const std::string& name) {
      return std::ranges::any_of(fields, [&](const VdbField<D>& kept) { return kept.name == name; });
    };
    if (!has(scene_.solver == SolverKind::smoke ? "density" : "surface"))
      return Error{ErrorCode::usage,
                   fmt::format("{} has nothing to show; simulate with {}", file, how_to_keep())};
    for (const std::string& name : grid_names(scene_))
      if (std::ranges::count(shown, name) && !has(name) && missing_.insert(name).second)
        observer_->on_warning(
            fmt::format("{} has no \"{}\" (output.vdb): pictures made from it do not show that", file, name));
    return {};
  }

  Exec& ex_;
  Scene<D> scene_;
  PictureFiles pictures_;
  RunObserver* observer_ = nullptr;
  std::set<std::string> missing_;  // that have been told of
};

}  // namespace

template <int D>
std::unique_ptr<KeptFrames> kept_volumes(Exec& ex, const Scene<D>& scene, const PictureFiles& pictures) {
  return std::make_unique<KeptVolumes<D>>(ex, scene, pictures);
}

template std::unique_ptr<KeptFrames> kept_volumes(Exec&, const Scene<2>&, const PictureFiles&);
template std::unique_ptr<KeptFrames> kept_volumes(Exec&, const Scene<3>&, const PictureFiles&);

}  // namespace whorl
