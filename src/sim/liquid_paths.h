// The liquid between two frames: each particle of the later one on its way from where it was in the earlier.
//
// The way is the cubic that has both places and both velocities, the velocity the two in turn. A particle
// that the earlier frame does not have, or whose velocities do not lead from one place to the other (it was
// put elsewhere to even out the liquid), comes in a straight line.
#pragma once

#include "io/particle_file.h"
#include "scene/config.h"

#include <vector>

namespace whorl {

// A frame's liquid, and what each particle gives off, in specks a second.
struct WhitewaterSource {
  ParticleTable liquid;  // in the scene's metres
  std::vector<float> rate;
};

class LiquidPaths {
 public:
  LiquidPaths(Exec& ex, const GridLayout<3>& layout, const WhitewaterSource& earlier,
              const WhitewaterSource& later, double seconds);

  // The liquid after a part of the time, 0 to 1, and never back. Ids are numbers in the later frame.
  void go_to(Exec& ex, double part);
  const ParticleSet<3>& liquid() const { return liquid_; }
  // What the particles of liquid() give off there.
  Buffer<float> rates(Exec& ex) const;
  double fastest() const { return fastest_; }  // m/s

 private:
  struct Path {
    Vec<double, 3> from, to;     // cells
    Vec<float, 3> start, end;    // m/s
    float start_rate, end_rate;  // 1/s
  };
  Vec<double, 3> place(const Path& path, double part) const;

  GridLayout<3> layout_;
  double cells_;  // that 1 m/s goes
  std::vector<Path> paths_;
  ParticleSet<3> liquid_;
  double fastest_ = 0;
  double part_ = 0;
};

}  // namespace whorl
