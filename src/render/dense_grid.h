// Values at the middles of the cubes that fill a box of space, for what is smooth enough to be coarse.
#pragma once

#include "render/camera.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace whorl {

template <class T>
struct DenseGrid {
  Point origin{};   // m: the low corner
  double cell = 1;  // m
  Coord<3> size{};
  std::vector<T> values{};  // the last axis fastest

  DenseGrid() = default;
  DenseGrid(const Point& low, double cell_side, const Coord<3>& cells)
      : origin(low),
        cell(cell_side),
        size(cells),
        values(std::size_t(cells[0]) * std::size_t(cells[1]) * std::size_t(cells[2])) {}

  std::size_t stride(int axis) const {
    return axis == 2 ? 1 : axis == 1 ? std::size_t(size[2]) : std::size_t(size[1]) * std::size_t(size[2]);
  }
  std::size_t offset(const Coord<3>& at) const {
    return std::size_t(at[0]) * stride(0) + std::size_t(at[1]) * stride(1) + std::size_t(at[2]);
  }
  Point centre(const Coord<3>& at) const {
    Point x;
    for (int a = 0; a < 3; ++a) x[a] = origin[a] + (at[a] + 0.5) * cell;
    return x;
  }

  // Linear between the middles, constant beyond the outermost.
  T sample(const Point& x) const {
    Coord<3> low;
    float t[3];
    for (int a = 0; a < 3; ++a) {
      const double q = std::clamp((x[a] - origin[a]) / cell - 0.5, 0., double(size[a] - 1));
      low[a] = std::min(int(q), std::max(size[a] - 2, 0));
      t[a] = float(q - low[a]);
    }
    T sum{};
    for (int corner = 0; corner < 8; ++corner) {
      float weight = 1;
      std::size_t at = offset(low);
      for (int a = 0; a < 3; ++a) {
        const bool upper = corner >> a & 1;
        weight *= upper ? t[a] : 1 - t[a];
        if (upper && size[a] > 1) at += stride(a);
      }
      sum = sum + values[at] * weight;
    }
    return sum;
  }
};

}  // namespace whorl
