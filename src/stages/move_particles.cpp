#include "stages/move_particles.h"

#include "base/check.h"
#include "exec/reduce.h"
#include "grid/field_sampler.h"
#include "particles/far_particles.h"
#include "stages/measure.h"
#include "stages/obstacles.h"
#include "stages/particle_lane.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace whorl {

namespace {

// Where the flow takes the particles of a tile, in cells from its low corner.
template <int D>
struct MoveParticlesKernel {
  const std::uint32_t* first;  // [tile][cell]
  const float* from[D];
  float* to[D];
  SampleView<D> velocity[D];
  BrickBox<D> box;
  float step;  // cells per unit velocity
  float most;  // cells
  int order;

  template <class Group>
  void operator()(const Group& group) const {
    const std::uint32_t begin = first[std::size_t(group.tile()) * tile_cells<D>],
                        end = first[std::size_t(group.tile() + 1) * tile_cells<D>];
    if (begin == end) return;
    Brick<D> brick[D];
    for (int a = 0; a < D; ++a) {
      brick[a] = {group.template scratch<float>() + a * box.cells(), box};
      load_brick(group, brick[a], velocity[a]);
    }
    using Real = Lane<float>;
    for (std::uint32_t i = begin; i < end; i += lane_width) {
      const int count = int(std::min<std::uint32_t>(end - i, lane_width));
      Vec<Real, D> x;
      for (int a = 0; a < D; ++a) x[a] = read_some(from[a] + i, count);
      const auto within = [&](Vec<Real, D> d) {
        for (int a = 0; a < D; ++a) d[a] = min(max(d[a], Real(-most)), Real(most));
        return d;
      };
      const auto velocity_at = [&](const Vec<Real, D>& d) {
        const Vec<Real, D> at = x + within(d);
        Vec<Real, D> u;
        for (int a = 0; a < D; ++a) u[a] = sample_component(brick[a], a, at);
        return u;
      };
      const Vec<Real, D> none = Vec<Real, D>::filled(Real(0.f));
      const Vec<Real, D> d = within(trace<D>(velocity_at, velocity_at(none), Real(step), order));
      for (int a = 0; a < D; ++a) write_some(x[a] + d[a], to[a] + i, count);
    }
  }
};

struct Met {
  std::int64_t left = 0;  // particles, through open sides
  bool far = false;       // whether any was taken further than sort_particles() follows

  Met operator+(const Met& more) const { return {left + more.left, far || more.far}; }
};

}  // namespace

