#include "scene/key_texts.h"

#include "scene/reader.h"

#include <filesystem>

namespace whorl {
namespace {

class Collector {
 public:
  template <class T>
  void add(const std::string& path, T& value, const KeyUse& use) {
    if constexpr (is_optional<T>) {
      if (value) add(path, *value, use);
    } else if constexpr (Described<T>) {
      auto member = [&](std::string_view name, auto& part, const KeyInfo& info) {
        add(join_path(path, name), part, info.use.as_its_table ? use : info.use);
      };
      describe(member, value);
    } else if constexpr (is_list<T> || is_shapes<T>) {
      for (std::size_t k = 0; k < value.size(); ++k) add(join_path(path, std::to_string(k)), value[k], use);
    } else if constexpr (is_shape<T>) {
      add_shape(path, value, use);
    } else {
      found.push_back({path, toml_text(value), use});
    }
  }

  std::vector<KeyText> found;

 private:
  template <int D>
  void add_shape(const std::string& path, const Shape<D>& shape, const KeyUse& use) {
    describe_shapes<D>([&](std::string_view name, auto node, const KeyInfo&) {
      using Node = decltype(node);
      const Node* own = std::get_if<Node>(&shape.node());
      if (!own) return;
      node = *own;
      if constexpr (std::is_same_v<Node, MeshShape<D>>)
        node.file = std::filesystem::absolute(node.file).lexically_normal().string();
      if constexpr (Described<Node>)
        add(join_path(path, name), node, use);
      else
        add(join_path(path, name), node.parts, use);
    });
  }
};

}  // namespace

std::vector<KeyText> key_texts(const SceneConfig& scene) {
  Collector collector;
  constexpr KeyUse unless_told{.simulate = true};
  std::visit([&](auto own) { collector.add("", own, unless_told); }, scene);
  return std::move(collector.found);
}

}  // namespace whorl
