#include "grid/domain.h"

#include "base/check.h"
#include "exec/tile_index.h"

namespace whorl {

template <int D>
Coord<D> Domain<D>::wrap_tile(Coord<D> tile) const {
  for (int a = 0; a < D; ++a) {
    if (!periodic(a)) continue;
    const int lo = cells.lo[a] / tile_side, n = extent(a) / tile_side;
    tile[a] = lo + ((tile[a] - lo) % n + n) % n;
  }
  return tile;
}

template <int D>
Domain<D> box_domain(const Box<D>& cells, Side sides) {
  Domain<D> domain{cells, {}};
  for (auto& axis : domain.sides) axis = {sides, sides};
  return domain;
}

template <int D>
Result<void> validate(const Domain<D>& domain) {
  constexpr const char* axis_name[] = {"x", "y", "z"};
  const auto refuse = [](auto... parts) {
    return Error{ErrorCode::invalid_scene, concat("domain: ", parts...)};
  };
  for (int a = 0; a < D; ++a) {
    if (domain.cells.lo[a] < -Domain<D>::far_away || domain.cells.hi[a] > Domain<D>::far_away)
      return refuse("it ends further out than ", Domain<D>::far_away, " cells along ", axis_name[a]);
    const int extent = domain.extent(a);
    const auto [low, high] = domain.sides[std::size_t(a)];
    if (extent <= 0)
      return refuse("the extent along ", axis_name[a], " is ", extent, " cells, it must be positive");
    if ((low == Side::periodic) != (high == Side::periodic))
      return refuse("only one side of ", axis_name[a], " is periodic; make both periodic, or neither");
    if (low != Side::periodic) continue;
    if (extent % tile_side != 0) {
      const int nearest = std::max(1, (extent + tile_side / 2) / tile_side) * tile_side;
      return refuse("the periodic extent along ", axis_name[a], " is ", extent,
                    " cells, it must be a multiple of ", tile_side, "; the nearest is ", nearest);
    }
    if (domain.cells.lo[a] % tile_side != 0)
      return refuse("a periodic domain must begin at a multiple of ", tile_side, " cells along ",
                    axis_name[a], ", not at ", domain.cells.lo[a]);
  }
  return {};
}

template struct Domain<2>;
template struct Domain<3>;
template Domain<2> box_domain(const Box<2>&, Side);
template Domain<3> box_domain(const Box<3>&, Side);
template Result<void> validate(const Domain<2>&);
template Result<void> validate(const Domain<3>&);

}  // namespace whorl
