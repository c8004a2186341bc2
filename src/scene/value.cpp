#include "scene/value.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace whorl {
namespace {

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t dot; (dot = path.find('.', begin)) != std::string::npos; begin = dot + 1)
    parts.push_back(path.substr(begin, dot - begin));
  parts.push_back(path.substr(begin));
  return parts;
}

// The entry of a list with this name, or else with this number.
SceneValue* find_entry(SceneValue::List& list, const std::string& part) {
  for (SceneValue& entry : list) {
    const SceneValue* name = entry.find("name");
    if (name && name->text() && *name->text() == part) return &entry;
  }
  std::size_t index = 0;
  const auto [end, failed] = std::from_chars(part.data(), part.data() + part.size(), index);
  if (failed != std::errc() || end != part.data() + part.size() || index >= list.size()) return nullptr;
  return &list[index];
}

std::string entries_text(const SceneValue::List& list) {
  if (list.empty()) return "nothing, the list is empty";
  std::string text = list.size() == 1 ? "0" : fmt::format("0 to {}", list.size() - 1);
  for (const SceneValue& entry : list)
    if (const SceneValue* name = entry.find("name"); name && name->text()) text += ", " + *name->text();
  return text;
}

SceneValue& member(SceneValue::Table& table, const std::string& key, const Location& where) {
  for (auto& [name, value] : table)
    if (name == key) return value;
  return table.emplace_back(key, SceneValue{SceneValue::Table{}, where}).second;
}

}  // namespace

std::string Location::text() const { return line > 0 ? fmt::format("{}:{}", source, line) : source; }

const SceneValue* SceneValue::find(std::string_view key) const {
  if (const Table* members = table())
    for (const auto& [name, value] : *members)
      if (name == key) return &value;
  return nullptr;
}

std::string found_text(const SceneValue& value) {
  struct Text {
    std::string operator()(const SceneValue::Table&) const { return "a table"; }
    std::string operator()(const SceneValue::List& list) const {
      return fmt::format("a list of {}", list.size());
    }
    std::string operator()(const std::string& text) const { return fmt::format("\"{}\"", text); }
    std::string operator()(double number) const { return fmt::format("{}", number); }
    std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(SceneValue::Date) const { return "a date or time"; }
  };
  return std::visit(Text{}, value.content);
}

Result<void> apply_override(SceneValue& scene, const std::string& assignment) {
  const Location where{"--set " + assignment, 0};
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    return Error{ErrorCode::usage,
                 where.text() + ": no key and value; allowed: key=value, as in time.fps=30"};

  SceneValue* at = &scene;
  const std::string path = assignment.substr(0, equals);
  for (const std::string& part : split_path(path)) {
    if (SceneValue::List* list = at->list()) {
      at = find_entry(*list, part);
      if (!at)
        return Error{ErrorCode::invalid_scene, fmt::format("{}: {}: no entry '{}'; allowed: {}", where.text(),
                                                           path, part, entries_text(*list))};
    } else {
      if (!at->table()) *at = SceneValue{SceneValue::Table{}, where};  // a plain value gives way to a table
      at = &member(*at->table(), part, where);
    }
  }
  *at = parse_override_value(assignment.substr(equals + 1), where);
  return {};
}

}  // namespace whorl
