#include "scene/key.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace whorl {
namespace {

std::string range_text(const SceneKey& key) {
  std::string text;
  if (std::isfinite(key.min) && std::isfinite(key.max))
    text = fmt::format(" from {} to {}", key.min, key.max);
  else if (std::isfinite(key.min))
    text = fmt::format(" of at least {}", key.min);
  else if (std::isfinite(key.max))
    text = fmt::format(" of at most {}", key.max);
  return key.unit.empty() ? text : fmt::format("{} ({})", text, key.unit);
}

std::string variables_of(const SceneKey& key) {
  return key.time_only ? "t" : key.dimension == 2 ? "xyt" : "xyzt";
}

std::string variables_text(const SceneKey& key) {
  return key.time_only ? "t" : key.dimension == 2 ? "x, y, t" : "x, y, z, t";
}

std::string names_text(const SceneKey& table) {
  std::vector<std::string> names;
  for (const SceneKey& key : table.keys) names.push_back(key.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

Problem refuse(const SceneValue& value, const SceneKey& key) {
  return {"found " + found_text(value), allowed_text(key)};
}

std::optional<double> number_in(const SceneValue& value) {
  if (const double* number = std::get_if<double>(&value.content)) return *number;
  if (const std::int64_t* number = std::get_if<std::int64_t>(&value.content)) return double(*number);
  return {};
}

bool in_range(double number, const SceneKey& key) {
  return std::isfinite(number) && number >= key.min && number <= key.max;
}

// ---- keyframes: { keys = [[t, value], …], interp = "linear" }

std::string keys_text(const SceneKey& key) {
  const char* value = key.kind == KeyKind::color ? "[r, g, b]"
                      : key.count == 1           ? "value"
                      : key.count == 2           ? "[x, y]"
                                                 : "[x, y, z]";
  return fmt::format("{{ keys = [[t, {}], …] }}", value);
}

std::optional<Problem> read_interpolation(const SceneValue& table, KeyInterpolation& out) {
  for (const auto& [name, member] : *table.table())
    if (name != "keys" && name != "interp")
      return Problem{fmt::format("found '{}' beside the keys", name), "keys, interp"};
  const SceneValue* given = table.find("interp");
  if (!given) return {};
  SceneKey key{.name = "interp", .kind = KeyKind::word};
  key.words = word_list<KeyInterpolation>();
  return read_value(*given, key, out);
}

// One [t, value] pair into the tracks, one a component.
std::optional<Problem> read_keyframe(const SceneValue& frame, const SceneKey& key,
                                     std::vector<std::vector<KeyedValue>>& tracks) {
  const SceneValue::List* pair = frame.list();
  const std::optional<double> time =
      pair && pair->size() == 2 ? number_in(pair->front()) : std::optional<double>();
  if (!time || !std::isfinite(*time))
    return Problem{"found " + found_text(frame) + " among the keys", keys_text(key)};
  if (!tracks[0].empty() && *time <= tracks[0].back().time)
    return Problem{fmt::format("found a key at {} s after one at {} s", *time, tracks[0].back().time),
                   "keys in order of time, each later than the one before"};
  SceneKey plain = key;
  plain.kind = key.count == 1 ? KeyKind::number : KeyKind::vector;
  std::vector<double> values(tracks.size());
  if (auto problem = read_components(pair->back(), plain, values.data())) return problem;
  for (std::size_t i = 0; i < tracks.size(); ++i) tracks[i].push_back({*time, values[i]});
  return {};
}

std::optional<Problem> read_keyframes(const SceneValue& value, const SceneKey& key, Varying* out) {
  const SceneValue* frames = value.find("keys");
  if (!frames || !frames->list() || frames->list()->empty())
    return Problem{"found a table without a list of keys", allowed_text(key)};
  KeyInterpolation interpolation = KeyInterpolation::linear;
  if (auto problem = read_interpolation(value, interpolation)) return problem;
  std::vector<std::vector<KeyedValue>> tracks(std::size_t(key.count));
  for (const SceneValue& frame : *frames->list())
    if (auto problem = read_keyframe(frame, key, tracks)) return problem;
  for (std::size_t i = 0; i < tracks.size(); ++i) out[i] = Varying(std::move(tracks[i]), interpolation);
  return {};
}

}  // namespace

const SceneKey* SceneKey::find(std::string_view key_name) const {
  for (const SceneKey& key : keys)
    if (key.name == key_name) return &key;
  return nullptr;
}

std::string allowed_text(const SceneKey& key) {
  switch (key.kind) {
    case KeyKind::boolean:
      return "true or false";
    case KeyKind::integer:
      return "a whole number" + range_text(key);
    case KeyKind::number:
      return "a number" + range_text(key);
    case KeyKind::text:
      return "a text in quotes";
    case KeyKind::word:
      return fmt::format("\"{}\"", fmt::join(key.words, "\", \""));
    case KeyKind::names:
      return "a list of names in quotes";
    case KeyKind::vector:
      return fmt::format("a list of {} numbers{}", key.count, range_text(key));
    case KeyKind::varying:
      return fmt::format("a number{}, keys as {}, or an expression of {} in quotes", range_text(key),
                         keys_text(key), variables_text(key));
    case KeyKind::varyings:
      return fmt::format(
          "a table of names, each with a number{}, keys as {}, or an expression of {} in quotes",
          range_text(key), keys_text(key), variables_text(key));
    case KeyKind::varying_vector:
    case KeyKind::color:
      return fmt::format("a list of {}, each a number{} or an expression of {} in quotes, or keys as {}",
                         key.count, range_text(key), variables_text(key), keys_text(key));
    case KeyKind::shape:
      return "a shape, as { sphere = { center = […], radius = … } }";
    case KeyKind::shapes:
      return "a shape or a list of shapes, as [{ sphere = { … } }, { box = { … } }]";
    case KeyKind::table:
      return key.keys.empty() || key.keys.size() > 6 ? "a table" : "a table of " + names_text(key);
    case KeyKind::list:
      return "a list of tables";
  }
  return {};
}

std::optional<Problem> read_value(const SceneValue& value, const SceneKey& key, bool& out) {
  const bool* flag = std::get_if<bool>(&value.content);
  if (!flag) return refuse(value, key);
  out = *flag;
  return {};
}

std::optional<Problem> read_value(const SceneValue& value, const SceneKey& key, int& out) {
  const std::optional<double> number = number_in(value);
  if (!number || !in_range(*number, key) || *number != std::floor(*number) || std::abs(*number) > 2e9)
    return refuse(value, key);
  out = int(*number);
  return {};
}

std::optional<Problem> read_value(const SceneValue& value, const SceneKey& key, double& out) {
  const std::optional<double> number = number_in(value);
  if (!number || !in_range(*number, key)) return refuse(value, key);
  out = *number;
  return {};
}

std::optional<Problem> read_value(const SceneValue& value, const SceneKey& key, std::string& out) {
  if (!value.text()) return refuse(value, key);
  out = *value.text();
  return {};
}

std::optional<Problem> read_word(const SceneValue& value, const SceneKey& key, int& out) {
  if (!value.text()) return refuse(value, key);
  const auto found = std::find(key.words.begin(), key.words.end(), *value.text());
  if (found == key.words.end())
    return Problem{"found " + found_text(value), allowed_text(key), nearest_name(*value.text(), key.words)};
  out = int(found - key.words.begin());
  return {};
}

std::optional<Problem> read_value(const SceneValue& value, const SceneKey& key,
                                  std::vector<std::string>& out) {
  if (!value.list()) return refuse(value, key);
  std::vector<std::string> names;
  for (const SceneValue& entry : *value.list()) {
    if (!entry.text()) return Problem{"found " + found_text(entry) + " in the list", allowed_text(key)};
    names.push_back(*entry.text());
  }
  out = std::move(names);
  return {};
}

std::optional<Problem> read_value(const SceneValue& value, const SceneKey& key, Varying& out) {
  if (value.table()) {
    SceneKey single = key;
    single.count = 1;
    return read_keyframes(value, single, &out);
  }
  if (!value.text()) {
    double number = 0;
    if (auto problem = read_value(value, key, number)) return problem;
    out = number;
    return {};
  }
  std::optional<Expression> formula;
  if (auto problem = Expression::parse(*value.text(), variables_of(key), formula)) return problem;
  Varying varying(std::move(*formula));
  if (!varying.depends_on_time() && !varying.depends_on_space()) {
    const double number = varying.at(0, 0, 0, 0);
    if (!in_range(number, key))
      return Problem{fmt::format("found {}, which is {}", found_text(value), number), allowed_text(key)};
    varying = number;
  }
  out = std::move(varying);
  return {};
}

std::optional<Problem> read_components(const SceneValue& value, const SceneKey& key, double* out) {
  if (key.count == 1) return read_value(value, key, out[0]);
  const SceneValue::List* list = value.list();
  if (!list || int(list->size()) != key.count) return refuse(value, key);
  std::vector<double> read(list->size());
  for (std::size_t i = 0; i < list->size(); ++i)
    if (auto problem = read_value((*list)[i], key, read[i])) return problem;
  std::copy(read.begin(), read.end(), out);
  return {};
}

std::optional<Problem> read_components(const SceneValue& value, const SceneKey& key, Varying* out) {
  if (value.table()) return read_keyframes(value, key, out);
  const SceneValue::List* list = value.list();
  if (!list || int(list->size()) != key.count) return refuse(value, key);
  std::vector<Varying> read(list->size());
  for (std::size_t i = 0; i < list->size(); ++i)
    if (auto problem = read_value((*list)[i], key, read[i])) return problem;
  std::move(read.begin(), read.end(), out);
  return {};
}

std::string toml_text(bool value) { return value ? "true" : "false"; }
std::string toml_text(int value) { return fmt::format("{}", value); }
std::string toml_text(float value) { return fmt::format("{}", value); }
std::string toml_text(double value) { return fmt::format("{}", value); }
std::string toml_text(const std::string& value) { return fmt::format("\"{}\"", value); }
std::string toml_text(const std::vector<std::string>& value) {
  std::vector<std::string> entries;
  for (const std::string& entry : value) entries.push_back(toml_text(entry));
  return toml_list(entries);
}
std::string toml_text(const std::map<std::string, Varying>& value) {
  std::vector<std::string> entries;
  for (const auto& [name, entry] : value) entries.push_back(name + " = " + entry.text());
  return entries.empty() ? "{}" : fmt::format("{{ {} }}", fmt::join(entries, ", "));
}
std::string toml_text(const VaryingColor& value) {
  return toml_list({value.channel[0].text(), value.channel[1].text(), value.channel[2].text()});
}
std::string toml_list(const std::vector<std::string>& entries) {
  return fmt::format("[{}]", fmt::join(entries, ", "));
}

}  // namespace whorl
