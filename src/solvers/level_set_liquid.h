// Liquid whose surface is a level set and whose velocity lives on the grid.
#pragma once

#include "grid/boundary.h"
#include "grid/field.h"
#include "stages/advect.h"
#include "stages/force_fields.h"
#include "stages/particle_level_set.h"
#include "stages/project.h"
#include "stages/solids.h"
#include "stages/spout.h"

#include <functional>
#include <vector>

namespace whorl {

template <int D>
struct LevelSetLiquidParams {
  double h = 1;               // m, the side of a cell
  Vec<double, D> gravity{};   // m/s²
  double tension = 0;         // m³/s², σ/ρ
  AdvectionParams advection;  // of the velocity
  LevelSetParams surface{.slope_tolerance = 0.2};
  ProjectionParams projection;
  WallMode walls = WallMode::cut;
  bool keep_volume = false;      // move the surface so that it holds what was filled in, came and went
  std::vector<Solid<D>> solids;  // where they are at the end of the step
  std::vector<Spout<D>> spouts;
  std::vector<ForceField<D>> forces;
  Inflow<D> inflow;
};

template <int D>
struct LevelSetLiquidState {
  LevelSet<D> surface;
  MacField<float, D> velocity;  // m/s, also in the air next to the liquid
  Field<double, D> pressure;    // p/ρ, m²/s²
  double held = 0;              // m^D that there is, or should be
  double injected = 0;          // m^D let in since the start
  double drained = 0;           // m^D gone through open sides
  double time = 0;              // s
  std::int64_t steps = 0;

  template <class Self, class Visitor>
  static void visit(Self& s, Visitor& v) {
    LevelSet<D>::visit(s.surface, v, "surface");
    v("velocity", s.velocity);
    v("pressure", s.pressure);
    v("held", s.held);
    v("injected", s.injected);
    v("drained", s.drained);
    v("time", s.time);
    v("steps", s.steps);
  }
};

// At rest, from any field that is negative inside the liquid.
template <int D>
LevelSetLiquidState<D> make_level_set_liquid(Exec& ex, Field<float, D> phi, const LevelSetLiquidParams<D>& p);

// More of it: what is inside of a shape and is not liquid yet, with `velocity(x)` in metres from the low
// corner of cell 0.
template <int D>
void add_liquid(Exec& ex, LevelSetLiquidState<D>& s, const LevelSetLiquidParams<D>& p, const Shape<D>& shape,
                const std::function<Vec<double, D>(const Vec<double, D>&)>& velocity);

// The longest step in which the fastest face, after gravity has acted, goes `cfl` cells, at most five, and
// which surface tension allows.
template <int D>
double step_length(Exec& ex, const LevelSetLiquidState<D>& s, const LevelSetLiquidParams<D>& p, double cfl,
                   double longest);

template <int D>
SolveReport step(Exec& ex, LevelSetLiquidState<D>& s, const LevelSetLiquidParams<D>& p, double dt);

}  // namespace whorl
