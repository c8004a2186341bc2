#include "stages/diffuse.h"

#include "linear/fill_system.h"
#include "linear/pcg.h"
#include "linear/row_sides.h"
#include "linear/system_rows.h"
#include "stages/sides.h"

#include <cmath>

namespace whorl {

namespace {

using Real = Lane<float>;
using Wide = Lane<double>;

constexpr int most_parts = 100000;  // of an explicit step

// κ dt/h² below which a float keeps no trace of a step.
constexpr double least_strength = 1e-9;

// A face less open than this has its centre in the solid.
constexpr float least_free_part = 0.5f;

// A surface any nearer to the centre of a face counts as that near.
constexpr float least_distance = 0.1f;

// What is held beyond one side of the domain.
struct Beyond {
  int next = 0;  // coordinate of the faces next to it …
  bool held = false;
  float value = 0;        // … what holds them, less the background …
  float conductance = 0;  // … and one over its distance, in cells
};

// One component's faces, as RowSides has cells. A value that is held goes into the right side; the unknowns
// are what differs from the background.
template <int D>
struct FaceSides {
  int axis = 0;
  float background = 0;
  bool slippery = false;
  FieldView<const float, D> open, fluid;  // open fractions with and without solids
  FieldView<const float, D> walls;        // null where all solids rest
  const Coord<D>* tiles = nullptr;
  Beyond beyond[D][2];

  // Calls f(side, link, conductance to what is held, value that is held).
  template <class F>
  WHORL_INLINE void for_each_held(const RowIndex<D>& i, const F& f) const {
    const Real zero(0.f), one(1.f), half(least_free_part);
    const Real own = open(i);
    const auto free = own >= half, covered = (own > zero) & !free;
    for (int b = 0; b < D; ++b)
      for (const int step : {-1, +1}) {
        const int side = 2 * b + (step > 0);
        const Real next = open(i, b, step);
        const auto linked = free & (next >= half);
        if (all(linked)) {
          f(side, one, zero, zero);
          continue;
        }
        Real conductance(1.f), value(0.f);
        const auto solid = fluid(i, b, step) > zero;
        conductance = select(solid, from_solid(own, next, b), conductance);
        value = select(solid, (walls.data ? walls(i, b, step) : zero) - Real(background), value);
        const Beyond& outside = beyond[b][step > 0];
        if (outside.held) {
          const auto there = Real::mask_from_bits(bits_on_side(tiles[i.tile], i, b, outside.next));
          conductance = select(there, Real(outside.conductance), conductance);
          value = select(there, Real(outside.value), value);
        }
        // The solid holds it from all sides.
        conductance = select(covered, Real(slippery ? 0.f : 2.f), conductance);
        value = select(covered, (walls.data ? walls(i) : zero) - Real(background), value);
        f(side, select(linked, one, zero), select((free | covered) & !linked, conductance, zero), value);
      }
  }
  template <class F>
  WHORL_INLINE void for_each(const RowIndex<D>& i, const F& f) const {
    for_each_held(i, [&](int side, Real link, Real conductance, Real)
                         WHORL_INLINE_LAMBDA { f(side, link, conductance, conductance); });
  }

