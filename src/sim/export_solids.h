// The solids of a run's scene among the files of its export: solid/block.ply, or of one that moves
// solid/paddle.0001.ply …
#pragma once

#include "geometry/triangle_mesh.h"
#include "io/up_axis.h"
#include "scene/config.h"
#include "whorl/error.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace whorl {

// A name for the files of each solid, no two alike even where capitals and small letters are: the letters,
// digits and - of its own, or solid1 …, with a number where another has that already.
std::vector<std::string> solid_file_names(const std::vector<SolidConfig<3>>& solids);

class ExportedSolids {
 public:
  // `warn` is told of each solid that there is no mesh of.
  using Warn = std::function<void(const std::string&)>;

  ExportedSolids(const Scene<3>& scene, std::string folder, UpAxis up);

  const std::vector<std::string>& names() const { return names_; }
  // Makes the meshes, and the files of those that stay where they are.
  Result<void> write(const std::set<int>& frames, const Warn& warn);
  // The files of those that move.
  Result<void> write_frame(int frame) const;
  // A member of a JSON object with a comma after it, or nothing.
  std::string json() const;

 private:
  struct Exported {
    std::string name, files;
    const SolidConfig<3>* config;
    TriangleMesh moving;  // of one that moves
  };

  Result<TriangleMesh> mesh_of(Exec& ex, const SolidConfig<3>& solid, const std::set<int>& frames) const;

  Scene<3> scene_;
  std::string folder_;
  UpAxis up_;
  std::vector<std::string> names_;
  std::vector<Exported> exported_;
};

}  // namespace whorl
