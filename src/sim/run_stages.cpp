#include "sim/run_stages.h"

#include "sim/scene_content.h"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace whorl {

namespace {

constexpr std::array<std::pair<std::string_view, bool RunStages::*>, 4> names = {
    {{"simulate", &RunStages::simulate},
     {"surface", &RunStages::surface},
     {"whitewater", &RunStages::whitewater},
     {"render", &RunStages::render}}};

bool is_3d_liquid(const SceneFile& scene) {
  return std::visit(
      []<int D>(const Scene<D>& config) { return D == 3 && config.solver == SolverKind::liquid; },
      scene.content().config);
}

bool is_level_set(const SceneFile& scene) {
  return std::visit([](const auto& config) { return config.liquid.surface == LiquidSurface::level_set; },
                    scene.content().config);
}

}  // namespace

Result<RunStages> parse_stages(const std::string& list) {
  RunStages stages;
  std::string_view rest = list;
  for (bool more = true; more;) {
    const std::string_view word = rest.substr(0, rest.find(','));
    more = word.size() < rest.size();
    rest.remove_prefix(word.size() + more);
    bool RunStages::*found = nullptr;
    for (const auto& [name, stage] : names)
      if (word == name) found = stage;
    if (!found) {
      std::string known;
      for (const auto& [name, stage] : names) known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
      return Error{ErrorCode::usage,
                   fmt::format("'{}' is no stage; a list with commas in between may have {}", word, known)};
    }
    stages.*found = true;
  }
  return stages;
}

RunStages stages_of(const SceneFile& scene) {
  return {.simulate = true,
          .surface = scene.wants_meshes(),
          .whitewater = scene.wants_whitewater(),
          .render = scene.wants_images() || scene.wants_exr()};
}

PictureFiles picture_files(const SceneFile& scene, const RunStages& stages) {
  return {.png = stages.render && (scene.wants_images() || !scene.wants_exr()),
          .exr = stages.render && scene.wants_exr()};
}

Result<void> check_stages(const SceneFile& scene, const RunStages& stages) {
  if (is_3d_liquid(scene)) {
    if (!stages.simulate && is_level_set(scene))
      return Error{ErrorCode::usage,
                   "a liquid carried by a level set leaves nothing from which meshes and pictures could be "
                   "made again; simulate with them: a run without --stages"};
    if (!stages.whitewater || scene.wants_whitewater()) return {};
    return Error{
        ErrorCode::usage,
        "the stage 'whitewater' needs a [whitewater] table in the scene, which may be empty; add one, "
        "or leave the stage out of --stages"};
  }
  if (stages.surface || stages.whitewater)
    return Error{
        ErrorCode::usage,
        fmt::format("the stage '{}' is of liquids in three dimensions, which this scene is not; leave "
                    "it out of --stages",
                    stages.surface ? "surface" : "whitewater")};
  return {};
}

}  // namespace whorl
