// The tile kernel of advection, for the CPU and for a GPU. advect.h says what it is for.
#pragma once

#include "grid/brick.h"
#include "grid/field_view.h"
#include "grid/topology.h"
#include "grid/trace.h"

namespace whorl {

enum class Limiter {
  none,
  clamp,   // to the extremes of the samples round the departure point
  revert,  // to the semi-Lagrangian value, where the corrected one leaves those extremes
};

// What becomes of the sample at the end of a trace.
enum class AdvectPass {
  carry,    // it is the value; extremes round it are noted where a limiter will ask for them
  correct,  // MacCormack: `in` is what was carried, `original` what it came from
  repair,   // BFECC: likewise, and the original gets what it loses on the way there and back
  limit,    // BFECC: `in` is the repaired original, `original` what was carried first
};

// Extremes of each velocity component over a tile.
template <int D>
struct VelocityRange {
  float lo[D], hi[D];
};

// One quantity on its way: where it is sampled and where the result goes.
template <int D>
struct AdvectTarget {
  SampleView<D> in;
  FieldView<float, D> out;
  float background;   // for cells that hold nothing
  int location;       // at_centres, an axis, or at_edges() of one
  int velocity = -1;  // the component that `in` is, if it is one: its brick is at hand

  AdvectPass pass = AdvectPass::carry;
  SampleView<D> original;  // see AdvectPass

  // Extremes round the departure point: written by the first pass, read by the last.
  Limiter limiter = Limiter::none;
  FieldView<float, D> lo, hi;
};

// Traces every live cell and face of a tile through the velocity, and samples each quantity there.
template <class Method, int D>
struct AdvectKernel {
  static constexpr int max_targets = 8;
  static constexpr int last_location = at_edges(2);

  SampleView<D> velocity[D];
  const VelocityRange<D>* ranges;  // [slot of the velocity's topology]
  TopologyView<D> topology;
  AdvectTarget<D> targets[max_targets];
  int target_count;
  float step;  // cells moved per unit velocity; negative traces back
  int order;
  bool share_bricks;  // some target is a velocity component itself

  // Cells that sampling may reach when points move by `part` of the largest displacement round here.
  template <class Stencil>
  WHORL_INLINE BrickBox<D> reach(int tile, float part) const {
    Coord<D> before, after;
    for (int a = 0; a < D; ++a) {
      float lo = 0, hi = 0;
      for (int n = 0; n < neighbourhood<D>; ++n) {
        const VelocityRange<D>& r =
            ranges[velocity[0].table[std::size_t(tile) * neighbourhood<D> + std::size_t(n)]];
        lo = min(lo, min(part * step * r.lo[a], part * step * r.hi[a]));
        hi = max(hi, max(part * step * r.lo[a], part * step * r.hi[a]));
      }
      // Half a cell for staggering; and a little, for the rounding of positions.
      before[a] = Stencil::before - int(floor(lo - 0.5f - 1e-4f));
      after[a] = Stencil::after + int(floor(hi + 0.5f + 1e-4f));
    }
    return BrickBox<D>::around(before, after);
  }
  WHORL_INLINE BrickBox<D> target_box(int tile) const { return reach<Method>(tile, 1.f); }
  WHORL_INLINE BrickBox<D> velocity_box(int tile) const {
    return share_bricks ? target_box(tile) : reach<Linear>(tile, trace_reach(order));
  }
  WHORL_INLINE std::size_t scratch_bytes(int tile) const {
    return sizeof(float) *
           std::size_t(D * velocity_box(tile).cells() + target_box(tile).cells() + D * tile_cells<D>);
  }

  template <class Group>
  WHORL_INLINE void operator()(const Group& group) const {
    bool live_somewhere = false;
    for (int location = at_centres; location <= last_location; ++location)
      live_somewhere = live_somewhere || (carries(location) && any_live(group, location));

    Brick<D> u[D], own{};
    float* departure = group.template scratch<float>();  // [axis][cell] displacements
    if (live_somewhere) {
      const BrickBox<D> box = velocity_box(group.tile());
      float* next = departure + D * tile_cells<D>;
      for (int a = 0; a < D; ++a, next += box.cells()) {
        u[a] = {next, box};
        load_brick(group, u[a], velocity[a]);
      }
      own = {next, target_box(group.tile())};
    }
    for (int location = at_centres; location <= last_location; ++location) {
      if (!carries(location)) continue;
      const bool live = live_somewhere && any_live(group, location);
      if (live) trace_from(group, u, location, departure);
      for (int k = 0; k < target_count; ++k) {
        const AdvectTarget<D>& target = targets[k];
        if (target.location != location) continue;
        if (live && target.velocity < 0) load_brick(group, own, target.in);
        sample_all(group, target, target.velocity < 0 ? own : u[target.velocity], departure, live);
      }
    }
  }

