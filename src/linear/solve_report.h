// How far to solve, and how far a solve got.
#pragma once

namespace whorl {

enum class ResidualNorm { worst, two };

struct SolveTarget {
  double relative = 1e-6;  // worst residual over worst right side, or the two-norms of both …
  double absolute = 0;     // … or worst residual; whichever is met first
  int max_iterations = 5000;
  ResidualNorm norm = ResidualNorm::worst;
};

struct [[nodiscard]] SolveReport {
  int iterations = 0;
  double initial = 0;   // worst entry of the right side
  double residual = 0;  // worst entry of the residual, worked out afresh from the answer
  double seconds = 0;
  int regions = 0;           // connected regions of unknowns …
  int floating_regions = 0;  // … and how many of them touch no air
  // What no answer can meet, the mean of the right side over each floating region: the worst of them, and
  // the sum of their sizes times the regions' cells.
  double imbalance = 0, imbalance_total = 0;
  bool converged = false;
};

}  // namespace whorl
