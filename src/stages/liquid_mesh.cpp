#include "stages/liquid_mesh.h"

#include "base/check.h"
#include "exec/shapes.h"
#include "grid/field_sampler.h"
#include "grid/trace.h"
#include "particles/particles_near.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace whorl {

namespace {

// An icosahedron, every triangle cut into four `times` over, on a sphere about 0 that makes its volume that
// of the unit ball.
TriangleMesh unit_ball(int times) {
  TriangleMesh ball;
  const double golden = 0.5 * (1 + std::sqrt(5.));
  for (int axis = 0; axis < 3; ++axis)
    for (int k = 0; k < 4; ++k) {
      Vec<double, 3> x{};
      x[(axis + 1) % 3] = k & 1 ? -1 : 1;
      x[(axis + 2) % 3] = k & 2 ? -golden : golden;
      ball.vertices.push_back(normalised(x));
    }
  // Its faces: three corners next to each other.
  const double edge = 2 / std::sqrt(1 + golden * golden) * 1.01;
  const auto next = [&](int i, int j) {
    return length(ball.vertices[std::size_t(i)] - ball.vertices[std::size_t(j)]) < edge;
  };
  for (int i = 0; i < 12; ++i)
    for (int j = i + 1; j < 12; ++j)
      for (int k = j + 1; k < 12; ++k) {
        if (!next(i, j) || !next(j, k) || !next(k, i)) continue;
        ball.triangles.push_back({i, j, k});
        const Triangle t = corners(ball, ball.triangles.size() - 1);
        if (dot(area_vector(t), t[0]) < 0) std::swap(ball.triangles.back()[1], ball.triangles.back()[2]);
      }
  for (int n = 0; n < times; ++n) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int i, int j) {
      const auto [found, is_new] = middles.try_emplace(std::minmax(i, j), int(ball.vertices.size()));
      if (is_new)
        ball.vertices.push_back(normalised(ball.vertices[std::size_t(i)] + ball.vertices[std::size_t(j)]));
      return found->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& t : ball.triangles) {
      const int a = middle(t[0], t[1]), b = middle(t[1], t[2]), c = middle(t[2], t[0]);
      finer.insert(finer.end(), {{t[0], a, c}, {a, t[1], b}, {c, b, t[2]}, {a, b, c}});
    }
    ball.triangles = std::move(finer);
  }
  const double scale = std::cbrt(4. / 3 * M_PI / enclosed_volume(ball));
  for (auto& x : ball.vertices) x = x * scale;
  return ball;
}

// Where a particle is in metres, and within the domain with all of a ball round it where that has room.
Vec<double, 3> place_of_drop(const ParticleSet<3>& p, int tile, std::uint32_t i, double h, double radius) {
  const Domain<3>& domain = p.topology->domain();
  Vec<double, 3> x;
  for (int a = 0; a < 3; ++a) {
    x[a] = h * (double(p.topology->tiles()[std::size_t(tile)][a]) * tile_side +
                double(p.position[std::size_t(a)][i]));
    const double lo = h * domain.cells.lo[a] + radius, hi = h * domain.cells.hi[a] - radius;
    if (lo < hi) x[a] = std::clamp(x[a], lo, hi);
  }
  return x;
}

void add_drops(SurfaceMesh& surface, const ParticleSet<3>& p, const std::vector<std::uint32_t>& drops,
               const RenderSurfaceParams& params) {
  const TriangleMesh ball = unit_ball(params.refinement > 1 ? 1 : 0);
  const double radius = drop_radius(params);
  const double farthest = radius * length(ball.vertices[0]);  // its corners lie outside of the true ball
  TriangleMesh& mesh = surface.mesh;
  CHECK(mesh.triangles.size() + drops.size() * ball.triangles.size() < std::size_t(1) << 31, drops.size(),
        " drops are more than a mesh holds");
  int tile = 0;
  for (const std::uint32_t i : drops) {
    while (p.tile_end(tile) <= i) ++tile;
    const Vec<double, 3> centre = place_of_drop(p, tile, i, params.h, farthest);
    const int first = int(mesh.vertices.size());
    for (const auto& x : ball.vertices) mesh.vertices.push_back(centre + x * radius);
    for (const auto& t : ball.triangles) mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    const Vec<float, 3> v{p.velocity[0][i], p.velocity[1][i], p.velocity[2][i]};
    surface.velocity.insert(surface.velocity.end(), ball.vertices.size(), v);
    for (std::size_t c = 0; c < surface.columns.size(); ++c) {
      auto& values = surface.columns[c].values;
      values.insert(values.end(), ball.vertices.size(), p.others[c][i]);
    }
  }
}

