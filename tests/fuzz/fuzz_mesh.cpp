#include "fuzz/fuzzers.h"
#include "fuzz/input_file.h"
#include "io/mesh_file.h"

namespace whorl {
namespace {

// Whorl goes by the name of a file, and here there is none.
std::string kind_of(std::string_view bytes) {
  if (bytes.starts_with("ply")) return "ply";
  if (bytes.starts_with("solid")) return "stl";
  if (bytes.starts_with("glTF")) return "glb";
  if (bytes.starts_with("{")) return "gltf";
  return "obj";
}

}  // namespace

void fuzz_mesh(std::string_view bytes) {
  static_cast<void>(read_mesh(input_file("fuzz." + kind_of(bytes), bytes)));
}

}  // namespace whorl
