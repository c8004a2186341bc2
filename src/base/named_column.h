// One number a particle or a vertex, and what it is called.
#pragma once

#include <string>
#include <vector>

namespace whorl {

struct NamedColumn {
  std::string name;
  std::vector<float> values;

  bool operator==(const NamedColumn&) const = default;
};

}  // namespace whorl
