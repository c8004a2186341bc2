// Modified incomplete Cholesky, level zero, as a preconditioner (Bridson & Müller-Fischer 2007, §4.3.3).
//
// With τ = 0 it is plain incomplete Cholesky, IC(0).
//
// L L^T ≈ A with L as sparse as A's lower half; what is left out goes to the diagonal with weight τ, so
// that constants are handled well. Each cell needs its low neighbours first: tiles are taken in wavefronts
// (equal sums of coordinates), the tiles of a front in parallel, cells within a tile in order. That is
// exactly the serial recurrence, at any number of threads. Links across a periodic side are left out of L.
#pragma once

#include "linear/pcg.h"

#include <memory>

namespace whorl {

template <int D>
std::unique_ptr<Preconditioner<double, D>> make_mic(Exec& ex, const PressureSystem<D>& system,
                                                    double tau = 0.97);

}  // namespace whorl