// Weighted sums over the particles within `reach` cells of a place, and the weight of all. Velocities of
// mirror images are mirrored, too.
float sum_near(const ParticleSet<3>& p, const Vec<double, 3>& place, int reach,
               const std::vector<const float*>& from, std::vector<float>& sums) {
  Box<3> box;
  Vec<float, 3> x;
  for (int a = 0; a < 3; ++a) {
    box.lo[a] = int(std::floor(place[a])) - reach;
    box.hi[a] = box.lo[a] + 2 * reach + 1;
    x[a] = float(place[a] - box.lo[a]);
  }
  float weight = 0;
  std::fill(sums.begin(), sums.end(), 0.f);
  for_cells_near(p, box,
                 [&](const Coord<3>&, std::uint32_t first, std::uint32_t last, const Vec<float, 3>& sign,
                     const Vec<float, 3>& origin) {
                   for (std::uint32_t i = first; i < last; ++i) {
                     float square = 0;
                     for (int a = 0; a < 3; ++a) {
                       const float d = origin[a] + sign[a] * p.position[std::size_t(a)][i] - x[a];
                       square += d * d;
                     }
                     const float near = 1 - square / float(reach * reach);
                     if (near <= 0) continue;
                     const float w = near * near * near;
                     weight += w;
                     for (std::size_t c = 0; c < sums.size(); ++c)
                       sums[c] += w * (c < 3 ? sign[int(c)] : 1.f) * from[c][i];
                   }
                 });
  return weight;
}

// What the particles round each vertex carry, on average.
void carry_over(Exec& ex, SurfaceMesh& surface, const ParticleSet<3>& p, double h) {
  const auto& vertices = surface.mesh.vertices;
  surface.velocity.resize(vertices.size());
  for (auto& column : surface.columns) column.values.resize(vertices.size());
  std::vector<const float*> from;
  for (const auto& v : p.velocity) from.push_back(v.data());
  for (std::size_t c = 0; c < surface.columns.size(); ++c) from.push_back(p.others[c].data());
  ex.parallel_for(std::int64_t(vertices.size()), 1024, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> sums(from.size());
    for (std::size_t n = std::size_t(begin); n < std::size_t(end); ++n) {
      float weight = 0;
      for (int reach = 1; reach <= 2 && weight == 0; ++reach)
        weight = sum_near(p, vertices[n] * (1 / h), reach, from, sums);
      const float scale = weight > 0 ? 1 / weight : 0;
      for (int a = 0; a < 3; ++a) surface.velocity[n][a] = sums[std::size_t(a)] * scale;
      for (std::size_t c = 0; c < surface.columns.size(); ++c)
        surface.columns[c].values[n] = sums[3 + c] * scale;
    }
  });
}

}  // namespace

SurfaceMesh liquid_mesh(Exec& ex, const ParticleSet<3>& p, const LiquidMeshParams& params) {
  const Zone zone(ex.profile(), "liquid_mesh");
  CHECK(params.columns.size() <= p.others.size(), params.columns.size(), " names for ", p.others.size(),
        " that the particles carry");
  const RenderSurface made = render_surface(ex, p, params.surface);
  SurfaceMesh surface;
  surface.mesh = surface_mesh(ex, made.phi, params.surface.h / params.surface.refinement, params.sides);
  for (const std::string& name : params.columns) surface.columns.push_back({name, {}});
  carry_over(ex, surface, p, params.surface.h);
  add_drops(surface, p, made.drops, params.surface);
  return surface;
}

void set_velocity(Exec& ex, SurfaceMesh& surface, const MacField<float, 3>& velocity, double h,
                  const Inflow<3>& inflow) {
  const auto& vertices = surface.mesh.vertices;
  surface.velocity.resize(vertices.size());
  for (int component = 0; component < 3; ++component) {
    const HashSampler<3> sampler =
        hash_sampler(velocity[component], velocity_boundary(velocity.topology()->domain(), component,
                                                            velocity[component].background(), inflow));
    for_points(ex, std::int64_t(vertices.size()), [&](std::int64_t n) {
      Coord<3> cell;
      Vec<float, 3> d;
      for (int a = 0; a < 3; ++a) {
        const double x = vertices[std::size_t(n)][a] / h;
        cell[a] = int(std::floor(x));
        d[a] = float(x - cell[a]) - float(sample_offset(component, a));
      }
      surface.velocity[std::size_t(n)][component] = sample<Linear, 3>(sampler, cell, d);
    });
  }
}

}  // namespace whorl
