#include "sim/solid_mesh.h"

#include "base/rng.h"
#include "geometry/surface_mesh.h"
#include "sim/motion.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace whorl {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int cells_across = 128, most_cells_across = 512;  // the longest side
constexpr int fewest_cells = 8;                             // across the others

// Cells over a box, as long along each axis as that needs.
struct Sampling {
  Bounds<3> box;
  Vec<double, 3> h;

  Vec<double, 3> place(const Vec<double, 3>& cells) const {
    Vec<double, 3> x;
    for (int a = 0; a < 3; ++a) x[a] = box.lo[a] + cells[a] * h[a];
    return x;
  }
};

Sampling sampling_of(const Bounds<3>& box, int across) {
  const Vec<double, 3> size = box.hi - box.lo;
  const double h = std::max({size[0], size[1], size[2]}) / across;
  Sampling s{box, {}};
  for (int a = 0; a < 3; ++a) s.h[a] = std::min(h, size[a] / fewest_cells);
  return s;
}

// Tiles that may hold some of the shape: it lies outside by no more than half of their diagonal.
std::vector<Coord<3>> tiles_near(const Shape<3>& shape, const Sampling& s) {
  Box<3> cells{Coord<3>::filled(-1), {}};  // one more all round, which is outside
  for (int a = 0; a < 3; ++a) cells.hi[a] = int(std::ceil((s.box.hi[a] - s.box.lo[a]) / s.h[a])) + 1;
  const double reach = 0.5 * (tile_side + 1) * length(s.h);
  std::vector<Coord<3>> near;
  for_each_coord(tiles_of(cells), [&](const Coord<3>& tile) {
    Vec<double, 3> middle;
    for (int a = 0; a < 3; ++a) middle[a] = (tile[a] + 0.5) * tile_side;
    if (shape.distance(s.place(middle)) < reach) near.push_back(tile);
  });
  return near;
}

TriangleMesh mesh_on(Exec& ex, const Shape<3>& shape, const Sampling& s) {
  const TopologyPtr<3> topology = Topology<3>::of_tiles(ex, {}, tiles_near(shape, s));
  Field<float, 3> phi(ex, topology, float(length(s.h)));
  const std::span<const Coord<3>> tiles = topology->tiles();
  ex.parallel_for(std::int64_t(tiles.size()), 1, [&](std::int64_t tile, std::int64_t) {
    float* value = phi.data() + tile * tile_cells<3>;
    for_each_coord(Box<3>{{}, Coord<3>::filled(tile_side)}, [&](const Coord<3>& at) {
      Vec<double, 3> centre;
      for (int a = 0; a < 3; ++a) centre[a] = tiles[std::size_t(tile)][a] * tile_side + at[a] + 0.5;
      const Vec<double, 3> x = s.place(centre);
      double outside = -infinity;  // of the box
      for (int a = 0; a < 3; ++a) outside = std::max({outside, s.box.lo[a] - x[a], x[a] - s.box.hi[a]});
      *value++ = float(std::max(shape.distance(x), outside));
    });
  });
  TriangleMesh mesh = surface_mesh(ex, phi, 1);
  for (Vec<double, 3>& x : mesh.vertices) x = s.place(x);
  return mesh;
}

// The volume of a shape in a box, surely no less: by random places, less three deviations.
double least_volume(const Shape<3>& shape, const Bounds<3>& box) {
  constexpr int samples = 40000;
  Rng rng(0, 0);
  int inside = 0;
  const Vec<double, 3> size = box.hi - box.lo;
  for (int k = 0; k < samples; ++k) {
    Vec<double, 3> x;
    for (int a = 0; a < 3; ++a) x[a] = box.lo[a] + size[a] * double(rng.uniform());
    inside += shape.contains(x);
  }
  return (inside - 3 * std::sqrt(inside)) / samples * size[0] * size[1] * size[2];
}

PosedShape<3> pose_of(const SolidConfig<3>& solid, double t) {
  if (solid.motion.keys.empty()) return {};
  return std::get<PosedShape<3>>(shape_at(solid, t).node());
}

Error none(std::string why) { return {ErrorCode::usage, std::move(why)}; }

}  // namespace

Result<TriangleMesh> solid_mesh(Exec& ex, const Shape<3>& shape, const Bounds<3>& within) {
  Bounds<3> box = shape.bounds();
  double longest = 0, shortest = infinity;
  for (int a = 0; a < 3; ++a) {
    box.lo[a] = std::max(box.lo[a], within.lo[a]);
    box.hi[a] = std::min(box.hi[a], within.hi[a]);
    longest = std::max(longest, box.hi[a] - box.lo[a]);
    shortest = std::min(shortest, box.hi[a] - box.lo[a]);
  }
  if (!std::isfinite(longest)) return none("it has no end, and the scene has no domain to cut it off at");
  if (!(shortest > 0)) return none("nothing of it is in the domain");
  constexpr double most_lost = 0.2;
  const double enough = (1 - most_lost) * least_volume(shape, box);
  for (int across = cells_across; across <= most_cells_across; across *= 2) {
    const Sampling sampling = sampling_of(box, across);
    TriangleMesh mesh = mesh_on(ex, shape, sampling);
    const double volume = enclosed_volume(mesh), thickness = 2 * volume / surface_area(mesh);
    // Of walls thinner than cells are left shards.
    if (volume > 0 && volume >= enough &&
        thickness > 0.5 * std::min({sampling.h[0], sampling.h[1], sampling.h[2]}))
      return mesh;
  }
  return none(fmt::format("nothing of it is in the domain, or it is thinner than {:.2g} m",
                          longest / most_cells_across));
}

TriangleMesh moved_to(TriangleMesh mesh, const SolidConfig<3>& solid, double t) {
  const PosedShape<3> pose = pose_of(solid, t);
  for (Vec<double, 3>& x : mesh.vertices) x = pose.turn.apply(x) + pose.translate;
  return mesh;
}

Bounds<3> seen_from(const SolidConfig<3>& solid, const Bounds<3>& box, const std::vector<double>& times) {
  Bounds<3> seen{Vec<double, 3>::filled(infinity), Vec<double, 3>::filled(-infinity)};
  for (const double t : times) {
    const PosedShape<3> pose = pose_of(solid, t);
    for_each_coord(Box<3>{{}, Coord<3>::filled(2)}, [&](const Coord<3>& corner) {
      Vec<double, 3> x;
      for (int a = 0; a < 3; ++a) x[a] = corner[a] ? box.hi[a] : box.lo[a];
      x = pose.turn.apply_inverse(x - pose.translate);
      for (int a = 0; a < 3; ++a) {
        seen.lo[a] = std::min(seen.lo[a], x[a]);
        seen.hi[a] = std::max(seen.hi[a], x[a]);
      }
    });
  }
  return seen;
}

}  // namespace whorl
