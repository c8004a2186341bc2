// Liquid from frame to frame: sub-steps of the right length that end on the frame.
#pragma once

#include "geometry/surface_mesh.h"
#include "grid/snapshot.h"
#include "io/particle_file.h"
#include "scene/config.h"
#include "sim/statistics.h"
#include "solvers/liquid.h"
#include "whorl/simulation.h"

#include <optional>
#include <string>
#include <vector>

namespace whorl {

template <int D>
class LiquidSimulation {
 public:
  static constexpr int dimension = D;
  static Result<LiquidSimulation> create(Exec& ex, const Scene<D>& scene);

  const Scene<D>& scene() const { return scene_; }
  const LiquidState<D>& state() const { return state_; }
  int frame() const { return frame_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

  Result<FrameStatistics> advance(Exec& ex, const std::function<bool(const StepProgress&)>& after_step);

  // All that the frames to come depend on. What is without it is the same scene's, for a state to be loaded,
  // and then looked at.
  template <class Self, class Visitor>
  static void visit(Self& s, Visitor& v) {
    v("frame", s.frame_);
    visit_sums(s.under_way_, v);
    LiquidState<D>::visit(s.state_, v);
  }
  LiquidSimulation without_state() const;
  std::string wrong_with_state() const;  // that was loaded; empty: nothing
  const FrameStatistics& under_way() const { return under_way_; }
  void look(Exec& ex);  // makes what there is to see

  Snapshot<D> snapshot() const;
  std::vector<Shape<D>> solids() const;  // where they are now, in the scene's metres
  // Those of the core among them.
  const ParticleSet<D>& shown() const { return whole_ ? *whole_ : state_.particles; }

 private:
  explicit LiquidSimulation(const Scene<D>& scene);
  Result<NewParticles<D>> particles_of(const FillConfig<D>& fill, double t) const;
  Result<double> next_step(Exec& ex, const LiquidParams<D>& params, double until) const;
  Result<void> take_step(Exec& ex, LiquidParams<D>& params, double dt, FrameStatistics& statistics);
  Result<void> fill_up(Exec& ex, double from, double until);
  void measure(Exec& ex, FrameStatistics& statistics) const;

  Scene<D> scene_;
  GridLayout<D> layout_;
  LiquidState<D> state_;
  std::optional<ParticleSet<D>> whole_;  // with a core: particles there, too, at the end of the frame
  Field<float, D> surface_;
  MacField<float, D> velocity_;
  int frame_ = 0;
  FrameStatistics under_way_;  // of the next frame, as far as sub-steps of it are taken
  std::vector<std::string> warnings_;
};

// In the scene's metres.
ParticleTable particles_of(const LiquidSimulation<3>& simulation);
SurfaceMesh mesh_of(Exec& ex, const LiquidSimulation<3>& simulation);

}  // namespace whorl
