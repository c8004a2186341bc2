#include "sim/liquid_simulation.h"

#include "exec/reduce.h"
#include "grid/archive.h"
#include "sim/cached_frame.h"
#include "sim/forces.h"
#include "sim/frame_steps.h"
#include "sim/liquid_params.h"
#include "sim/liquid_steps.h"
#include "sim/meshes.h"
#include "sim/moment.h"
#include "sim/motion.h"
#include "sim/odd_places.h"
#include "sim/state_check.h"
#include "stages/box_cells.h"
#include "stages/narrow_band.h"
#include "stages/particle_surface.h"
#include "stages/seed_particles.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace whorl {

namespace {

// The volume that a particle stands for.
template <int D>
double volume_of_particle(double h) {
  return std::pow(h, D) / (1 << D);
}

}  // namespace

template <int D>
LiquidSimulation<D>::LiquidSimulation(const Scene<D>& scene) : scene_(scene), layout_(grid_layout(scene)) {}

template <int D>
Result<LiquidSimulation<D>> LiquidSimulation<D>::create(Exec& ex, const Scene<D>& scene) {
  LiquidSimulation simulation(scene);
  Result<std::vector<std::string>> warnings = load_meshes(ex, simulation.scene_);
  if (!warnings) return warnings.error();
  simulation.warnings_ = std::move(warnings).value();
  for (std::string& found : odd_places(simulation.scene_)) simulation.warnings_.push_back(std::move(found));
  // What is wrong with the first step is told before anything is written.
  Result<LiquidParams<D>> params = liquid_params(ex, simulation.scene_, simulation.layout_, 0);
  if (!params) return params.error();
  if (const Result<void> added =
          add_actors(params.value(), simulation.scene_, simulation.layout_, 0, 1 / scene.time.fps);
      !added)
    return added.error();
  simulation.state_ = make_liquid<D>(ex, simulation.layout_.domain, {}, scene.liquid.transfer);
  if (const Result<void> filled = simulation.fill_up(ex, -1, 0); !filled) return filled.error();
  const auto comes_later = [](const FillConfig<D>& fill) { return fill.start > 0; };
  bool by_sides = false;
  for (const auto& axis : simulation.layout_.domain.sides)
    for (const Side side : axis) by_sides = by_sides || side == Side::inflow || side == Side::water;
  const auto lets_out = [](const SourceConfig<D>& source) { return source.velocity.has_value(); };
  if (simulation.state_.particles.size() == 0 &&
      std::none_of(scene.fill.begin(), scene.fill.end(), comes_later) &&
      std::none_of(scene.source.begin(), scene.source.end(), lets_out) && !by_sides)
    return Error{ErrorCode::invalid_scene,
                 "fill: no liquid is left in this scene once solids are taken out; make a shape larger than "
                 "a cell, or move it out of the solids"};
  simulation.state_.injected = 0;
  simulation.look(ex);
  return simulation;
}

// What a fill adds where there is neither solid nor liquid.
template <int D>
Result<NewParticles<D>> LiquidSimulation<D>::particles_of(const FillConfig<D>& fill, double t) const {
  const double h = layout_.cell_size;
  const Shape<D> shape = moved(fill.shape, layout_.origin * -1.);
  const Box<D> cells = cells_round(shape.bounds(), h, 0).intersect(layout_.domain.cells);
  NewParticles<D> added;
  if (cells.empty()) return added;
  std::vector<Shape<D>> solids;
  for (const SolidConfig<D>& solid : scene_.solid)
    solids.push_back(moved(shape_at(solid, t), layout_.origin * -1.));
  const ParticleSet<D>& there = state_.particles;
  const double skin = double(MoveParams{}.skin) * h;
  for (const Vec<double, D>& x : seed_particles<D>(shape, cells, h).position) {
    Coord<D> tile, cell;
    for (int a = 0; a < D; ++a) {
      const int k = int(std::floor(x[a]));
      tile[a] = floor_div(k, tile_side);
      cell[a] = k - tile[a] * tile_side;
    }
    if (const int slot = there.topology->map().find(tile); slot >= 0) {
      const std::size_t k = std::size_t(slot) * tile_cells<D> + std::size_t(cell_offset<D>(cell));
      if (there.first[k] < there.first[k + 1]) continue;
      if (state_.core.topology && state_.core.has(k)) continue;
    }
    if (std::any_of(solids.begin(), solids.end(),
                    [&](const Shape<D>& s) { return s.distance(x * h) < skin; }))
      continue;
    const Vec<double, D> u = fill.velocity.at(x * h + layout_.origin, t);
    Vec<float, D> velocity;
    for (int a = 0; a < D; ++a) {
      if (!std::isfinite(u[a]))
        return Error{ErrorCode::invalid_scene,
                     fmt::format("fill.{}.velocity: it is no number everywhere", fill.name)};
      velocity[a] = float(u[a]);
    }
    added.position.push_back(x);
    added.velocity.push_back(velocity);
  }
  return added;
}

