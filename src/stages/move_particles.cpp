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

// Round all places that the particles of a tile went to, in cells from its low corner; it holds a NaN where
// they do.
template <int D>
struct Ends {
  Vec<float, D> below, above;  // the lowest, negated, and the highest
};

// Where the flow takes the particles of a tile, in cells from its low corner.
template <int D>
struct MoveParticlesKernel {
  const std::uint32_t* first;  // [tile][cell]
  const float* fastest;        // [slot] components of the velocity
  Ends<D>* ends;               // [tile]
  float step;                  // cells per unit velocity
  float most;                  // cells
  float inflow;                // the fastest component
  int order;
  const float* from[D] = {};
  float* to[D] = {};
  SampleView<D> velocity[D] = {};

  // What the trace may look at.
  BrickBox<D> box(int tile) const {
    float near = inflow;
    for (int n = 0; n < neighbourhood<D>; ++n)
      near =
          max_or_nan(fastest[velocity[0].table[std::size_t(tile) * neighbourhood<D> + std::size_t(n)]], near);
    // A little more, for the rounding of positions.
    const int reach = 1 + int(std::ceil(std::min(most, trace_reach(order) * near * step + 1e-4f)));
    return BrickBox<D>::around(Coord<D>::filled(reach), Coord<D>::filled(reach));
  }
  bool has_particles(int tile) const {
    return first[std::size_t(tile) * tile_cells<D>] < first[std::size_t(tile + 1) * tile_cells<D>];
  }
  std::size_t scratch_bytes(int tile) const {
    return has_particles(tile) ? sizeof(float) * D * std::size_t(box(tile).cells()) : 0;
  }

  template <class Group>
  void operator()(const Group& group) const {
    if (!has_particles(group.tile())) return;
    const std::uint32_t begin = first[std::size_t(group.tile()) * tile_cells<D>],
                        end = first[std::size_t(group.tile() + 1) * tile_cells<D>];
    const BrickBox<D> box = this->box(group.tile());
    Brick<D> brick[D];
    for (int a = 0; a < D; ++a) {
      brick[a] = {group.template scratch<float>() + a * box.cells(), box};
      load_brick(group, brick[a], velocity[a]);
    }
    using Real = Lane<float>;
    Vec<Real, D> below = Vec<Real, D>::filled(Real(-HUGE_VALF)), above = below;
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
      for (int a = 0; a < D; ++a) {
        const Real moved = x[a] + d[a];
        write_some(moved, to[a] + i, count);
        below[a] = max_or_nan(Real(0.f) - moved, below[a]);
        above[a] = max_or_nan(moved, above[a]);
      }
    }
    for (int a = 0; a < D; ++a) {
      ends[group.tile()].below[a] = max_element(below[a]);
      ends[group.tile()].above[a] = max_element(above[a]);
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
  const Buffer<float> fastest = fastest_in_tiles(ex, velocity, topology);
  std::array<Buffer<float>, D> moved;
  auto ends = ex.buffer<Ends<D>>(std::size_t(topology.tile_count()));
  MoveParticlesKernel<D> kernel{.first = p.first.data(),
                                .fastest = fastest.data(),
                                .ends = ends.data(),
                                .step = float(dt / h),
                                .most = most,
                                .inflow = max_inflow_component(domain, inflow),
                                .order = params.order};
  const Crossing<D> stay(ex, p.topology, p.topology);
  for (int a = 0; a < D; ++a) {
    moved[std::size_t(a)] = ex.buffer<float>(std::size_t(p.size()));
    kernel.from[a] = p.position[std::size_t(a)].data();
    kernel.to[a] = moved[std::size_t(a)].data();
    kernel.velocity[a] = sample_view(
        velocity[a], stay, velocity_boundary(domain, a, velocity[a].background(), inflow).outward());
  }
  for_tiles<D>(ex, topology.tile_set(), kernel, [&](int tile) { return kernel.scratch_bytes(tile); });

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
          const Ends<D>& box = ends[std::size_t(tile)];
          if (near.empty() && obstacles.allow(convert<double>(corner) - convert<double>(box.below),
                                              convert<double>(corner) + convert<double>(box.above))) {
            std::fill(keep.data() + p.tile_begin(tile), keep.data() + p.tile_end(tile), std::uint8_t(1));
            continue;
          }
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
