// What goes into a frame's statistics, whatever the solver.
#pragma once

#include "base/profile.h"
#include "base/vec.h"
#include "whorl/frame.h"

namespace whorl {

// In three dimensions: a 2D vector with a zero, a turn of the plane as one about z.
std::array<double, 3> in_space(const Vec<double, 1>& about_z);
std::array<double, 3> in_space(const Vec<double, 2>& v);
std::array<double, 3> in_space(const Vec<double, 3>& v);

// Seconds of each stage of a step, and of what is outside of steps.
std::vector<std::pair<std::string, double>> stage_seconds(const Profile& profile);

// What the sub-steps of a frame add up; all else is measured when the frame is finished.
template <class Statistics, class Visitor>
void visit_sums(Statistics& s, Visitor& v) {
  v("substeps", s.substeps);
  v("dt_min", s.dt_min);
  v("dt_max", s.dt_max);
  v("pressure_iterations", s.pressure_iterations);
  v("pressure_residual", s.pressure_residual);
  v("max_divergence", s.max_divergence);
  v("pressure_tolerance", s.pressure_tolerance);
  v("given_up", s.given_up);
  v("not_evened", s.not_evened);
}

// The lines of frames.jsonl, told what the mesh of a frame encloses now.
std::string with_mesh_volume(std::string lines, int frame, double volume);

// The most memory that this process has held, in bytes.
std::uint64_t peak_memory();

}  // namespace whorl
