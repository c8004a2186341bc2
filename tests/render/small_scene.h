// Small scenes for the tests of the preview: a box of cells with smoke given by a function of position.
#pragma once

#include "render/preview.h"

#include <functional>

namespace whorl {

template <int D>
struct SmallScene {
  MacField<float, D> velocity;
  Field<float, D> density, temperature;
  Snapshot<D> snapshot;

  using Function = std::function<double(const Vec<double, D>& metres)>;

  SmallScene(Exec& ex, const Box<D>& cells, double h, const Function& smoke, const Domain<D>& domain = {})
      : velocity(ex, Topology<D>::of_box(ex, domain, cells)),
        density(ex, velocity.topology()),
        temperature(ex, velocity.topology(), 300) {
    snapshot.h = h;
    snapshot.velocity = &velocity;
    snapshot.scalars = {{"density", &density}, {"temperature", &temperature}};
    for_each_coord(cells, [&](const Coord<D>& c) { density.set(c, float(smoke(snapshot.centre(c)))); });
  }
  SmallScene(const SmallScene&) = delete;  // the snapshot points into it

  PreviewScene<D> scene() const { return {&snapshot, {}, {}, false}; }
  // In a box from zero to `size`, with a floor.
  PreviewScene<D> scene(const Vec<double, D>& size) const {
    return {&snapshot, Bounds<D>{{}, size}, {}, true};
  }
};

// A ball with a soft edge, `height` inside.
template <int D>
typename SmallScene<D>::Function ball(const Vec<double, D>& centre, double radius, double height) {
  return [=](const Vec<double, D>& x) {
    return height * std::clamp(1.5 - length(x - centre) / radius, 0., 1.) *
           (length(x - centre) < 1.5 * radius);
  };
}

inline int brightness(const Image& image, const Vec<double, 2>& at) {
  const std::uint8_t* p = image.pixel(int(at[0]), int(at[1]));
  return p[0] + p[1] + p[2];
}

inline int largest_difference(const Image& x, const Image& y) {
  if (x.rgb.size() != y.rgb.size()) return 256;
  int most = 0;
  for (std::size_t k = 0; k < x.rgb.size(); ++k)
    most = std::max(most, std::abs(int(x.rgb[k]) - int(y.rgb[k])));
  return most;
}

}  // namespace whorl
