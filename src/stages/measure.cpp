#include "stages/measure.h"

#include <cmath>

namespace whorl {

using Lane64 = Lane<double>;

template <int D>
double integral(Exec& ex, const Field<float, D>& q, double h) {
  const Topology<D>& topology = *q.topology();
  const TopologyView<D> cells = topology.view();
  const FieldView<const float, D> f = q.view();
  return std::pow(h, D) * sum_rows<double>(ex, topology.active_tile_set(), [=](const RowIndex<D>& r) {
           return select(Lane64::mask_from_bits(cells.active_bits(r)), convert<Lane64>(f(r)), Lane64(0.));
         });
}

template <int D>
double kinetic_energy(Exec& ex, const MacField<float, D>& velocity, double h, const Vec<float, D>& frame,
                      const Field<float, D>* weight) {
  const Topology<D>& topology = *velocity.topology();
  const TopologyView<D> cells = topology.view();
  const MacView<const float, D> u = velocity.view();
  const FieldView<const float, D> w = weight ? weight->view() : FieldView<const float, D>();
  return 0.25 * std::pow(h, D) * sum_rows<double>(ex, topology.active_tile_set(), [=](const RowIndex<D>& r) {
           Lane64 sum(0.);
           for (int a = 0; a < D; ++a) {
             const Lane64 low = convert<Lane64>(u[a](r)) - Lane64(frame[a]);
             const Lane64 high = convert<Lane64>(u[a](r, a, +1)) - Lane64(frame[a]);
             sum += low * low + high * high;
           }
           if (w.data) sum *= convert<Lane64>(w(r));
           return select(Lane64::mask_from_bits(cells.active_bits(r)), sum, Lane64(0.));
         });
}

template <int D>
double max_component(Exec& ex, const MacField<float, D>& velocity) {
  const MacView<const float, D> u = velocity.view();
  return max_rows<float>(ex, velocity.topology()->tile_set(), 0.f, [=](const RowIndex<D>& r) {
    Lane<float> most(0.f);
    for (int a = 0; a < D; ++a) most = max_or_nan(abs(u[a](r)), most);
    return most;
  });
}

template double integral(Exec&, const Field<float, 2>&, double);
template double integral(Exec&, const Field<float, 3>&, double);
template double kinetic_energy(Exec&, const MacField<float, 2>&, double, const Vec<float, 2>&,
                               const Field<float, 2>*);
template double kinetic_energy(Exec&, const MacField<float, 3>&, double, const Vec<float, 3>&,
                               const Field<float, 3>*);
template double max_component(Exec&, const MacField<float, 2>&);
template double max_component(Exec&, const MacField<float, 3>&);

}  // namespace whorl
