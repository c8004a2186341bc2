#include "sim/meshes.h"

#include "geometry/mesh_distance.h"
#include "io/mesh_file.h"
#include "scene/validate.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace whorl {
namespace {

// The shape with f(mesh, scale) in the place of every MeshShape: what its transforms make of a length of 1.
template <int D, class F>
Shape<D> replace_meshes(const Shape<D>& shape, const F& f, double scale = 1) {
  return std::visit(
      [&](auto node) -> Shape<D> {
        using Node = decltype(node);
        if constexpr (std::is_same_v<Node, MeshShape<D>>) return f(std::move(node), scale);
        if constexpr (std::is_same_v<Node, TransformShape<D>>) scale *= node.scale;
        if constexpr (requires { node.parts; })
          for (Shape<D>& part : node.parts) part = replace_meshes(part, f, scale);
        return node;
      },
      shape.node());
}

template <int D>
std::vector<MeshShape<D>> meshes_of(const Shape<D>& shape) {
  std::vector<MeshShape<D>> meshes;
  replace_meshes(shape, [&](MeshShape<D> mesh, double) {
    meshes.push_back(mesh);
    return Shape<D>(std::move(mesh));
  });
  return meshes;
}

template <int D>
class Loader {
 public:
  Loader(Exec& ex, const Scene<D>& scene)
      : ex_(ex), domain_(scene.domain), cell_size_(grid_layout(scene).cell_size) {}

  Shape<D> load(const Shape<D>& shape, bool must_be_inside) {
    const std::vector<MeshShape<D>> named = meshes_of(shape);
    if (named.empty()) return shape;
    const std::size_t before = problems_.size();
    Shape<D> loaded = replace_meshes(
        shape, [&](MeshShape<D> mesh, double scale) { return Shape<D>(filled(std::move(mesh), scale)); });
    if (!domain_ || !must_be_inside || problems_.size() > before) return loaded;
    if (const auto outside = lies_outside(loaded, *domain_)) {
      const std::string key = named[0].key.substr(0, named[0].key.find(".shape") + 6);
      problems_.push_back(
          fmt::format("{}: {}: {}; allowed: {}", named[0].where, key, outside->found, outside->allowed));
    }
    return loaded;
  }

  const std::vector<std::string>& problems() const { return problems_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  static std::string said(const MeshShape<D>& mesh, const std::string& what) {
    return fmt::format("{}: {}: {}", mesh.where, mesh.key, what);
  }

  MeshShape<D> filled(MeshShape<D> shape, double scale) {
    const auto [file, is_new] = files_.try_emplace(shape.file, TriangleMesh{});
    if (is_new) file->second = read_mesh(shape.file);
    if (!file->second) {
      problems_.push_back(said(shape, file->second.error().message));
      return shape;
    }
    const TriangleMesh& mesh = file->second.value();
    const double h = mesh_cell_size(mesh, cell_size_ / scale, D);
    std::shared_ptr<const MeshDistance>& distance = distances_[{shape.file, h}];
    if (!distance) {
      distance = std::make_shared<MeshDistance>(ex_, mesh, h,
                                                D == 2 ? MeshDistance::section() : MeshDistance::all_space());
      warn_of(shape, *distance);
    }
    shape.mesh = distance;
    if (const Bounds<3>& box = distance->bounds(); D == 2 && (box.lo[2] > 0 || box.hi[2] < 0))
      problems_.push_back(said(shape, fmt::format("{}: it lies off the plane, from z = {} to {}; allowed: a "
                                                  "mesh that the plane z = 0 cuts, for a 2D scene",
                                                  shape.file, box.lo[2], box.hi[2])));
    return shape;
  }

  void warn_of(const MeshShape<D>& shape, const MeshDistance& distance) {
    if (const int open = distance.boundary_edges())
      warnings_.push_back(
          said(shape, fmt::format("{}: an open mesh: {} boundary edge{}; its holes are closed", shape.file,
                                  open, open == 1 ? "" : "s")));
    if (!distance.has_inside())
      warnings_.push_back(said(shape, shape.file + ": it encloses nothing that the grid can hold"));
  }

  Exec& ex_;
  std::optional<DomainConfig<D>> domain_;
  double cell_size_;
  std::map<std::string, Result<TriangleMesh>> files_;
  std::map<std::pair<std::string, double>, std::shared_ptr<const MeshDistance>> distances_;
  std::vector<std::string> problems_, warnings_;
};

}  // namespace

template <int D>
Result<std::vector<std::string>> load_meshes(Exec& ex, Scene<D>& scene) {
  Loader<D> loader(ex, scene);
  const auto load = [&](auto& body) {  // one that moves may come in
    body.shape = loader.load(body.shape, body.motion.keys.empty());
  };
  for (SourceConfig<D>& source : scene.source) load(source);
  for (SolidConfig<D>& solid : scene.solid) load(solid);
  for (FillConfig<D>& fill : scene.fill) fill.shape = loader.load(fill.shape, true);
  for (ForceConfig<D>& force : scene.force)
    if (force.shape) force.shape = loader.load(*force.shape, true);
  std::string text;
  for (const std::string& problem : loader.problems()) text += (text.empty() ? "" : "\n") + problem;
  if (!text.empty()) return Error{ErrorCode::invalid_scene, text};
  return loader.warnings();
}

std::vector<std::string> mesh_overrides(const SceneConfig& config) {
  std::vector<std::string> overrides;
  const auto add = [&]<int D>(const Shape<D>& shape) {
    for (const MeshShape<D>& mesh : meshes_of(shape))
      overrides.push_back(fmt::format("{}=\"{}\"", mesh.key,
                                      std::filesystem::absolute(mesh.file).lexically_normal().string()));
  };
  std::visit(
      [&](const auto& scene) {
        for (const auto& source : scene.source) add(source.shape);
        for (const auto& solid : scene.solid) add(solid.shape);
        for (const auto& fill : scene.fill) add(fill.shape);
        for (const auto& force : scene.force)
          if (force.shape) add(*force.shape);
      },
      config);
  return overrides;
}

template Result<std::vector<std::string>> load_meshes(Exec&, Scene<2>&);
template Result<std::vector<std::string>> load_meshes(Exec&, Scene<3>&);

}  // namespace whorl
