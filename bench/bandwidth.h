// The speed of memory, and how much of it one part of a step asks for.
#pragma once

#include "exec/exec.h"

namespace whorl::bench {

// STREAM's triad, with the read that each written line costs.
double bytes_per_second(Exec& ex);

// Bytes a cell that an iteration of multigrid_pcg moves, with the read that each written line costs: the
// cycle's passes over the finest grid and a seventh more for the others, then the three of the iteration.
inline constexpr double cycle_bytes = 12 + 16 + 8 + 8 + 3 * 16;
inline constexpr double iteration_bytes = cycle_bytes * 8 / 7 + 12 + 4 + 28;

}  // namespace whorl::bench
