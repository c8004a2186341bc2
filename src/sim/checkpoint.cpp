#include "sim/checkpoint.h"

#include "grid/archive.h"
#include "scene/describe.h"
#include "scene/quantities.h"
#include "sim/scene_keys.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace whorl {
namespace {

template <int D>
std::string fixed_text(const Scene<D>& scene) {
  const GridLayout<D> layout = grid_layout(scene);
  std::string text;
  const bool smoke = scene.solver == SolverKind::smoke;
  text += key_line("solver", word(scene.solver));
  text += key_line("dimension", std::to_string(D));
  text += key_line("time.fps", fmt::format("{}", scene.time.fps));
  text += key_line("size of cells", fmt::format("{} m", layout.cell_size));
  for (int a = 0; scene.domain && a < D; ++a) {
    const auto side = [&](int end) {
      const bool levelled = layout.domain.sides[std::size_t(a)][std::size_t(end)] == Side::water;
      return word(scene.domain->sides.of(a, end)) + (levelled ? " with water beyond" : "");
    };
    text += key_line(fmt::format("domain along {}", "xyz"[a]),
                     fmt::format("{} cells from {} m, {} and {}", layout.domain.extent(a), layout.origin[a],
                                 side(0), side(1)));
  }
  if (smoke) {
    std::string names;
    for (const CarriedQuantity& q : quantities_of(scene)) names += (names.empty() ? "" : ", ") + q.name;
    text += key_line("carried besides density and temperature", names.empty() ? "nothing" : names);
    // What there is beyond the grid is of its fields.
    text += key_line("smoke.ambient_temperature", fmt::format("{}", scene.smoke.ambient_temperature));
    for (int a = 0; a < D; ++a)
      text += key_line(fmt::format("smoke.wind along {}", "xyz"[a]), fmt::format("{}", scene.smoke.wind[a]));
  } else {
    const auto spouts = std::count_if(scene.source.begin(), scene.source.end(),
                                      [](const SourceConfig<D>& s) { return s.velocity.has_value(); });
    text += key_line("liquid.surface", word(scene.liquid.surface));
    text += key_line("liquid.transfer", word(scene.liquid.transfer));
    text += key_line("liquid.narrow_band", scene.liquid.narrow_band ? "true" : "false");
    text += key_line("number of sources with a velocity", std::to_string(spouts));
    text += key_line("whitewater", scene.whitewater ? "there" : "not there");
  }
  return text;
}

std::map<std::string, std::string> by_key(std::string_view text) {
  std::map<std::string, std::string> values;
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), entry.size() + 1));
    const std::size_t equals = entry.find(" = ");
    if (equals != std::string_view::npos) values.emplace(entry.substr(0, equals), entry.substr(equals + 3));
  }
  return values;
}

// "grid.resolution: 64 there, 96 here", a line each.
std::string differences(const std::string& there, const std::string& here) {
  const std::map<std::string, std::string> before = by_key(there), after = by_key(here);
  std::string text;
  const auto note = [&](const std::string& key, const std::string& old_text, const std::string& new_text) {
    text += fmt::format("\n  {}: {} there, {} here", key, old_text, new_text);
  };
  for (const auto& [key, value] : before) {
    const auto found = after.find(key);
    if (found == after.end())
      note(key, value, "none");
    else if (found->second != value)
      note(key, value, found->second);
  }
  for (const auto& [key, value] : after)
    if (!before.contains(key)) note(key, "none", value);
  return text;
}

}  // namespace

CheckpointHeader header_for(Exec& ex, const SceneConfig& scene) {
  CheckpointHeader header;
  header.scene = key_lines(ex, scene, &KeyUse::simulate);
  header.fixed = std::visit([](const auto& own) { return fixed_text(own); }, scene);
  return header;
}

Result<CheckpointHeader> read_header(Exec& ex, const std::string& path) {
  CheckpointHeader header;
  if (is_foreign_archive(path)) {
    header.format = 0;
    return header;
  }
  LoadArchive archive(ex, path);
  archive("checkpoint.format", header.format);
  if (const Result<void> read = archive.so_far(); !read) return read.error();
  if (header.format != checkpoint_format) {
    header.format = 0;
    return header;
  }
  LoadArchive again(ex, path);
  CheckpointHeader::visit(header, again);
  if (const Result<void> read = again.so_far(); !read) return read.error();
  return header;
}

Result<void> check_header(const std::string& path, const CheckpointHeader& found, const CheckpointHeader& own,
                          bool changed) {
  if (found.format != own.format)
    return Error{ErrorCode::usage,
                 fmt::format("{}: it is a checkpoint of another version of Whorl, which this one ({}) cannot "
                             "read; go on with that version, or start anew without --resume",
                             path, own.version)};
  const bool same_grid = found.fixed == own.fixed;
  if (changed) {
    if (same_grid) return {};
    return Error{
        ErrorCode::invalid_scene,
        fmt::format("{}: this cannot change within a run; name another folder with -o, and start anew:{}",
                    path, differences(found.fixed, own.fixed))};
  }
  if (found.version != own.version)
    return Error{
        ErrorCode::usage,
        fmt::format("{}: Whorl {} wrote it, and this is {}: the rest of the run might not be what it "
                    "would have been; go on with that version, or on purpose with --from-frame {}",
                    path, found.version, own.version, found.frame)};
  if (found.scene == own.scene) return {};
  const std::string way = same_grid
                              ? fmt::format("--from-frame {} goes on with the changed scene", found.frame)
                              : "name another folder with -o, and start anew";
  return Error{ErrorCode::invalid_scene, fmt::format("{}: the scene has changed since; {}:{}", path, way,
                                                     differences(found.scene, own.scene))};
}

}  // namespace whorl
