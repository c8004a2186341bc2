#include "sim/smoke_params.h"

#include "scene/quantities.h"
#include "sim/evaluate.h"
#include "sim/forces.h"
#include "sim/motion.h"
#include "stages/box_cells.h"

#include <algorithm>
#include <cmath>

namespace whorl {

namespace {

constexpr double standard_gravity = 9.81;  // m/s², by which the scene's coefficients are meant

// What a source is the shape of: its own, or a solid with a skin round it.
template <int D>
struct Body {
  SolidConfig<D> solid;
  double skin = 0;  // m
};

template <int D>
Body<D> body_of(const Scene<D>& scene, const SourceConfig<D>& source, double h) {
  for (const SolidConfig<D>& solid : scene.solid)
    if (!source.solid.empty() && solid.name == source.solid) return {solid, source.skin.value_or(1.5 * h)};
  return {{source.name, source.shape, source.motion}};
}

template <int D>
Box<D> cells_of(const Bounds<D>& bounds, double skin, const GridLayout<D>& layout) {
  Bounds<D> reached = bounds;
  for (int a = 0; a < D; ++a) {
    reached.lo[a] -= layout.origin[a] + skin;
    reached.hi[a] -= layout.origin[a] - skin;
  }
  Box<D> domain = layout.domain.cells;
  domain.hi = domain.hi + Coord<D>::filled(1);  // faces on the high sides
  return cells_round(reached, layout.cell_size).intersect(domain);
}

template <int D>
CellValues<D> product(CellValues<D> x, CellValues<D> y) {
  if (x.values.empty()) std::swap(x, y);
  if (y.values.empty()) {
    x.uniform *= y.uniform;
    for (float& value : x.values) value *= y.uniform;
  } else {  // of one box, that of the source
    for (std::size_t k = 0; k < x.values.size(); ++k) x.values[k] *= y.values[k];
  }
  return x;
}

// The numbers of a source at a time; an expression that gives none is kept for the end.
template <int D>
struct SourceValues {
  const SourceConfig<D>& config;
  const GridLayout<D>& layout;
  Box<D> cells;
  double t;
  std::optional<Error> wrong = {};

