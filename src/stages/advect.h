// Advection: dq/dt + u · grad q = 0, for any number of centred and face quantities at once.
//
// Semi-Lagrangian (Stam 1999): the new value at a place is the old one where the flow comes from.
// MacCormack (Selle et al. 2008) adds back half of what going there and back again loses; BFECC (Dupont & Liu
// 2003) adds it before it goes there once more: a third pass, and a third of the error.
// Cell-centred quantities share one trace; each face component has its own.
#pragma once

#include "grid/boundary.h"
#include "grid/field.h"
#include "grid/retile.h"
#include "stages/advect_kernel.h"

#include <span>

namespace whorl {

enum class AdvectionScheme { semi_lagrangian, maccormack, bfecc, bimocq };
enum class Interpolation { linear, catmull_rom, monotone_cubic };

struct AdvectionParams {
  AdvectionScheme scheme = AdvectionScheme::maccormack;
  Interpolation interpolation = Interpolation::linear;
  Limiter limiter = Limiter::clamp;
  int trace_order = 2;  // 1, 2 or 3
};

// What a limiter held each value between; empty where there was none.
template <int D>
struct Extremes {
  Field<float, D> lo, hi;
};

// A quantity to carry: `in` lives where the flow was, `out` is made anew where it goes.
template <int D>
struct Carried {
  const Field<float, D>* in;
  Field<float, D>* out;
  int location = at_centres;  // or the axis of a face component, or at_edges()
  Boundary<D> boundary;
  Extremes<D>* extremes = nullptr;  // for who wants to know them
};

// The flow that carries: its velocity and what lies beyond its domain.
template <int D>
struct Flow {
  const MacField<float, D>* velocity;
  Inflow<D> inflow;
};

// Cells that may be crossed in one step: what the 3^D tiles round a tile hold, less the stencil.
float max_displacement(Interpolation interpolation);

// Cells, of what they are carried to, whose values are wanted, and those of their faces; others get the
// background. Without a mask, all of them. The way there and back looks at values round them: `reached` has
// these cells, too. Not for BFECC.
template <int D>
struct WantedCells {
  const CellMask<D>*wanted = nullptr, *reached = nullptr;
};

// Reads everything on crossing.from(), writes on crossing.to(). `step` is dt / h, and
// step · |velocity| at most max_displacement() along each axis.
template <int D>
void advect(Exec& ex, const Crossing<D>& crossing, const Flow<D>& flow, std::span<const Carried<D>> carried,
            float step, const AdvectionParams& params, const WantedCells<D>& cells = {});

}  // namespace whorl
