// How far to solve, and how far a solve got.
#pragma once

namespace whorl {

struct SolveTarget {
  double relative = 1e-6;  // worst residual over worst right side …
  double absolute = 0;     // … or worst residual; whichever is met first
  int max_iterations = 5000;
};

struct [[nodiscard]] SolveReport {
  int iterations = 0;
  double initial = 0;   // worst entry of the right side
  double residual = 0;  // worst entry of the residual
  double seconds = 0;
  double imbalance = 0;  // what no answer can meet where nothing touches air: the mean of the right side
  bool converged = false;
};

}  // namespace whorl