  CellValues<D> operator()(const Varying& value, const std::string& name, int location = at_centres) {
    Result<CellValues<D>> found =
        evaluate(cells, location, value, layout, t, "source." + config.name + "." + name);
    if (!found && !wrong) wrong = found.error();
    return found ? std::move(found).value() : CellValues<D>();
  }
  std::optional<CellValues<D>> operator()(const std::optional<Varying>& value, const std::string& name) {
    if (!value) return {};
    return (*this)(*value, name);
  }
};

// Of density and temperature, of the quantities that it names, and of the colours that its density has.
template <int D>
std::vector<Emission<D>> emissions_of(const Scene<D>& scene, const SourceConfig<D>& config,
                                      SourceValues<D>& values) {
  const Emission<D> density{0, values(config.density_rate, "density_rate"),
                            values(config.density, "density")};
  std::vector<Emission<D>> all{
      density,
      {1, values(config.temperature_rate, "temperature_rate"), values(config.temperature, "temperature")}};
  const auto named = [](const std::map<std::string, Varying>& given, const std::string& name) {
    const auto found = given.find(name);
    return found == given.end() ? std::optional<Varying>() : found->second;
  };
  const std::vector<CarriedQuantity> quantities = quantities_of(scene);
  const VaryingColor color = color_of(scene, &config);
  for (std::size_t k = 0; k < quantities.size(); ++k) {
    const std::string& name = quantities[k].name;
    Emission<D> emission{k + 2, values(named(config.emits, name), "emits." + name).value_or(0.f),
                         values(named(config.holds, name), "holds." + name)};
    if (scene.fire && k == fuel_place)
      emission = {k + 2, values(config.fuel_rate, "fuel_rate"), values(config.fuel, "fuel")};
    if (const auto channel = std::find(std::begin(color_names), std::end(color_names), name);
        channel != std::end(color_names)) {
      const CellValues<D> tint = values(color.channel[std::size_t(channel - color_names)], "color");
      emission.rate = product(density.rate, tint);
      if (density.held) emission.held = product(*density.held, tint);
    }
    all.push_back(std::move(emission));
  }
  std::erase_if(all, [](const Emission<D>& e) { return e.rate.zero() && !e.held; });
  return all;
}

// For the step from t to t + dt.
template <int D>
Result<SmokeSource<D>> source_over(const Scene<D>& scene, const SourceConfig<D>& config,
                                   const GridLayout<D>& layout, double t, double dt) {
  const Body<D> body = body_of(scene, config, layout.cell_size);
  const Vec<double, D> shift = Vec<double, D>{} - layout.origin;
  SmokeSource<D> source;
  source.start = std::max(config.start - t, 0.);
  source.end = std::min(config.end.value_or(t + dt) - t, dt);
  if (source.end <= source.start) return source;
  const Sweep<D> sweep = sweep_of(body.solid, t + source.start, source.end - source.start);
  source.speed = sweep.speed;
  source.skin = body.skin;
  source.cells = cells_of(sweep.bounds, body.skin, layout);
  if (body.solid.motion.keys.empty())
    source.shape = moved(body.solid.shape, shift);
  else
    source.shape_at = [=](double s) { return moved(shape_at(body.solid, t + s), shift); };

  SourceValues<D> values{config, layout, source.cells, t + 0.5 * (source.start + source.end)};
  source.emissions = emissions_of(scene, config, values);
  source.sink = values(config.sink, "sink");
  source.expansion = values(config.expansion, "expansion");
  if (config.velocity) {
    source.velocity.emplace();
    for (int a = 0; a < D; ++a)
      (*source.velocity)[std::size_t(a)] = values(config.velocity->component[std::size_t(a)], "velocity", a);
  }
  if (config.vent) {
    source.vent.emplace();
    for (int a = 0; a < D; ++a)
      (*source.vent)[std::size_t(a)] = values(config.vent->component[std::size_t(a)], "vent");
  }
  source.vortices = config.vortex_particles;
  if (source.vortices) source.vortices->rate *= (source.end - source.start) / dt;
  if (values.wrong) return *values.wrong;
  return source;
}

}  // namespace

template <int D>
Box<D> source_cells(const Scene<D>& scene, const SourceConfig<D>& source, const GridLayout<D>& layout,
                    double t, double dt) {
  const Body<D> body = body_of(scene, source, layout.cell_size);
  return cells_of(sweep_of(body.solid, t, dt).bounds, body.skin, layout);
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
  for (const CarriedQuantity& q : quantities_of(scene))
    p.quantities.push_back({.name = q.name,
                            .dissipation = q.dissipation,
                            .threshold = float(q.threshold),
                            .advection = q.advection,
                            .diffusion = q.diffusion,
                            .thins = q.thins,
                            .of_density = q.of_density});
  p.edge_relaxation = smoke.edge_relaxation;
  if (scene.fire) p.fire = scene.fire->combustion;
  p.sparse = smoke.sparse;
  p.density_threshold = float(smoke.density_threshold);
  p.temperature_threshold = float(smoke.temperature_threshold);
  if (smoke.speed_threshold) p.speed_threshold = float(*smoke.speed_threshold);
  p.margin = margin_of(scene, layout);
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
  Result<std::vector<ForceField<D>>> forces = forces_at(ex, scene, layout, t, 1 / scene.time.fps);
  if (!forces) return forces.error();
  p.forces = std::move(forces).value();
  return p;
}

template <int D>
Result<void> add_actors(SmokeParams<D>& params, const Scene<D>& scene, const GridLayout<D>& layout, double t,
                        double dt) {
  for (const SourceConfig<D>& config : scene.source) {
    Result<SmokeSource<D>> source = source_over(scene, config, layout, t, dt);
    if (!source) return source.error();
    if (source.value().end > source.value().start) params.sources.push_back(std::move(source).value());
  }
  for (const SolidConfig<D>& solid : scene.solid)
    params.solids.push_back(solid_over(solid, t, dt, layout.origin));
  limit_to_step(params.forces, scene, t, dt);
  return {};
}

template Box<2> source_cells(const Scene<2>&, const SourceConfig<2>&, const GridLayout<2>&, double, double);
template Box<3> source_cells(const Scene<3>&, const SourceConfig<3>&, const GridLayout<3>&, double, double);
template Result<SmokeParams<2>> smoke_params(Exec&, const Scene<2>&, const GridLayout<2>&, double);
template Result<SmokeParams<3>> smoke_params(Exec&, const Scene<3>&, const GridLayout<3>&, double);
template Result<void> add_actors(SmokeParams<2>&, const Scene<2>&, const GridLayout<2>&, double, double);
template Result<void> add_actors(SmokeParams<3>&, const Scene<3>&, const GridLayout<3>&, double, double);

}  // namespace whorl
