#include "sim/export_solids.h"

#include "base/json_text.h"
#include "io/file.h"
#include "io/surface_file.h"
#include "render/surfaces.h"
#include "sim/meshes.h"
#include "sim/picture.h"
#include "sim/solid_mesh.h"

#include <cctype>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace whorl {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const Bounds<3> everywhere{Vec<double, 3>::filled(-infinity), Vec<double, 3>::filled(infinity)};

// The domain and a tenth of it more on all sides: what stands in a wall shows no cut.
Bounds<3> round(const DomainConfig<3>& domain) {
  const Vec<double, 3> more = (domain.max - domain.min) * 0.1;
  return {domain.min - more, domain.max + more};
}

bool has_end(const Bounds<3>& box) {
  for (int a = 0; a < 3; ++a)
    if (!std::isfinite(box.hi[a] - box.lo[a])) return false;
  return true;
}

bool moves(const SolidConfig<3>& solid) { return !solid.motion.keys.empty(); }

std::string in_small_letters(std::string text) {
  for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::vector<std::string> solid_file_names(const std::vector<SolidConfig<3>>& solids) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const SolidConfig<3>& solid : solids) {
    std::string plain = solid.name;
    for (char& c : plain)
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
    if (plain.empty()) plain = fmt::format("solid{}", names.size() + 1);
    std::string name = plain;
    for (int k = 2; !taken.insert(in_small_letters(name)).second; ++k) name = fmt::format("{}_{}", plain, k);
    names.push_back(name);
  }
  return names;
}

ExportedSolids::ExportedSolids(const Scene<3>& scene, std::string folder, UpAxis up)
    : scene_(scene), folder_(std::move(folder)), up_(up), names_(solid_file_names(scene.solid)) {}

Result<TriangleMesh> ExportedSolids::mesh_of(Exec& ex, const SolidConfig<3>& solid,
                                             const std::set<int>& frames) const {
  if (!scene_.domain) return solid_mesh(ex, solid.shape, everywhere);
  if (!moves(solid)) return solid_mesh(ex, solid.shape, round(*scene_.domain));
  if (has_end(solid.shape.bounds())) return solid_mesh(ex, solid.shape, everywhere);
  std::vector<double> times;
  for (const int frame : frames) times.push_back(frame / scene_.time.fps);
  return solid_mesh(ex, solid.shape, seen_from(solid, round(*scene_.domain), times));
}

Result<void> ExportedSolids::write(const std::set<int>& frames, const Warn& warn) {
  if (scene_.solid.empty()) return {};
  Exec ex;
  if (const auto warnings = load_meshes(ex, scene_); !warnings) {
    warn("without the scene's solids: " + warnings.error().message);
    return {};
  }
  if (Result<void> made = make_folder(folder_); !made) return made;
  for (std::size_t k = 0; k < scene_.solid.size(); ++k) {
    const SolidConfig<3>& solid = scene_.solid[k];
    const std::string& name = names_[k];
    Result<TriangleMesh> mesh = mesh_of(ex, solid, frames);
    if (!mesh) {
      warn(fmt::format("without the solid '{}': {}", solid.name.empty() ? name : solid.name,
                       mesh.error().message));
      continue;
    }
    exported_.push_back({name, fmt::format("solid/{}{}.ply", name, moves(solid) ? ".####" : ""), &solid, {}});
    if (moves(solid))
      exported_.back().moving = std::move(mesh).value();
    else if (Result<void> done =
                 write_ply(fmt::format("{}/{}.ply", folder_, name), {std::move(mesh).value(), {}, {}}, up_);
             !done)
      return done;
  }
  return {};
}

Result<void> ExportedSolids::write_frame(int frame) const {
  for (const Exported& solid : exported_) {
    if (!moves(*solid.config)) continue;
    const SurfaceMesh moved{moved_to(solid.moving, *solid.config, frame / scene_.time.fps), {}, {}};
    const std::string path = fmt::format("{}/{}.{:04}.ply", folder_, solid.name, frame);
    if (Result<void> done = write_ply(path, moved, up_); !done) return done;
  }
  return {};
}

std::string ExportedSolids::json() const {
  constexpr const char* materials[] = {"matte", "glass", "metal"};
  std::vector<std::string> list;
  for (const Exported& solid : exported_) {
    const SolidLook look =
        scene_.solver == SolverKind::liquid
            ? look_of(*solid.config)
            : SolidLook{Material::matte, given_colour(*solid.config).value_or(preview_solid_colour)};
    list.push_back(fmt::format(R"({{"name": {}, "files": {}, "material": "{}", "color": [{}]}})",
                               json_text(solid.name), json_text(solid.files), materials[int(look.material)],
                               fmt::join(look.colour.v, ", ")));
  }
  return list.empty() ? "" : fmt::format("\"solids\": [{}],\n ", fmt::join(list, ",\n  "));
}

}  // namespace whorl