// Fills whose time has come.
template <int D>
Result<void> LiquidSimulation<D>::fill_up(Exec& ex, double from, double until) {
  for (const FillConfig<D>& fill : scene_.fill) {
    if (!(fill.start > from && fill.start <= until)) continue;
    const Result<NewParticles<D>> more = particles_of(fill, until);
    if (!more) return more.error();
    if (!more.value().position.empty()) add_liquid(ex, state_, more.value());
  }
  return {};
}

template <int D>
Result<double> LiquidSimulation<D>::next_step(Exec& ex, const LiquidParams<D>& params, double until) const {
  return next_liquid_step(scene_, layout_.cell_size, state_.time, until, [&](double cfl, double longest) {
    return step_length(ex, state_, params, cfl, longest);
  });
}

template <int D>
Result<void> LiquidSimulation<D>::take_step(Exec& ex, LiquidParams<D>& params, double dt,
                                            FrameStatistics& statistics) {
  const double t = state_.time;
  if (const Result<void> fine = check_formulas(ex, scene_, layout_, state_.particles.topology, t); !fine)
    return fine;
  if (const Result<void> added = add_actors(params, scene_, layout_, t, dt); !added) return added;
  const std::int64_t not_evened = state_.not_evened;
  const SolveReport report = step(ex, state_, params, dt);
  statistics.not_evened += state_.not_evened - not_evened;
  if (const Result<void> noted = note_step(statistics, report, scene_.liquid, t, dt); !noted) return noted;
  return fill_up(ex, t, t + dt);
}

template <int D>
Result<FrameStatistics> LiquidSimulation<D>::advance(
    Exec& ex, const std::function<bool(const StepProgress&)>& after_step) {
  FrameStatistics& statistics = under_way_;  // it goes on where it was interrupted
  statistics.frame = frame_ + 1;
  ex.profile().clear();
  whole_.reset();
  const Result<void> taken = take_steps_of_frame(
      statistics, scene_.time.fps, state_.time, after_step,
      [&](double until) -> Result<double> {
        Result<LiquidParams<D>> params = liquid_params(ex, scene_, layout_, state_.time);
        if (!params) return params.error();
        const Result<double> dt = next_step(ex, params.value(), until);
        if (!dt) return dt;
        const Result<void> done = take_step(ex, params.value(), dt.value(), statistics);
        return done ? dt : done.error();
      },
      [&] { return state_.particles.topology->active_cells(); });
  if (!taken) {
    if (taken.error().code == ErrorCode::interrupted) look(ex);  // what is written is the state as it stands
    return taken.error();
  }
  ++frame_;
  look(ex);
  measure(ex, statistics);
  return std::exchange(under_way_, {});
}

template <int D>
LiquidSimulation<D> LiquidSimulation<D>::without_state() const {
  LiquidSimulation copy(scene_);
  copy.warnings_ = warnings_;
  return copy;
}

template <int D>
std::string LiquidSimulation<D>::wrong_with_state() const {
  const std::string wrong = wrong_with_time(frame_, state_.time, scene_.time.fps);
  return wrong.empty() ? wrong_with(state_, layout_.domain, scene_.liquid.transfer) : wrong;
}

