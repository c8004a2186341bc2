#include "render/section.h"

#include "exec/shapes.h"
#include "render/bricks.h"
#include "render/colour.h"
#include "render/framing.h"

#include <array>
#include <cmath>
#include <optional>

namespace whorl {
namespace {

constexpr float visible_density = 1e-4f;
constexpr double fill = 0.94;  // of the image, by the framed box

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
// Clockwise, still, anticlockwise.
constexpr std::array<OkLab, 7> spin_colours{{{0.93f, -0.045f, -0.020f},
                                             {0.68f, -0.060f, -0.110f},
                                             {0.42f, -0.010f, -0.130f},
                                             {0.16f, -0.003f, -0.016f},
                                             {0.42f, 0.120f, 0.070f},
                                             {0.70f, 0.090f, 0.130f},
                                             {0.94f, 0.005f, 0.070f}}};
const Rgb margin = to_rgb({0.13f, -0.002f, -0.010f}), solid_colour = to_rgb({0.55f, 0.004f, 0.012f});
const Rgb solid_edge = to_rgb({0.75f, 0.004f, 0.012f});

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

// The colour of a point, given in cells: smoke where there is any, else how the air spins.
class Colours {
 public:
  Colours(Exec& ex, const Snapshot<2>& snapshot, const Bounds<2>& framed) {
    if (const auto* density = snapshot.find("density")) density_.emplace(ex, *density, visible_density);
    if (density_ && !density_->empty()) {
      if (const auto* temperature = snapshot.find("temperature")) heat_.emplace(ex, *temperature, 1.f);
      return;
    }
    density_.reset();
    const double size = std::max(framed.hi[0] - framed.lo[0], framed.hi[1] - framed.lo[1]);
    const double speed = top_speed(ex, *snapshot.velocity);
    if (!(speed > 0)) return;
    spin_.emplace(ex, vorticity(ex, *snapshot.velocity, snapshot.h), 0.f);
    most_spin_ = float(2 * round_down_125(5 * speed / size));
  }

  Rgb at(const Vec<double, 2>& cell) const {
    if (spin_) {
      const float spin = spin_->sample(cell + Vec<double, 2>::filled(0.5)) / most_spin_;
      return gradient(spin_colours, 0.5f + 0.5f * spin / std::sqrt(1 + spin * spin));
    }
    const float density = density_ ? std::max(density_->sample(cell), 0.f) : 0;
    const float shade = 1 - std::exp(-0.8f * density);
    const float heat = heat_ ? smooth_step(15, 180, heat_->sample(cell)) : 0;
    return mix(gradient(smoke_colours, shade), gradient(ember_colours, shade), heat);
  }

 private:
  std::optional<Bricks<2>> density_, heat_, spin_;
  float most_spin_ = 1;  // 1/s
};

}  // namespace

Image render_section(Exec& ex, const PreviewScene<2>& scene, const PreviewParams& params) {
  const Snapshot<2>& snapshot = *scene.snapshot;
  const Bounds<2> framed = framed_box(ex, scene);
  const Colours colours(ex, snapshot, framed);

  const Vec<double, 2> middle = (framed.lo + framed.hi) * 0.5, size = framed.hi - framed.lo;
  const double pixel = std::max(size[0] / params.width, size[1] / params.height) / fill;  // m
  // How much of a pixel lies inside something whose edge is that far away.
  const auto coverage = [&](double distance) { return float(std::clamp(0.5 - distance / pixel, 0., 1.)); };
  const Shape<2> box = BoxShape<2>{framed.lo, framed.hi};

  Image image(params.width, params.height);
  ex.parallel_for(params.height, 4, [&](std::int64_t begin, std::int64_t end) {
    for (int row = int(begin); row < int(end); ++row)
      for (int column = 0; column < params.width; ++column) {
        const Vec<double, 2> x =
            middle +
            Vec<double, 2>{column + 0.5 - 0.5 * params.width, 0.5 * params.height - row - 0.5} * pixel;
        Rgb colour = colours.at((x - snapshot.origin) * (1 / snapshot.h));
        for (const Shape<2>& solid : scene.solids) {
          const double d = solid.distance(x);
          colour = mix(colour, solid_edge, coverage(d));
          colour = mix(colour, solid_colour, coverage(d + 2 * pixel));
        }
        if (scene.domain) colour = mix(margin, colour, coverage(box.distance(x)));
        put_pixel(image, column, row, colour);
      }
  });
  return image;
}

}  // namespace whorl
