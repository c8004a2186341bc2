#include "stages/side_inflow.h"

#include "base/check.h"
#include "base/rng.h"
#include "stages/box_cells.h"
#include "stages/solid_distance.h"

#include <algorithm>

namespace whorl {

namespace {

// Calls f(row, face, the row's low corner in halves of a cell from the face's).
template <int D, class F>
void for_rows_before(const Domain<D>& domain, const SideName& side, const F& f) {
  std::size_t row = 0;
  Box<D> halves{{}, Coord<D>::filled(2)};
  halves.hi[side.axis] = 1;
  for_each_coord(faces_of(domain, side), [&](const Coord<D>& face) {
    for_each_coord(halves, [&](const Coord<D>& half) { f(row++, face, half); });
  });
}

}  // namespace

template <int D>
Box<D> faces_of(const Domain<D>& domain, const SideName& side) {
  Box<D> faces = domain.cells;
  faces.lo[side.axis] = side.high ? domain.cells.hi[side.axis] : domain.cells.lo[side.axis];
  faces.hi[side.axis] = faces.lo[side.axis] + 1;
  return faces;
}

template <int D>
void enforce_inflow(MacField<float, D>& velocity, const SideInflow<D>& inflow,
                    std::span<const Solid<D>> solids, double h) {
  const int a = inflow.side.axis;
  Field<float, D>& u = velocity[a];
  std::size_t k = 0;
  for_each_coord(faces_of(velocity.topology()->domain(), inflow.side), [&](const Coord<D>& face) {
    const double speed = double(inflow.velocity[k++][a]);
    if (!u.stores(face)) return;
    const double below = a == 1 ? 1. : std::clamp(inflow.level / h - face[1], 0., 1.);
    const double free = std::clamp(0.5 + distance_to(solids, sample_place(face, a, h)) / h, 0., 1.);
    u.set(face, float(speed * below * free));
  });
}

template <int D>
std::size_t rows_before(const Domain<D>& domain, const SideName& side) {
  return std::size_t(faces_of(domain, side).volume()) << (D - 1);
}

template <int D>
NewParticles<D> enter(const Entrance<D>& entrance, std::span<double> ways, const Domain<D>& domain,
                      std::span<const Solid<D>> solids, double h, double dt) {
  constexpr double spacing = 0.5;  // cells
  const int a = entrance.side.axis;
  const double inward = entrance.side.high ? -1 : 1;
  CHECK(ways.size() == rows_before(domain, entrance.side), ways.size(), " rows before a side");
  NewParticles<D> in;
  for_rows_before(domain, entrance.side, [&](std::size_t row, const Coord<D>& face, const Coord<D>& half) {
    const Vec<double, D> u = entrance.velocity(face);
    const double speed = inward * u[a], from = ways[row];
    if (!(speed > 0)) return;
    const double to = ways[row] = from + speed * dt / h;
    for (std::int64_t k = std::int64_t(std::floor(from / spacing)); double(k) * spacing < to; ++k) {
      Rng rng(mix64(entrance.seed, row), std::uint64_t(k));
      const double place = spacing * (double(k) + double(rng.uniform())), since = to - place;  // cells
      if (!(place >= from && since > 0)) continue;
      Vec<double, D> x;
      bool inside = true;
      for (int b = 0; b < D; ++b) {
        x[b] = face[b] +
               (b == a ? inward * since : 0.5 * (half[b] + double(rng.uniform())) + u[b] / speed * since);
        inside = inside && (domain.periodic(b) || (x[b] > domain.cells.lo[b] && x[b] < domain.cells.hi[b]));
      }
      if (!inside || (a != 1 && x[1] * h > entrance.level) || !is_free(solids, x * h, h)) continue;
      in.position.push_back(x);
      in.velocity.push_back(convert<float>(u));
    }
  });
  return in;
}

#define WHORL_INSTANTIATE(D)                                                                         \
  template Box<D> faces_of(const Domain<D>&, const SideName&);                                       \
  template void enforce_inflow(MacField<float, D>&, const SideInflow<D>&, std::span<const Solid<D>>, \
                               double);                                                              \
  template std::size_t rows_before(const Domain<D>&, const SideName&);                               \
  template NewParticles<D> enter(const Entrance<D>&, std::span<double>, const Domain<D>&,            \
                                 std::span<const Solid<D>>, double, double);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
