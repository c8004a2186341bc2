#include "render/fire_light.h"

#include "exec/shapes.h"

#include <map>
#include <numbers>

namespace whorl {
namespace {

constexpr std::size_t most_lamps = 12;
constexpr float faintest = 1e-3f;  // light on a surface that does not show

// Sums over flames, weighted by what they send out.
struct Glow {
  Rgb intensity{};
  double weight = 0, square = 0;
  Point sum{};

  void add(const Glow& other) {
    intensity = intensity + other.intensity;
    weight += other.weight;
    square += other.square;
    sum = sum + other.sum;
  }
  void add(const Rgb& light, const Point& x) {
    const double w = light[0] + light[1] + light[2];
    add({light, w, w * dot(x, x), x * w});
  }
  // About a place near by, in cells, so that squares stay small.
  FireLight::Lamp lamp(const Point& about, double h) const {
    const Point middle = sum * (1 / weight);
    return {about + middle * h, intensity, std::max(square / weight - dot(middle, middle), 1.) * h * h};
  }
};

}  // namespace

FireLight::FireLight(Exec& ex, const Snapshot<3>& snapshot, const Fire<3>& fire, double unit_extinction) {
  const Zone zone(ex.profile(), "fire_light");
  const std::vector<Coord<3>>& tiles = fire.flame().tiles();
  if (tiles.empty()) return;
  const Coord<3> low = fire.flame().tile_bounds().lo;
  const double unit = unit_extinction * Fire<3>::extinction * gain * std::pow(snapshot.h, 3);
  std::vector<Glow> glows(tiles.size());
  ex.parallel_for(std::int64_t(tiles.size()), tiles_per_chunk<3>, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      const Coord<3> corner = (tiles[std::size_t(k)] - low) * tile_side;
      for_each_coord(Box<3>{{}, Coord<3>::filled(tile_side)}, [&](const Coord<3>& at) {
        std::size_t cell = 0;
        Point x;
        for (int a = 0; a < 3; ++a) {
          cell = cell * Bricks<3>::side + std::size_t(at[a] + Bricks<3>::pad);
          x[a] = corner[a] + at[a] + 0.5;
        }
        const float strength = fire.strength_of_cell(int(k), cell);
        if (strength > Fire<3>::cutoff)
          glows[std::size_t(k)].add(fire.radiance_of_cell(int(k), cell) * float(unit * strength), x);
      });
    }
  });

  // Blocks of a power of two tiles a side, as small as leaves few enough of them.
  std::map<Coord<3>, Glow> blocks;
  for (int shift = 0;; ++shift) {
    blocks.clear();
    for (std::size_t k = 0; k < tiles.size(); ++k) {
      if (!(glows[k].weight > 0)) continue;
      Coord<3> block;
      for (int a = 0; a < 3; ++a) block[a] = tiles[k][a] >> shift;
      blocks[block].add(glows[k]);
    }
    if (blocks.size() <= most_lamps || shift == 30) break;
  }
  const Point about = snapshot.origin + convert<double>(low * tile_side) * snapshot.h;
  for (const auto& [block, glow] : blocks) lamps_.push_back(glow.lamp(about, snapshot.h));
}

Rgb FireLight::on_surface(const Point& x, const Point& normal, const Solids& solids) const {
  Rgb sum{};
  for (const Lamp& lamp : lamps_) {
    const Point to = lamp.at - x;
    const double distance2 = dot(to, to), away = std::sqrt(distance2);
    // A lamp as wide as that shines a little round the edge.
    const double soft = std::sqrt(lamp.spread2);
    const double facing = (dot(normal, to) + 0.5 * soft) / (away + 0.5 * soft);
    if (!(facing > 0)) continue;
    const double arrives = facing / (distance2 + lamp.spread2) * std::numbers::inv_pi;
    const Rgb light = lamp.intensity * float(arrives);
    // Rays to the lamps are what costs time here.
    if (light[0] > faintest) sum = sum + light * solids.seen(x, to * (1 / away), away);
  }
  return sum;
}

DenseGrid<Rgb> FireLight::on_smoke(Exec& ex, const DenseGrid<float>& extinction,
                                   const DenseGrid<Rgb>& like) const {
  const Zone zone(ex.profile(), "fire_on_smoke");
  constexpr int taps = 4;  // on the way
  DenseGrid<Rgb> light(like.origin, like.cell, like.size);
  ex.parallel_for(light.size[0], 1, [&](std::int64_t begin, std::int64_t end) {
    for_each_coord(
        Box<3>{{int(begin), 0, 0}, {int(end), light.size[1], light.size[2]}}, [&](const Coord<3>& at) {
          const Point x = light.centre(at);
          Rgb& sum = light.values[light.offset(at)];
          for (const Lamp& lamp : lamps_) {
            const Point to = lamp.at - x;
            const double distance2 = dot(to, to);
            float mean = 0;
            for (int k = 0; k < taps; ++k) mean += extinction.sample(x + to * ((k + 0.5) / taps)) / taps;
            const float depth = mean * float(std::sqrt(distance2));
            // What came straight, and what was scattered on the way.
            const float soft = std::exp(-0.25f * depth),
                        through = 0.6f * soft * soft * soft * soft + 0.4f * soft;
            sum = sum + lamp.intensity *
                            (through * float(0.25 * std::numbers::inv_pi / (distance2 + lamp.spread2)));
          }
        });
  });
  return light;
}

}  // namespace whorl