 private:
  WHORL_INLINE bool carries(int location) const {
    for (int k = 0; k < target_count; ++k)
      if (targets[k].location == location) return true;
    return false;
  }
  template <class Index>
  WHORL_INLINE unsigned live_bits(const Index& i, int location) const {
    return location >= 0 && location < D ? topology.live_face_bits(i, location) : topology.active_bits(i);
  }
  template <class Group>
  WHORL_INLINE bool any_live(const Group& group, int location) const {
    return group.any_cell([&](const auto& i) { return live_bits(i, location) != 0; });
  }

  // The velocity where the quantity lives: averages of the nearest faces, read side by side.
  template <int location, class Index>
  WHORL_INLINE auto velocity_at(const Brick<D>* u, const Index& i) const {
    using Real = typename Index::Real;
    Vec<Real, D> v;
    if constexpr (location >= at_edges(0)) {
      for (int a = 0; a < D; ++a) v[a] = Real(0.f);
      return sample_velocity<D>(u, i.at, location, v);
    } else {
      for (int a = 0; a < D; ++a) {
        const auto at = [&](Coord<D> c) { return read<Real>(u[a].at(c)); };
        const Coord<D> next = i.at + Coord<D>::unit(a);
        if (location == a) {
          v[a] = at(i.at);
        } else if constexpr (location == at_centres) {
          v[a] = Real(0.5f) * (at(i.at) + at(next));
        } else {
          const Coord<D> below = Coord<D>::unit(location);
          v[a] = Real(0.25f) * ((at(i.at) + at(i.at - below)) + (at(next) + at(next - below)));
        }
      }
      return v;
    }
  }

  // With the location known to the compiler: half the work of a trace is shifts between staggered samples.
  template <class Group, int location = at_centres>
  WHORL_INLINE void trace_from(const Group& group, const Brick<D>* u, int from, float* departure) const {
    if (from == location) return trace_all<location>(group, u, departure);
    if constexpr (location < last_location) trace_from<Group, location + 1>(group, u, from, departure);
  }
  template <int location, class Group>
  WHORL_HD void trace_all(const Group& group, const Brick<D>* u, float* departure) const {
    group.sync();
    group.for_cells([&](const auto& i) {
      using Real = typename std::decay_t<decltype(i)>::Real;
      if (!live_bits(i, location)) return;
      const auto velocity_there = [&](const Vec<Real, D>& d) {
        return sample_velocity<D>(u, i.at, location, d);
      };
      const Vec<Real, D> d = trace<D>(velocity_there, velocity_at<location>(u, i), Real(step), order);
      for (int a = 0; a < D; ++a) write(departure + a * tile_cells<D> + i.offset(), d[a]);
    });
    group.sync();
  }

  template <class Group>
  WHORL_INLINE void sample_all(const Group& group, const AdvectTarget<D>& target, const Brick<D>& brick,
                               const float* departure, bool live) const {
    group.for_cells([&](const auto& i) {
      using Real = typename std::decay_t<decltype(i)>::Real;
      const unsigned bits = live ? live_bits(i, target.location) : 0;
      const Real nothing(target.background);
      if (!bits) return target.out.store(i, nothing);
      Vec<Real, D> d;
      for (int a = 0; a < D; ++a) d[a] = read<Real>(departure + a * tile_cells<D> + i.offset());
      Real value;
      if (target.limiter != Limiter::none && target.pass == AdvectPass::carry) {
        const Sampled<Real> s = sample_with_bounds<Method, D>(brick, i.at, d);
        value = s.value;
        target.lo.store(i, s.lo);
        target.hi.store(i, s.hi);
      } else {
        value = sample<Method, D>(brick, i.at, d);
      }
      if (target.pass != AdvectPass::carry) value = finish(target, i, value);
      target.out.store(i, select(mask_of<Real>(bits), value, nothing));
    });
    group.sync();
  }

  // Half the error of going there and back is the error of going there: taken from the result (MacCormack:
  // Selle, Fedkiw, Kim, Liu & Rossignac 2008) or from what is carried (BFECC: Dupont & Liu 2003).
  template <class Index, class Real>
  WHORL_INLINE Real finish(const AdvectTarget<D>& target, const Index& i, Real sampled) const {
    const Real original = target.original.template own<Real>(i);
    if (target.pass == AdvectPass::repair) return original + Real(0.5f) * (original - sampled);
    if (target.pass == AdvectPass::limit) return limited(target, i, sampled, original);
    const Real there = target.in.template own<Real>(i);
    return limited(target, i, there + Real(0.5f) * (original - sampled), there);
  }
  template <class Index, class Real>
  WHORL_INLINE Real limited(const AdvectTarget<D>& target, const Index& i, Real value,
                            Real semi_lagrangian) const {
    if (target.limiter == Limiter::none) return value;
    const Real inside = min(max(value, target.lo(i)), target.hi(i));
    return target.limiter == Limiter::clamp ? inside : select(inside == value, value, semi_lagrangian);
  }
};

}  // namespace whorl
