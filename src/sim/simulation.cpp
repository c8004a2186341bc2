#include "whorl/simulation.h"

#include "grid/archive.h"
#include "io/exr.h"
#include "io/particle_file.h"
#include "io/png.h"
#include "io/surface_file.h"
#include "io/vdb.h"
#include "sim/cached_frame.h"
#include "sim/checkpoint.h"
#include "sim/level_set_simulation.h"
#include "sim/liquid_simulation.h"
#include "sim/picture.h"
#include "sim/scene_content.h"
#include "sim/smoke_simulation.h"
#include "sim/whitewater_stage.h"

#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace whorl {

// The one place that knows at run time which solver it is and how many dimensions there are.
struct Simulation::Content {
  Exec ex;
  using Any = std::variant<SmokeSimulation<2>, SmokeSimulation<3>, LiquidSimulation<2>, LiquidSimulation<3>,
                           LevelSetSimulation<2>, LevelSetSimulation<3>>;
  std::optional<Any> any;
  std::optional<WhitewaterStage> whitewater;
  std::optional<SurfaceMesh> mesh;  // of the frame, once one has asked for it
  std::optional<Picture> picture;   // the same
  CheckpointHeader header;          // of the scene, and of its meshes as they were at the start

  explicit Content(const SimulationOptions& options) : ex({.threads = options.threads}) {}

  // f(simulation), whatever it is.
  template <class F>
  decltype(auto) with(const F& f) {
    return std::visit(f, *any);
  }
  template <class Liquid>
  const SurfaceMesh& mesh_of(const Liquid& simulation) {
    if (!mesh) mesh = whorl::mesh_of(ex, simulation);
    return *mesh;
  }
  const Picture& shown() {
    if (!picture) picture = with([&](const auto& simulation) { return picture_of(simulation); });
    return *picture;
  }

 private:
  template <class Any>
  Picture picture_of(const Any& simulation) {
    return whorl::picture(ex, simulation);
  }
  Picture picture_of(const LevelSetSimulation<3>& simulation) {
    return liquid_picture(ex, simulation.scene(), simulation.frame(), mesh_of(simulation), {});
  }
  Picture picture_of(const LiquidSimulation<3>& simulation) {
    std::vector<Speck> specks;
    if (whitewater && whitewater->frame() == simulation.frame()) specks = specks_of(whitewater->particles());
    return liquid_picture(ex, simulation.scene(), simulation.frame(), mesh_of(simulation), std::move(specks));
  }
};

