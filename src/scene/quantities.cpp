#include "scene/quantities.h"

#include <algorithm>

namespace whorl {

template <int D>
std::vector<CarriedQuantity> quantities_of(const Scene<D>& scene) {
  std::vector<CarriedQuantity> quantities;
  if (scene.fire)  // in the places that the solver has for them
    quantities = {{.name = "fuel", .key = "fire.initial_fuel", .initial = {scene.fire->initial_fuel}},
                  {.name = "flame",
                   .key = "fire",
                   .initial = {0},
                   .dissipation = 1 / scene.fire->flame_life,
                   .threshold = 0.01,
                   .thins = false}};
  for (const QuantityConfig& q : scene.quantity)
    quantities.push_back({.name = q.name,
                          .key = "quantity." + q.name + ".initial",
                          .initial = {q.initial},
                          .dissipation = q.dissipation,
                          .diffusion = q.diffusion,
                          .threshold = q.threshold,
                          .advection = q.advection});
  const SmokeConfig<D>& smoke = scene.smoke;
  for (std::size_t k = 0; k < 3 && has_color(scene); ++k)
    quantities.push_back({.name = std::string(color_names[k]),
                          .key = "smoke.color",
                          .initial = {smoke.initial_density, color_of(scene).channel[k]},
                          .dissipation = smoke.density_dissipation,
                          .diffusion = smoke.density_diffusion,
                          .threshold = smoke.density_threshold,
                          .of_density = true});
  return quantities;
}

template <int D>
bool has_color(const Scene<D>& scene) {
  return scene.smoke.color || std::any_of(scene.source.begin(), scene.source.end(),
                                          [](const SourceConfig<D>& s) { return s.color.has_value(); });
}

template <int D>
VaryingColor color_of(const Scene<D>& scene, const SourceConfig<D>* source) {
  if (source && source->color) return *source->color;
  return scene.smoke.color.value_or(VaryingColor{{0.8, 0.8, 0.8}});
}

template <int D>
std::vector<std::string> emitted_names(const Scene<D>& scene) {
  std::vector<std::string> names;
  for (const QuantityConfig& q : scene.quantity) names.push_back(q.name);
  return names;
}

template <int D>
std::vector<std::string> grid_names(const Scene<D>& scene) {
  if (scene.solver == SolverKind::liquid) return {"surface", "vel"};
  std::vector<std::string> names = {"density", "temperature", "vel"};
  for (const CarriedQuantity& q : quantities_of(scene)) names.push_back(q.name);
  return names;
}

#define WHORL_INSTANTIATE(D)                                               \
  template std::vector<CarriedQuantity> quantities_of(const Scene<D>&);    \
  template bool has_color(const Scene<D>&);                                \
  template VaryingColor color_of(const Scene<D>&, const SourceConfig<D>*); \
  template std::vector<std::string> emitted_names(const Scene<D>&);        \
  template std::vector<std::string> grid_names(const Scene<D>&);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
