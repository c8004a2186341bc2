#include "grid/boundary.h"

#include <algorithm>
#include <cmath>

namespace whorl {

namespace {

bool passes(Side side) { return side == Side::open || side == Side::inflow || side == Side::water; }

// Along a periodic axis every index is valid.
template <int D>
Boundary<D> centred_range(const Domain<D>& domain) {
  Boundary<D> b{domain.cells.lo, domain.cells.hi, {}, {}, {}};
  for (int a = 0; a < D; ++a) {
    if (domain.periodic(a)) b.lo[a] = -Domain<D>::far_away, b.hi[a] = Domain<D>::far_away;
    for (int high = 0; high < 2; ++high)
      b.open[a][high] = passes(domain.sides[std::size_t(a)][std::size_t(high)]);
  }
  return b;
}

}  // namespace

template <int D>
Boundary<D> scalar_boundary(const Domain<D>& domain, float background, float inflow) {
  Boundary<D> b = centred_range(domain);
  for (int a = 0; a < D; ++a)
    for (int high = 0; high < 2; ++high) {
      const Side side = domain.sides[std::size_t(a)][std::size_t(high)];
      b.extend[a][high] = side == Side::wall;
      b.value[a][high] = side == Side::inflow ? inflow : background;
    }
  return b;
}

template <int D>
Boundary<D> velocity_boundary(const Domain<D>& domain, int axis, float wind, const Inflow<D>& inflow) {
  Boundary<D> b = centred_range(domain);
  for (int a = 0; a < D; ++a)
    for (int high = 0; high < 2; ++high) {
      const Side side = domain.sides[std::size_t(a)][std::size_t(high)];
      const bool normal = a == axis;
      b.extend[a][high] = side == Side::wall && !normal;
      b.value[a][high] = side == Side::inflow ? inflow.velocity[a][high][axis]
                         : side == Side::open ? wind
                                              : 0.f;
    }
  // Faces on walls count as beyond, low ones (which are stored) like high ones (which may not be); faces on
  // other high sides are the domain's own.
  const auto [low_side, high_side] = domain.sides[std::size_t(axis)];
  if (low_side == Side::wall) ++b.lo[axis];
  if (passes(high_side)) ++b.hi[axis];
  return b;
}

template <int D>
float max_inflow_component(const Domain<D>& domain, const Inflow<D>& inflow) {
  float most = 0;
  for (int a = 0; a < D; ++a)
    for (int high = 0; high < 2; ++high)
      if (domain.sides[std::size_t(a)][std::size_t(high)] == Side::inflow)
        for (int b = 0; b < D; ++b) most = std::max(most, std::abs(inflow.velocity[a][high][b]));
  return most;
}

template float max_inflow_component(const Domain<2>&, const Inflow<2>&);
template float max_inflow_component(const Domain<3>&, const Inflow<3>&);
template Boundary<2> scalar_boundary(const Domain<2>&, float, float);
template Boundary<3> scalar_boundary(const Domain<3>&, float, float);
template Boundary<2> velocity_boundary(const Domain<2>&, int, float, const Inflow<2>&);
template Boundary<3> velocity_boundary(const Domain<3>&, int, float, const Inflow<3>&);

}  // namespace whorl
