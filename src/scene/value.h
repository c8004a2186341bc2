// A scene file as it was written: values with the place each came from, before anything is known of keys.
#pragma once

#include "whorl/error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace whorl {

// "plume.toml", 12, or the text of an override with line 0.
struct Location {
  std::string source;
  int line = 0;

  std::string text() const;
};

struct SceneValue {
  using List = std::vector<SceneValue>;
  using Table = std::vector<std::pair<std::string, SceneValue>>;  // in the order of the file
  using Date = std::monostate;                                    // no key of a scene takes one

  std::variant<Date, Table, List, std::string, double, std::int64_t, bool> content = Table();
  Location where;

  const Table* table() const { return std::get_if<Table>(&content); }
  const List* list() const { return std::get_if<List>(&content); }
  const std::string* text() const { return std::get_if<std::string>(&content); }
  Table* table() { return std::get_if<Table>(&content); }
  List* list() { return std::get_if<List>(&content); }

  const SceneValue* find(std::string_view key) const;  // of a table; nullptr where there is none
};

// "3", "\"abc\"", "a list of 2", "a table": what was found, for a message.
std::string found_text(const SceneValue& value);

// The file's table. Unreadable is ErrorCode::usage, not TOML is ErrorCode::invalid_scene.
Result<SceneValue> read_toml(const std::string& path);
Result<SceneValue> parse_toml(const std::string& text, const std::string& source);

// One value of TOML; nothing but a name or an expression is taken as a text without its quotes.
SceneValue parse_override_value(const std::string& text, const Location& where);

// Applies "key.path=value" to a scene's table. A part of the path names a key, or an entry of a list by
// its `name` or by its number, from 0. Tables on the way are made.
Result<void> apply_override(SceneValue& scene, const std::string& assignment);

}  // namespace whorl
