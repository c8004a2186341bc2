#include "render/sky_light.h"

#include "base/box.h"
#include "render/light_volume.h"

#include <numbers>

namespace whorl {
namespace {

// Half as fine: the sky casts no sharp shadows.
DenseGrid<float> coarsened(const DenseGrid<float>& fine) {
  Coord<3> size;
  for (int a = 0; a < 3; ++a) size[a] = (fine.size[a] + 1) / 2;
  DenseGrid<float> coarse(fine.origin, 2 * fine.cell, size);
  for_each_coord(Box<3>{{}, fine.size}, [&](const Coord<3>& at) {
    coarse.values[coarse.offset({at[0] / 2, at[1] / 2, at[2] / 2})] += fine.values[fine.offset(at)] / 8;
  });
  return coarse;
}

// Twelve directions spread evenly over the sphere: the corners of an icosahedron.
std::vector<Point> even_directions() {
  std::vector<Point> directions;
  for (int a = 0; a < 3; ++a)
    for (const double s : {-1., 1.})
      for (const double t : {-1., 1.}) {
        Point x{};
        x[a] = s;
        x[(a + 1) % 3] = t * std::numbers::phi;
        directions.push_back(normalised(x));
      }
  return directions;
}

}  // namespace

Rgb open_sky(const Lights& lights) {
  Rgb sum{};
  const std::vector<Point> directions = even_directions();
  for (const Point& towards : directions) sum = sum + lights.sky(towards);
  return sum * (1 / float(directions.size()));
}

DenseGrid<Rgb> sky_light(Exec& ex, const DenseGrid<float>& extinction, const Lights& lights) {
  const Zone zone(ex.profile(), "sky_light");
  const DenseGrid<float> coarse = coarsened(extinction);
  DenseGrid<Rgb> light(coarse.origin, coarse.cell, coarse.size);
  const std::vector<Point> directions = even_directions();
  for (const Point& towards : directions) {
    const LightVolume volume(ex, coarse, towards);
    const Rgb colour = lights.sky(towards) * (1 / float(directions.size()));
    ex.parallel_for(light.size[0], 1, [&](std::int64_t begin, std::int64_t end) {
      for_each_coord(Box<3>{{int(begin), 0, 0}, {int(end), light.size[1], light.size[2]}},
                     [&](const Coord<3>& at) {
                       const float depth = volume.depth(light.centre(at));
                       // What came straight, or nearly so, and what was scattered on the way.
                       const float soft = std::exp(-0.2f * depth), direct = soft * soft * soft * soft;
                       const float through = 0.75f * direct + 0.25f * soft;
                       Rgb& sum = light.values[light.offset(at)];
                       sum = sum + colour * through;
                     });
    });
  }
  return light;
}

}  // namespace whorl
