#include "stages/emit.h"

#include "stages/box_cells.h"
#include "stages/measure.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace whorl {

namespace {

template <int D>
Vec<double, D> air_at(const MacView<const float, D>& u, const CellIndex<D>& i) {
  Vec<double, D> air;
  for (int a = 0; a < D; ++a) air[a] = 0.5 * (double(u[a](i)) + u[a](i, a, +1));
  return air;
}

template <int D>
double fastest_air(Exec& ex, const MacField<float, D>& velocity, const Box<D>& box) {
  const MacView<const float, D> u = velocity.view();
  std::vector<double> most(std::size_t(velocity.topology()->tile_count()));
  for_cells_of_box(ex, *velocity.topology(), box, [&](const CellIndex<D>& i, const Coord<D>&) {
    double& here = most[std::size_t(i.tile)];
    here = std::max(here, length(air_at(u, i)));
  });
  return most.empty() ? 0 : *std::max_element(most.begin(), most.end());
}

float take_on(float old, float value, double part) { return float(old + part * (double(value) - old)); }

// What one cell's air got from a source: moment by moment, how much of it and from where.
template <int D>
struct Exposure {
  std::array<double, most_moments + 1> coverage;
  std::array<Coord<D>, most_moments + 1> place;
  std::size_t fullest = 0;

  // Whether there was any.
  bool find(const std::vector<SourceMoment<D>>& moments, const Vec<double, D>& x, const Vec<double, D>& air,
            const Domain<D>& domain, double h) {
    fullest = 0;
    for (std::size_t k = 0; k < moments.size(); ++k) {
      const Vec<double, D> from = wrapped(x - air * moments[k].age, domain, h);
      coverage[k] = moments[k].coverage(from, h);
      for (int a = 0; a < D; ++a) place[k][a] = int(std::floor(from[a] / h));
      if (coverage[k] > coverage[fullest]) fullest = k;
    }
    return coverage[fullest] > 0;
  }
  double integral(const std::vector<SourceMoment<D>>& moments, const CellValues<D>& rate) const {
    double sum = 0;
    for (std::size_t k = 0; k < moments.size(); ++k)
      if (coverage[k] > 0) sum += moments[k].weight * coverage[k] * double(rate.at(place[k]));
    return sum;
  }
};

// The sums of a tile are one thread's.
template <int D>
struct Ledger {
  std::vector<double> added, drained;

