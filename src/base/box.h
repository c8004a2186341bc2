// Half-open boxes of integer coordinates.
#pragma once

#include "base/vec.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace whorl {

template <int D>
struct Box {
  Coord<D> lo, hi;  // lo inside, hi outside

  bool empty() const {
    for (int a = 0; a < D; ++a)
      if (hi[a] <= lo[a]) return true;
    return false;
  }
  bool contains(const Coord<D>& c) const {
    for (int a = 0; a < D; ++a)
      if (c[a] < lo[a] || c[a] >= hi[a]) return false;
    return true;
  }
  bool contains(const Box& b) const {
    for (int a = 0; a < D; ++a)
      if (b.lo[a] < lo[a] || b.hi[a] > hi[a]) return false;
    return true;
  }
  Box intersect(const Box& b) const {
    Box r;
    for (int a = 0; a < D; ++a) {
      r.lo[a] = std::max(lo[a], b.lo[a]);
      r.hi[a] = std::min(hi[a], b.hi[a]);
    }
    return r;
  }
  std::int64_t volume() const {
    if (empty()) return 0;
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    std::int64_t n = 1;
    for (int a = 0; a < D; ++a) {
      const std::int64_t extent = std::int64_t(hi[a]) - lo[a];
      if (n > most / extent) return most;
      n *= extent;
    }
    return n;
  }
};

// Visits every coordinate of the box, the last axis fastest.
template <int D, class F>
void for_each_coord(const Box<D>& box, F&& f) {
  if (box.empty()) return;
  Coord<D> c = box.lo;
  for (;;) {
    f(static_cast<const Coord<D>&>(c));
    int a = D - 1;
    while (a >= 0 && ++c[a] == box.hi[a]) c[a] = box.lo[a], --a;
    if (a < 0) return;
  }
}

}  // namespace whorl
