// A dense block of numbers, the last axis fastest.
#pragma once

#include "base/box.h"

#include <utility>
#include <vector>

namespace whorl {

struct NumberBlock {
  Coord<3> size;
  std::vector<float> values;

  explicit NumberBlock(const Coord<3>& n)
      : size(n), values(std::size_t(n[0]) * std::size_t(n[1]) * std::size_t(n[2])) {}
  std::size_t place(const Coord<3>& c) const { return std::size_t((c[0] * size[1] + c[1]) * size[2] + c[2]); }
  float& at(const Coord<3>& c) { return values[place(c)]; }
  float at(const Coord<3>& c) const { return values[place(c)]; }

  // combine() over the values within a distance, axis by axis; the block shrinks by that distance.
  template <class F>
  void gather(int distance, const F& combine) {
    for (int a = 0; a < 3; ++a) {
      Coord<3> smaller = size;
      smaller[a] -= 2 * distance;
      NumberBlock next(smaller);
      for_each_coord(Box<3>{{}, smaller}, [&](const Coord<3>& c) {
        Coord<3> from = c;
        float x = at(from);
        for (int k = 1; k <= 2 * distance; ++k) {
          ++from[a];
          x = combine(x, at(from));
        }
        next.at(c) = x;
      });
      *this = std::move(next);
    }
  }
};

}  // namespace whorl
