// The only file that knows toml++.
#include "scene/value.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace whorl {
namespace {

SceneValue convert(const toml::node& node, const std::string& source) {
  SceneValue value;
  value.where = {source, int(node.source().begin.line)};
  node.visit([&](const auto& found) {
    using Node = std::remove_cvref_t<decltype(found)>;
    if constexpr (toml::is_table<Node>) {
      SceneValue::Table table;
      for (const auto& [key, member] : found) table.emplace_back(key.str(), convert(member, source));
      value.content = std::move(table);
    } else if constexpr (toml::is_array<Node>) {
      SceneValue::List list;
      for (const toml::node& entry : found) list.push_back(convert(entry, source));
      value.content = std::move(list);
    } else if constexpr (toml::is_string<Node> || toml::is_integer<Node> || toml::is_floating_point<Node> ||
                         toml::is_boolean<Node>) {
      value.content = found.get();
    } else {
      value.content = SceneValue::Date{};
    }
  });
  return value;
}

void sort_by_line(SceneValue& value) {
  if (SceneValue::Table* table = value.table()) {
    std::stable_sort(table->begin(), table->end(),
                     [](const auto& a, const auto& b) { return a.second.where.line < b.second.where.line; });
    for (auto& [key, member] : *table) sort_by_line(member);
  }
  if (SceneValue::List* list = value.list())
    for (SceneValue& entry : *list) sort_by_line(entry);
}

void locate(SceneValue& value, const Location& where) {
  value.where = where;
  if (SceneValue::Table* table = value.table())
    for (auto& [key, member] : *table) locate(member, where);
  if (SceneValue::List* list = value.list())
    for (SceneValue& entry : *list) locate(entry, where);
}

}  // namespace

Result<SceneValue> parse_toml(const std::string& text, const std::string& source) {
  try {
    const toml::table parsed = toml::parse(text, source);
    SceneValue value = convert(parsed, source);
    sort_by_line(value);  // toml++ keeps keys in alphabetical order
    value.where.line = 1;
    return value;
  } catch (const toml::parse_error& error) {
    return Error{ErrorCode::invalid_scene,
                 fmt::format("{}:{}: not TOML: {}", source, error.source().begin.line, error.description())};
  }
}

Result<SceneValue> read_toml(const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    return Error{ErrorCode::usage, fmt::format("cannot read the scene '{}': {}", path, why)};
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return refuse("it is a folder");
  std::ifstream file(path, std::ios::binary);
  if (!file) return refuse(std::strerror(errno));
  std::ostringstream text;
  text << file.rdbuf();
  if (file.bad()) return refuse(std::strerror(errno));
  return parse_toml(text.str(), path);
}

SceneValue parse_override_value(const std::string& text, const Location& where) {
  SceneValue value;
  Result<SceneValue> parsed = parse_toml("value = " + text, "override");
  if (parsed && parsed.value().table()->size() == 1)
    value = std::move(parsed.value().table()->front().second);
  else
    value.content = text;
  locate(value, where);
  return value;
}

}  // namespace whorl
