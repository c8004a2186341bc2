// The plume that `whorl bench smoke` measures: hot smoke held in a disc near the floor of a box half a metre
// wide and deep and a metre high. The floor is a wall, the other sides are open.
#pragma once

#include "base/profile.h"
#include "whorl/error.h"

#include <string>
#include <vector>

namespace whorl::bench {

// Of the source, m. bench/peers/blender.py has the same.
inline constexpr double source_height = 0.05;  // of its centre

struct PlumeRun {
  int n = 64;           // cells along x and z; twice as many along y
  bool sparse = false;  // the grid follows the smoke; if not, every cell is active
  int threads = 0;      // 0: one a core
  int warm_up = 20;     // steps that are not measured …
  int measured = 20;    // … and those that are
};

// Of the measured step that is fastest per active cell, unless it says otherwise.
struct PlumeFigures {
  double seconds = 0;       // choosing the step's length included
  double mean_seconds = 0;  // of the measured steps
  double cells = 0;         // active
  int iterations = 0;       // of the pressure solve
  double peak_bytes = 0;    // the most that was held during all of them
  std::vector<Profile::Entry> stages;
  std::vector<double> lengths;  // of every step, s, from the first of the warm-up on
  double displacement = 0;      // cells that the fastest air would cross in the last step
  double centre = 0;            // of the smoke's mass at the end, metres above the floor
};

// MacCormack for density, temperature and velocity, CFL 2, pressure to a worst residual of 1e-4 of the worst
// entry of its right side. An error where a solve does not get there.
Result<PlumeFigures> run_plume(const PlumeRun& run);

// An estimate of the bytes that a step moves a cell, with the read that each written line costs, if every
// field comes from memory once a pass over it.
double plume_bytes_per_cell(int iterations);

}  // namespace whorl::bench
