#include "cases/vortices.h"
#include "solvers/smoke.h"
#include "stages/measure.h"
#include "stages/vorticity.h"

#include <cmath>

namespace whorl {

namespace {

// The place of the strongest vorticity among the cells with centre above or below half the height.
Vec<double, 2> strongest(Exec& ex, const SmokeState<2>& s, double h, int n, bool upper) {
  const Field<float, 2> curl = std::move(edge_vorticity(ex, s.velocity, h)[0]);
  Coord<2> best{};
  float most = 0;
  for_each_coord(Box<2>{{0, upper ? n / 2 : 0}, {n, upper ? n : n / 2}}, [&](const Coord<2>& c) {
    if (curl.get(c) > most) most = curl.get(c), best = c;
  });
  return {h * best[0], h * best[1]};
}

// Where the ring is along its axis: the middle of its impulse ½ ∫ x × ω (Saffman's measure of a ring's
// place).
double ring_height(Exec& ex, const MacField<float, 3>& velocity, double h) {
  const std::vector<Field<float, 3>> curl = edge_vorticity(ex, velocity, h);
  double impulse = 0, sum = 0;
  const Box<3>& cells = velocity.topology()->domain().cells;
  const Coord<3> inside = Coord<3>::filled(2);  // what is next to the sides is no vorticity
  for_each_coord(Box<3>{cells.lo + inside, cells.hi - inside}, [&](const Coord<3>& c) {
    for (const int k : {0, 2}) {
      const double arm = h * (c[2 - k] - cells.hi[0] / 2.);
      const double part = (k == 0 ? 1 : -1) * arm * curl[std::size_t(k)].get(c);
      impulse += part;
      sum += part * h * c[1];
    }
  });
  return sum / impulse;
}

// A ring of radius 1 and circulation 1 about the y axis, as a potential round it: elements of the ring with
// Gaussian cores a have the potential erf(r/a)/(4πr) (free space, whatever the box).
double ring_potential(double r, double y, double a) {
  constexpr int elements = 256;
  double sum = 0;
  for (int k = 0; k < elements; ++k) {
    const double angle = 2 * M_PI * (k + 0.5) / elements;
    const double distance = std::sqrt(r * r + 1 - 2 * r * std::cos(angle) + y * y);
    sum += std::cos(angle) * std::erf(distance / a) / distance;
  }
  return sum / (2 * elements);
}

// The ring in the middle of a cube, half a unit below its centre.
void set_ring(Exec& ex, MacField<float, 3>& velocity, double side, double a) {
  const TopologyPtr<3>& topology = velocity.topology();
  const int n = topology->domain().cells.hi[0];
  const double h = side / n;
  // By radius and height, for the edges round the ring run along it.
  const double fine = 0.0025, start_height = -0.5;
  const int radii = int(1.5 * side / fine / 2);
  std::vector<double> table(std::size_t(radii) * std::size_t(n + 1));
  ex.parallel_for(n + 1, 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t j = begin; j < end; ++j)
      for (int i = 0; i < radii; ++i)
        table[std::size_t(j) * std::size_t(radii) + std::size_t(i)] =
            ring_potential(fine * i, h * double(j) - side / 2 - start_height, a);
  });
  std::vector<Field<double, 3>> potential;
  for (int k = 0; k < 3; ++k) {
    potential.emplace_back(ex, topology);
    if (k == 1) continue;
    for_each_coord(Box<3>{{}, Coord<3>::filled(n + 1)}, [&](const Coord<3>& c) {
      // The box's own corners have no tile: the first projection mends what that does to the faces there.
      if (topology->map().find({c[0] / tile_side, c[1] / tile_side, c[2] / tile_side}) < 0) return;
      Vec<double, 3> x;
      for (int b = 0; b < 3; ++b) x[b] = h * (c[b] + double(sample_offset(at_edges(k), b))) - side / 2;
      const double r = std::hypot(x[0], x[2]), place = std::min(r / fine, radii - 1.001);
      const double* entry = &table[std::size_t(c[1]) * std::size_t(radii) + std::size_t(place)];
      const double along = entry[0] + (place - std::floor(place)) * (entry[1] - entry[0]);
      // Along (z, 0, -x): the ring rises.
      if (r > 0) potential[std::size_t(k)].set(c, along * (k == 0 ? x[2] : -x[0]) / r);
    });
  }
  add_curl(ex, velocity, potential, h);
}

}  // namespace

void two_vortices(Findings& found) {
  Exec ex;
  const int n = 256;
  const double h = 2 * M_PI / n, a = 0.3;
  const Box<2> box{{0, 0}, {n, n}};
  SmokeState<2> s = make_smoke<2>(ex, Topology<2>::of_box(ex, box_domain<2>(box, Side::periodic)));
  for_each_coord(box, [&](const Coord<2>& c) {
    for (int axis = 0; axis < 2; ++axis) {
      double u = 0;
      for (const double side : {-0.405, 0.405}) {
        const double x = h * (c[0] + double(sample_offset(axis, 0))) - M_PI - side;
        const double y = h * (c[1] + double(sample_offset(axis, 1))) - M_PI;
        // u_θ = U r/a exp(½(1 - r²/a²)) has the vorticity (U/a)(2 - r²/a²) exp(½(1 - r²/a²)).
        u += (axis == 0 ? -y : x) / a * std::exp(0.5 * (1 - (x * x + y * y) / (a * a)));
      }
      s.velocity[axis].set(c, float(u));
    }
  });
  SmokeParams<2> p;
  p.h = h;
  p.sparse = false;
  p.energy = EnergyScheme::reflection;
  p.projection.solve.relative = 1e-6;
  const int steps = 320;
  for (int k = 0; k < steps; ++k) found.require_solved(step(ex, s, p, 8. / steps).pressure.converged);
  for (const bool upper : {false, true}) {
    const Vec<double, 2> place = strongest(ex, s, h, n, upper);
    const double x = place[0] - M_PI, y = place[1] - M_PI, sign = upper ? 1 : -1;
    const std::string core = upper ? "upper core" : "lower core";
    found.within(core + ", x", x, sign * 0.10, 0.12);
    found.within(core + ", y", y, sign * 1.40, 0.12);
  }
}

void vortex_ring(Findings& found) {
  Exec ex;
  const int n = 128;
  const double side = 6, h = side / n, a = 0.2;
  const Box<3> box{{}, Coord<3>::filled(n)};
  SmokeState<3> s = make_smoke<3>(ex, Topology<3>::of_box(ex, box_domain<3>(box, Side::open)));
  set_ring(ex, s.velocity, side, a);
  SmokeParams<3> p;
  p.h = h;
  p.sparse = false;
  p.energy = EnergyScheme::reflection;
  p.projection.solve.relative = 1e-4;
  const double dt = 0.125;
  const double start = ring_height(ex, s.velocity, h);
  for (int k = 0; k < 12; ++k) found.require_solved(step(ex, s, p, dt).pressure.converged);
  const double speed = (ring_height(ex, s.velocity, h) - start) / (12 * dt);
  found.near("speed of the ring", speed, 0.2491, 0.05);
}

}  // namespace whorl
