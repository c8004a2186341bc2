// What a describe() list says of the keys of a scene, and how a value of each type is read and shown.
//
// Every struct of a scene has one such list:
//
//   template <class V>
//   void describe(V& v, TimeConfig& c) {
//     v("fps", c.fps, {.unit = "1/s", .min = 1, .max = 1000, .doc = "Frames a second."});
//   }
//
// The member's type says what the file may hold, its initialiser is the default.
#pragma once

#include "base/check.h"
#include "base/vec.h"
#include "geometry/shape.h"
#include "scene/problem.h"
#include "scene/varying.h"

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace whorl {

// What of a run goes by a key: the frames to come, the files that its stages make of them, the video.
struct KeyUse {
  bool simulate = false, surface = false, whitewater = false, render = false, video = false;
  bool as_its_table = false;  // instead
};

struct KeyInfo {
  std::string_view unit = "";
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  std::string_view doc;
  std::string_view absent = "";   // what leaving the key out means, where the value cannot say it
  std::string_view example = "";  // a value to start from, where the default is none
  bool required = false;
  bool time_only = false;        // of a varying value: the same everywhere
  std::string_view solver = "";  // the only one that has it; empty: all have
  bool only_3d = false;          // scenes of two dimensions do not have it
  KeyUse use = {.as_its_table = true};
};

enum class KeyKind {
  boolean,
  integer,
  number,
  text,
  word,   // one of `words`
  names,  // a list of texts
  vector,
  varying,
  varyings,  // a table of names, each with one
  varying_vector,
  color,  // one for each of red, green and blue
  shape,
  shapes,  // a shape or a list of shapes
  table,
  list,  // of tables
};

// One line of the reference.
struct SceneKey {
  std::string name;
  KeyKind kind = KeyKind::table;
  int dimension = 3;  // of the scene
  int count = 1;      // components of a vector or a colour
  std::string unit = {};
  double min = 0, max = 0;
  std::vector<std::string> words = {};
  std::string preset = {};  // the default as TOML; empty where there is none
  std::string absent = {};
  std::string example = {};
  std::string doc = {};
  bool required = false;
  bool time_only = false;
  std::string solver = {};
  bool only_3d = false;
  std::vector<SceneKey> keys = {};  // of a table, or of each table of a list

  const SceneKey* find(std::string_view key_name) const;
};

// "a number from 0 to 1 (m)"
std::string allowed_text(const SceneKey& key);

// ---- enums are words

// Specialised for each enum of a scene: the words in the enum's own order.
template <class E>
inline constexpr std::string_view words_of[] = {""};

template <>
inline constexpr std::string_view words_of<KeyInterpolation>[] = {"linear", "step", "smooth"};

template <class E>
std::vector<std::string> word_list() {
  return {std::begin(words_of<E>), std::end(words_of<E>)};
}

template <class E>
std::string word(E value) {
  CHECK(std::size_t(value) < std::size(words_of<E>), "no word for value ", int(value));
  return std::string(words_of<E>[std::size_t(value)]);
}

// ---- reading a value; each leaves `out` alone when it returns a problem

std::optional<Problem> read_value(const SceneValue& value, const SceneKey& key, bool& out);
std::optional<Problem> read_value(const SceneValue& value, const SceneKey& key, int& out);
std::optional<Problem> read_value(const SceneValue& value, const SceneKey& key, double& out);
std::optional<Problem> read_value(const SceneValue& value, const SceneKey& key, std::string& out);
std::optional<Problem> read_value(const SceneValue& value, const SceneKey& key, Varying& out);
std::optional<Problem> read_value(const SceneValue& value, const SceneKey& key,
                                  std::vector<std::string>& out);
std::optional<Problem> read_word(const SceneValue& value, const SceneKey& key, int& out);
std::optional<Problem> read_components(const SceneValue& value, const SceneKey& key, double* out);
std::optional<Problem> read_components(const SceneValue& value, const SceneKey& key, Varying* out);

template <class E>
requires(std::is_enum_v<E>) std::optional<Problem> read_value(const SceneValue& value, const SceneKey& key,
                                                              E& out) {
  int index = int(out);
  std::optional<Problem> problem = read_word(value, key, index);
  out = E(index);
  return problem;
}

inline std::optional<Problem> read_value(const SceneValue& value, const SceneKey& key, float& out) {
  double wide = out;
  std::optional<Problem> problem = read_value(value, key, wide);
  out = float(wide);
  return problem;
}

template <int N>
std::optional<Problem> read_value(const SceneValue& value, const SceneKey& key, Vec<double, N>& out) {
  return read_components(value, key, out.v);
}

template <int D>
std::optional<Problem> read_value(const SceneValue& value, const SceneKey& key, VaryingVector<D>& out) {
  return read_components(value, key, out.component.data());
}

inline std::optional<Problem> read_value(const SceneValue& value, const SceneKey& key, VaryingColor& out) {
  return read_components(value, key, out.channel.data());
}

// ---- how a type is shown: its kind, and a value of it as TOML

std::string toml_text(bool value);
std::string toml_text(int value);
std::string toml_text(float value);
std::string toml_text(double value);
std::string toml_text(const std::string& value);
std::string toml_text(const std::vector<std::string>& value);
std::string toml_list(const std::vector<std::string>& entries);

inline std::string toml_text(const Varying& value) { return value.text(); }
std::string toml_text(const std::map<std::string, Varying>& value);
std::string toml_text(const VaryingColor& value);

template <class E>
requires(std::is_enum_v<E>) std::string toml_text(E value) { return toml_text(word(value)); }

template <int N>
std::string toml_text(const Vec<double, N>& value) {
  if constexpr (N == 1) return toml_text(value[0]);
  std::vector<std::string> entries;
  for (int a = 0; a < N; ++a) entries.push_back(toml_text(value[a]));
  return toml_list(entries);
}

template <int D>
std::string toml_text(const VaryingVector<D>& value) {
  std::vector<std::string> entries;
  for (const Varying& component : value.component) entries.push_back(toml_text(component));
  return toml_list(entries);
}

template <class T>
struct LeafTraits {
  static void fill(SceneKey& key) {
    if constexpr (std::is_same_v<T, bool>) {
      key.kind = KeyKind::boolean;
    } else if constexpr (std::is_same_v<T, int>) {
      key.kind = KeyKind::integer;
    } else if constexpr (std::is_floating_point_v<T>) {
      key.kind = KeyKind::number;
    } else if constexpr (std::is_same_v<T, std::string>) {
      key.kind = KeyKind::text;
    } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
      key.kind = KeyKind::names;
    } else if constexpr (std::is_same_v<T, Varying>) {
      key.kind = KeyKind::varying;
    } else if constexpr (std::is_same_v<T, std::map<std::string, Varying>>) {
      key.kind = KeyKind::varyings;
    } else if constexpr (std::is_same_v<T, VaryingColor>) {
      key.kind = KeyKind::color, key.count = 3;
    } else {
      static_assert(std::is_enum_v<T>, "a type that no key of a scene may have");
      key.kind = KeyKind::word;
      key.words = word_list<T>();
    }
  }
};

template <int N>
struct LeafTraits<Vec<double, N>> {
  static void fill(SceneKey& key) { key.kind = N == 1 ? KeyKind::number : KeyKind::vector, key.count = N; }
};

template <int D>
struct LeafTraits<VaryingVector<D>> {
  static void fill(SceneKey& key) { key.kind = KeyKind::varying_vector, key.count = D; }
};

}  // namespace whorl
