#include "scene/memory_check.h"
#include "scene/quantities.h"
#include "scene/reader.h"
#include "scene/scene.h"
#include "scene/validate.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

namespace whorl {
namespace {

int dimension_of(const SceneValue& scene) {
  const SceneValue* given = scene.find("dimension");
  const std::int64_t* number = given ? std::get_if<std::int64_t>(&given->content) : nullptr;
  return number && *number == 2 ? 2 : 3;  // anything else is 3, or will be found wrong
}

template <class Entry>
void name_the_nameless(std::vector<Entry>& entries, const std::string& prefix) {
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i].name.empty()) entries[i].name = prefix + std::to_string(i);
}

template <int D>
Result<SceneConfig> build(const SceneValue& table, const std::string& source, const SceneLimits& limits) {
  Scene<D> scene;
  Problems problems;
  Locations locations(table.where);
  const std::filesystem::path folder = std::filesystem::path(source).parent_path();
  SceneReader(D, folder, problems, locations).read_table(table, "", scene);
  if (scene.name.empty()) scene.name = std::filesystem::path(source).stem().string();
  name_the_nameless(scene.source, "source");
  name_the_nameless(scene.solid, "solid");
  name_the_nameless(scene.force, "force");
  name_the_nameless(scene.fill, "fill");
  if (!locations.given("output.vdb")) scene.output.vdb = grid_names(scene);
  validate(scene, locations, problems);
  if (!problems.empty()) return Error{ErrorCode::invalid_scene, problems.text()};
  const std::uint64_t memory = limits.memory ? limits.memory : available_memory();
  if (const Result<void> fits = check_memory(scene, locations, memory); !fits) return fits.error();
  return SceneConfig(std::move(scene));
}

// cell_size and resolution say the same thing: one on the command line takes the place of the file's other.
void remove_rival(SceneValue& scene, const std::string& assignment) {
  const std::string rival = assignment.starts_with("grid.resolution=")  ? "cell_size"
                            : assignment.starts_with("grid.cell_size=") ? "resolution"
                                                                        : "";
  if (rival.empty() || !scene.table()) return;
  for (auto& [key, section] : *scene.table())
    if (key == "grid" && section.table())
      std::erase_if(*section.table(),
                    [&](const auto& entry) { return entry.first == rival && entry.second.where.line > 0; });
}

Result<SceneConfig> finish(Result<SceneValue> table, const std::string& source,
                           const std::vector<std::string>& overrides, const SceneLimits& limits) {
  if (!table) return table.error();
  for (const std::string& assignment : overrides) {
    remove_rival(table.value(), assignment);
    if (const Result<void> applied = apply_override(table.value(), assignment); !applied)
      return applied.error();
  }
  return dimension_of(table.value()) == 2 ? build<2>(table.value(), source, limits)
                                          : build<3>(table.value(), source, limits);
}

}  // namespace

Result<SceneConfig> load_scene(const std::string& path, const std::vector<std::string>& overrides,
                               const SceneLimits& limits) {
  return finish(read_toml(path), path, overrides, limits);
}

Result<SceneConfig> parse_scene(const std::string& text, const std::string& source,
                                const std::vector<std::string>& overrides, const SceneLimits& limits) {
  return finish(parse_toml(text, source), source, overrides, limits);
}

std::uint64_t available_memory() {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  std::ifstream machine("/proc/meminfo");
  std::uint64_t kib = 0;
  for (std::string name, unit; machine >> name >> kib; std::getline(machine, unit))
    if (name == "MemAvailable:") least = kib * 1024;
  std::uint64_t limit = 0, used = 0;  // of a container
  std::ifstream max_file("/sys/fs/cgroup/memory.max"), current("/sys/fs/cgroup/memory.current");
  // Files that are cached count as used, and make room when it is wanted.
  std::ifstream statistics("/sys/fs/cgroup/memory.stat");
  std::uint64_t cached = 0, bytes = 0;
  for (std::string name; statistics >> name >> bytes;)
    if (name == "inactive_file" || name == "active_file") cached += bytes;
  if (max_file >> limit && current >> used)
    least = std::min(least, limit - std::min(limit, used - std::min(used, cached)));
  return least == std::numeric_limits<std::uint64_t>::max() ? 0 : least;
}

template <int D>
GridLayout<D> grid_layout(const Scene<D>& scene) {
  GridLayout<D> layout;
  layout.cell_size = scene.grid.cell_size.value_or(1);
  if (!scene.domain) return layout;
  const DomainConfig<D>& box = *scene.domain;
  double longest = 0;
  for (int a = 0; a < D; ++a) longest = std::max(longest, box.max[a] - box.min[a]);
  if (scene.grid.resolution) layout.cell_size = longest / *scene.grid.resolution;
  layout.origin = box.min;
  for (int a = 0; a < D; ++a) {
    const double cells = (box.max[a] - box.min[a]) / layout.cell_size;
    layout.domain.cells.lo[a] = 0;
    layout.domain.cells.hi[a] = std::max(1, int(std::lround(cells)));
    for (int end = 0; end < 2; ++end)
      layout.domain.sides[std::size_t(a)][std::size_t(end)] =
          scene.solver == SolverKind::liquid && box.sides.of(a, end) == Side::open && box.level_of(a, end)
              ? Side::water
              : box.sides.of(a, end);
  }
  return layout;
}

template <int D>
int margin_of(const Scene<D>& scene, const GridLayout<D>& layout) {
  constexpr int least = 8, most = 64, share = 7;
  int longest = 0;
  for (int a = 0; scene.domain && a < D; ++a) longest = std::max(longest, layout.domain.extent(a));
  return scene.smoke.margin.value_or(std::clamp(longest / share, least, most));
}

template GridLayout<2> grid_layout(const Scene<2>&);
template GridLayout<3> grid_layout(const Scene<3>&);
template int margin_of(const Scene<2>&, const GridLayout<2>&);
template int margin_of(const Scene<3>&, const GridLayout<3>&);

}  // namespace whorl
