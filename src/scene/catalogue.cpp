#include "scene/catalogue.h"

#include "base/check.h"

namespace whorl {
namespace {

template <int D>
Catalogue collect() {
  Scene<D> scene;
  Catalogue result{{.name = "scene", .dimension = D}, {.name = "shape", .dimension = D}};
  result.scene.keys = keys_of(scene, D);
  result.shape.doc = "A table with one key, the kind of the shape.";
  describe_shapes<D>([&](std::string_view name, auto shape, const KeyInfo& info) {
    using S = decltype(shape);
    if constexpr (Described<S>)
      result.shape.keys.push_back(make_key(name, shape, info, D));
    else
      result.shape.keys.push_back(make_key(name, shape.parts, info, D));
  });
  return result;
}

std::string find_name(const SceneKey& table, std::string_view name, const std::string& prefix) {
  for (const SceneKey& key : table.keys)
    if (key.name == name) return prefix + key.name;
  for (const SceneKey& key : table.keys)
    if (std::string path = find_name(key, name, prefix + key.name + "."); !path.empty()) return path;
  return {};
}

}  // namespace

const Catalogue& catalogue(int dimension) {
  CHECK(dimension == 2 || dimension == 3, "dimension ", dimension);
  static const Catalogue flat = collect<2>(), solid = collect<3>();
  return dimension == 2 ? flat : solid;
}

const SceneKey* Catalogue::find(std::string_view path) const {
  const SceneKey* at = &scene;
  bool skipped = false;  // the name of an entry of a list
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(part.size() + 1, path.size()));
    const bool in_shape = at->kind == KeyKind::shape || at->kind == KeyKind::shapes;
    const SceneKey* next = (in_shape ? shape : *at).find(part);
    if (!next && at == &scene && part == shape.name) next = &shape;
    if (at->kind == KeyKind::varyings && path.empty()) next = at;
    const bool may_skip = (at->kind == KeyKind::list || at->kind == KeyKind::shapes) && !skipped;
    if (!next && !may_skip) return nullptr;
    skipped = !next;
    if (next) at = next;
  }
  return at;
}

std::string Catalogue::path_of(std::string_view name) const {
  const std::string path = find_name(scene, name, "");
  return path.empty() ? find_name(shape, name, "shape.") : path;
}

}  // namespace whorl
