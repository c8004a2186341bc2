// The tile kernels of flow maps, for the CPU and for a GPU. flow_map.h says what they are for.
#pragma once

#include "grid/far_brick.h"
#include "grid/field_view.h"
#include "grid/topology.h"
#include "grid/trace.h"
#include "stages/advect_kernel.h"

namespace whorl {

// Extremes of a map's displacements over a tile; lo > hi where it has no cells.
template <int D>
struct MapRange {
  Vec<float, D> lo, hi;

  WHORL_INLINE void include(const MapRange& other) {
    for (int a = 0; a < D; ++a) {
      lo[a] = min(lo[a], other.lo[a]);
      hi[a] = max(hi[a], other.hi[a]);
    }
  }
};

// Displacements at the centres of the kernel's topology.
template <int D>
struct MapView {
  FieldView<const float, D> displacement[D];
  const MapRange<D>* ranges;  // [slot], and one for tiles that do not exist
  TopologyView<D> topology;

  template <class Index>
  WHORL_INLINE unsigned live_bits(const Index& i, int location) const {
    return location == at_centres ? topology.active_bits(i) : topology.live_face_bits(i, location);
  }

  // At a face the mean of the cells on both sides, or the one there is.
  template <class Index>
  WHORL_INLINE auto at(const Index& i, int location) const {
    using Real = typename Index::Real;
    Vec<Real, D> d;
    for (int a = 0; a < D; ++a) {
      d[a] = displacement[a](i);
      if (location == at_centres) continue;
      const Real below = displacement[a](i, location, -1);
      const Real here = select(mask_of<Real>(topology.active_bits(i)), d[a], below);
      const Real there = select(mask_of<Real>(topology.active_bits(i, location, -1)), below, d[a]);
      d[a] = Real(0.5f) * (here + there);
    }
    return d;
  }
  template <class Group>
  WHORL_INLINE bool any_live(const Group& group, int location) const {
    return group.any_cell([&](const auto& i) { return live_bits(i, location) != 0; });
  }
  WHORL_INLINE MapRange<D> range(int tile, const int* neighbours, int location) const {
    MapRange<D> r = ranges[tile];
    if (location != at_centres)
      r.include(ranges[neighbours[centre_of_neighbourhood<D> - neighbour_step<D>(location)]]);
    return r;
  }
};

// Beyond this a brick would leave the nearest caches; points so far apart are looked up one by one.
inline constexpr int most_brick_cells = 1 << 15;

// out = own_part · own + part · (`in` where the map leads), limited where bounds say so.
template <int D>
struct MapTarget {
  HashSampler<D> in;
  FieldView<float, D> out;
  float background;  // for cells that hold nothing
  int location;

  FieldView<const float, D> own;
  float own_part = 0, part = 1;

  // Extremes of the samples: noted by one pass, obeyed by another, which reverts to `fallback`.
  Limiter limiter = Limiter::none;
  bool note_extremes = false;
  FieldView<float, D> lo, hi;
  FieldView<const float, D> fallback;
};

template <class Method, int D>
struct MapKernel {
  static constexpr int max_targets = 8;

  MapView<D> map;
  const int* neighbours;  // [tile][3^D]
  MapTarget<D> targets[max_targets];
  int target_count;

  static constexpr std::size_t scratch_bytes =
      sizeof(float) * std::size_t(D * tile_cells<D> + most_brick_cells);

  template <class Group>
  WHORL_INLINE void operator()(const Group& group) const {
    for (int location = at_centres; location < D; ++location) {
      if (!carries(location)) continue;
      const bool live = map.any_live(group, location);
      if (live) find_displacements(group, location);
      for (int k = 0; k < target_count; ++k)
        if (targets[k].location == location) {
          if (live)
            sample_all(group, targets[k]);
          else
            group.for_cells([&](const auto& i) {
              using Real = typename std::decay_t<decltype(i)>::Real;
              targets[k].out.store(i, Real(targets[k].background));
            });
          group.sync();
        }
    }
  }

 private:
  WHORL_INLINE bool carries(int location) const {
    for (int k = 0; k < target_count; ++k)
      if (targets[k].location == location) return true;
    return false;
  }

  template <class Group>
  WHORL_INLINE void find_displacements(const Group& group, int location) const {
    float* displacement = group.template scratch<float>();
    group.for_cells([&](const auto& i) {
      const auto d = map.at(i, location);
      for (int a = 0; a < D; ++a) write(displacement + a * tile_cells<D> + i.offset(), d[a]);
    });
    group.sync();
  }

