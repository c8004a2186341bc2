// From a file's values to the structs of a scene, by their describe() lists.
#pragma once

#include "scene/catalogue.h"

#include <filesystem>

namespace whorl {

// Reads what it can and notes every problem; where there was one, the default stays.
class SceneReader {
 public:
  // `folder` is where the files are that the scene names.
  SceneReader(int dimension, const std::filesystem::path& folder, Problems& problems, Locations& locations)
      : dimension_(dimension), folder_(folder), problems_(problems), locations_(locations) {}

  template <Described T>
  void read_table(const SceneValue& value, const std::string& path, T& params);

 private:
  template <class T>
  void read_member(const SceneValue& value, const std::string& path, T& member, const SceneKey& key);
  template <class T>
  void read_list(const SceneValue& value, const std::string& path, std::vector<T>& entries,
                 const SceneKey& key);
  void read_named(const SceneValue& value, const std::string& path, std::map<std::string, Varying>& values,
                  const SceneKey& key);
  template <int D>
  void read_shape(const SceneValue& value, const std::string& path, Shape<D>& shape);
  template <int D>
  void read_shapes(const SceneValue& value, const std::string& path, std::vector<Shape<D>>& shapes,
                   const SceneKey& key);

  bool expect_table(const SceneValue& value, const std::string& path, const SceneKey& key);
  void note_unknown(const SceneValue& table, const std::string& path, const std::vector<std::string>& known);
  void note_missing(const SceneValue& table, const std::string& path, const SceneKey& key);

  template <class S>
  void note_file(S&, const std::string&) {}
  template <int D>
  void note_file(MeshShape<D>& mesh, const std::string& path);

  int dimension_;
  std::filesystem::path folder_;
  Problems& problems_;
  Locations& locations_;
};

inline std::string join_path(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + "." + std::string(name);
}

// Of an entry of a list: its name where it has one, else its number.
std::string entry_path(const std::string& list, const SceneValue& entry, std::size_t index);

// What the ranges of single keys cannot say of a shape.
template <class S>
std::optional<Problem> check_shape(const S&) {
  return {};
}
template <int D>
std::optional<Problem> check_shape(const BoxShape<D>& box);
template <int D>
std::optional<Problem> check_shape(const PlaneShape<D>& plane);
template <int D>
std::optional<Problem> check_shape(const MeshShape<D>& mesh);

// ---- definitions

template <Described T>
void SceneReader::read_table(const SceneValue& value, const std::string& path, T& params) {
  std::vector<std::string> known;
  auto read = [&](std::string_view name, auto& member, const KeyInfo& info) {
    known.emplace_back(name);
    const SceneKey key = make_key(name, member, info, dimension_);
    if (const SceneValue* given = value.find(name))
      read_member(*given, join_path(path, name), member, key);
    else if (info.required)
      note_missing(value, join_path(path, name), key);
  };
  describe(read, params);
  note_unknown(value, path, known);
}

template <class T>
void SceneReader::read_member(const SceneValue& value, const std::string& path, T& member,
                              const SceneKey& key) {
  locations_.record(path, value.where);
  if constexpr (is_optional<T>) {
    typename T::value_type present{};
    read_member(value, path, present, key);
    if (!locations_.wrong(path)) member = std::move(present);
  } else if constexpr (Described<T>) {
    if (expect_table(value, path, key)) read_table(value, path, member);
  } else if constexpr (is_list<T>) {
    read_list(value, path, member, key);
  } else if constexpr (is_named_values<T>) {
    read_named(value, path, member, key);
  } else if constexpr (is_shape<T>) {
    read_shape(value, path, member);
  } else if constexpr (is_shapes<T>) {
    read_shapes(value, path, member, key);
  } else if (const auto problem = read_value(value, key, member)) {
    problems_.add(value.where, path, *problem);
    locations_.mark_wrong(path);
  }
}

template <class T>
void SceneReader::read_list(const SceneValue& value, const std::string& path, std::vector<T>& entries,
                            const SceneKey& key) {
  if (!value.list()) {
    problems_.add(value.where, path, {"found " + found_text(value), allowed_text(key)});
    return;
  }
  for (const SceneValue& entry : *value.list()) {
    const std::string at = entry_path(path, entry, entries.size());
    locations_.record(at, entry.where);
    T& params = entries.emplace_back();
    if (expect_table(entry, at, SceneKey{})) read_table(entry, at, params);
  }
}

template <int D>
void SceneReader::read_shape(const SceneValue& value, const std::string& path, Shape<D>& shape) {
  std::vector<std::string> kinds;
  describe_shapes<D>([&](std::string_view name, auto, const KeyInfo&) { kinds.emplace_back(name); });
  if (!value.table() || value.table()->size() != 1) {
    problems_.add(value.where, path,
                  {value.table() ? "found a table of " + std::to_string(value.table()->size()) + " keys"
                                 : "found " + found_text(value),
                   allowed_text(SceneKey{.name = {}, .kind = KeyKind::shape})});
    return;
  }
  describe_shapes<D>([&](std::string_view name, auto node, const KeyInfo& info) {
    const SceneValue* given = value.find(name);
    if (!given) return;
    const std::string at = join_path(path, name);
    const std::size_t before = problems_.size();
    if constexpr (Described<decltype(node)>)
      read_member(*given, at, node, make_key(name, node, info, D));
    else
      read_shapes(*given, at, node.parts, make_key(name, node.parts, info, D));
    note_file(node, at);
    if (const auto problem = check_shape(node); problem && problems_.size() == before)
      problems_.add(given->where, at, *problem);
    shape = std::move(node);
  });
  note_unknown(value, path, kinds);
}

// What is found wrong with a file when it is read is told as if it had been seen here.
template <int D>
void SceneReader::note_file(MeshShape<D>& mesh, const std::string& path) {
  mesh.key = join_path(path, "file");
  mesh.where = locations_.of(mesh.key).text();
  if (!mesh.file.empty()) mesh.file = (folder_ / mesh.file).lexically_normal().string();
}

template <int D>
void SceneReader::read_shapes(const SceneValue& value, const std::string& path, std::vector<Shape<D>>& shapes,
                              const SceneKey& key) {
  if (!value.list()) return read_shape(value, path, shapes.emplace_back());
  if (value.list()->empty()) problems_.add(value.where, path, {"found an empty list", allowed_text(key)});
  for (const SceneValue& entry : *value.list()) {
    const std::string at = join_path(path, std::to_string(shapes.size()));
    read_shape(entry, at, shapes.emplace_back());
  }
}

}  // namespace whorl
