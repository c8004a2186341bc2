// Smoke: density and temperature carried by the air that they move, on a grid that follows them.
#pragma once

#include "grid/retile.h"
#include "stages/advect.h"
#include "stages/buoyancy.h"
#include "stages/emit.h"
#include "stages/project.h"

#include <vector>

namespace whorl {

template <int D>
struct SmokeParams {
  double h = 1;  // cell size, m
  AdvectionParams advection;
  ProjectionParams projection;
  BuoyancyParams<D> buoyancy;
  std::vector<SmokeSource<D>> sources;
  Inflow<D> inflow;
  bool sparse = true;               // false: the grid stays as it is
  float density_threshold = 1e-3f;  // a cell with less …
  float temperature_threshold = 1;  // … and no further from the ambient temperature, in K, holds no smoke
  int margin = 8;                   // cells of clear air kept round the smoke, so that the sparse edge is far
  int hysteresis = 4;               // cells
};

// Everything that the next step depends on. A quantity left out of visit() is a bug: state_hash,
// files and device transfer see what it lists.
template <int D>
struct SmokeState {
  MacField<float, D> velocity;  // m/s; its background is the wind
  Field<float, D> density;
  Field<float, D> temperature;  // K; its background is the ambient one
  Field<double, D> pressure;    // p/ρ, m²/s²
  double time = 0;              // s
  std::int64_t steps = 0;

  const TopologyPtr<D>& topology() const { return velocity.topology(); }

  template <class Self, class Visitor>
  static void visit(Self& s, Visitor& v) {
    v("velocity", s.velocity);
    v("density", s.density);
    v("temperature", s.temperature);
    v("pressure", s.pressure);
    v("time", s.time);
    v("steps", s.steps);
  }
};

template <int D>
SmokeState<D> make_smoke(Exec& ex, const TopologyPtr<D>& topology, const Vec<float, D>& wind = {},
                         float ambient_temperature = 300);

struct [[nodiscard]] StepReport {
  SolveReport pressure;
  bool retiled = false;
  bool finite = true;  // false: the velocity was not finite, and no step was taken
};

// The longest step that crosses at most `cfl` cells, and no more than one step can; at most `longest`. NaN
// for a velocity that is not finite.
template <int D>
double step_length(Exec& ex, const SmokeState<D>& s, const SmokeParams<D>& p, double cfl, double longest);

template <int D>
StepReport step(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p, double dt);

}  // namespace whorl
