#include "io/particle_file.h"
#include "sim/cached_frame.h"
#include "sim/kept_frames.h"
#include "sim/meshes.h"
#include "sim/picture.h"
#include "sim/timed_stages.h"
#include "sim/whitewater_stage.h"

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

namespace whorl {
namespace {

class KeptParticles final : public KeptFrames {
 public:
  KeptParticles(Exec& ex, const Scene<3>& scene, const PictureFiles& pictures)
      : ex_(ex), scene_(scene), pictures_(pictures) {}

  std::set<int> frames(const RunPaths& paths) const override { return paths.particle_frames(); }
  std::string file(const RunPaths& paths, int frame) const override { return paths.particles(frame); }
  std::string how_to_keep() const override { return "output.particles = true"; }

  Result<void> prepare(const RunStages& stages, RunObserver& observer) override {
    if (const std::string warning = picture_warning(scene_.render); stages.render && !warning.empty())
      observer.on_warning(warning);
    const bool clips = stages.surface && scene_.output.mesh_walls == MeshSides::clipped;
    if (stages.render || stages.whitewater || clips) {
      const Result<std::vector<std::string>> warnings = load_meshes(ex_, scene_);
      if (!warnings) return warnings.error();
      for (const std::string& warning : warnings.value()) observer.on_warning(warning);
    }
    if (!stages.whitewater) return {};
    Result<WhitewaterStage> made = WhitewaterStage::create(scene_);
    if (!made) return made.error();
    whitewater_.emplace(std::move(made).value());
    return {};
  }

  Result<void> make(const RunPaths& paths, const RunStages& stages, FrameStatistics& statistics) override {
    TimedStages stage(statistics);
    ParticleTable table;
    stage(true, "read_particles", [&]() -> Result<void> {
      Result<ParticleTable> read = read_particles_ply(paths.particles(statistics.frame));
      if (!read) return read.error();
      table = std::move(read).value();
      statistics.particles = std::int64_t(table.position.size());
      return {};
    });
    std::optional<SurfaceMesh> surface;  // for both of the stages that need it
    const auto mesh = [&]() -> const SurfaceMesh& {
      if (!surface) surface = mesh_of(ex_, scene_, table);
      return *surface;
    };
    stage(stages.surface, "surface", [&]() -> Result<void> {
      const Result<double> volume =
          write_surface(ex_, scene_, paths.mesh(statistics.frame), mesh(), statistics.time);
      if (!volume) return volume.error();
      statistics.mesh_volume = volume.value();
      return {};
    });
    stage(stages.whitewater, "whitewater", [&]() -> Result<void> {
      if (const Result<void> moved = whitewater_->advance(ex_, table); !moved) return moved;
      return write_particles_ply(paths.whitewater(statistics.frame), whitewater_->particles());
    });
    stage(stages.render, "render", [&]() -> Result<void> {
      const Result<std::vector<Speck>> specks = specks_in(paths.whitewater(statistics.frame));
      if (!specks) return specks.error();
      return write_picture(paths, pictures_, statistics.frame,
                           liquid_picture(ex_, scene_, statistics.frame, mesh(), specks.value()));
    });
    return stage.outcome();
  }

 private:
  // Those that are there, if the scene has any.
  Result<std::vector<Speck>> specks_in(const std::string& file) const {
    if (!scene_.whitewater || !std::filesystem::exists(file)) return std::vector<Speck>{};
    const Result<ParticleTable> specks = read_particles_ply(file);
    if (!specks) return specks.error();
    return specks_of(specks.value());
  }

  Exec& ex_;
  Scene<3> scene_;
  PictureFiles pictures_;
  std::optional<WhitewaterStage> whitewater_;
};

}  // namespace

std::unique_ptr<KeptFrames> kept_particles(Exec& ex, const Scene<3>& scene, const PictureFiles& pictures) {
  return std::make_unique<KeptParticles>(ex, scene, pictures);
}

}  // namespace whorl
