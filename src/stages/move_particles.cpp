#include "stages/move_particles.h"

#include "base/check.h"
#include "exec/reduce.h"
#include "grid/field_sampler.h"
#include "stages/measure.h"
#include "stages/particle_lane.h"

#include <algorithm>
#include <cmath>

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

// The solids of a step, and the walls of the domain, as one obstacle to a particle's way. In metres.
template <int D>
class Obstacles {
 public:
  Obstacles(std::span<const Solid<D>> solids, const Domain<D>& domain, double h, double dt, double skin)
      : solids_(solids), dt_(dt), skin_(skin) {
    for (int a = 0; a < D; ++a)
      for (const int high : {0, 1}) {
        const bool wall = domain.sides[std::size_t(a)][std::size_t(high)] == Side::wall;
        (high ? hi_ : lo_)[a] =
            !wall ? (high ? 1e300 : -1e300)
                  : h * (high ? domain.cells.hi[a] : domain.cells.lo[a]) + (high ? -skin : skin);
      }
  }

  // Whether any solid may come within `reach` of x.
  bool near(const Vec<double, D>& x, double reach) const {
    return std::any_of(solids_.begin(), solids_.end(), [&](const Solid<D>& solid) {
      return std::min(solid.shape.distance(x), solid.before.distance(x)) < reach;
    });
  }

  // The end of a way from x to `to`; changes the velocity that is lost on it.
  Vec<double, D> end_of_way(const Vec<double, D>& x, Vec<double, D> to, Vec<double, D>& velocity) const {
    for (const Solid<D>& solid : solids_) to = past(solid, x, to, velocity);
    return within_walls(to, velocity);
  }
  Vec<double, D> within_walls(Vec<double, D> x, Vec<double, D>& velocity) const {
    for (int a = 0; a < D; ++a) {
      if (x[a] < lo_[a]) velocity[a] = std::max(velocity[a], 0.);
      if (x[a] > hi_[a]) velocity[a] = std::min(velocity[a], 0.);
      x[a] = std::clamp(x[a], lo_[a], hi_[a]);
    }
    return x;
  }

 private:
  static constexpr int most_slides = 4, most_steps = 64;

  static Vec<double, D> normal(const Shape<D>& shape, const Vec<double, D>& x, double eps) {
    Vec<double, D> n;
    for (int a = 0; a < D; ++a) {
      Vec<double, D> step{};
      step[a] = eps;
      n[a] = shape.distance(x + step) - shape.distance(x - step);
    }
    const double size = length(n);
    return size > 0 ? n * (1 / size) : Vec<double, D>::unit(D - 1);
  }

  // The part of a straight way that is free: as far as the distance says that nothing can be met, again and
  // again (Hart 1996).
  double free_part(const Shape<D>& shape, const Vec<double, D>& from, const Vec<double, D>& way) const {
    const double all = length(way);
    double gone = 0;
    for (int k = 0; k < most_steps && gone < all; ++k) {
      const double distance = shape.distance(from + way * (gone / all));
      if (distance < skin_) return gone / all;
      gone += std::max(distance - 0.5 * skin_, 0.25 * skin_);
    }
    return gone < all || shape.distance(from + way) < skin_ ? std::min(gone / all, 1 - 1e-12) : 1;
  }

  // Seen from the solid at the end of the step, the way starts where the solid would have carried x.
  Vec<double, D> past(const Solid<D>& solid, const Vec<double, D>& x, const Vec<double, D>& to,
                      Vec<double, D>& velocity) const {
    Vec<double, D> at = outside(solid.shape, x + solid.velocity.at(x) * dt_), way = to - at;
    for (int slide = 0; slide < most_slides && length(way) > 0; ++slide) {
      const double part = free_part(solid.shape, at, way);
      at = at + way * part;
      if (part == 1) return at;
      const Vec<double, D> n = normal(solid.shape, at, 0.1 * skin_);
      way = way * (1 - part);
      way = way - n * std::min(dot(way, n), 0.);
      velocity = velocity - n * std::min(dot(velocity - solid.velocity.at(at), n), 0.);
      at = outside(solid.shape, at);
    }
    return at;
  }

  // The place itself, or the nearest one that is the skin's width outside.
  Vec<double, D> outside(const Shape<D>& shape, Vec<double, D> x) const {
    for (int k = 0; k < 8; ++k) {
      const double distance = shape.distance(x);
      if (distance >= skin_) break;
      x = x + normal(shape, x, 0.1 * skin_) * (1.01 * skin_ - distance);
    }
    return x;
  }

  std::span<const Solid<D>> solids_;
  double dt_, skin_;
  Vec<double, D> lo_, hi_;
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
  const std::int64_t left = reduce(
      ex, topology.tile_count(), 4, std::int64_t(0),
      [&](std::int64_t begin, std::int64_t end) {
        std::int64_t gone = 0;
        for (int tile = int(begin); tile < int(end); ++tile) {
          const Coord<D> corner = topology.tiles()[std::size_t(tile)] * tile_side;
          const auto place = [&](const std::array<Buffer<float>, D>& x, std::uint32_t i) {
            Vec<double, D> at;
            for (int a = 0; a < D; ++a) at[a] = h * (corner[a] + double(x[std::size_t(a)][i]));
            return at;
          };
          Vec<double, D> centre;
          for (int a = 0; a < D; ++a) centre[a] = h * (corner[a] + 0.5 * tile_side);
          const double half_way = h * std::sqrt(double(D)) * (0.5 * tile_side + most);
          const bool meets = obstacles.near(centre, half_way);
          for (std::uint32_t i = p.tile_begin(tile); i < p.tile_end(tile); ++i) {
            Vec<double, D> v, to = place(moved, i);
            for (int a = 0; a < D; ++a) v[a] = double(p.velocity[std::size_t(a)][i]);
            const Vec<double, D> free = to, before = v;
            to = meets ? obstacles.end_of_way(place(p.position, i), to, v) : obstacles.within_walls(to, v);
            keep[i] = 1;
            for (int a = 0; a < D; ++a) {
              // A solid may push further than the order of tiles can follow at once; the rest comes next
              // step.
              if (to[a] != free[a])
                moved[std::size_t(a)][i] =
                    std::clamp(float(to[a] / h - corner[a]), 0.5f - tile_side, 2 * tile_side - 0.5f);
              if (v[a] != before[a]) p.velocity[std::size_t(a)][i] = float(v[a]);
              const double cell = corner[a] + double(moved[std::size_t(a)][i]);
              if (!domain.periodic(a) && !(cell >= domain.cells.lo[a] && cell < domain.cells.hi[a]))
                keep[i] = 0;
            }
            gone += !keep[i];
          }
        }
        return gone;
      },
      [](std::int64_t x, std::int64_t y) { return x + y; });
  p.position = std::move(moved);
  if (left > 0) keep_particles(ex, p, std::span<const std::uint8_t>(keep.data(), keep.size()));
  return left;
}

template std::int64_t move_particles(Exec&, ParticleSet<2>&, const MacField<float, 2>&, const Inflow<2>&,
                                     std::span<const Solid<2>>, double, double, const MoveParams&);
template std::int64_t move_particles(Exec&, ParticleSet<3>&, const MacField<float, 3>&, const Inflow<3>&,
                                     std::span<const Solid<3>>, double, double, const MoveParams&);

}  // namespace whorl