 private:
  // A solid that covers the next face: what two faces side by side leave open together says how far from the
  // centre of the first one it begins. Ahead, the next face itself is what it holds.
  WHORL_INLINE Real from_solid(Real own, Real next, int b) const {
    if (b == axis) return Real(1.f);
    if (slippery) return Real(0.f);
    return Real(1.f) / min(max(own + next - Real(least_free_part), Real(least_distance)), Real(1.f));
  }
};

template <int D>
void look_beyond(FaceSides<D>& sides, const Domain<D>& domain, const Inflow<D>& inflow) {
  for (int b = 0; b < D; ++b)
    for (int high = 0; high < 2; ++high) {
      const Side side = domain.sides[std::size_t(b)][std::size_t(high)];
      if (side != Side::wall && side != Side::inflow) continue;
      Beyond& there = sides.beyond[b][high];
      const bool normal = b == sides.axis;  // its faces lie on the side
      there.held = true;
      there.next = high ? domain.cells.hi[b] - 1 : domain.cells.lo[b] + normal;
      there.value = (side == Side::inflow ? inflow.velocity[b][high][sides.axis] : 0.f) - sides.background;
      there.conductance = normal ? 1.f : side == Side::wall && sides.slippery ? 0.f : 2.f;
    }
}

// Σ conductance · value over what is held round each face.
template <int D>
Field<float, D> held_round(Exec& ex, const PressureSystem<D>& system, const FaceSides<D>& sides) {
  Field<float, D> held = Field<float, D>::unfilled(ex, system.topology);
  const FieldView<float, D> out = held.view();
  const int* slot = system.slot.data();
  for_rows(ex, system.tile_set(), [=](const RowIndex<D>& i) {
    Real sum(0.f);
    if (slot[i.tile] >= 0)
      sides.for_each_held(i, [&](int, Real, Real conductance, Real value)
                                 WHORL_INLINE_LAMBDA { sum += conductance * value; });
    out.store(i, sum);
  });
  return held;
}

// The largest diagonal: what limits an explicit step.
template <int D>
double largest_diagonal(Exec& ex, const PressureSystem<D>& system) {
  return total_system_rows<float>(
             ex, system,
             [](const RowIndex<D>& i, const auto& tile, Totals<float>& t) WHORL_INLINE_LAMBDA {
               t.add(tile.on_unknowns(i, Real(1.f) / tile.template inverse_diagonal<Real>(i)));
             })
      .most;
}

// out = x - scale A x + held_scale held; `out` is not x.
template <int D>
void add_diffused(Exec& ex, Field<double, D>& out, const Field<double, D>& x, const PressureSystem<D>& system,
                  const Field<float, D>& held, double scale, double held_scale) {
  const FieldView<double, D> y = out.view();
  const FieldView<const double, D> in = x.view();
  const FieldView<const float, D> h = held.topology() ? held.view() : FieldView<const float, D>{};
  const Wide by(scale), held_by(held_scale);
  for_system_rows(ex, system, [=](const RowIndex<D>& i, const auto& tile) WHORL_INLINE_LAMBDA {
    Wide sum = in(i)-by * tile.applied(in, i);
    if (h.data) sum += held_by * convert<Wide>(h(i));
    y.store(i, tile.on_unknowns(i, sum));
  });
}

// The largest size of what was there or is held, to measure residuals by: the right side itself grows with
// the step where something is held.
template <int D>
double largest_value(Exec& ex, const Field<double, D>& x, const PressureSystem<D>& system,
                     const Field<float, D>& held) {
  const FieldView<const double, D> in = x.view();
  const FieldView<const float, D> h = held.topology() ? held.view() : FieldView<const float, D>{};
  return total_system_rows<double>(
             ex, system,
             [=](const RowIndex<D>& i, const auto& tile, Totals<double>& t) WHORL_INLINE_LAMBDA {
               t.add(in(i));
               if (h.data) t.add(convert<Wide>(h(i) * tile.template inverse_diagonal<Real>(i)));
             })
      .most;
}

template <int D>
DiffusionReport step_explicitly(Exec& ex, Field<double, D>& x, const PressureSystem<D>& system,
                                const Field<float, D>& held, double strength) {
  // Each part leaves every value a mean of old ones.
  const double parts = std::max(1., std::ceil(strength * largest_diagonal(ex, system) - 1e-6));
  if (!(parts <= most_parts)) return {0, false};
  Field<double, D> next(ex, system.topology);
  for (int k = 0; k < int(parts); ++k) {
    add_diffused(ex, next, x, system, held, strength / parts, strength / parts);
    std::swap(x, next);
  }
  return {int(parts), true};
}

template <int D>
class Jacobi final : public Preconditioner<float, D> {
 public:
  explicit Jacobi(const PressureSystem<D>& system) : system_(system) {}

  double apply(Exec& ex, Field<float, D>& z, const Field<float, D>& r) override {
    const FieldView<const float, D> in = r.view();
    const FieldView<float, D> out = z.view();
    const Real shift(system_.shift);
    return total_system_rows<float>(
               ex, system_,
               [=](const RowIndex<D>& i, const auto& tile, Totals<float>& t) WHORL_INLINE_LAMBDA {
                 const Real inverse = tile.template inverse_diagonal<Real>(i), own = in(i);
                 const Real x = own * (inverse / (Real(1.f) + shift * inverse));
                 out.store(i, x);
                 t.add_product(x, own);
               })
        .sum;
  }

