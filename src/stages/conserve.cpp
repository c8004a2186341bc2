#include "stages/conserve.h"

#include "stages/box_cells.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace whorl {

namespace {

using Lane64 = Lane<double>;

// Through one side, which the flow leaves by `outward` (±1) along `axis`: what lies within its reach of the
// side.
template <int D>
double leaving_by(Exec& ex, const Field<float, D>& q, const MacField<float, D>& velocity, double step,
                  int axis, int outward) {
  const Topology<D>& topology = *q.topology();
  const TopologyView<D> cells = topology.view();
  Box<D> layer = topology.domain().cells;
  const int last = outward > 0 ? layer.hi[axis] - 1 : layer.lo[axis];
  layer.lo[axis] = last;
  layer.hi[axis] = last + 1;
  std::vector<double> sums(std::size_t(topology.tile_count()));
  for_cells_of_box(ex, topology, layer, [&](const CellIndex<D>& i, const Coord<D>& cell) {
    if (!cells.active_bits(i)) return;
    const Coord<D> face = outward > 0 ? cell + Coord<D>::unit(axis) : cell;
    double reach = outward * step * velocity[axis].get(face);
    for (Coord<D> c = cell; reach > 0; reach -= 1, c[axis] -= outward)
      sums[std::size_t(i.tile)] += std::min(reach, 1.) * (double(q.get(c)) - q.background());
  });
  return std::accumulate(sums.begin(), sums.end(), 0.);
}

}  // namespace

template <int D>
double amount(Exec& ex, const Field<float, D>& q) {
  const TopologyView<D> cells = q.topology()->view();
  const FieldView<const float, D> value = q.view();
  const Lane64 nothing(q.background());
  return sum_rows<double>(ex, q.topology()->active_tile_set(), [=](const RowIndex<D>& r) {
    return select(Lane64::mask_from_bits(cells.active_bits(r)), convert<Lane64>(value(r)) - nothing,
                  Lane64(0.));
  });
}

template <int D>
double amount_leaving(Exec& ex, const Field<float, D>& q, const MacField<float, D>& velocity, double step) {
  const Domain<D>& domain = q.topology()->domain();
  double sum = 0;
  for (int a = 0; a < D; ++a)
    for (const int high : {0, 1})
      if (const Side side = domain.sides[std::size_t(a)][std::size_t(high)];
          side == Side::open || side == Side::inflow)
        sum += leaving_by(ex, q, velocity, step, a, high ? +1 : -1);
  return sum;
}

template <int D>
Brought amount_brought(Exec& ex, const Field<float, D>& q, const Field<float, D>& expansion, double dt) {
  if (!expansion.topology()) return {};
  const TopologyView<D> cells = q.topology()->view();
  const FieldView<const float, D> value = q.view(), rate = expansion.view();
  const Lane64 nothing(q.background()), zero(0.);
  const auto sum_of = [&](const auto& part) {
    return dt * sum_rows<double>(ex, q.topology()->active_tile_set(), [=](const RowIndex<D>& r) {
             const Lane64 growth = (convert<Lane64>(value(r)) - nothing) * convert<Lane64>(rate(r));
             return select(Lane64::mask_from_bits(cells.active_bits(r)), part(growth), zero);
           });
  };
  return {sum_of([=](Lane64 growth) { return max(growth, zero); }),
          -sum_of([=](Lane64 growth) { return min(growth, zero); })};
}

template <int D>
double restore_amount(Exec& ex, Field<float, D>& q, const Extremes<D>& extremes, double right) {
  if (!extremes.lo.topology()) return 0;  // nothing was limited
  using Real = Lane<float>;
  const Zone zone(ex.profile(), "restore_amount");
  const double excess = amount(ex, q) - right;
  const FieldView<float, D> value = q.view();
  const FieldView<const float, D> limit = (excess > 0 ? extremes.lo : extremes.hi).view();
  const TopologyView<D> cells = q.topology()->view();
  const TileSet<D> tiles = q.topology()->active_tile_set();
  const Real nothing(q.background());
  const auto room = [=](const RowIndex<D>& r) {
    const auto holds = Real::mask_from_bits(cells.active_bits(r)) & !(value(r) == nothing);
    return select(holds, value(r) - limit(r), Real(0.f));
  };
  const double all =
      sum_rows<double>(ex, tiles, [=](const RowIndex<D>& r) { return convert<Lane64>(room(r)); });
  const double part = std::min(excess / all, 1.);
  if (!(part > 0)) return 0;
  for_rows(ex, tiles, [=, part = Real(float(part))](const RowIndex<D>& r) {
    value.store(r, value(r) - part * room(r));
  });
  return -part * all;
}

template <int D>
void keep_share(Exec& ex, Field<float, D>& q, const Field<float, D>& before, const Field<float, D>& whole) {
  using Real = Lane<float>;
  const FieldView<float, D> part = q.view();
  const FieldView<const float, D> from = before.view(), to = whole.view();
  const Real zero(0.f);
  for_rows(ex, q.topology()->active_tile_set(), [=](const RowIndex<D>& r) {
    const Real share = select(from(r) > zero, part(r) / from(r), zero);
    part.store(r, min(max(share, zero), Real(1.f)) * max(to(r), zero));
  });
}

template double amount(Exec&, const Field<float, 2>&);
template double amount(Exec&, const Field<float, 3>&);
template double amount_leaving(Exec&, const Field<float, 2>&, const MacField<float, 2>&, double);
template double amount_leaving(Exec&, const Field<float, 3>&, const MacField<float, 3>&, double);
template Brought amount_brought(Exec&, const Field<float, 2>&, const Field<float, 2>&, double);
template Brought amount_brought(Exec&, const Field<float, 3>&, const Field<float, 3>&, double);
template double restore_amount(Exec&, Field<float, 2>&, const Extremes<2>&, double);
template double restore_amount(Exec&, Field<float, 3>&, const Extremes<3>&, double);
template void keep_share(Exec&, Field<float, 2>&, const Field<float, 2>&, const Field<float, 2>&);
template void keep_share(Exec&, Field<float, 3>&, const Field<float, 3>&, const Field<float, 3>&);

}  // namespace whorl
