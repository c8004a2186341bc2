// What there is to see at one moment: named fields, when and where. Writers and the renderer read it; none
// of them knows which solver made it.
#pragma once

#include "grid/field.h"

#include <string>
#include <vector>

namespace whorl {

template <int D>
struct NamedField {
  std::string name;  // "density", "temperature", …
  const Field<float, D>* field;
};

// Borrows its fields; all of them live on one topology.
template <int D>
struct Snapshot {
  int frame = 0;    // 0: before the first
  double time = 0;  // s
  double fps = 24;
  Vec<double, D> origin{};  // m: the low corner of cell 0
  double h = 1;             // m: the side of a cell
  std::vector<NamedField<D>> scalars;
  const MacField<float, D>* velocity = nullptr;  // m/s; one that was read back has none

  const TopologyPtr<D>& topology() const { return scalars.front().field->topology(); }
  const Field<float, D>* find(const std::string& name) const {
    for (const NamedField<D>& s : scalars)
      if (s.name == name) return s.field;
    return nullptr;
  }
  // The middle of a cell, in metres.
  Vec<double, D> centre(const Coord<D>& cell) const {
    Vec<double, D> x;
    for (int a = 0; a < D; ++a) x[a] = origin[a] + (cell[a] + 0.5) * h;
    return x;
  }
};

}  // namespace whorl
