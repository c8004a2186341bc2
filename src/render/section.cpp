#include "render/section.h"

#include "exec/shapes.h"
#include "render/bloom.h"
#include "render/bricks.h"
#include "render/fire.h"
#include "render/framing.h"
#include "render/smoke_colour.h"

#include <array>
#include <cmath>
#include <optional>

namespace whorl {
namespace {

constexpr float visible_density = 1e-4f;
constexpr double fill = 0.94;  // of the image, by the framed box
constexpr float fire_depth = 1.6f, brightest_fire = 7;

// Night blue to ivory, and what heat turns it to; each evenly spaced in lightness.
constexpr std::array<OkLab, 7> smoke_colours{{{0.16f, -0.004f, -0.018f},
                                              {0.28f, 0.004f, -0.060f},
                                              {0.42f, 0.006f, -0.090f},
                                              {0.56f, -0.012f, -0.085f},
                                              {0.70f, -0.025f, -0.050f},
                                              {0.84f, -0.012f, 0.005f},
                                              {0.97f, 0.002f, 0.025f}}};
constexpr std::array<OkLab, 6> ember_colours{{{0.16f, 0.010f, -0.010f},
                                              {0.33f, 0.100f, 0.040f},
                                              {0.50f, 0.155f, 0.095f},
                                              {0.67f, 0.120f, 0.140f},
                                              {0.83f, 0.030f, 0.140f},
                                              {0.97f, 0.000f, 0.055f}}};
// At the surface of a liquid, and further down.
constexpr std::array<OkLab, 4> water_colours{{{0.90f, -0.035f, -0.030f},
                                              {0.74f, -0.045f, -0.085f},
                                              {0.62f, -0.035f, -0.115f},
                                              {0.55f, -0.030f, -0.125f}}};
// Clockwise, still, anticlockwise.
constexpr std::array<OkLab, 7> spin_colours{{{0.93f, -0.045f, -0.020f},
                                             {0.68f, -0.060f, -0.110f},
                                             {0.42f, -0.010f, -0.130f},
                                             {0.16f, -0.003f, -0.016f},
                                             {0.42f, 0.120f, 0.070f},
                                             {0.70f, 0.090f, 0.130f},
                                             {0.94f, 0.005f, 0.070f}}};
const Rgb margin = to_rgb({0.13f, -0.002f, -0.010f});

// How a solid is shown.
struct Paint {
  Rgb inside = to_rgb({0.55f, 0.004f, 0.012f}), edge = to_rgb({0.75f, 0.004f, 0.012f});
};

std::vector<Paint> paints_of_solids(const PreviewScene<2>& scene) {
  std::vector<Paint> paints(scene.solids.size());
  for (std::size_t k = 0; k < scene.solid_colours.size(); ++k)
    if (const std::optional<Rgb>& own = scene.solid_colours[k])
      paints[k] = {*own, mix(*own, Rgb{1, 1, 1}, 0.3f)};
  return paints;
}

// The largest of 1, 2, 5 times a power of ten that is at most x.
double round_down_125(double x) {
  const double power = std::pow(10, std::floor(std::log10(x))), lead = x / power;
  return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

// At the low corners of cells, 1/s; zero along the edge of the fluid, where it is not known.
Field<float, 2> vorticity(Exec& ex, const MacField<float, 2>& velocity, double h) {
  const TopologyPtr<2>& topology = velocity.topology();
  Field<float, 2> out(ex, topology);
  const TopologyView<2> cells = topology->view();
  const MacView<const float, 2> u = velocity.view();
  const FieldView<float, 2> w = out.view();
  const Lane<float> per_cell(float(1 / h));
  for_rows<2>(ex, topology->active_tile_set(), [=](const RowIndex<2>& r) {
    const unsigned known = cells.active_bits(r) & cells.active_bits(r, 0, -1) & cells.active_bits(r, 1, -1);
    const Lane<float> spin = (u[1](r) - u[1](r, 0, -1)) - (u[0](r) - u[0](r, 1, -1));
    w.store(r, select(Lane<float>::mask_from_bits(known), spin * per_cell, Lane<float>(0.f)));
  });
  return out;
}

// The largest component of the velocity that is a number.
double top_speed(Exec& ex, const MacField<float, 2>& velocity) {
  const MacView<const float, 2> u = velocity.view();
  return max_rows<float>(ex, velocity.topology()->tile_set(), 0.f, [=](const RowIndex<2>& r) {
    const Lane<float> most = max(abs(u[0](r)), abs(u[1](r)));
    return select(most <= Lane<float>(1e30f), most, Lane<float>(0.f));
  });
}

// The colour of a point, given in cells: smoke and fire where there are any, else how the air spins, if its
// velocity is known.
class Colours {
 public:
  Colours(Exec& ex, const Snapshot<2>& snapshot, const Bounds<2>& framed) {
    if (const std::vector<int> burning = burning_tiles(ex, snapshot); !burning.empty())
      fire_.emplace(ex, snapshot, burning);
    const auto* density = snapshot.find("density");
    const std::vector<int> smoky =
        density ? tiles_that_show(ex, *density, visible_density) : std::vector<int>{};
    if (!smoky.empty()) {
      density_.emplace(ex, *density, visible_density, smoky);
      if (SmokeColour<2>::present(snapshot)) {
        colour_.emplace(ex, snapshot, smoky);
      } else if (const auto* temperature = snapshot.find("temperature")) {
        heat_.emplace(ex, *temperature, 1.f);
      }
    }
    if (const auto* surface = snapshot.find("surface")) {
      surface_.emplace(ex, *surface, 0.f);
      air_ = surface->background();
      cell_ = float(snapshot.h);
      return;
    }
    if (density_ || fire_ || !snapshot.velocity) return;
    const double size = std::max(framed.hi[0] - framed.lo[0], framed.hi[1] - framed.lo[1]);
    const double speed = top_speed(ex, *snapshot.velocity);
    if (!(speed > 0)) return;
    spin_.emplace(ex, vorticity(ex, *snapshot.velocity, snapshot.h), 0.f);
    most_spin_ = float(2 * round_down_125(5 * speed / size));
  }

  Rgb at(const Vec<double, 2>& cell) const {
    if (surface_) {  // paler towards its edge
      const float depth = -(surface_->sample(cell) + air_) / cell_;
      const float inside = std::clamp(0.5f + 2 * depth, 0.f, 1.f);
      return mix(to_rgb(smoke_colours[0]), gradient(water_colours, std::clamp(depth / 2, 0.f, 1.f)), inside);
    }
    if (spin_) {
      const float spin = spin_->sample(cell + Vec<double, 2>::filled(0.5)) / most_spin_;
      return gradient(spin_colours, 0.5f + 0.5f * spin / std::sqrt(1 + spin * spin));
    }
    const float density = density_ ? std::max(density_->sample(cell), 0.f) : 0;
    const float shade = 1 - std::exp(-0.8f * density);
    if (colour_ && density > 0)
      return mix(gradient(smoke_colours, 0),
                 tint(to_rgb(smoke_colours.back()), colour_->sample(density, cell)), shade * shade);
    const float heat = heat_ ? smooth_step(15, 180, heat_->sample(cell)) : 0;
    return mix(gradient(smoke_colours, shade), gradient(ember_colours, shade), heat);
  }

  bool burn() const { return fire_.has_value(); }
  // What the fire adds, of light that is not yet in the reach of a picture.
  Rgb glow(const Vec<double, 2>& cell) const {
    const float strength = fire_->strength(cell);
    return fire_->radiance(cell) * (1 - std::exp(-fire_depth * strength));
  }

 private:
  std::optional<Bricks<2>> density_, heat_, spin_, surface_;
  float cell_ = 1;  // m
  float air_ = 0;   // m, above the surface where it is far away
  std::optional<SmokeColour<2>> colour_;
  std::optional<Fire<2>> fire_;
  float most_spin_ = 1;  // 1/s
};

}  // namespace

Picture render_section(Exec& ex, const PreviewScene<2>& scene, const PreviewParams& params) {
  const Snapshot<2>& snapshot = *scene.snapshot;
  const Bounds<2> framed = framed_box(ex, scene);
  const Colours colours(ex, snapshot, framed);

  const Vec<double, 2> middle = (framed.lo + framed.hi) * 0.5, size = framed.hi - framed.lo;
  const double pixel = std::max(size[0] / params.width, size[1] / params.height) / fill;  // m
  // How much of a pixel lies inside something whose edge is that far away.
  const auto coverage = [&](double distance) { return float(std::clamp(0.5 - distance / pixel, 0., 1.)); };
  const Shape<2> box = BoxShape<2>{framed.lo, framed.hi};

  const std::vector<Paint> paints = paints_of_solids(scene);
  const int width = params.width, height = params.height;
  const auto place = [&](int column, int row) {
    return middle + Vec<double, 2>{column + 0.5 - 0.5 * width, 0.5 * height - row - 0.5} * pixel;
  };
  const auto cell = [&](const Vec<double, 2>& x) { return (x - snapshot.origin) * (1 / snapshot.h); };
  std::optional<Pixels<Rgb>> glow;
  if (colours.burn()) {
    glow.emplace(ex, width, height, [&](int column, int row) {
      const Vec<double, 2> x = place(column, row);
      float open = scene.domain ? coverage(box.distance(x)) : 1;
      for (const Shape<2>& solid : scene.solids) open *= 1 - coverage(solid.distance(x));
      return roll_off(colours.glow(cell(x)) * open, brightest_fire);
    });
    const Pixels<Rgb> halo = bloom(ex, *glow);
    for (std::size_t k = 0; k < halo.values.size(); ++k) glow->values[k] = glow->values[k] + halo.values[k];
  }

  const Pixels<Rgb> shown(ex, width, height, [&](int column, int row) {
    const Vec<double, 2> x = place(column, row);
    Rgb colour = colours.at(cell(x));
    for (std::size_t k = 0; k < scene.solids.size(); ++k) {
      const double d = scene.solids[k].distance(x);
      colour = mix(colour, paints[k].edge, coverage(d));
      colour = mix(colour, paints[k].inside, coverage(d + 2 * pixel));
    }
    if (scene.domain) colour = mix(margin, colour, coverage(box.distance(x)));
    if (glow) {  // as if one picture were thrown over the other
      const Rgb fire = filmic((*glow)(column, row));
      colour = fire + tint(colour, Rgb{1, 1, 1} - fire);
    }
    return colour;
  });
  return {screen_image(ex, shown), light_image(shown)};
}

}  // namespace whorl
