#include "scene/scene.h"
#include "sim/kept_scene.h"
#include "sim/run_folder.h"
#include "sim/scene_content.h"

#include <cstdint>
#include <limits>

namespace whorl {

namespace {

// What f makes of the scene, whatever its dimension.
template <class F>
decltype(auto) of(const SceneContent& content, const F& f) {
  return std::visit(f, content.config);
}

}  // namespace

Result<SceneFile> SceneFile::load(const std::string& path, const std::vector<std::string>& overrides) {
  const Result<std::string> text = read_text(path);
  Result<SceneConfig> scene = load_scene(path, text ? with_kept(text.value(), overrides) : overrides);
  if (!scene) return scene.error();
  return SceneFile(std::make_shared<SceneContent>(SceneContent{std::move(scene).value()}));
}

Result<SceneFile> SceneFile::parse(const std::string& text, const std::string& source,
                                   const std::vector<std::string>& overrides) {
  Result<SceneConfig> scene = parse_scene(text, source, with_kept(text, overrides));
  if (!scene) return scene.error();
  return SceneFile(std::make_shared<SceneContent>(SceneContent{std::move(scene).value()}));
}

Result<SceneFile> SceneFile::parse_made(const std::string& text, const std::string& source,
                                        const std::vector<std::string>& overrides) {
  constexpr SceneLimits any{.memory = std::numeric_limits<std::uint64_t>::max()};
  Result<SceneConfig> scene = parse_scene(text, source, with_kept(text, overrides), any);
  if (!scene) return scene.error();
  return SceneFile(std::make_shared<SceneContent>(SceneContent{std::move(scene).value()}));
}

const std::string& SceneFile::name() const {
  return of(*content_, [](const auto& scene) -> const std::string& { return scene.name; });
}
int SceneFile::dimension() const {
  return of(*content_, [](const auto& scene) { return scene.dimension; });
}
int SceneFile::frames() const {
  return of(*content_, [](const auto& scene) { return scene.time.frames; });
}
double SceneFile::fps() const {
  return of(*content_, [](const auto& scene) { return scene.time.fps; });
}
bool SceneFile::wants_vdb() const {
  return of(*content_, [](const auto& scene) { return !scene.output.vdb.empty(); });
}
bool SceneFile::wants_images() const {
  return of(*content_, [](const auto& scene) { return scene.output.png; });
}
bool SceneFile::wants_exr() const {
  return of(*content_, [](const auto& scene) { return scene.output.exr; });
}
bool SceneFile::wants_meshes() const {
  return std::visit(
      []<int D>(const Scene<D>& c) { return D == 3 && c.solver == SolverKind::liquid && c.output.mesh; },
      content_->config);
}
bool SceneFile::wants_particles() const {
  return std::visit(
      []<int D>(const Scene<D>& c) { return D == 3 && c.solver == SolverKind::liquid && c.output.particles; },
      content_->config);
}
bool SceneFile::wants_whitewater() const {
  return of(*content_, [](const auto& scene) { return scene.whitewater.has_value(); });
}
bool SceneFile::wants_video() const {
  return of(*content_, [](const auto& scene) { return scene.output.png && scene.output.video; });
}

}  // namespace whorl