template <int D>
void LiquidSimulation<D>::look(Exec& ex) {
  const Zone zone(ex.profile(), "look");
  if (state_.core.topology)
    whole_ = with_core(ex, state_.particles, state_.core, state_.core_velocity, {}, scene_.liquid.transfer);
  surface_ = surface_from_particles(ex, shown(), layout_.cell_size);
  velocity_ = particles_to_faces(ex, shown(), scene_.liquid.transfer).velocity;
}

template <int D>
void LiquidSimulation<D>::measure(Exec& ex, FrameStatistics& statistics) const {
  {
    const Zone zone(ex.profile(), "measure");
    const ParticleSet<D>& p = shown();
    const double each = volume_of_particle<D>(layout_.cell_size);
    statistics.time = state_.time;
    statistics.active_tiles = p.topology->active_tiles();
    statistics.active_cells = p.topology->active_cells();
    statistics.particles = state_.particles.size();
    statistics.liquid_volume = double(p.size()) * each;
    // Energy, squared speed, momentum, angular momentum and place, each summed over the particles.
    constexpr int turns = D * (D - 1) / 2;
    struct Sums {
      double energy = 0, fastest = 0;
      Vec<double, D> momentum{}, place{};
      Vec<double, turns> turn{};
    };
    const Sums sums = reduce(
        ex, p.topology->tile_count(), 64, Sums{},
        [&](std::int64_t begin, std::int64_t end) {
          Sums part;
          for (int tile = int(begin); tile < int(end); ++tile)
            for (std::uint32_t i = p.tile_begin(tile); i < p.tile_end(tile); ++i) {
              Vec<double, D> x, u;
              for (int a = 0; a < D; ++a) {
                x[a] = layout_.origin[a] +
                       layout_.cell_size * (p.topology->tiles()[std::size_t(tile)][a] * tile_side +
                                            double(p.position[std::size_t(a)][i]));
                u[a] = double(p.velocity[std::size_t(a)][i]);
              }
              const double square = dot(u, u);
              part.energy += 0.5 * square;
              part.fastest = std::max(part.fastest, square);
              part.momentum = part.momentum + u;
              part.place = part.place + x;
              for (int k = 0; k < turns; ++k) {
                const int a = D == 2 ? 0 : (k + 1) % 3, b = D == 2 ? 1 : (k + 2) % 3;
                part.turn[k] += x[a] * u[b] - x[b] * u[a];
              }
            }
          return part;
        },
        [](const Sums& x, const Sums& y) {
          return Sums{x.energy + y.energy, std::max(x.fastest, y.fastest), x.momentum + y.momentum,
                      x.place + y.place, x.turn + y.turn};
        });
    statistics.kinetic_energy = sums.energy * each;
    statistics.momentum = in_space(sums.momentum * each);
    statistics.angular_momentum = in_space(sums.turn * each);
    statistics.center_of_mass = in_space(sums.place * (p.size() > 0 ? 1. / double(p.size()) : 0.));
    statistics.max_speed = std::sqrt(sums.fastest);
    statistics.injected = double(state_.injected) * each;
    statistics.drained = double(state_.drained) * each;
    statistics.state_hash = state_hash(ex, state_);
  }
  statistics.seconds = stage_seconds(ex.profile());
  statistics.peak_memory_bytes = peak_memory();
}

template <int D>
Snapshot<D> LiquidSimulation<D>::snapshot() const {
  Snapshot<D> s = moment_of(scene_, frame_, state_.time);
  s.scalars = {{"surface", &surface_}};
  s.velocity = &velocity_;
  return s;
}

template <int D>
std::vector<Shape<D>> LiquidSimulation<D>::solids() const {
  return solids_at(scene_, state_.time);
}

template class LiquidSimulation<2>;
template class LiquidSimulation<3>;

ParticleTable particles_of(const LiquidSimulation<3>& simulation) {
  const GridLayout<3> layout = grid_layout(simulation.scene());
  ParticleTable table = particle_table(simulation.shown(), layout.cell_size);
  for (Vec<double, 3>& x : table.position) x = x + layout.origin;
  return table;
}

SurfaceMesh mesh_of(Exec& ex, const LiquidSimulation<3>& simulation) {
  const Zone zone(ex.profile(), "mesh");
  return mesh_of(ex, simulation.scene(), particles_of(simulation));
}

}  // namespace whorl
