// The coarsest grid of a pyramid, solved at once.
#pragma once

#include "linear/cholesky.h"
#include "linear/pressure_system.h"

namespace whorl {

template <int D>
class BottomSolver {
 public:
  explicit BottomSolver(const PressureSystem<D>& system);
  void solve(Field<float, D>& x, const Field<float, D>& b);

 private:
  std::vector<std::size_t> cells_;  // places of the unknowns in a slab
  std::vector<double> values_;
  Cholesky factor_;
};

}  // namespace whorl
