// The help on the terminal and the reference page, from the catalogue of keys.
#include "scene/catalogue.h"
#include "scene/scene.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace whorl {
namespace {

bool is_section(const SceneKey& key) { return !key.keys.empty(); }

std::string default_text(const SceneKey& key) {
  if (key.required) return "must be given";
  if (!key.absent.empty()) return key.absent;
  return key.preset.empty() ? "none" : key.preset;
}

// "[smoke]", "[[source]]", "domain.sides = { … }"
std::string heading(const SceneKey& key, const std::string& path) {
  if (key.kind == KeyKind::list)
    return path.find('.') == path.npos ? "[[" + path + "]]" : path + " = [{ … }]";
  return path.find('.') == path.npos && path != "shape" ? "[" + path + "]" : path + " = { … }";
}

std::string path_below(const std::string& path, const SceneKey& key) {
  return path.empty() ? key.name : path + "." + key.name;
}

std::string key_line(const SceneKey& key) {
  return fmt::format("  {:<24} {:<24} {}{}\n", key.name, default_text(key), key.doc,
                     key.unit.empty() ? "" : " [" + key.unit + "]");
}

// The keys of a table, then the tables among them.
std::string section_text(const SceneKey& table, const std::string& path) {
  std::string text = path.empty() ? "" : fmt::format("\n{}  {}\n", heading(table, path), table.doc);
  for (const SceneKey& key : table.keys)
    if (!is_section(key)) text += key_line(key);
  for (const SceneKey& key : table.keys)
    if (is_section(key)) text += section_text(key, path_below(path, key));
  return text;
}

std::string key_text(const SceneKey& key, const std::string& path) {
  std::string text = fmt::format("{}\n  {}\n  allowed: {}\n  default: {}\n", path, key.doc, allowed_text(key),
                                 default_text(key));
  if (key.kind == KeyKind::varying || key.kind == KeyKind::varyings || key.kind == KeyKind::color ||
      key.kind == KeyKind::varying_vector)
    text += fmt::format("  constants and functions of expressions: {}, {}\n",
                        fmt::join(Expression::constants(), ", "), fmt::join(Expression::functions(), ", "));
  if (key.kind == KeyKind::shape || key.kind == KeyKind::shapes)
    text += "  for the shapes: help-scene shape\n";
  return text;
}

std::string overview(const Catalogue& keys) {
  return "A scene is a TOML file: SI units, y up. Key, default, meaning; help-scene KEY tells more.\n\n" +
         section_text(keys.scene, "") + section_text(keys.shape, "shape");
}

void collect_paths(const SceneKey& table, const std::string& path, std::vector<std::string>& paths) {
  for (const SceneKey& key : table.keys) {
    const std::string at = path_below(path, key);
    paths.push_back(at);
    collect_paths(key, at, paths);
  }
}

std::vector<std::string> all_paths(const Catalogue& keys) {
  std::vector<std::string> paths = {"shape"};
  collect_paths(keys.scene, "", paths);
  collect_paths(keys.shape, "shape", paths);
  return paths;
}

std::string last_part(const std::string& path) { return path.substr(path.rfind('.') + 1); }

std::string help_at(const Catalogue& keys, const std::string& path) {
  const SceneKey& key = *keys.find(path);
  return is_section(key) ? section_text(key, path).substr(1) : key_text(key, path);
}

// ---- Markdown

std::string in_cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string markdown_section(const SceneKey& table, const std::string& path, int level) {
  std::string text;
  if (!path.empty()) text = fmt::format("\n{:#<{}} `{}`\n\n{}", "", level, heading(table, path), table.doc);
  if (!table.absent.empty()) text += fmt::format(" Left out: {}.", table.absent);
  text += "\n\n| key | allowed | default | meaning |\n|---|---|---|---|\n";
  for (const SceneKey& key : table.keys) {
    const bool section = is_section(key);
    text += fmt::format(
        "| `{}` | {} | {} | {} |\n", key.name, section ? "keys below" : in_cell(allowed_text(key)),
        section ? "" : in_cell(key.preset.empty() ? default_text(key) : "`" + key.preset + "`"),
        in_cell(key.doc));
  }
  for (const SceneKey& key : table.keys)
    if (is_section(key)) text += markdown_section(key, path_below(path, key), std::min(level + 1, 4));
  return text;
}

}  // namespace

Result<std::string> help_text(const std::string& key) {
  const Catalogue& keys = catalogue(3);
  if (key.empty()) return overview(keys);
  if (keys.find(key)) return help_at(keys, key);

  const std::vector<std::string> paths = all_paths(keys);
  std::string text;
  for (const std::string& path : paths)
    if (last_part(path) == key) text += fmt::format("{}{}", text.empty() ? "" : "\n", help_at(keys, path));
  if (!text.empty()) return text;

  std::vector<std::string> names = paths;
  for (const std::string& path : paths) names.push_back(last_part(path));
  const std::string nearest = nearest_name(key, names);
  return Error{ErrorCode::usage, fmt::format("'{}' is not a key of scenes; {}", key,
                                             nearest.empty() ? "help-scene alone lists them all"
                                                             : "did you mean '" + nearest + "'?")};
}

std::string reference_markdown() {
  const Catalogue& keys = catalogue(3);
  return "# Scene reference\n\n"
         "Generated from the program's own list of keys. A scene is a TOML file; SI units, y up, "
         "right-handed. "
         "Lists of coordinates have three entries, in 2D scenes two; colours always have three.\n\n"
         "A value that may vary is a number, keyframes `{ keys = [[t, value], …] }` with "
         "`interp = \"linear\"`, `\"step\"` or `\"smooth\"` beside them, or an expression in quotes of the "
         "place "
         "x, y, z (m) and the time t (s). Expressions know " +
         fmt::format("`{}`", fmt::join(Expression::constants(), "`, `")) + " and " +
         fmt::format("`{}`", fmt::join(Expression::functions(), "`, `")) + ".\n" +
         markdown_section(keys.scene, "", 1) + markdown_section(keys.shape, "shape", 2);
}

}  // namespace whorl
