#include "grid/boundary.h"

namespace whorl {

namespace {

// Along a periodic axis every index is valid.
template <int D>
Boundary<D> centred_range(const Domain<D>& domain) {
  Boundary<D> b{domain.cells.lo, domain.cells.hi, {}, {}};
  for (int a = 0; a < D; ++a)
    if (domain.periodic(a)) b.lo[a] = -Domain<D>::far_away, b.hi[a] = Domain<D>::far_away;
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
Boundary<D> velocity_boundary(const Domain<D>& domain, int axis, const Inflow<D>& inflow) {
  Boundary<D> b = centred_range(domain);
  for (int a = 0; a < D; ++a)
    for (int high = 0; high < 2; ++high) {
      const Side side = domain.sides[std::size_t(a)][std::size_t(high)];
      const bool normal = a == axis;
      b.extend[a][high] = side == Side::open || (side == Side::wall && !normal);
      b.value[a][high] = side == Side::inflow ? inflow.velocity[a][high][axis] : 0.f;
    }
  // The face on a high side is stored unless a wall closes it.
  const Side high_side = domain.sides[std::size_t(axis)][1];
  if (high_side == Side::open || high_side == Side::inflow) ++b.hi[axis];
  return b;
}

template Boundary<2> scalar_boundary(const Domain<2>&, float, float);
template Boundary<3> scalar_boundary(const Domain<3>&, float, float);
template Boundary<2> velocity_boundary(const Domain<2>&, int, const Inflow<2>&);
template Boundary<3> velocity_boundary(const Domain<3>&, int, const Inflow<3>&);

}  // namespace whorl
