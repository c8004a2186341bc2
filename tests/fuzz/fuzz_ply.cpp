// Whorl's own meshes and particles; fuzz_mesh is for those of other programs.
#include "fuzz/fuzzers.h"
#include "fuzz/input_file.h"
#include "io/particle_file.h"
#include "io/surface_file.h"

namespace whorl {

void fuzz_ply(std::string_view bytes) {
  const std::string path = input_file("fuzz.ply", bytes);
  static_cast<void>(read_ply(path));
  static_cast<void>(read_particles_ply(path));
}

}  // namespace whorl
