// JSON: what Whorl writes of it, read back.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace whorl {

struct JsonValue {
  using List = std::vector<JsonValue>;
  using Object = std::vector<std::pair<std::string, JsonValue>>;  // in the order of the text

  std::variant<std::nullptr_t, bool, double, std::string, List, Object> content = nullptr;

  const JsonValue* find(std::string_view key) const;         // of an object; nullptr where there is none
  double number(std::string_view key, double absent) const;  // of an object
  const Object* object() const { return std::get_if<Object>(&content); }
};

// Nothing for a text that is not one whole value: a line that was cut off, say.
std::optional<JsonValue> parse_json(std::string_view text);

// The lines of a text, and what each holds; nothing where a line was cut off.
struct JsonLine {
  std::string_view text;
  std::optional<JsonValue> value;
};
std::vector<JsonLine> json_lines(std::string_view text);

}  // namespace whorl
