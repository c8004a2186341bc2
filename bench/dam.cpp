#include "dam.h"

#include "harness.h"
#include "solvers/liquid.h"
#include "stages/narrow_band.h"
#include "stages/seed_particles.h"

#include <algorithm>
#include <cmath>

namespace whorl::bench {

namespace {

constexpr int D = 3;
constexpr double cfl = 4;
constexpr double gravity = 9.8;  // m/s²

LiquidParams<D> dam_params(int n, int band) {
  LiquidParams<D> p;
  p.h = 1. / n;
  p.band = band;
  p.gravity[1] = -gravity;
  p.projection.solve = {.relative = 1e-3, .absolute = 1e-3};
  return p;
}

LiquidState<D> dam_at_rest(Exec& ex, const LiquidParams<D>& p, int n) {
  const Domain<D> domain = box_domain<D>({{}, {n, n, n}}, Side::wall);
  const Shape<D> water = BoxShape<D>{{}, {dam_height, dam_height, 1}};
  return make_liquid<D>(ex, domain, seed_particles<D>(water, domain.cells, p.h), p.transfer);
}

// Steps of one length for what is left of a frame.
double next_length(Exec& ex, const LiquidState<D>& s, const LiquidParams<D>& p, double left) {
  return left / std::ceil(left / step_length(ex, s, p, cfl, left) - 1e-6);
}

// f(place in metres) for all particles, and those that a core would have.
template <class F>
void for_each_place(Exec& ex, const LiquidState<D>& s, const LiquidParams<D>& p, const F& f) {
  const ParticleSet<D> filled = s.core.topology
                                    ? with_core<D>(ex, s.particles, s.core, s.core_velocity, {}, p.transfer)
                                    : ParticleSet<D>{};
  const ParticleSet<D>& all = s.core.topology ? filled : s.particles;
  for (int tile = 0; tile < all.topology->tile_count(); ++tile)
    for (std::uint32_t i = all.tile_begin(tile); i < all.tile_end(tile); ++i) {
      Vec<double, D> x;
      for (int a = 0; a < D; ++a)
        x[a] = p.h * (all.topology->tiles()[std::size_t(tile)][a] * tile_side +
                      double(all.position[std::size_t(a)][i]));
      f(x);
    }
}

double mean_height(Exec& ex, const LiquidState<D>& s, const LiquidParams<D>& p) {
  double sum = 0, count = 0;
  for_each_place(ex, s, p, [&](const Vec<double, D>& x) { sum += x[1], ++count; });
  return sum / count;
}

double front(Exec& ex, const LiquidState<D>& s, const LiquidParams<D>& p) {
  double farthest = 0;
  for_each_place(ex, s, p, [&](const Vec<double, D>& x) { farthest = std::max(farthest, x[0]); });
  return farthest;
}

}  // namespace

Result<DamFigures> run_dam(const DamRun& run) {
  Exec ex({.threads = run.threads});
  const LiquidParams<D> p = dam_params(run.n, run.band);
  LiquidState<D> s = dam_at_rest(ex, p, run.n);
  DamFigures figures;
  double farthest = 0;
  for (int frame = 0; frame < run.warm_up + run.frames; ++frame) {
    if (frame == run.warm_up) {
      figures = {};
      ex.memory().reset_peak();
      ex.profile().clear();
    }
    const double until = (frame + 1) * dam_frame, start = now();
    while (s.time < until) {
      const double left = until - s.time, dt = next_length(ex, s, p, left);
      figures.particle_steps += double(s.particles.size());
      figures.cell_steps += double(s.particles.topology->active_cells());
      const SolveReport report = step(ex, s, p, dt);
      if (!report.converged || !std::isfinite(report.residual))
        return Error{ErrorCode::diverged,
                     "the pressure of step " + std::to_string(s.steps) + " did not converge"};
      if (dt == left) s.time = until;
      ++figures.steps;
      figures.iterations += report.iterations;
    }
    figures.seconds += now() - start;
    if (frame + 1 == dam_front_frame) {
      figures.peak_bytes = double(ex.memory().peak_in_use());
      farthest = front(ex, s, p);  // which takes memory of its own
      ex.memory().reset_peak();
    }
  }
  figures.peak_bytes = std::max(figures.peak_bytes, double(ex.memory().peak_in_use()));
  figures.stages = ex.profile().entries();
  figures.centre = mean_height(ex, s, p);
  figures.front = farthest;
  return figures;
}

}  // namespace whorl::bench