template <int D>
std::int64_t move_particles(Exec& ex, ParticleSet<D>& p, const MacField<float, D>& velocity,
                            const Inflow<D>& inflow, std::span<const Solid<D>> solids, double h, double dt,
                            const MoveParams& params) {
  const Zone zone(ex.profile(), "move_particles");
  if (p.size() == 0) return 0;
  CHECK(velocity.topology() == p.topology, "the velocity lives on another topology");
  const Topology<D>& topology = *p.topology;
  const Domain<D>& domain = topology.domain();
  constexpr float most = tile_side - 1;
  const double fastest = std::max(max_component(ex, velocity), double(max_inflow_component(domain, inflow)));
  const int reach = 1 + int(std::ceil(std::min(double(most), fastest * dt / h)));

  std::array<Buffer<float>, D> moved;
  MoveParticlesKernel<D> kernel{p.first.data(),
                                {},
                                {},
                                {},
                                BrickBox<D>::around(Coord<D>::filled(reach), Coord<D>::filled(reach)),
                                float(dt / h),
                                most,
                                params.order};
  const Crossing<D> stay(ex, p.topology, p.topology);
  for (int a = 0; a < D; ++a) {
    moved[std::size_t(a)] = ex.buffer<float>(std::size_t(p.size()));
    kernel.from[a] = p.position[std::size_t(a)].data();
    kernel.to[a] = moved[std::size_t(a)].data();
    kernel.velocity[a] = sample_view(
        velocity[a], stay, velocity_boundary(domain, a, velocity[a].background(), inflow).outward());
  }
  const std::size_t scratch = sizeof(float) * D * std::size_t(kernel.box.cells());
  for_tiles<D>(ex, topology.tile_set(), kernel, [=](int) { return scratch; });

  // What is met on the way.
  const Obstacles<D> obstacles(solids, domain, h, dt, double(params.skin) * h);
  auto keep = ex.buffer<std::uint8_t>(std::size_t(p.size()));
  // end_of_way(x, to, velocity) for particles that start in a tile.
  const auto end_ways = [&](std::uint32_t begin, std::uint32_t end, const Coord<D>& corner,
                            const auto& end_of_way) {
    Met met;
    const auto place = [&](const std::array<Buffer<float>, D>& x, std::uint32_t i) {
      Vec<double, D> at;
      for (int a = 0; a < D; ++a) at[a] = h * (corner[a] + double(x[std::size_t(a)][i]));
      return at;
    };
    for (std::uint32_t i = begin; i < end; ++i) {
      const Vec<double, D> free = place(moved, i);
      Vec<double, D> before;
      for (int a = 0; a < D; ++a) before[a] = double(p.velocity[std::size_t(a)][i]);
      Vec<double, D> v = before;
      const Vec<double, D> to = end_of_way(place(p.position, i), free, v);
      keep[i] = 1;
      for (int a = 0; a < D; ++a) {
        float& x = moved[std::size_t(a)][i];
        if (to[a] != free[a]) {
          x = float(to[a] / h - corner[a]);
          met.far = met.far || x < -tile_side || x >= 2 * tile_side;
        }
        if (v[a] != before[a]) p.velocity[std::size_t(a)][i] = float(v[a]);
        const double cell = corner[a] + double(x);
        if (!domain.periodic(a) && !(cell >= domain.cells.lo[a] && cell < domain.cells.hi[a])) keep[i] = 0;
      }
      met.left += !keep[i];
    }
    return met;
  };
  const Met met = reduce(
      ex, topology.tile_count(), 4, Met{},
      [&](std::int64_t begin, std::int64_t end) {
        Met here;
        std::vector<NearObstacle<D>> near;
        for (int tile = int(begin); tile < int(end); ++tile) {
          if (p.tile_begin(tile) == p.tile_end(tile)) continue;
          const Coord<D> corner = topology.tiles()[std::size_t(tile)] * tile_side;
          obstacles.find_near(topology.tiles()[std::size_t(tile)], double(most), near);
          if (near.empty()) {
            here = here + end_ways(p.tile_begin(tile), p.tile_end(tile), corner,
                                   [&](const auto&, const auto& to, auto& v) {
                                     return obstacles.within_walls(to, v);
                                   });
            continue;
          }
          const std::uint32_t* first = p.first.data() + std::size_t(tile) * tile_cells<D>;
          for_each_coord<D>({{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
            const std::uint32_t* cell = first + cell_offset<D>(at);
            if (cell[0] == cell[1]) return;
            obstacles.look_from((convert<double>(corner + at) + Vec<double, D>::filled(0.5)) * h, near);
            here = here + end_ways(cell[0], cell[1], corner, [&](const auto& x, const auto& to, auto& v) {
                     return obstacles.end_of_way(near, x, to, v);
                   });
          });
        }
        return here;
      },
      std::plus<Met>());
  p.position = std::move(moved);
  if (met.left > 0) keep_particles(ex, p, std::span<const std::uint8_t>(keep.data(), keep.size()));
  if (met.far) go_far(ex, p);
  return met.left;
}

template std::int64_t move_particles(Exec&, ParticleSet<2>&, const MacField<float, 2>&, const Inflow<2>&,
                                     std::span<const Solid<2>>, double, double, const MoveParams&);
template std::int64_t move_particles(Exec&, ParticleSet<3>&, const MacField<float, 3>&, const Inflow<3>&,
                                     std::span<const Solid<3>>, double, double, const MoveParams&);

}  // namespace whorl
