#include "cases/dam_break.h"
#include "solvers/liquid.h"
#include "stages/particle_surface.h"
#include "stages/seed_particles.h"

#include <cmath>

namespace whorl {

namespace {

using Curve = std::vector<std::pair<double, double>>;  // x/a at times t √(2g/a)

// What Martin & Moyce measured
const Curve measured = {{.41, 1.11},  {.84, 1.22},  {1.19, 1.44}, {1.43, 1.67}, {1.63, 1.89},
                        {1.83, 2.11}, {1.98, 2.33}, {2.20, 2.56}, {2.32, 2.78}, {2.51, 3.00},
                        {2.65, 3.22}, {2.83, 3.44}, {2.98, 3.67}, {3.11, 3.89}, {3.33, 4.11}};

// How far the surface reaches along the lowest cells.
double front_on_floor(Exec& ex, const ParticleSet<2>& particles, double h) {
  const Field<float, 2> surface = surface_from_particles(ex, particles, h);
  double front = 0;
  for (int tile = 0; tile < particles.topology->tile_count(); ++tile) {
    const Coord<2> corner = particles.topology->tiles()[std::size_t(tile)] * tile_side;
    if (corner[1] != 0) continue;
    for (int i = 0; i < tile_side; ++i) {
      const float phi =
          surface.data()[std::size_t(tile) * tile_cells<2> + std::size_t(cell_offset<2>({i, 0}))];
      if (phi < 0) front = std::max(front, h * (corner[0] + i + 0.5) - double(phi));
    }
  }
  return front;
}

Curve run_dam(Findings& found, int cells) {
  Exec ex({.threads = 1});
  LiquidParams<2> p;
  p.h = 1. / cells;  // a = 1
  p.gravity = {0, -9.81};
  p.projection.solve = {.relative = 1e-4};
  const Domain<2> domain = box_domain<2>({{}, {8 * cells, 4 * cells}}, Side::wall);
  LiquidState<2> s = make_liquid<2>(
      ex, domain, seed_particles<2>(BoxShape<2>{{-1, -1}, {1, 2}}, domain.cells, p.h), p.transfer);
  Curve front;
  while (s.time * std::sqrt(2 * 9.81) < 3.5) {
    front.emplace_back(s.time * std::sqrt(2 * 9.81), front_on_floor(ex, s.particles, p.h));
    found.require_solved(step(ex, s, p, step_length(ex, s, p, 0.5, 1. / 480)).converged);
  }
  return front;
}

double front_at(const Curve& front, double t) {
  std::size_t k = 1;
  while (k + 1 < front.size() && front[k].first < t) ++k;
  const auto [t0, z0] = front[k - 1];
  const auto [t1, z1] = front[k];
  return t <= t0 ? z0 : z0 + (z1 - z0) * (t - t0) / (t1 - t0);
}

struct Fit {
  double rms;       // of the error over that of what was measured
  double each_rms;  // of the parts by which each is off
  double shift;     // a gate does not vanish at once
};

Fit best_fit(const Curve& front) {
  Fit best{1e9, 1e9, 0};
  for (int hundredth = 0; hundredth <= 20; ++hundredth) {
    const double shift = 0.01 * hundredth;
    double square = 0, whole = 0, of_each = 0;
    for (const auto& [t, z] : measured) {
      const double off = front_at(front, std::max(t - shift, 0.)) - z;
      square += off * off;
      whole += z * z;
      of_each += std::pow(off / z, 2);
    }
    if (const double rms = std::sqrt(square / whole); rms < best.rms)
      best = {rms, std::sqrt(of_each / double(measured.size())), shift};
  }
  return best;
}

}  // namespace

void dam_break(Findings& found) {
  Plot plot{.title = "V-D4: the front of a dam that breaks (Martin & Moyce 1952)",
            .x_label = "t √(2g/a)",
            .y_label = "x/a"};
  for (const int cells : {16, 32}) {
    Curve front = run_dam(found, cells);
    const Fit fit = best_fit(front);
    const std::string with = "front, " + std::to_string(cells) + " cells a width, ";
    found.at_most(with + "RMS error", fit.rms, cells == 16 ? 0.05 : 0.03);
    found.at_most(with + "RMS of relative errors", fit.each_rms, 0.05);
    for (auto& [t, z] : front) t += fit.shift;
    plot.series.push_back({std::to_string(cells) + " cells a width", front});
  }
  plot.series.push_back({"measured", measured, false});
  found.plot("dam_break", std::move(plot));
}

}  // namespace whorl
