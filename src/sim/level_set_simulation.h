// A liquid carried by a level set, from frame to frame.
#pragma once

#include "geometry/surface_mesh.h"
#include "grid/snapshot.h"
#include "scene/config.h"
#include "sim/statistics.h"
#include "solvers/level_set_liquid.h"
#include "whorl/simulation.h"

#include <string>
#include <vector>

namespace whorl {

template <int D>
class LevelSetSimulation {
 public:
  static constexpr int dimension = D;
  static Result<LevelSetSimulation> create(Exec& ex, const Scene<D>& scene);

  const Scene<D>& scene() const { return scene_; }
  const LevelSetLiquidState<D>& state() const { return state_; }
  int frame() const { return frame_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

  Result<FrameStatistics> advance(Exec& ex, const std::function<bool(const StepProgress&)>& after_step);

  // All that the frames to come depend on. What is without it is the same scene's, for a state to be loaded,
  // and then looked at.
  template <class Self, class Visitor>
  static void visit(Self& s, Visitor& v) {
    v("frame", s.frame_);
    visit_sums(s.under_way_, v);
    LevelSetLiquidState<D>::visit(s.state_, v);
  }
  LevelSetSimulation without_state() const;
  std::string wrong_with_state() const;  // that was loaded; empty: nothing
  const FrameStatistics& under_way() const { return under_way_; }
  void look(Exec& ex);  // makes what there is to see

  Snapshot<D> snapshot() const;
  std::vector<Shape<D>> solids() const;  // where they are now, in the scene's metres
  // The surface for a mesh: without the bumps that markers leave where liquid is thick enough.
  Field<float, D> smooth_phi(Exec& ex) const;

 private:
  explicit LevelSetSimulation(const Scene<D>& scene);
  Result<LevelSetLiquidParams<D>> params_at(Exec& ex, double t) const;
  // Returns how long it was.
  Result<double> take_step(Exec& ex, double until, FrameStatistics& statistics);
  Result<void> fill_up(Exec& ex, double from, double until);
  void measure(Exec& ex, FrameStatistics& statistics) const;

  Scene<D> scene_;
  GridLayout<D> layout_;
  LevelSetLiquidState<D> state_;
  Field<float, D> solid_distance_;  // where solids are at the end of the frame
  Field<float, D> surface_;         // as one sees it, without what lies in solids
  int frame_ = 0;
  FrameStatistics under_way_;  // of the next frame, as far as sub-steps of it are taken
  std::vector<std::string> warnings_;
};

SurfaceMesh mesh_of(Exec& ex, const LevelSetSimulation<3>& simulation);

}  // namespace whorl
