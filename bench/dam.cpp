#include "dam.h"

#include "harness.h"
#include "solvers/liquid.h"
#include "stages/seed_particles.h"

#include <cmath>

namespace whorl::bench {

namespace {

constexpr int D = 3;
constexpr double cfl = 4;
constexpr double gravity = 9.8;  // m/s²

LiquidParams<D> dam_params(int n) {
  LiquidParams<D> p;
  p.h = 1. / n;
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

double mean_height(const ParticleSet<D>& p, double h) {
  double sum = 0;
  for (int tile = 0; tile < p.topology->tile_count(); ++tile)
    for (std::uint32_t i = p.tile_begin(tile); i < p.tile_end(tile); ++i)
      sum += p.topology->tiles()[std::size_t(tile)][1] * tile_side + double(p.position[1][i]);
  return h * sum / double(p.size());
}

}  // namespace

Result<DamFigures> run_dam(const DamRun& run) {
  Exec ex({.threads = run.threads});
  const LiquidParams<D> p = dam_params(run.n);
  LiquidState<D> s = dam_at_rest(ex, p, run.n);
  DamFigures figures;
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
  }
  figures.peak_bytes = double(ex.memory().peak_in_use());
  figures.stages = ex.profile().entries();
  figures.centre = mean_height(s.particles, p.h);
  return figures;
}

}  // namespace whorl::bench
