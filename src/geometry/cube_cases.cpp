#include "geometry/cube_cases.h"

#include "base/check.h"

#include <optional>

namespace whorl {

namespace {

using Loop = std::vector<int>;  // of edges

// The edge between two corners that differ in one bit.
int edge_between(int c, int d) {
  const int bit = c ^ d;
  return cube_edge(bit == 1 ? 0 : bit == 2 ? 1 : 2, c & d);
}

bool on_one_face(int e, int f) {
  for (int axis = 0; axis < 3; ++axis)
    if (e / 4 != axis && f / 4 != axis && (low_corner(e) >> axis & 1) == (low_corner(f) >> axis & 1))
      return true;
  return false;
}

// next[e]: the crossing that the surface's edge goes on to from that on edge e, along a face of the cube; -1
// where there is no crossing.
std::array<int, 12> next_crossings(unsigned inside) {
  std::array<int, 12> next;
  next.fill(-1);
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      // Anticlockwise seen from outside.
      const int u = 1 << (axis + 1 + !side) % 3, v = 1 << (axis + 1 + side) % 3, base = side << axis;
      const int corner[4] = {base, base | u, base | u | v, base | v};
      const auto is_in = [&](int k) { return (inside >> corner[k % 4] & 1) != 0; };
      for (int k = 0; k < 4; ++k) {
        if (is_in(k) || !is_in(k + 1)) continue;
        // From where it enters to where it last left: with four crossings, round the outer corner.
        int leaves = k + 3;
        while (!is_in(leaves) || is_in(leaves + 1)) --leaves;
        next[std::size_t(edge_between(corner[k], corner[(k + 1) % 4]))] =
            edge_between(corner[leaves % 4], corner[(leaves + 1) % 4]);
      }
    }
  return next;
}

// Cuts loop[first … last] into triangles, without a cut in a face of the cube.
std::optional<std::vector<CubeTriangle>> cut(const Loop& loop, std::size_t first, std::size_t last) {
  if (last < first + 2) return std::vector<CubeTriangle>();
  const bool whole = first == 0 && last == loop.size() - 1;
  const auto allowed = [&](std::size_t i, std::size_t j) {
    return j == i + 1 || (whole && i == first && j == last) || !on_one_face(loop[i], loop[j]);
  };
  for (std::size_t middle = first + 1; middle < last; ++middle) {
    if (!allowed(first, middle) || !allowed(middle, last)) continue;
    auto triangles = cut(loop, first, middle);
    const auto others = cut(loop, middle, last);
    if (!triangles || !others) continue;
    triangles->insert(triangles->end(), others->begin(), others->end());
    triangles->push_back({std::uint8_t(loop[first]), std::uint8_t(loop[middle]), std::uint8_t(loop[last])});
    return triangles;
  }
  return std::nullopt;
}

std::vector<CubeTriangle> triangles_of(unsigned inside) {
  std::array<int, 12> next = next_crossings(inside);
  std::vector<CubeTriangle> all;
  for (std::size_t start = 0; start < 12; ++start) {
    Loop loop;
    for (std::size_t e = start; next[e] >= 0;) {
      loop.push_back(int(e));
      const int to = next[e];
      next[e] = -1;
      e = std::size_t(to);
    }
    if (loop.empty()) continue;
    const auto triangles = cut(loop, 0, loop.size() - 1);
    CHECK(triangles, "case ", inside, " has a loop that cannot be cut");
    all.insert(all.end(), triangles->begin(), triangles->end());
  }
  return all;
}

}  // namespace

const std::array<std::vector<CubeTriangle>, 256>& cube_cases() {
  static const auto cases = [] {
    std::array<std::vector<CubeTriangle>, 256> made;
    for (unsigned inside = 0; inside < 256; ++inside) made[inside] = triangles_of(inside);
    return made;
  }();
  return cases;
}

}  // namespace whorl
