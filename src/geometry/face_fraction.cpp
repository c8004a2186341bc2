#include "geometry/face_fraction.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace whorl {

namespace {

constexpr int most_corners = 4 + most_solids_a_face;

// A convex part of a simplex with D corners, by barycentric coordinates; in 2D, the two ends of a segment.
template <int D>
struct Polygon {
  std::array<std::array<double, D>, most_corners> corner;
  int count = 0;

  static Polygon simplex() {
    Polygon p;
    p.count = D;
    for (int k = 0; k < D; ++k) {
      p.corner[std::size_t(k)] = {};
      p.corner[std::size_t(k)][std::size_t(k)] = 1;
    }
    return p;
  }

  // Keeps what has a positive value, given those at the simplex's corners (Sutherland & Hodgman 1974).
  Polygon clipped(const std::array<double, D>& value) const {
    Polygon kept;
    const auto at = [&](int k) {
      double sum = 0;
      for (std::size_t b = 0; b < D; ++b) sum += corner[std::size_t(k)][b] * value[b];
      return sum;
    };
    for (int k = 0; k < count; ++k) {
      const int next = (k + 1) % count;
      const double here = at(k), there = at(next);
      if (here > 0) kept.corner[std::size_t(kept.count++)] = corner[std::size_t(k)];
      if ((here > 0) == (there > 0)) continue;
      const double t = here / (here - there);
      auto& crossing = kept.corner[std::size_t(kept.count++)];
      for (std::size_t b = 0; b < D; ++b)
        crossing[b] = corner[std::size_t(k)][b] * (1 - t) + corner[std::size_t(next)][b] * t;
    }
    return kept;
  }

  // In parts of the simplex.
  double measure() const {
    if (count < 2) return 0;
    double sum = 0;
    if constexpr (D == 2) {
      const auto by_second = [](const auto& x, const auto& y) { return x[1] < y[1]; };
      const auto [low, high] = std::minmax_element(corner.begin(), corner.begin() + count, by_second);
      sum = (*high)[1] - (*low)[1];
    } else {
      for (int k = 0; k < count; ++k) {
        const auto &p = corner[std::size_t(k)], &q = corner[std::size_t((k + 1) % count)];
        sum += p[1] * q[2] - q[1] * p[2];
      }
    }
    return std::abs(sum);
  }
};

}  // namespace

template <int D>
double open_part_of_face(const Vec<double, D>& centre, int axis, double h,
                         std::span<const Shape<D>* const> solids) {
  constexpr int rim = D == 2 ? 2 : 4;  // corners of the face, in order
  const std::size_t count = std::min(solids.size(), std::size_t(most_solids_a_face));
  const int u = axis == 0 ? 1 : 0, v = axis == D - 1 ? D - 2 : D - 1;  // the axes along the face; one, in 2D
  std::array<std::array<double, rim + 1>, most_solids_a_face> distance;  // at the rim, then at the centre
  for (std::size_t s = 0; s < count; ++s) {
    for (int k = 0; k < rim; ++k) {
      constexpr int along_u[] = {-1, 1, 1, -1}, along_v[] = {-1, -1, 1, 1};
      Vec<double, D> x = centre;
      x[u] += 0.5 * h * along_u[k];
      if (D == 3) x[v] += 0.5 * h * along_v[k];
      distance[s][std::size_t(k)] = solids[s]->distance(x);
    }
    distance[s][rim] = solids[s]->distance(centre);
  }
  constexpr int simplices = rim;
  double open = 0;
  for (int k = 0; k < simplices; ++k) {
    Polygon<D> part = Polygon<D>::simplex();
    for (std::size_t s = 0; s < count && part.count > 0; ++s) {
      std::array<double, D> value;
      value[0] = distance[s][rim];
      for (int b = 1; b < D; ++b) value[std::size_t(b)] = distance[s][std::size_t((k + b - 1) % rim)];
      part = part.clipped(value);
    }
    open += part.measure() / simplices;
  }
  return std::min(open, 1.);
}

template double open_part_of_face(const Vec<double, 2>&, int, double, std::span<const Shape<2>* const>);
template double open_part_of_face(const Vec<double, 3>&, int, double, std::span<const Shape<3>* const>);

}  // namespace whorl
