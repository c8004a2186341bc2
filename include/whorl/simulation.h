// A simulation of a scene, frame by frame.
//
//   auto scene = whorl::SceneFile::load("plume.toml");
//   auto simulation = whorl::Simulation::create(scene.value());
//   while (simulation.value().frame() < scene.value().frames())
//     if (auto frame = simulation.value().advance(); !frame) return report(frame.error());
#pragma once

#include "whorl/frame.h"
#include "whorl/scene.h"

#include <functional>
#include <memory>

namespace whorl {

struct SimulationOptions {
  int threads = 0;  // 0: one a core; the result does not depend on it
};

// After each sub-step.
struct StepProgress {
  int frame = 0;        // under way
  double progress = 0;  // of this frame, 0 to 1
  int substep = 0;      // of this frame, from 1
  double dt = 0;        // s
  int iterations = 0;   // of the pressure solve
  std::int64_t active_cells = 0;
};

class Simulation {
 public:
  static Result<Simulation> create(const SceneFile& scene, const SimulationOptions& options = {});
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  // What is odd about the scene though it can be simulated, such as a mesh with holes.
  const std::vector<std::string>& warnings() const;

  int frame() const;    // the last one finished; 0: the start
  double time() const;  // s

  // On to the next frame. `after_step` is told of every sub-step; false makes it stop there, with
  // ErrorCode::interrupted. After an error the state is that of the last sub-step, and no frame's.
  Result<FrameStatistics> advance(const std::function<bool(const StepProgress&)>& after_step = {});

  // Everything that the frames to come depend on, in one file that is there whole or not at all; after an
  // interrupted advance(), in the middle of a frame.
  Result<void> save(const std::string& path) const;
  // Goes on from such a file: the frames to come are those that would have come, bit for bit.
  // ErrorCode::usage where it is damaged or of another version, ErrorCode::invalid_scene where it is of
  // another scene; then all stays as it is. `changed` scenes, and other versions, are taken as they are if
  // their grid and what it carries are the same.
  Result<void> restore(const std::string& path, bool changed = false);

  // The frame as it stands, in the way that the scene's [output] asks for. Files appear whole or not at all.
  Result<void> write_vdb(const std::string& path);
  Result<void> write_image(const std::string& path);
  Result<void> write_exr(const std::string& path);  // the light of the same picture
  // Of a liquid in 3D: its surface, and its particles, as PLY. The first returns the volume enclosed, in m³.
  Result<double> write_mesh(const std::string& path);
  Result<void> write_particles(const std::string& path);
  // Its spray, foam and bubbles, if the scene has [whitewater]. They go on from the frame before, so this is
  // for every frame, in order.
  Result<void> write_whitewater(const std::string& path);

  // The tiles of a carried quantity ("density", "temperature"); valid until the next call of advance(). Empty
  // for a quantity that there is not.
  std::vector<FrameTile> tiles(const std::string& quantity) const;

 private:
  struct Content;
  explicit Simulation(std::unique_ptr<Content> content);
  std::unique_ptr<Content> content_;
};

}  // namespace whorl
