#include "scene/reader.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace whorl {

std::string entry_path(const std::string& list, const SceneValue& entry, std::size_t index) {
  const SceneValue* name = entry.find("name");
  const bool named = name && name->text() && !name->text()->empty();
  return join_path(list, named ? *name->text() : std::to_string(index));
}

bool SceneReader::expect_table(const SceneValue& value, const std::string& path, const SceneKey& key) {
  if (!value.table()) problems_.add(value.where, path, {"found " + found_text(value), allowed_text(key)});
  return value.table() != nullptr;
}

// Which names there may be is for validate() to say.
void SceneReader::read_named(const SceneValue& value, const std::string& path,
                             std::map<std::string, Varying>& values, const SceneKey& key) {
  if (!expect_table(value, path, key)) return;
  SceneKey single = key;
  single.kind = KeyKind::varying;
  for (const auto& [name, entry] : *value.table()) {
    const std::string at = join_path(path, name);
    locations_.record(at, entry.where);
    if (const auto problem = read_value(entry, single, values[name]))
      problems_.add(entry.where, at, *problem);
  }
}

void SceneReader::note_missing(const SceneValue& table, const std::string& path, const SceneKey& key) {
  problems_.add(table.where, path, {"missing", allowed_text(key)});
}

void SceneReader::note_unknown(const SceneValue& table, const std::string& path,
                               const std::vector<std::string>& known) {
  constexpr std::size_t few = 12;  // names that a message can list and stay readable
  for (const auto& [name, value] : *table.table()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string at = join_path(path, name);
    Problem problem{"unknown key", fmt::format("{}", fmt::join(known, ", ")), nearest_name(name, known)};
    if (problem.hint.empty()) problem.hint = catalogue(dimension_).path_of(name);
    if (dimension_ == 2 && catalogue(3).find(at))
      problem.found = "a key of 3D scenes in a 2D one", problem.hint = "";
    if (known.size() > few && !problem.hint.empty())
      problem.allowed =
          fmt::format("one of {} keys, see help-scene{}", known.size(), path.empty() ? "" : " " + path);
    problems_.add(value.where, at, problem);
  }
}

template <int D>
std::optional<Problem> check_shape(const BoxShape<D>& box) {
  for (int a = 0; a < D; ++a)
    if (!(box.max[a] > box.min[a]))
      return Problem{
          fmt::format("the box is empty: along {} it goes from {} to {}", "xyz"[a], box.min[a], box.max[a]),
          "max above min along every axis"};
  return {};
}

template <int D>
std::optional<Problem> check_shape(const PlaneShape<D>& plane) {
  if (plane.normal == Vec<double, D>{}) return Problem{"the normal is zero", "a direction"};
  return {};
}

template <int D>
std::optional<Problem> check_shape(const MeshShape<D>& mesh) {
  if (mesh.file.empty()) return Problem{"the file has no name", "the name of a file"};
  return {};
}

template std::optional<Problem> check_shape(const BoxShape<2>&);
template std::optional<Problem> check_shape(const BoxShape<3>&);
template std::optional<Problem> check_shape(const PlaneShape<2>&);
template std::optional<Problem> check_shape(const PlaneShape<3>&);
template std::optional<Problem> check_shape(const MeshShape<2>&);
template std::optional<Problem> check_shape(const MeshShape<3>&);

}  // namespace whorl
