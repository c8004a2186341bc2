// Spray, foam and bubbles from frame to frame of a liquid's particles, as a simulation gives them or files
// hold them: the same either way.
#pragma once

#include "render/specks.h"
#include "sim/liquid_paths.h"
#include "stages/whitewater.h"

#include <vector>

namespace whorl {

class WhitewaterStage {
 public:
  // Of a scene that has [whitewater], its meshes read.
  static Result<WhitewaterStage> create(const Scene<3>& scene);

  // The next frame, from its liquid in the scene's metres. The first one has no specks yet.
  Result<void> advance(Exec& ex, ParticleTable liquid);

  int frame() const { return frame_; }  // the last one
  // The specks with their kind, age and pscale, in the scene's metres.
  ParticleTable particles() const;

  // All that the frames to come depend on.
  template <class Self, class Visitor>
  static void visit(Self& s, Visitor& v) {
    v("whitewater.frame", s.frame_);
    v("whitewater.liquid.position", s.before_.liquid.position);
    v("whitewater.liquid.velocity", s.before_.liquid.velocity);
    v("whitewater.liquid.id", s.before_.liquid.id);
    v("whitewater.rate", s.before_.rate);
    ParticleSet<3>::visit(s.specks_, v, "whitewater.specks");
  }
  std::string wrong_with_state() const;  // that was loaded; empty: nothing

 private:
  explicit WhitewaterStage(const Scene<3>& scene);
  Result<void> step(Exec& ex, LiquidPaths& paths, int step, int steps);

  Scene<3> scene_;
  GridLayout<3> layout_;
  WhitewaterParams params_;
  WhitewaterSource before_;  // the last frame's
  ParticleSet<3> specks_;
  int frame_ = 0;
};

// A table of specks as the preview shows them: spray brightest, foam fading with its age, bubbles faint.
std::vector<Speck> specks_of(const ParticleTable& table);

}  // namespace whorl