  template <class Group>
  WHORL_INLINE void sample_all(const Group& group, const MapTarget<D>& target) const {
    HashSampler<D> far = target.in;
    far.origin = map.topology.tiles[group.tile()] * tile_side;
    const MapRange<D> r =
        map.range(group.tile(), neighbours + std::size_t(group.tile()) * neighbourhood<D>, target.location);
    float* displacement = group.template scratch<float>();
    const Brick<D> brick{displacement + D * tile_cells<D>,
                         far_box<Method>(r.lo, r.hi, far.field.boundary, far.origin)};
    if (brick.box.holds_at_most(most_brick_cells)) {
      load_far_brick(group, brick, far);
      sample_from(group, target, brick, displacement);
    } else {
      sample_from(group, target, far, displacement);
    }
  }

  template <class Group, class Sampler>
  WHORL_HD void sample_from(const Group& group, const MapTarget<D>& target, const Sampler& in,
                            const float* displacement) const {
    group.for_cells([&](const auto& i) {
      using Real = typename std::decay_t<decltype(i)>::Real;
      const unsigned bits = map.live_bits(i, target.location);
      const Real nothing(target.background);
      if (!bits) return target.out.store(i, nothing);
      Vec<Real, D> d;
      for (int a = 0; a < D; ++a) d[a] = read<Real>(displacement + a * tile_cells<D> + i.offset());
      Real value;
      if (target.note_extremes) {
        const Sampled<Real> s = sample_with_bounds<Method, D>(in, i.at, d);
        value = s.value;
        target.lo.store(i, s.lo);
        target.hi.store(i, s.hi);
      } else {
        value = sample<Method, D>(in, i.at, d);
      }
      if (target.own_part != 0) value = Real(target.own_part) * target.own(i) + Real(target.part) * value;
      if (target.limiter != Limiter::none) value = limited(target, i, value);
      target.out.store(i, select(mask_of<Real>(bits), value, nothing));
    });
  }

  template <class Index, class Real>
  WHORL_INLINE Real limited(const MapTarget<D>& target, const Index& i, Real value) const {
    const Real inside = min(max(value, target.lo(i)), target.hi(i));
    return target.limiter == Limiter::clamp ? inside : select(inside == value, value, target.fallback(i));
  }
};

// Moves every point of a map (or every centre, for a map that leads nowhere) with the flow.
template <int D>
struct MoveKernel {
  static constexpr int order = 3;  // errors of a long path add up

  HashSampler<D> velocity[D];
  MapView<D> map;
  bool from_centres;
  FieldView<float, D> out[D];
  float step;                // cells moved per unit velocity; negative traces back
  float reach;               // cells that a trace may look ahead
  Vec<float, D> background;  // for cells that hold nothing

  static constexpr std::size_t scratch_bytes = sizeof(float) * D * std::size_t(most_brick_cells);

  template <class Group>
  WHORL_INLINE void operator()(const Group& group) const {
    if (!map.any_live(group, at_centres)) {
      group.for_cells([&](const auto& i) {
        using Real = typename std::decay_t<decltype(i)>::Real;
        for (int a = 0; a < D; ++a) out[a].store(i, Real(background[a]));
      });
      return;
    }
    MapRange<D> r{};
    if (!from_centres) r = map.ranges[group.tile()];
    // Half a cell for staggering.
    for (int a = 0; a < D; ++a) r.lo[a] -= reach + 0.5f, r.hi[a] += reach + 0.5f;
    HashSampler<D> far[D];
    Brick<D> near[D];
    bool fits = true;
    for (int a = 0; a < D; ++a) {
      far[a] = velocity[a];
      far[a].origin = map.topology.tiles[group.tile()] * tile_side;
      near[a] = {group.template scratch<float>() + a * most_brick_cells,
                 far_box<Linear>(r.lo, r.hi, far[a].field.boundary, far[a].origin)};
      fits = fits && near[a].box.holds_at_most(most_brick_cells);
    }
    if (fits) {
      for (int a = 0; a < D; ++a) load_far_brick(group, near[a], far[a]);
      move(group, near);
    } else {
      move(group, far);
    }
  }

 private:
  template <class Group, class Sampler>
  WHORL_HD void move(const Group& group, const Sampler* u) const {
    group.for_cells([&](const auto& i) {
      using Real = typename std::decay_t<decltype(i)>::Real;
      const unsigned bits = map.live_bits(i, at_centres);
      Vec<Real, D> from = Vec<Real, D>::filled(Real(0.f));
      if (!from_centres) from = map.at(i, at_centres);
      const auto velocity_there = [&](const Vec<Real, D>& d) {
        return sample_velocity<D>(u, i.at, at_centres, from + d);
      };
      const Vec<Real, D> none = Vec<Real, D>::filled(Real(0.f));
      const Vec<Real, D> d = from + trace<D>(velocity_there, velocity_there(none), Real(step), order);
      for (int a = 0; a < D; ++a) out[a].store(i, select(mask_of<Real>(bits), d[a], Real(background[a])));
    });
  }
};

}  // namespace whorl
