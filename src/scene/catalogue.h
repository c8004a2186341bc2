// The describe() lists as data: what the reader, the help, the reference and the schema go by.
#pragma once

#include "scene/describe_force.h"
#include "scene/describe_shape.h"

namespace whorl {

struct AnyVisitor {
  template <class T>
  void operator()(std::string_view, T&, const KeyInfo&);
};

// A struct with a list of keys is a table in a file.
template <class T>
concept Described = requires(AnyVisitor& v, T& t) {
  describe(v, t);
};

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = Described<T>;
template <class T>
inline constexpr bool is_shape = false;
template <int D>
inline constexpr bool is_shape<Shape<D>> = true;
template <class T>
inline constexpr bool is_shapes = false;
template <int D>
inline constexpr bool is_shapes<std::vector<Shape<D>>> = true;

template <class T>
inline constexpr bool is_named_values = std::is_same_v<T, std::map<std::string, Varying>>;

template <class T>
SceneKey make_key(std::string_view name, T& value, const KeyInfo& info, int dimension);

template <class T>
std::vector<SceneKey> keys_of(T& params, int dimension) {
  std::vector<SceneKey> keys;
  auto collect = [&](std::string_view name, auto& member, const KeyInfo& info) {
    keys.push_back(make_key(name, member, info, dimension));
  };
  describe(collect, params);
  return keys;
}

template <class T>
SceneKey make_key(std::string_view name, T& value, const KeyInfo& info, int dimension) {
  SceneKey key{.name = std::string(name), .dimension = dimension};
  if constexpr (is_optional<T>) {
    typename T::value_type present{};
    key = make_key(name, present, info, dimension);
    key.preset.clear();
    return key;
  }
  key.unit = info.unit, key.min = info.min, key.max = info.max;
  key.doc = info.doc, key.absent = info.absent, key.example = info.example;
  key.required = info.required, key.time_only = info.time_only;
  key.solver = info.solver, key.only_3d = info.only_3d;
  if constexpr (Described<T>) {
    key.keys = keys_of(value, dimension);
  } else if constexpr (is_list<T>) {
    typename T::value_type entry{};
    key.kind = KeyKind::list;
    key.keys = keys_of(entry, dimension);
  } else if constexpr (is_shape<T>) {
    key.kind = KeyKind::shape;
  } else if constexpr (is_shapes<T>) {
    key.kind = KeyKind::shapes;
  } else if constexpr (!is_optional<T>) {
    LeafTraits<T>::fill(key);
    if (!info.required && info.absent.empty()) key.preset = toml_text(value);
  }
  return key;
}

// All keys of a scene of this dimension: a table of the top-level keys, and `shape`, a table of the kinds.
struct Catalogue {
  SceneKey scene, shape;

  // The key at a dotted path; entries of lists are named by anything or left out, and what comes below a
  // shape is looked up in `shape`; a table of names has any. nullptr where there is none.
  const SceneKey* find(std::string_view path) const;

  // The path of the first key with this last name; empty where there is none.
  std::string path_of(std::string_view name) const;
};

const Catalogue& catalogue(int dimension);

}  // namespace whorl
