#include "base/json_text.h"
#include "info.h"
#include "scene/describe.h"
#include "text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

using whorl::json_list;
using whorl::json_text;

namespace {

template <class Entry>
std::vector<std::string> names_of(const std::vector<Entry>& entries) {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  return names;
}

std::string list_text(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

// What a scene has along each axis: metres, cells.
template <int D>
struct Extents {
  std::vector<double> metres;
  std::vector<int> cells;
  double all_cells = 1;

  explicit Extents(const whorl::Scene<D>& scene) {
    if (!scene.domain) return;
    const whorl::GridLayout<D> layout = grid_layout(scene);
    for (int a = 0; a < D; ++a) {
      metres.push_back(scene.domain->max[a] - scene.domain->min[a]);
      cells.push_back(layout.domain.extent(a));
      all_cells *= cells.back();
    }
  }
};

std::string metres_text(const std::vector<double>& extents) {
  std::vector<std::string> texts;
  for (const double extent : extents) texts.push_back(fmt::format("{:.4g}", extent));
  return fmt::format("{}", fmt::join(texts, " x "));
}

template <int D>
std::string text_of(const whorl::Scene<D>& scene, const std::string& file) {
  const double cell = grid_layout(scene).cell_size;
  std::string text = fmt::format("{}: a {}D {} scene\n", file, D, whorl::word(scene.solver));
  const auto line = [&](const char* label, const std::string& what) {
    text += fmt::format("  {:<9}{}\n", label, what);
  };
  line("name", scene.name);
  if (scene.domain) {
    const Extents<D> extents(scene);
    line("domain", fmt::format("{} m", metres_text(extents.metres)));
    line("cells", fmt::format("{} of {:.4g} m, {} in all", fmt::join(extents.cells, " x "), cell,
                              count_text(extents.all_cells)));
  } else {
    line("domain", "unbounded");
    line("cells", fmt::format("of {:.4g} m, where there is fluid", cell));
  }
  line("frames",
       fmt::format("{}, {} a second, {:.4g} s", scene.time.frames, scene.time.fps, scene.time.duration()));
  line("sources", list_text(names_of(scene.source)));
  line("solids", list_text(names_of(scene.solid)));
  line("forces", list_text(names_of(scene.force)));
  std::vector<std::string> output = {"volumes of " + list_text(scene.output.vdb)};
  if (scene.output.vdb.empty()) output.clear();
  if (D == 3 && scene.solver == whorl::SolverKind::liquid) {
    if (scene.output.mesh) output.push_back("meshes");
    if (scene.output.particles) output.push_back("particles");
    if (scene.whitewater) output.push_back("whitewater");
  }
  if (scene.output.png) output.push_back("images");
  if (scene.output.exr) output.push_back(scene.output.png ? "their light" : "the light of images");
  if (scene.output.png && scene.output.video) output.push_back("a video");
  line("output", output.empty() ? "statistics alone" : fmt::format("{}", fmt::join(output, "; ")));
  return text;
}

template <int D>
std::string json_of(const whorl::Scene<D>& scene, const std::string& file) {
  const Extents<D> extents(scene);
  return fmt::format(
      R"({{"kind":"scene","file":{},"name":{},"solver":{},"dimension":{},"extents":[{}],"cells":[{}],)"
      R"("cell_size":{},"frames":{},"fps":{},"sources":{},"solids":{},"forces":{},"vdb":{},"png":{},"exr":{},)"
      R"("video":{}}})"
      "\n",
      json_text(file), json_text(scene.name), json_text(whorl::word(scene.solver)), D,
      fmt::join(extents.metres, ","), fmt::join(extents.cells, ","), json_text(grid_layout(scene).cell_size),
      scene.time.frames, json_text(scene.time.fps), json_list(names_of(scene.source)),
      json_list(names_of(scene.solid)), json_list(names_of(scene.force)), json_list(scene.output.vdb),
      scene.output.png, scene.output.exr, scene.output.png && scene.output.video);
}

}  // namespace

std::string scene_text(const whorl::SceneConfig& scene, const std::string& file) {
  return std::visit([&](const auto& of_dimension) { return text_of(of_dimension, file); }, scene);
}

std::string scene_json(const whorl::SceneConfig& scene, const std::string& file) {
  return std::visit([&](const auto& of_dimension) { return json_of(of_dimension, file); }, scene);
}
