#include "plume.h"

#include "bandwidth.h"
#include "harness.h"
#include "solvers/smoke.h"
#include "stages/box_cells.h"
#include "stages/measure.h"

#include <cmath>

namespace whorl::bench {

namespace {

constexpr int D = 3;
constexpr double width = 0.5;  // m, of the box
constexpr double cfl = 2;
constexpr double tolerance = 1e-4;
constexpr double ambient = 300, heat = 500;  // K

Domain<D> plume_domain(int n) {
  Domain<D> domain = box_domain<D>({{}, {n, 2 * n, n}}, Side::open);
  domain.sides[1][0] = Side::wall;
  return domain;
}

SmokeParams<D> plume_params(const PlumeRun& run) {
  SmokeParams<D> p;
  p.h = width / run.n;
  p.sparse = run.sparse;
  p.projection.solve.relative = tolerance;
  SmokeSource<D> source;
  source.shape = CylinderShape<D>{{width / 2, source_height, width / 2}, 0.08, 0.05};
  source.cells = cells_round(source.shape.bounds(), p.h).intersect(plume_domain(run.n).cells);
  source.emissions = {{0, 0.f, 1.f}, {1, 0.f, float(heat)}};
  p.sources.push_back(std::move(source));
  return p;
}

// The first step sees no heat yet: what the five-cell rule would say of the source's.
double first_length(const SmokeParams<D>& p) {
  const double buoyancy = -p.buoyancy.gravity[1] * p.buoyancy.expansion * (heat - ambient);
  return std::sqrt(cfl * p.h / buoyancy);
}

}  // namespace

Result<PlumeFigures> run_plume(const PlumeRun& run) {
  Exec ex({.threads = run.threads});
  const SmokeParams<D> p = plume_params(run);
  const Domain<D> domain = plume_domain(run.n);
  // A sparse run starts from the source's tiles; the first step adds the air round them.
  const TopologyPtr<D> topology =
      run.sparse ? Topology<D>::of_box(ex, domain, p.sources[0].cells) : Topology<D>::of_box(ex, domain);
  SmokeState<D> s = make_smoke<D>(ex, topology, {}, float(ambient));
  PlumeFigures figures;
  double total = 0;
  for (int k = 0; k < run.warm_up + run.measured; ++k) {
    if (k == run.warm_up) ex.memory().reset_peak();
    ex.profile().clear();
    const double start = now();
    const double dt = step_length(ex, s, p, {.cfl = cfl, .longest = first_length(p)});
    const StepReport report = step(ex, s, p, dt);
    const double seconds = now() - start;
    if (!report.finite || !report.pressure.converged)
      return Error{ErrorCode::diverged,
                   "the pressure of step " + std::to_string(k + 1) + " did not converge"};
    figures.lengths.push_back(dt);
    if (k < run.warm_up) continue;
    total += seconds;
    const double cells = double(s.topology()->active_cells());
    if (k > run.warm_up && seconds / cells >= figures.seconds / figures.cells) continue;
    figures.seconds = seconds;
    figures.cells = cells;
    figures.iterations = report.pressure.iterations;
    figures.stages = ex.profile().entries();
  }
  figures.mean_seconds = total / run.measured;
  figures.peak_bytes = double(ex.memory().peak_in_use());
  figures.displacement = max_component(ex, s.velocity) * figures.lengths.back() / p.h;
  figures.centre = center_of_mass(ex, s.density, {}, p.h)[1];
  return figures;
}

double plume_bytes_per_cell(int iterations) {
  constexpr double carried = 5;                              // two scalars and three components
  constexpr double ranges = 12;                              // of the velocity in each tile
  constexpr double there = 4 * carried + 3 * 8 * carried;    // read; result and two extremes written
  constexpr double back = 4 * (4 * carried) + 8 * carried;   // those three and the old values; result
  constexpr double kept = 2 * (4 + (4 + 4 + 8 + 8));         // amounts before; after, and what restores them
  constexpr double forces = 8 + 8;                           // both scalars; one component and back
  constexpr double solids = 24 + 12 + 16 + 12 + 12;          // open fractions: made, and looked at
  constexpr double lengths = 12 + 8 + 12;                    // the fastest air and the strongest buoyancy
  constexpr double projection = (12 + 12 + 16) + 8 + 2 * 24  // right side; its size; two true residuals
                                + (8 + 12 + 24) + 24;        // gradient; what divergence is left
  return ranges + there + back + kept + forces + solids + lengths + projection + iterations * iteration_bytes;
}

}  // namespace whorl::bench