Simulation::Simulation(std::unique_ptr<Content> content) : content_(std::move(content)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

Result<Simulation> Simulation::create(const SceneFile& scene, const SimulationOptions& options) {
  auto content = std::make_unique<Content>(options);
  const Result<void> made = std::visit(
      [&]<int D>(const Scene<D>& config) -> Result<void> {
        const auto make = [&]<class Kind>(std::in_place_type_t<Kind>) -> Result<void> {
          Result<Kind> simulation = Kind::create(content->ex, config);
          if (!simulation) return simulation.error();
          content->any.emplace(std::move(simulation).value());
          return {};
        };
        if (config.solver == SolverKind::liquid && config.liquid.surface == LiquidSurface::level_set)
          return make(std::in_place_type<LevelSetSimulation<D>>);
        if (config.solver == SolverKind::liquid) return make(std::in_place_type<LiquidSimulation<D>>);
        return make(std::in_place_type<SmokeSimulation<D>>);
      },
      scene.content().config);
  if (!made) return made.error();
  content->header = header_for(content->ex, scene.content().config);
  return Simulation(std::move(content));
}

const std::vector<std::string>& Simulation::warnings() const {
  return content_->with(
      [](const auto& simulation) -> const std::vector<std::string>& { return simulation.warnings(); });
}

int Simulation::frame() const {
  return content_->with([](const auto& simulation) { return simulation.frame(); });
}

double Simulation::time() const {
  return content_->with([](const auto& simulation) { return simulation.state().time; });
}

Result<FrameStatistics> Simulation::advance(const std::function<bool(const StepProgress&)>& after_step) {
  content_->mesh.reset();
  content_->picture.reset();
  return content_->with([&](auto& simulation) { return simulation.advance(content_->ex, after_step); });
}

Result<void> Simulation::save(const std::string& path) const {
  return content_->with([&]<class Any>(const Any& simulation) -> Result<void> {
    const std::optional<WhitewaterStage>& whitewater = content_->whitewater;
    CheckpointHeader header = content_->header;
    header.frame = simulation.frame();
    header.substeps = simulation.under_way().substeps;
    header.whitewater = whitewater && whitewater->frame() == simulation.frame();
    SaveArchive archive(content_->ex, path);
    CheckpointHeader::visit(std::as_const(header), archive);
    Any::visit(simulation, archive);
    if (header.whitewater) WhitewaterStage::visit(*whitewater, archive);
    return archive.finish();
  });
}

Result<void> Simulation::restore(const std::string& path, bool changed) {
  return content_->with([&]<class Any>(Any& simulation) -> Result<void> {
    const Result<CheckpointHeader> header = read_header(content_->ex, path);
    if (!header) return header.error();
    if (Result<void> fits = check_header(path, header.value(), content_->header, changed); !fits) return fits;

    LoadArchive archive(content_->ex, path);
    CheckpointHeader skipped;
    CheckpointHeader::visit(skipped, archive);
    Any loaded = simulation.without_state();
    Any::visit(loaded, archive);
    std::optional<WhitewaterStage> whitewater;
    if constexpr (std::is_same_v<Any, LiquidSimulation<3>>)
      if (header.value().whitewater) {
        Result<WhitewaterStage> made = WhitewaterStage::create(simulation.scene());
        if (!made) return made.error();
        whitewater.emplace(std::move(made).value());
        WhitewaterStage::visit(*whitewater, archive);
      }
    if (Result<void> read = archive.finish(); !read) return read;
    std::string wrong = loaded.wrong_with_state();
    if (wrong.empty() && whitewater) wrong = whitewater->wrong_with_state();
    if (!wrong.empty()) return Error{ErrorCode::usage, fmt::format("{}: {}", path, wrong)};
    if constexpr (!std::is_same_v<Any, SmokeSimulation<Any::dimension>>) loaded.look(content_->ex);
    simulation = std::move(loaded);
    content_->whitewater = std::move(whitewater);
    content_->mesh.reset();
    content_->picture.reset();
    return {};
  });
}

Result<void> Simulation::write_vdb(const std::string& path) {
  return content_->with([&](const auto& simulation) {
    const OutputConfig& output = simulation.scene().output;
    return whorl::write_vdb(content_->ex, path, simulation.snapshot(),
                            {.grids = output.vdb, .half = output.half});
  });
}

Result<void> Simulation::write_image(const std::string& path) {
  return write_png(path, content_->shown().screen);
}

Result<void> Simulation::write_exr(const std::string& path) {
  return whorl::write_exr(path, content_->shown().light);
}

namespace {

Error no_liquid() { return {ErrorCode::usage, "only a liquid in three dimensions has a mesh and particles"}; }

}  // namespace

Result<double> Simulation::write_mesh(const std::string& path) {
  return content_->with([&]<class Any>(const Any& simulation) -> Result<double> {
    if constexpr (std::is_same_v<Any, LiquidSimulation<3>> || std::is_same_v<Any, LevelSetSimulation<3>>) {
      return write_surface(content_->ex, simulation.scene(), path, content_->mesh_of(simulation),
                           simulation.state().time);
    } else {
      return no_liquid();
    }
  });
}

Result<void> Simulation::write_particles(const std::string& path) {
  return content_->with([&]<class Any>(const Any& simulation) -> Result<void> {
    if constexpr (std::is_same_v<Any, LiquidSimulation<3>>)
      return write_particles_ply(path, particles_of(simulation));
    else
      return no_liquid();
  });
}

Result<void> Simulation::write_whitewater(const std::string& path) {
  return content_->with([&]<class Any>(const Any& simulation) -> Result<void> {
    if constexpr (std::is_same_v<Any, LiquidSimulation<3>>) {
      std::optional<WhitewaterStage>& whitewater = content_->whitewater;
      if (!simulation.scene().whitewater)
        return Error{ErrorCode::usage, "a scene without [whitewater] has no spray, foam and bubbles"};
      if (!whitewater) {
        Result<WhitewaterStage> made = WhitewaterStage::create(simulation.scene());
        if (!made) return made.error();
        whitewater.emplace(std::move(made).value());
      }
      CHECK(whitewater->frame() + 1 == simulation.frame(), "whitewater of frame ", simulation.frame(),
            " after that of frame ", whitewater->frame());
      if (Result<void> moved = whitewater->advance(content_->ex, particles_of(simulation)); !moved)
        return moved;
      content_->picture.reset();
      return write_particles_ply(path, whitewater->particles());
    } else {
      return no_liquid();
    }
  });
}

std::vector<FrameTile> Simulation::tiles(const std::string& quantity) const {
  return content_->with([&]<class Any>(const Any& simulation) {
    constexpr int D = Any::dimension;
    std::vector<FrameTile> tiles;
    const Field<float, D>* field = simulation.snapshot().find(quantity);
    if (!field) return tiles;
    const Topology<D>& topology = *field->topology();
    for (std::size_t t = 0; t < topology.tiles().size(); ++t) {
      FrameTile tile;
      for (int a = 0; a < D; ++a) tile.first_cell[std::size_t(a)] = topology.tiles()[t][a] * tile_side;
      tile.values = {field->data() + t * tile_cells<D>, std::size_t(tile_cells<D>)};
      tile.is_active = topology.active().subspan(t * tile_rows<D>, tile_rows<D>);
      tiles.push_back(tile);
    }
    return tiles;
  });
}

}  // namespace whorl
