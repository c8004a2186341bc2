#include "sim/liquid_params.h"

#include "sim/evaluate.h"
#include "sim/forces.h"
#include "sim/motion.h"
#include "stages/box_cells.h"
#include "stages/narrow_band.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace whorl {

namespace {

template <int D>
Result<Vec<double, D>> evaluate(const VaryingVector<D>& value, double t, const std::string& key) {
  Vec<double, D> found;
  for (int a = 0; a < D; ++a) {
    const Result<double> x = evaluate(value.component[std::size_t(a)], t, key);
    if (!x) return x.error();
    found[a] = x.value();
  }
  return found;
}

// Levels, and the velocity of every face of an inflow side.
template <int D>
Result<void> add_sides(LiquidParams<D>& p, const Scene<D>& scene, const GridLayout<D>& layout, double t) {
  for (int a = 0; a < D; ++a)
    for (int end = 0; end < 2; ++end) {
      const std::optional<double> level = scene.domain->level_of(a, end);
      if (level) p.water_level[std::size_t(a)][std::size_t(end)] = *level - layout.origin[1];
      const auto& velocity = scene.domain->inflow_velocity.velocity[std::size_t(a)][std::size_t(end)];
      if (!velocity) continue;
      SideInflow<D> inflow;
      inflow.side = {a, end == 1};
      if (level) inflow.level = *level - layout.origin[1];
      bool finite = true;
      const Box<D> faces = faces_of(layout.domain, inflow.side);
      for_each_coord(faces, [&](const Coord<D>& face) {
        const Vec<double, D> u = velocity->at(sample_place(face, a, layout.cell_size) + layout.origin, t);
        for (int b = 0; b < D; ++b) finite = finite && std::isfinite(u[b]);
        inflow.velocity.push_back(convert<float>(u));
        p.inflow.velocity[a][end] =
            p.inflow.velocity[a][end] + convert<float>(u * (1. / double(faces.volume())));
      });
      if (!finite)
        return Error{ErrorCode::invalid_scene,
                     fmt::format("domain.inflow_velocity: it is no number everywhere at t = {:.6g} s", t)};
      p.inflows.push_back(std::move(inflow));
    }
  return {};
}

}  // namespace

template <int D>
Result<LiquidParams<D>> liquid_params(Exec& ex, const Scene<D>& scene, const GridLayout<D>& layout,
                                      double t) {
  LiquidParams<D> p;
  p.h = layout.cell_size;
  p.transfer = scene.liquid.transfer;
  p.flip_part = float(scene.liquid.flip_part);
  p.tension = scene.liquid.surface_tension / scene.liquid.density;
  p.keep_volume = scene.liquid.keep_volume;
  if (scene.liquid.narrow_band) p.band = BandParams{}.width;
  p.projection.solver = scene.liquid.pressure_solver;
  if (scene.liquid.pressure_tolerance)
    p.projection.solve = {.relative = 0, .absolute = 0.7 * *scene.liquid.pressure_tolerance};
  else
    p.projection.solve = {.relative = 1e-3, .absolute = 1e-3};
  p.walls = scene.liquid.walls;
  p.move.order = scene.liquid.trace_order;
  const Result<Vec<double, D>> gravity = evaluate(scene.gravity, t, "gravity");
  if (!gravity) return gravity.error();
  p.gravity = gravity.value();
  Result<std::vector<ForceField<D>>> forces = forces_at(ex, scene, layout, t, 1 / scene.time.fps);
  if (!forces) return forces.error();
  p.forces = std::move(forces).value();
  if (const Result<void> added = add_sides(p, scene, layout, t); !added) return added.error();
  return p;
}

template <int D>
Result<double> fastest_actor(const Scene<D>& scene, double t, double dt) {
  double speed = 0;
  for (const SolidConfig<D>& solid : scene.solid)
    if (!solid.motion.keys.empty() && solid.motion.interp != KeyInterpolation::step)
      speed = std::max(speed, sweep_of(solid, t, dt).speed);
  for (const SourceConfig<D>& source : scene.source) {
    if (!source.velocity || source.start > t + dt || source.end.value_or(t) < t) continue;
    const Result<Vec<double, D>> velocity =
        evaluate(*source.velocity, t, "source." + source.name + ".velocity");
    if (!velocity) return velocity.error();
    for (int a = 0; a < D; ++a) speed = std::max(speed, std::abs(velocity.value()[a]));
  }
  return speed;
}

template <int D>
Result<void> add_actors(LiquidParams<D>& p, const Scene<D>& scene, const GridLayout<D>& layout, double t,
                        double dt) {
  limit_to_step(p.forces, scene, t, dt);
  for (const SolidConfig<D>& solid : scene.solid) p.solids.push_back(solid_over(solid, t, dt, layout.origin));
  for (const SourceConfig<D>& source : scene.source) {
    const double start = std::clamp((source.start - t) / dt, 0., 1.),
                 end = std::clamp((source.end.value_or(t + 2 * dt) - t) / dt, 0., 1.);
    const SolidConfig<D> body{source.name, source.shape, source.motion};
    const Solid<D> place = solid_over(body, t, dt, layout.origin);
    const std::string key = "source." + source.name;
    if (source.velocity) {
      Spout<D> spout{place.before, place.shape, {}, start, std::max(start, end)};
      const Result<Vec<double, D>> velocity = evaluate(*source.velocity, t, key + ".velocity");
      if (!velocity) return velocity.error();
      if (end > start) spout.velocity = velocity.value();
      p.spouts.push_back(std::move(spout));
    } else if (end > start) {
      const Result<double> rate = evaluate(source.sink, t, key + ".sink");
      if (!rate) return rate.error();
      p.drains.push_back({place.shape, std::max(rate.value(), 0.) * (end - start)});
    }
  }
  return {};
}

#define WHORL_INSTANTIATE(D)                                                                            \
  template Result<LiquidParams<D>> liquid_params(Exec&, const Scene<D>&, const GridLayout<D>&, double); \
  template Result<double> fastest_actor(const Scene<D>&, double, double);                               \
  template Result<void> add_actors(LiquidParams<D>&, const Scene<D>&, const GridLayout<D>&, double, double);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