 private:
  const PressureSystem<D>& system_;
};

template <int D>
DiffusionReport step_implicitly(Exec& ex, Field<double, D>& x, PressureSystem<D>& system,
                                const Field<float, D>& held, double strength, const DiffusionParams& params) {
  const bool halves = params.scheme == DiffusionScheme::crank_nicolson;
  const double ahead = halves ? 0.5 * strength : strength;
  const double largest = largest_value(ex, x, system, held);
  Field<double, D> right_side = work_field<double>(ex, system);
  add_diffused(ex, right_side, x, system, held, strength - ahead, strength);
  system.shift = float(1 / ahead);
  // A scalar takes plain conjugate gradients from x itself: every direction then adds up to zero where
  // nothing leaves, and so the amount is kept whatever the tolerance. What walls hold differs more from cell
  // to cell than that bears, and momentum is not kept by walls anyway.
  Identity<float, D> nothing;
  Jacobi<D> jacobi(system);
  Preconditioner<float, D>& preconditioner =
      held.topology() ? static_cast<Preconditioner<float, D>&>(jacobi) : nothing;
  // Cells of 1/√ahead make 1/h² the factor of A.
  const SolveReport report =
      solve_pcg(ex, x, right_side, system, Regions<D>{}, 1 / std::sqrt(ahead),
                {.relative = 0, .absolute = params.tolerance * largest}, preconditioner);
  return {report.iterations, report.converged};
}

// `held` is empty where nothing but the background is.
template <int D>
DiffusionReport diffuse_on(Exec& ex, Field<float, D>& q, PressureSystem<D>& system,
                           const Field<float, D>& held, double strength, const DiffusionParams& params) {
  Field<double, D> difference(ex, system.topology);  // from the background; zero where there is no unknown
  const FieldView<double, D> x = difference.view();
  const FieldView<float, D> value = q.view();
  const float background = q.background();
  for_system_rows(ex, system, [=](const RowIndex<D>& i, const auto& tile) WHORL_INLINE_LAMBDA {
    x.store(i, tile.on_unknowns(i, convert<Wide>(value(i)) - Wide(background)));
  });
  const DiffusionReport report = params.scheme == DiffusionScheme::explicit_euler
                                     ? step_explicitly(ex, difference, system, held, strength)
                                     : step_implicitly(ex, difference, system, held, strength, params);
  const FieldView<const double, D> y = std::as_const(difference).view();
  for_system_rows(ex, system, [=](const RowIndex<D>& i, const auto& tile) WHORL_INLINE_LAMBDA {
    const auto unknown = tile.template inverse_diagonal<Real>(i) > Real(0.f);
    value.store(i, select(unknown, convert<Real>(y(i) + Wide(background)), value(i)));
  });
  return report;
}

}  // namespace

template <int D>
DiffusionReport diffuse(Exec& ex, Field<float, D>& q, const MacField<float, D>& open, double diffusivity,
                        double h, double dt, const DiffusionParams& params) {
  const double strength = diffusivity * dt / (h * h);
  if (strength < least_strength) return {};
  const Zone zone(ex.profile(), "diffuse");
  PressureSystem<D> system;
  system.topology = q.topology();
  fill_system(ex, system, RowSides<D>{open.view(), q.topology()->view(), {}});
  return diffuse_on(ex, q, system, {}, strength, params);
}

template <int D>
DiffusionReport diffuse(Exec& ex, MacField<float, D>& velocity, const CutFaces<D>& faces,
                        const Inflow<D>& inflow, double viscosity, double h, double dt,
                        const DiffusionParams& params) {
  const double strength = viscosity * dt / (h * h);
  if (strength < least_strength) return {};
  const Zone zone(ex.profile(), "diffuse_velocity");
  const TopologyPtr<D>& topology = velocity.topology();
  const MacField<float, D> fluid = open_fraction(ex, topology);
  DiffusionReport report;
  for (int a = 0; a < D; ++a) {
    FaceSides<D> sides;
    sides.axis = a;
    sides.background = velocity[a].background();
    sides.slippery = params.walls == WallFriction::free_slip;
    sides.open = faces.open[a].view();
    sides.fluid = fluid[a].view();
    if (faces.walls.topology()) sides.walls = faces.walls[a].view();
    sides.tiles = topology->view().tiles;
    look_beyond(sides, topology->domain(), inflow);
    PressureSystem<D> system;
    system.topology = topology;
    system.every_tile = true;
    fill_system(ex, system, sides);
    report += diffuse_on(ex, velocity[a], system, held_round(ex, system, sides), strength, params);
  }
  return report;
}

#define WHORL_INSTANTIATE(D)                                                                                 \
  template DiffusionReport diffuse(Exec&, Field<float, D>&, const MacField<float, D>&, double, double,       \
                                   double, const DiffusionParams&);                                          \
  template DiffusionReport diffuse(Exec&, MacField<float, D>&, const CutFaces<D>&, const Inflow<D>&, double, \
                                   double, double, const DiffusionParams&);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
