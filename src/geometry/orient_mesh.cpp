#include "geometry/orient_mesh.h"

#include "base/rng.h"
#include "geometry/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace whorl {
namespace {

using Point = Vec<double, 3>;

// Triangles in patches: each patch a run of `members`.
struct Patches {
  std::vector<int> members;
  std::vector<std::size_t> begin;  // of each patch, and the end of the last
  std::vector<char> flipped;       // of each triangle: it disagrees with the first of its patch

  std::size_t count() const { return begin.size() - 1; }
};

struct Neighbour {
  int triangle = -1;    // across a side; -1 where there is none, or more than one
  bool agrees = false;  // on what is out
};

std::vector<std::array<Neighbour, 3>> neighbours_of(const TriangleMesh& mesh) {
  std::vector<std::array<Neighbour, 3>> neighbours(mesh.triangles.size());
  const std::vector<MeshEdge> edges = edges_of(mesh);
  for (std::size_t i = 0, end = 0; i < edges.size(); i = end) {
    while (end < edges.size() && edges[end].lo == edges[i].lo && edges[end].hi == edges[i].hi) ++end;
    if (end - i != 2) continue;
    const MeshEdge &x = edges[i], &y = edges[i + 1];
    const bool agree = x.forward != y.forward;
    neighbours[std::size_t(x.triangle)][std::size_t(x.side)] = {y.triangle, agree};
    neighbours[std::size_t(y.triangle)][std::size_t(y.side)] = {x.triangle, agree};
  }
  return neighbours;
}

// A patch that is no surface with two sides, as a Möbius strip, is cut where the walk closes.
Patches patches_of(const TriangleMesh& mesh) {
  const auto neighbours = neighbours_of(mesh);
  Patches patches;
  patches.flipped.assign(mesh.triangles.size(), 0);
  std::vector<char> seen(mesh.triangles.size(), 0);
  for (std::size_t seed = 0; seed < mesh.triangles.size(); ++seed) {
    if (seen[seed]) continue;
    patches.begin.push_back(patches.members.size());
    seen[seed] = 1;
    patches.members.push_back(int(seed));
    for (std::size_t next = patches.begin.back(); next < patches.members.size(); ++next) {
      const std::size_t t = std::size_t(patches.members[next]);
      for (const Neighbour& n : neighbours[t]) {
        if (n.triangle < 0 || seen[std::size_t(n.triangle)]) continue;
        seen[std::size_t(n.triangle)] = 1;
        patches.flipped[std::size_t(n.triangle)] = char(n.agrees ? patches.flipped[t] : !patches.flipped[t]);
        patches.members.push_back(n.triangle);
      }
    }
  }
  patches.begin.push_back(patches.members.size());
  return patches;
}

void flip(std::array<int, 3>& triangle) { std::swap(triangle[1], triangle[2]); }

// Makes each patch agree with itself, as most of its area was; returns the patches' areas.
std::vector<double> agree_within(TriangleMesh& mesh, const Patches& patches) {
  std::vector<double> areas(patches.count());
  for (std::size_t p = 0; p < patches.count(); ++p) {
    double as_first = 0;
    for (std::size_t k = patches.begin[p]; k < patches.begin[p + 1]; ++k) {
      const std::size_t t = std::size_t(patches.members[k]);
      const double area = length(area_vector(corners(mesh, t)));
      areas[p] += area;
      as_first += patches.flipped[t] ? -area : area;
    }
    for (std::size_t k = patches.begin[p]; k < patches.begin[p + 1]; ++k) {
      const std::size_t t = std::size_t(patches.members[k]);
      if (bool(patches.flipped[t]) != (as_first < 0)) flip(mesh.triangles[t]);
    }
  }
  return areas;
}

// Casts lines through points of a patch, spread by area, in directions spread as light from a matt surface.
// The vote is the share of them that meet nothing in front, less the share that meet nothing behind.
class Voter {
 public:
  Voter(const TriangleMesh& mesh, const Patches& patches)
      : patches_(patches), tree_(mesh), place_(mesh.triangles.size()) {
    for (std::size_t i = 0; i < place_.size(); ++i) place_[std::size_t(tree_.original(int(i)))] = int(i);
  }

  double vote(std::size_t patch, int lines) const {
    std::vector<double> upto;  // area of the patch up to each of its triangles
    for (std::size_t k = patches_.begin[patch]; k < patches_.begin[patch + 1]; ++k)
      upto.push_back((upto.empty() ? 0 : upto.back()) + length(area_vector(at(k))));
    int balance = 0;
    for (int line = 0; line < lines; ++line) {
      Rng rng(0, patch, std::uint64_t(line));
      const double want = upto.back() * double(rng.uniform());
      const std::size_t k = patches_.begin[patch] +
                            std::size_t(std::upper_bound(upto.begin(), upto.end() - 1, want) - upto.begin());
      const Point x = point_of(at(k), rng), d = direction_from(at(k), rng);
      const int own = place_[std::size_t(patches_.members[k])];
      balance += int(!tree_.is_hit(x, d, own)) - int(!tree_.is_hit(x, d * -1., own));
    }
    return double(balance) / lines;
  }

 private:
  const Triangle& at(std::size_t member) const {
    return tree_.triangles()[std::size_t(place_[std::size_t(patches_.members[member])])];
  }
  static Point point_of(const Triangle& t, Rng& rng) {
    double u = double(rng.uniform()), v = double(rng.uniform());
    if (u + v > 1) u = 1 - u, v = 1 - v;
    return t[0] + (t[1] - t[0]) * u + (t[2] - t[0]) * v;
  }
  static Point direction_from(const Triangle& t, Rng& rng) {
    const Point n = normalised(area_vector(t)), u = normalised(t[1] - t[0]), v = cross(n, u);
    const double squared = double(rng.uniform()), angle = 2 * std::numbers::pi * double(rng.uniform());
    const double off = std::sqrt(squared);
    return n * std::sqrt(1 - squared) + u * (off * std::cos(angle)) + v * (off * std::sin(angle));
  }

  const Patches& patches_;
  TriangleTree tree_;
  std::vector<int> place_;  // of a triangle of the mesh in the tree's order
};

}  // namespace

TriangleMesh oriented(Exec& ex, const TriangleMesh& raw) {
  constexpr double clear = 0.05;  // a vote below it is an accident of holes
  TriangleMesh mesh = cleaned(raw);
  const Patches patches = patches_of(mesh);
  const std::vector<double> areas = agree_within(mesh, patches);
  const Voter voter(mesh, patches);
  const int lines = int(std::clamp<std::size_t>(200000 / std::max<std::size_t>(patches.count(), 1), 8, 400));
  std::vector<double> votes(patches.count());
  ex.parallel_for(std::int64_t(votes.size()), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::size_t p = std::size_t(begin); p < std::size_t(end); ++p) votes[p] = voter.vote(p, lines);
  });
  double keep = 0;  // area of the patches that are right as they are, less that of those that are not
  for (std::size_t p = 0; p < votes.size(); ++p)
    if (std::abs(votes[p]) > clear) keep += votes[p] > 0 ? areas[p] : -areas[p];
  for (std::size_t p = 0; p < votes.size(); ++p) {
    const bool turn = std::abs(votes[p]) > clear ? votes[p] < 0 : keep < 0;
    for (std::size_t k = patches.begin[p]; turn && k < patches.begin[p + 1]; ++k)
      flip(mesh.triangles[std::size_t(patches.members[k])]);
  }
  return mesh;
}

}  // namespace whorl
