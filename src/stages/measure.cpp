#include "stages/measure.h"

#include <algorithm>
#include <cmath>

namespace whorl {

using Lane64 = Lane<double>;

namespace {

// Along one axis: where the cells of a row are, and how fast the air there.
template <int D>
Lane64 place(const TopologyView<D>& cells, const RowIndex<D>& r, int axis, const Vec<double, D>& origin,
             double h) {
  const Lane64 first(double(cells.tiles[r.tile][axis]) * tile_side + r.at[axis] + 0.5);
  return Lane64(origin[axis]) + Lane64(h) * (axis == D - 1 ? first + Lane64::iota() : first);
}
template <int D>
Lane64 centred(const MacView<const float, D>& u, const RowIndex<D>& r, int axis) {
  return Lane64(0.5) * (convert<Lane64>(u[axis](r)) + convert<Lane64>(u[axis](r, axis, +1)));
}

// The integral of f(row) over active cells, times a weight if there is one.
template <int D, class F>
double integrate(Exec& ex, const Topology<D>& topology, double h, const F& f,
                 const Field<float, D>* weight = nullptr) {
  const TopologyView<D> cells = topology.view();
  const FieldView<const float, D> w = weight ? weight->view() : FieldView<const float, D>();
  return std::pow(h, D) * sum_rows<double>(ex, topology.active_tile_set(), [=](const RowIndex<D>& r) {
           const Lane64 value = w.data ? f(r) * convert<Lane64>(w(r)) : f(r);
           return select(Lane64::mask_from_bits(cells.active_bits(r)), value, Lane64(0.));
         });
}

// The fastest component where no faces are stored.
template <int D>
float wind_of(const MacField<float, D>& velocity) {
  float wind = 0;
  for (int a = 0; a < D; ++a) wind = std::max(wind, std::abs(velocity[a].background()));
  return wind;
}

}  // namespace

template <int D>
double integral(Exec& ex, const Field<float, D>& q, double h) {
  const FieldView<const float, D> f = q.view();
  return integrate(ex, *q.topology(), h, [=](const RowIndex<D>& r) { return convert<Lane64>(f(r)); });
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
Vec<double, D> momentum(Exec& ex, const MacField<float, D>& velocity, double h,
                        const Field<float, D>* weight) {
  const MacView<const float, D> u = velocity.view();
  Vec<double, D> sum;
  for (int a = 0; a < D; ++a)
    sum[a] = integrate(
        ex, *velocity.topology(), h, [=](const RowIndex<D>& r) { return centred<D>(u, r, a); }, weight);
  return sum;
}

template <int D>
Vec<double, D*(D - 1) / 2> angular_momentum(Exec& ex, const MacField<float, D>& velocity,
                                            const Vec<double, D>& origin, double h,
                                            const Field<float, D>* weight) {
  const MacView<const float, D> u = velocity.view();
  const TopologyView<D> cells = velocity.topology()->view();
  Vec<double, D*(D - 1) / 2> sum;
  for (int k = 0; k < D * (D - 1) / 2; ++k) {
    const int a = D == 3 ? (k + 1) % 3 : 0, b = D == 3 ? (k + 2) % 3 : 1;
    sum[k] = integrate(
        ex, *velocity.topology(), h,
        [=](const RowIndex<D>& r) {
          return place(cells, r, a, origin, h) * centred<D>(u, r, b) -
                 place(cells, r, b, origin, h) * centred<D>(u, r, a);
        },
        weight);
  }
  return sum;
}

template <int D>
Vec<double, D> center_of_mass(Exec& ex, const Field<float, D>& q, const Vec<double, D>& origin, double h) {
  const double mass = integral(ex, q, h);
  const TopologyView<D> cells = q.topology()->view();
  const FieldView<const float, D> f = q.view();
  Vec<double, D> centre{};
  for (int a = 0; a < D && mass != 0; ++a)
    centre[a] = integrate(ex, *q.topology(), h,
                          [=](const RowIndex<D>& r) {
                            return place(cells, r, a, origin, h) * convert<Lane64>(f(r));
                          }) /
                mass;
  return centre;
}

template <int D>
double max_speed(Exec& ex, const MacField<float, D>& velocity, const Field<float, D>* weight) {
  const FieldView<const float, D> w = weight ? weight->view() : FieldView<const float, D>();
  const MacView<const float, D> u = velocity.view();
  const TopologyView<D> cells = velocity.topology()->view();
  return std::sqrt(
      max_rows<double>(ex, velocity.topology()->active_tile_set(), 0., [=](const RowIndex<D>& r) {
        Lane64 square(0.);
        for (int a = 0; a < D; ++a) square += centred<D>(u, r, a) * centred<D>(u, r, a);
        const unsigned counts = w.data ? bits(w(r) > Lane<float>(0.f)) : 0xffu;
        return select(Lane64::mask_from_bits(cells.active_bits(r) & counts), square, Lane64(0.));
      }));
}

template <int D>
double max_component(Exec& ex, const MacField<float, D>& velocity) {
  const MacView<const float, D> u = velocity.view();
  return max_rows<float>(ex, velocity.topology()->tile_set(), wind_of(velocity), [=](const RowIndex<D>& r) {
    Lane<float> most(0.f);
    for (int a = 0; a < D; ++a) most = max_or_nan(abs(u[a](r)), most);
    return most;
  });
}

template <int D>
Buffer<float> fastest_in_tiles(Exec& ex, const MacField<float, D>& velocity, const Topology<D>& topology) {
  const std::size_t count = std::size_t(topology.tile_count());
  auto fastest = ex.buffer<float>(count + 1);
  const float wind = wind_of(velocity);
  ex.parallel_for(topology.tile_count(), tiles_per_chunk<D>, [&](std::int64_t begin, std::int64_t end) {
    for (std::size_t tile = std::size_t(begin); tile < std::size_t(end); ++tile) {
      const int slot = velocity.topology().get() == &topology
                           ? int(tile)
                           : velocity.topology()->map().find(topology.tiles()[tile]);
      Lane<float> most(slot < 0 ? wind : 0.f);
      for (int a = 0; a < D && slot >= 0; ++a) {
        const float* u = velocity[a].data() + std::size_t(slot) * tile_cells<D>;
        for (int cell = 0; cell < tile_cells<D>; cell += tile_side)
          most = max_or_nan(abs(Lane<float>::load(u + cell)), most);
      }
      fastest[tile] = max_element(most);
    }
  });
  fastest[count] = wind;
  return fastest;
}

template double integral(Exec&, const Field<float, 2>&, double);
template double integral(Exec&, const Field<float, 3>&, double);
template double kinetic_energy(Exec&, const MacField<float, 2>&, double, const Vec<float, 2>&,
                               const Field<float, 2>*);
template double kinetic_energy(Exec&, const MacField<float, 3>&, double, const Vec<float, 3>&,
                               const Field<float, 3>*);
template Vec<double, 2> momentum(Exec&, const MacField<float, 2>&, double, const Field<float, 2>*);
template Vec<double, 3> momentum(Exec&, const MacField<float, 3>&, double, const Field<float, 3>*);
template Vec<double, 1> angular_momentum(Exec&, const MacField<float, 2>&, const Vec<double, 2>&, double,
                                         const Field<float, 2>*);
template Vec<double, 3> angular_momentum(Exec&, const MacField<float, 3>&, const Vec<double, 3>&, double,
                                         const Field<float, 3>*);
template Vec<double, 2> center_of_mass(Exec&, const Field<float, 2>&, const Vec<double, 2>&, double);
template Vec<double, 3> center_of_mass(Exec&, const Field<float, 3>&, const Vec<double, 3>&, double);
template double max_speed(Exec&, const MacField<float, 2>&, const Field<float, 2>*);
template double max_speed(Exec&, const MacField<float, 3>&, const Field<float, 3>*);
template double max_component(Exec&, const MacField<float, 2>&);
template double max_component(Exec&, const MacField<float, 3>&);
template Buffer<float> fastest_in_tiles(Exec&, const MacField<float, 2>&, const Topology<2>&);
template Buffer<float> fastest_in_tiles(Exec&, const MacField<float, 3>&, const Topology<3>&);

}  // namespace whorl
