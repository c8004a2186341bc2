// What the air of a scene carries besides density and temperature.
#pragma once

#include "scene/config.h"

namespace whorl {

struct CarriedQuantity {
  std::string name = {};
  std::string key = {};               // of the scene, that says how much there is at the start …
  std::vector<Varying> initial = {};  // … which is the product of these
  double dissipation = 0;             // 1/s
  double diffusion = 0;               // m²/s
  double threshold = 1e-3;
  std::optional<AdvectionScheme> advection = {};  // none: smoke's
  bool thins = true;                              // whether gas that expands has less of it in each volume
  bool of_density = false;                        // a part of the density
};

// In the order of SmokeState::others.
template <int D>
std::vector<CarriedQuantity> quantities_of(const Scene<D>& scene);

// Of smoke, or of a source that has one of its own. Colours are carried as color × density: where smoke of
// two colours mixes, the colour is the mean by mass.
inline constexpr std::string_view color_names[3] = {"color_r", "color_g", "color_b"};
template <int D>
bool has_color(const Scene<D>& scene);
template <int D>
VaryingColor color_of(const Scene<D>& scene, const SourceConfig<D>* source = nullptr);

// The quantities that a source may name in `emits` and `holds`: those that the scene declares.
template <int D>
std::vector<std::string> emitted_names(const Scene<D>& scene);

// The grids that a VDB file may have.
template <int D>
std::vector<std::string> grid_names(const Scene<D>& scene);

}  // namespace whorl
