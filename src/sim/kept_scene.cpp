#include "sim/kept_scene.h"

#include "whorl/version.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

namespace whorl {
namespace {

constexpr std::string_view title = "# The scene of a run, kept by whorl";
constexpr std::string_view set_line = "#   --set ",
                           name_line = "#   --set name=", frames_line = "#   --frames ";

// A comment is one line; to TOML, a line's end inside a value is a space.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

std::string kept_text(const KeptScene& scene) {
  std::string text =
      fmt::format("{} {}, and its command line, which overrides what is below:\n", title, version());
  text += fmt::format("{}\"{}\"\n", name_line, scene.name);
  for (const std::string& assignment : scene.overrides)
    if (!assignment.starts_with("name=") && !assignment.starts_with("time.frames="))
      text += fmt::format("{}{}\n", set_line, one_line(assignment));
  text += fmt::format("{}{}\n\n", frames_line, scene.last_frame);
  return text + scene.text;
}

std::optional<KeptScene> parse_kept(const std::string& text) {
  if (!text.starts_with(title)) return {};
  KeptScene scene;
  std::string_view rest = text;
  while (rest.starts_with('#')) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.starts_with(name_line) && line.size() > name_line.size() + 2)
      scene.name = line.substr(name_line.size() + 1, line.size() - name_line.size() - 2);
    if (line.starts_with(set_line)) scene.overrides.emplace_back(line.substr(set_line.size()));
    if (line.starts_with(frames_line))
      std::from_chars(line.data() + frames_line.size(), line.data() + line.size(), scene.last_frame);
  }
  if (rest.starts_with('\n')) rest.remove_prefix(1);
  scene.text = rest;
  return scene;
}

std::vector<std::string> with_kept(const std::string& text, const std::vector<std::string>& given) {
  const std::optional<KeptScene> kept = parse_kept(text);
  if (!kept) return given;
  const auto key = [](const std::string& assignment) {
    const std::string name = assignment.substr(0, assignment.find('='));
    return name == "grid.cell_size" ? "grid.resolution" : name;  // one takes the place of the other
  };
  std::vector<std::string> all = kept->overrides;
  if (kept->last_frame > 0) all.push_back(fmt::format("time.frames={}", kept->last_frame));
  for (const std::string& assignment : given)
    std::erase_if(all, [&](const std::string& own) { return key(own) == key(assignment); });
  all.insert(all.end(), given.begin(), given.end());
  return all;
}

}  // namespace whorl
