#include "sim/forces.h"

#include "sim/evaluate.h"
#include "sim/motion.h"

#include <algorithm>

namespace whorl {

namespace {

// The part of a step from t to t + dt during which a force is on.
double share_of(const auto& actor, double t, double dt) {
  const double from = std::max(t, actor.start), to = std::min(t + dt, actor.end.value_or(t + dt));
  return std::clamp((to - from) / dt, 0., 1.);
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
Result<std::vector<ForceField<D>>> forces_at(Exec& ex, const Scene<D>& scene, const GridLayout<D>& layout,
                                             double t, double longest) {
  std::vector<ForceField<D>> forces;
  for (const ForceConfig<D>& config : scene.force) {
    Result<ForceField<D>> force = force_at(ex, config, layout, t, longest);
    if (!force) return force.error();
    forces.push_back(std::move(force).value());
  }
  return forces;
}

template <int D>
void limit_to_step(std::vector<ForceField<D>>& forces, const Scene<D>& scene, double t, double dt) {
  for (std::size_t n = 0; n < forces.size(); ++n) forces[n].strength *= share_of(scene.force[n], t, dt);
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

template Result<std::vector<ForceField<2>>> forces_at(Exec&, const Scene<2>&, const GridLayout<2>&, double,
                                                      double);
template void limit_to_step(std::vector<ForceField<2>>&, const Scene<2>&, double, double);
template Result<void> check_formulas(Exec&, const Scene<2>&, const GridLayout<2>&, const TopologyPtr<2>&,
                                     double);
template Result<std::vector<ForceField<3>>> forces_at(Exec&, const Scene<3>&, const GridLayout<3>&, double,
                                                      double);
template void limit_to_step(std::vector<ForceField<3>>&, const Scene<3>&, double, double);
template Result<void> check_formulas(Exec&, const Scene<3>&, const GridLayout<3>&, const TopologyPtr<3>&,
                                     double);

}  // namespace whorl