  explicit Ledger(const Topology<D>& topology)
      : added(std::size_t(topology.tile_count())), drained(std::size_t(topology.tile_count())) {}
};

template <int D>
void give_off(Exec& ex, std::span<Field<float, D>* const> carried, const MacField<float, D>& velocity,
              const TopologyView<D>& fluid, const SmokeSource<D>& source,
              const std::vector<SourceMoment<D>>& moments, const Box<D>& box, double h, Ledger<D>& ledger) {
  const MacView<const float, D> u = velocity.view();
  const Domain<D>& domain = velocity.topology()->domain();
  const bool drains = !source.sink.zero();
  for_cells_of_box(ex, *velocity.topology(), box, [&](const CellIndex<D>& i, const Coord<D>& cell) {
    Exposure<D> exposure;
    if (!fluid.active_bits(i) ||
        !exposure.find(moments, sample_place(cell, at_centres, h), air_at(u, i), domain, h))
      return;
    const float kept = drains ? float(std::exp(-exposure.integral(moments, source.sink))) : 1.f;
    const double before = carried[0]->view()(i);
    for (std::size_t k = 0; drains && k < carried.size(); ++k) {
      const FieldView<float, D> q = carried[k]->view();
      const float background = carried[k]->background();
      q.store(i, background + kept * (q(i) - background));
    }
    const double left = carried[0]->view()(i);
    for (const Emission<D>& emission : source.emissions) {
      const FieldView<float, D> q = carried[emission.quantity]->view();
      float value = float(double(q(i)) + exposure.integral(moments, emission.rate));
      if (emission.held)
        value = take_on(value, emission.held->at(exposure.place[exposure.fullest]),
                        exposure.coverage[exposure.fullest]);
      q.store(i, value);
    }
    ledger.drained[std::size_t(i.tile)] += before - left;
    ledger.added[std::size_t(i.tile)] += carried[0]->view()(i) - left;
  });
}

// The cells within reach of a source, downwind or not. Beyond a periodic side they go on at the side across.
template <int D>
Box<D> reached_cells(const SmokeSource<D>& source, const Domain<D>& domain, int reach) {
  Box<D> box{source.cells.lo - Coord<D>::filled(reach), source.cells.hi + Coord<D>::filled(reach)};
  for (int a = 0; a < D; ++a)
    if (domain.periodic(a) && (box.lo[a] < domain.cells.lo[a] || box.hi[a] > domain.cells.hi[a]))
      box.lo[a] = domain.cells.lo[a], box.hi[a] = domain.cells.hi[a];
  return box;
}

template <int D>
void hold_velocity(Exec& ex, MacField<float, D>& velocity, const SmokeSource<D>& source,
                   const std::vector<SourceMoment<D>>& moments, double h) {
  const TopologyView<D> cells = velocity.topology()->view();
  for (int a = 0; a < D; ++a) {
    const FieldView<float, D> u = velocity[a].view();
    for_cells_of_box(ex, *velocity.topology(), source.cells,
                     [&](const CellIndex<D>& i, const Coord<D>& cell) {
                       if (!cells.live_face_bits(i, a)) return;
                       double part = 0;
                       for (const SourceMoment<D>& moment : moments)
                         part = std::max(part, moment.coverage(sample_place(cell, a, h), h));
                       if (part > 0)
                         u.store(i, take_on(u(i), (*source.velocity)[std::size_t(a)].at(cell), part));
                     });
  }
}

}  // namespace

template <int D>
Emitted emit(Exec& ex, std::span<Field<float, D>* const> carried, MacField<float, D>& velocity,
             const TopologyView<D>& fluid, std::span<const SmokeSource<D>> sources, double h, double dt) {
  const Zone zone(ex.profile(), "emit");
  if (sources.empty()) return {};
  Ledger<D> ledger(*velocity.topology());
  constexpr double farthest = 2 * tile_side;
  const int reach = int(std::min(farthest, std::ceil(max_component(ex, velocity) * dt / h)));
  for (const SmokeSource<D>& source : sources) {
    const Box<D> box = reached_cells(source, velocity.topology()->domain(), reach);
    std::vector<SourceMoment<D>> moments = moments_of(source, fastest_air(ex, velocity, box), h, dt);
    if (moments.empty()) continue;
    // At the end of its time a source holds what it holds just where it is.
    const double end = std::min(source.end, dt);
    moments.push_back({source.shape_after(end), source.skin, dt - end, 0});
    give_off(ex, carried, velocity, fluid, source, moments, box, h, ledger);
  }
  // Last: what sources blow carries nothing before the next step.
  for (const SmokeSource<D>& source : sources)
    if (source.velocity) hold_velocity(ex, velocity, source, moments_of(source, 0, h, dt), h);
  const auto total = [&](const std::vector<double>& tiles) {
    return std::pow(h, D) * std::accumulate(tiles.begin(), tiles.end(), 0.);
  };
  return {total(ledger.added), total(ledger.drained)};
}

template Emitted emit(Exec&, std::span<Field<float, 2>* const>, MacField<float, 2>&, const TopologyView<2>&,
                      std::span<const SmokeSource<2>>, double, double);
template Emitted emit(Exec&, std::span<Field<float, 3>* const>, MacField<float, 3>&, const TopologyView<3>&,
                      std::span<const SmokeSource<3>>, double, double);

}  // namespace whorl
