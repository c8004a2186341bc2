// The JSON schema of scenes (draft 2020-12), for editors that complete and check TOML.
#include "base/json_text.h"
#include "scene/catalogue.h"
#include "scene/scene.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace whorl {
namespace {

std::string bounded(const char* type, const SceneKey& key) {
  std::string text = fmt::format(R"("type": "{}")", type);
  if (std::isfinite(key.min)) text += fmt::format(R"(, "minimum": {})", key.min);
  if (std::isfinite(key.max)) text += fmt::format(R"(, "maximum": {})", key.max);
  return text;
}

std::string list_of(int count, const std::string& entry) {
  return fmt::format(R"("type": "array", "minItems": {0}, "maxItems": {0}, "items": {{ {1} }})", count,
                     entry);
}

std::string one_of_words(const SceneKey& key) {
  return fmt::format(R"("enum": ["{}"])", fmt::join(key.words, R"(", ")"));
}

// { keys = [[t, value], …], interp = "…" }
std::string keyframes(const std::string& value) {
  return fmt::format(
      R"("type": "object", "required": ["keys"], "additionalProperties": false, "properties": {{ )"
      R"("keys": {{ "type": "array", "minItems": 1, "items": {{ "type": "array", "minItems": 2, "maxItems": 2, )"
      R"("prefixItems": [{{ "type": "number" }}, {{ {} }}] }} }}, "interp": {{ "enum": ["{}"] }} }})",
      value, fmt::join(word_list<KeyInterpolation>(), R"(", ")"));
}

std::string any_of(const std::vector<std::string>& choices) {
  return fmt::format(R"("anyOf": [{{ {} }}])", fmt::join(choices, " }, { "));
}

std::string varying(const SceneKey& key) {
  const std::string number = bounded("number", key);
  return any_of({number, R"("type": "string")", keyframes(number)});
}

// Lists of coordinates in 3D may be shorter by one in 2D.
std::string per_dimension(const SceneKey& key, const std::string& entry) {
  return any_of({list_of(key.count, entry), list_of(key.count - 1, entry)});
}

std::string type_of(const SceneKey& key, int indent);

std::string properties(const SceneKey& table, int indent) {
  std::string text;
  for (const SceneKey& key : table.keys) {
    std::string line =
        fmt::format("{:{}}{}: {{ {}", "", indent + 2, json_text(key.name), type_of(key, indent + 2));
    line += fmt::format(R"(, "description": {})",
                        json_text(key.unit.empty() ? key.doc : fmt::format("{} ({})", key.doc, key.unit)));
    if (!key.preset.empty()) line += R"(, "default": )" + key.preset;
    text += (text.empty() ? "\n" : ",\n") + line + " }";
  }
  return fmt::format("\"properties\": {{{}\n{:{}}}}", text, "", indent);
}

std::string table_type(const SceneKey& table, int indent) {
  std::vector<std::string> required;
  for (const SceneKey& key : table.keys)
    if (key.required) required.push_back(json_text(key.name));
  return fmt::format(R"("type": "object", "additionalProperties": false, "required": [{}], {})",
                     fmt::join(required, ", "), properties(table, indent));
}

std::string type_of(const SceneKey& key, int indent) {
  constexpr const char* shape = R"("$ref": "#/$defs/shape")";
  switch (key.kind) {
    case KeyKind::boolean:
      return R"("type": "boolean")";
    case KeyKind::integer:
      return bounded("integer", key);
    case KeyKind::number:
      return bounded("number", key);
    case KeyKind::text:
      return R"("type": "string")";
    case KeyKind::word:
      return one_of_words(key);
    case KeyKind::names:
      return R"("type": "array", "items": { "type": "string" })";
    case KeyKind::vector:
      // Turns are three in 3D and one number in 2D.
      if (key.name == "rotate_deg")
        return any_of({list_of(key.count, bounded("number", key)), bounded("number", key)});
      return per_dimension(key, bounded("number", key));
    case KeyKind::varying:
      return varying(key);
    case KeyKind::varyings:
      return fmt::format(R"("type": "object", "additionalProperties": {{ {} }})", varying(key));
    case KeyKind::color:
      return any_of(
          {list_of(key.count, varying(key)), keyframes(list_of(key.count, bounded("number", key)))});
    case KeyKind::varying_vector: {
      const std::string number = bounded("number", key);
      const std::string entry = varying(key);
      return any_of(
          {list_of(key.count, entry), list_of(key.count - 1, entry), keyframes(per_dimension(key, number))});
    }
    case KeyKind::shape:
      return shape;
    case KeyKind::shapes:
      return fmt::format(R"("anyOf": [{{ {0} }}, {{ "type": "array", "minItems": 1, "items": {{ {0} }} }}])",
                         shape);
    case KeyKind::table:
      return table_type(key, indent);
    case KeyKind::list:
      return fmt::format(R"("type": "array", "items": {{ {} }})", table_type(key, indent));
  }
  return {};
}

}  // namespace

std::string json_schema() {
  const Catalogue& keys = catalogue(3);
  return fmt::format(R"({{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Whorl scene",
  {},
  "$defs": {{
    "shape": {{ "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false, {} }}
  }}
}}
)",
                     table_type(keys.scene, 2), properties(keys.shape, 4));
}

}  // namespace whorl
