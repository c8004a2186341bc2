// The passes of a multigrid cycle over one grid, fused so that each reads memory as little as it can.
#pragma once

#include "linear/coarsen.h"
#include "linear/system_rows.h"

namespace whorl {

// Two Jacobi sweeps from zero at once: x₁ = ω₁ D⁻¹ b is worked out again wherever the second sweep reads it.
template <int D>
void first_two_sweeps(Exec& ex, const PressureSystem<D>& system, Field<float, D>& x, const Field<float, D>& b,
                      float first, float second);

// out = x + ω D⁻¹ (b - A x).
template <int D>
void sweep(Exec& ex, const PressureSystem<D>& system, Field<float, D>& out, const Field<float, D>& x,
           const Field<float, D>& b, float weight);
// The same; returns out · b.
template <int D>
double last_sweep(Exec& ex, const PressureSystem<D>& system, Field<float, D>& out, const Field<float, D>& x,
                  const Field<float, D>& b, float weight);

// The coarse cells of b - A x: four times the mean of the fine ones (h² has grown by four). Parts of coarse
// tiles without a fine one, or with a dry one, stay as they are, zero.
template <int D>
void restrict_residual(Exec& ex, Field<float, D>& coarse, const PressureSystem<D>& system,
                       const Field<float, D>& x, const Field<float, D>& b, const CoarseSystem<D>& level);

// Adds each coarse value to its fine unknowns.
template <int D>
void prolong_add(Exec& ex, Field<float, D>& fine, const PressureSystem<D>& system,
                 const Field<float, D>& coarse, const CoarseSystem<D>& level);

}  // namespace whorl
