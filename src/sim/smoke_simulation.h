// Smoke from frame to frame: sub-steps of the right length that end on the frame.
#pragma once

#include "grid/snapshot.h"
#include "scene/config.h"
#include "sim/statistics.h"
#include "solvers/smoke.h"
#include "whorl/simulation.h"

#include <string>
#include <vector>

namespace whorl {

template <int D>
class SmokeSimulation {
 public:
  static constexpr int dimension = D;
  static Result<SmokeSimulation> create(Exec& ex, const Scene<D>& scene);

  const Scene<D>& scene() const { return scene_; }
  const SmokeState<D>& state() const { return state_; }
  int frame() const { return frame_; }
  const std::vector<std::string>& warnings() const { return warnings_; }  // about the scene

  Result<FrameStatistics> advance(Exec& ex, const std::function<bool(const StepProgress&)>& after_step);

  // All that the frames to come depend on. What is without it is the same scene's, for a state to be loaded.
  template <class Self, class Visitor>
  static void visit(Self& s, Visitor& v) {
    v("frame", s.frame_);
    visit_sums(s.under_way_, v);
    SmokeState<D>::visit(s.state_, v);
  }
  SmokeSimulation without_state() const;
  std::string wrong_with_state() const;  // that was loaded; empty: nothing
  const FrameStatistics& under_way() const { return under_way_; }

  Snapshot<D> snapshot() const;
  std::vector<Shape<D>> solids() const;  // where they are now, in the scene's metres

 private:
  explicit SmokeSimulation(const Scene<D>& scene);
  Result<double> next_step(Exec& ex, const SmokeParams<D>& params, double until) const;
  Result<double> tolerance(double speed) const;
  double solid_speed(double dt) const;
  // The length of what was taken, which may be less than asked for.
  Result<double> take_step(Exec& ex, SmokeParams<D>& params, double dt, FrameStatistics& statistics);
  void measure(Exec& ex, FrameStatistics& statistics) const;

  Scene<D> scene_;
  GridLayout<D> layout_;
  SmokeState<D> state_;
  std::vector<std::string> names_;  // of state_.others
  int frame_ = 0;
  FrameStatistics under_way_;  // of the next frame, as far as sub-steps of it are taken
  std::vector<std::string> warnings_;
};

}  // namespace whorl
