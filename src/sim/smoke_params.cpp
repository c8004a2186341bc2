#include "sim/smoke_params.h"

#include "sim/evaluate.h"
#include "sim/motion.h"
#include "stages/box_cells.h"

#include <algorithm>
#include <cmath>

namespace whorl {

namespace {

constexpr double standard_gravity = 9.81;  // m/s², by which the scene's coefficients are meant

// The part of a step from t to t + dt during which a source or a force is on.
double share_of(const auto& actor, double t, double dt) {
  const double from = std::max(t, actor.start), to = std::min(t + dt, actor.end.value_or(t + dt));
  return std::clamp((to - from) / dt, 0., 1.);
}

template <int D>
Result<SmokeSource<D>> source_over(const SourceConfig<D>& config, const GridLayout<D>& layout, double t,
                                   double share) {
  const std::string key = "source." + config.name + ".";
  SmokeSource<D> source;
  source.shape = moved(config.shape, Vec<double, D>{} - layout.origin);
  source.cells = source_cells(config, layout);
  std::optional<Error> wrong;
  const auto values = [&](const Varying& value, int location, const char* name) {
    Result<CellValues<D>> found = evaluate(source.cells, location, value, layout, t, key + name);
    if (!found && !wrong) wrong = found.error();
    return found ? std::move(found).value() : CellValues<D>();
  };
  const auto scaled = [&](CellValues<D> rate) {
    rate.uniform *= float(share);
    for (float& x : rate.values) x *= float(share);
    return rate;
  };
  source.density_rate = scaled(values(config.density_rate, at_centres, "density_rate"));
  source.temperature_rate = scaled(values(config.temperature_rate, at_centres, "temperature_rate"));
  if (config.density) source.density = values(*config.density, at_centres, "density");
  if (config.temperature) source.temperature = values(*config.temperature, at_centres, "temperature");
  source.fuel_rate = scaled(values(config.fuel_rate, at_centres, "fuel_rate"));
  if (config.fuel) source.fuel = values(*config.fuel, at_centres, "fuel");
  if (config.velocity) {
    source.velocity.emplace();
    for (int a = 0; a < D; ++a)
      (*source.velocity)[std::size_t(a)] = values(config.velocity->component[std::size_t(a)], a, "velocity");
  }
  if (config.vortex_particles) {
    source.vortices = config.vortex_particles;
    source.vortices->rate *= share;
  }
  if (wrong) return *wrong;
  return source;
}

template <int D>
Result<ForceField<D>> force_at(Exec& ex, const ForceConfig<D>& config, const GridLayout<D>& layout, double t,
                               double longest) {
  ForceField<D> force;
  const std::string key = "force." + config.name + ".";
  if (share_of(config, t, longest) == 0) {
    force.strength = 0;
    return force;
  }
  const Result<double> strength = evaluate(config.strength, t, key + "strength");
  if (!strength) return strength.error();
  force.strength = strength.value();
  if (config.shape) force.shape = moved(*config.shape, Vec<double, D>{} - layout.origin);
  force.softness = config.softness;
  if (config.uniform) force.parts.push_back(*config.uniform);
  if (config.drag) force.parts.push_back(*config.drag);
  const auto add_round = [&](auto part) {
    part.center = part.center - layout.origin;
    force.parts.push_back(part);
  };
  if (config.radial) add_round(*config.radial);
  if (config.vortex) add_round(*config.vortex);
  if (config.turbulence) force.parts.push_back(*config.turbulence);
  if (config.custom)
    force.parts.push_back(CustomForce<D>{
        [&ex, formula = config.custom->acceleration, layout, t, key](MacField<float, D>& field) {
          for (int a = 0; a < D; ++a)
            (void)evaluate(ex, field[a], a, formula.component[std::size_t(a)], layout, t, key + "custom");
        }});
  return force;
}

}  // namespace

template <int D>
Box<D> source_cells(const SourceConfig<D>& source, const GridLayout<D>& layout) {
  const Bounds<D> bounds = moved(source.shape, Vec<double, D>{} - layout.origin).bounds();
  Box<D> domain = layout.domain.cells;
  domain.hi = domain.hi + Coord<D>::filled(1);  // faces on the high sides
  return cells_round(bounds, layout.cell_size).intersect(domain);
}

template <int D>
std::vector<Quantity> quantities_of(const Scene<D>& scene) {
  if (!scene.fire) return {};
  return {{.name = "fuel"},
          {.name = "flame", .dissipation = 1 / scene.fire->flame_life, .threshold = 0.01f, .thins = false}};
}

template <int D>
Result<SmokeParams<D>> smoke_params(Exec& ex, const Scene<D>& scene, const GridLayout<D>& layout, double t) {
  const SmokeConfig<D>& smoke = scene.smoke;
  SmokeParams<D> p;
  p.h = layout.cell_size;
  p.advection = smoke.advection;
  p.velocity_advection = smoke.velocity_advection;
  // Maps keep the energy of a velocity by themselves.
  const bool by_maps = smoke.velocity_advection.value_or(smoke.advection.scheme) == AdvectionScheme::bimocq;
  p.energy = by_maps ? EnergyScheme::none : smoke.energy;
  p.projection.solver = smoke.pressure_solver;
  p.walls = smoke.walls;
  p.behind_walls = smoke.behind_walls;
  p.buoyancy.smoke_weight = float(smoke.buoyancy_density / standard_gravity);
  p.buoyancy.expansion = float(smoke.buoyancy_temperature / standard_gravity);
  p.density_dissipation = smoke.density_dissipation;
  p.temperature_dissipation = smoke.temperature_dissipation;
  p.density_diffusion = smoke.density_diffusion;
  p.heat_diffusion = smoke.heat_diffusion;
  p.viscosity = smoke.viscosity;
  p.diffusion.scheme = smoke.diffusion;
  p.diffusion.walls = smoke.wall_friction;
  p.vorticity_confinement = smoke.vorticity_confinement;
  p.edge_relaxation = smoke.edge_relaxation;
  p.quantities = quantities_of(scene);
  if (scene.fire) p.fire = scene.fire->combustion;
  p.sparse = smoke.sparse;
  p.density_threshold = float(smoke.density_threshold);
  p.temperature_threshold = float(smoke.temperature_threshold);
  if (smoke.speed_threshold) p.speed_threshold = float(*smoke.speed_threshold);
  p.margin = smoke.margin;
  p.hysteresis = smoke.hysteresis;

  if (scene.gravity.depends_on_space()) {
    p.buoyancy.gravity_at = [&ex, gravity = scene.gravity, layout, t](MacField<float, D>& field) {
      for (int a = 0; a < D; ++a)
        (void)evaluate(ex, field[a], a, gravity.component[std::size_t(a)], layout, t, "gravity");
    };
  } else {
    for (int a = 0; a < D; ++a) {
      const Result<double> g = evaluate(scene.gravity.component[std::size_t(a)], t, "gravity");
      if (!g) return g.error();
      p.buoyancy.gravity[a] = float(g.value());
    }
  }
  for (int a = 0; scene.domain && a < D; ++a)
    for (int end = 0; end < 2; ++end) {
      const auto& velocity = scene.domain->inflow_velocity.velocity[std::size_t(a)][std::size_t(end)];
      for (int b = 0; velocity && b < D; ++b) {
        const Result<double> u = evaluate(velocity->component[std::size_t(b)], t, "domain.inflow_velocity");
        if (!u) return u.error();
        p.inflow.velocity[a][end][b] = float(u.value());
      }
    }
  for (const ForceConfig<D>& config : scene.force) {
    Result<ForceField<D>> force = force_at(ex, config, layout, t, 1 / scene.time.fps);
    if (!force) return force.error();
    p.forces.push_back(std::move(force).value());
  }
  return p;
}

template <int D>
Result<void> check_formulas(Exec& ex, const Scene<D>& scene, const GridLayout<D>& layout,
                            const TopologyPtr<D>& topology, double t) {
  Result<void> done;
  const auto check = [&](const VaryingVector<D>& formula, const std::string& key) {
    if (!done || !formula.depends_on_space()) return;
    Field<float, D> field(ex, topology);
    for (int a = 0; a < D && done; ++a)
      done = evaluate(ex, field, a, formula.component[std::size_t(a)], layout, t, key);
  };
  check(scene.gravity, "gravity");
  for (const ForceConfig<D>& force : scene.force)
    if (force.custom && share_of(force, t, 1 / scene.time.fps) > 0)
      check(force.custom->acceleration, "force." + force.name + ".custom.acceleration");
  return done;
}

template <int D>
Result<void> add_actors(SmokeParams<D>& params, const Scene<D>& scene, const GridLayout<D>& layout, double t,
                        double dt) {
  for (const SourceConfig<D>& config : scene.source) {
    const double share = share_of(config, t, dt);
    if (share == 0) continue;
    Result<SmokeSource<D>> source = source_over(config, layout, t, share);
    if (!source) return source.error();
    params.sources.push_back(std::move(source).value());
  }
  for (const SolidConfig<D>& solid : scene.solid)
    params.solids.push_back(solid_over(solid, t, dt, layout.origin));
  for (std::size_t n = 0; n < scene.force.size(); ++n)
    params.forces[n].strength *= share_of(scene.force[n], t, dt);
  return {};
}

template Box<2> source_cells(const SourceConfig<2>&, const GridLayout<2>&);
template Box<3> source_cells(const SourceConfig<3>&, const GridLayout<3>&);
template std::vector<Quantity> quantities_of(const Scene<2>&);
template std::vector<Quantity> quantities_of(const Scene<3>&);
template Result<SmokeParams<2>> smoke_params(Exec&, const Scene<2>&, const GridLayout<2>&, double);
template Result<SmokeParams<3>> smoke_params(Exec&, const Scene<3>&, const GridLayout<3>&, double);
template Result<void> check_formulas(Exec&, const Scene<2>&, const GridLayout<2>&, const TopologyPtr<2>&,
                                     double);
template Result<void> check_formulas(Exec&, const Scene<3>&, const GridLayout<3>&, const TopologyPtr<3>&,
                                     double);
template Result<void> add_actors(SmokeParams<2>&, const Scene<2>&, const GridLayout<2>&, double, double);
template Result<void> add_actors(SmokeParams<3>&, const Scene<3>&, const GridLayout<3>&, double, double);

}  // namespace whorl
