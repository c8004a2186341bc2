// Is a mesh closed?
#pragma once

#include "geometry/triangle_mesh.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace whorl {

// Edges that do not have exactly two triangles, which run along them in opposite directions.
inline std::vector<MeshEdge> open_edges(const TriangleMesh& mesh) {
  const std::vector<MeshEdge> edges = edges_of(mesh);
  std::vector<MeshEdge> open;
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i;
    while (end < edges.size() && edges[end].lo == edges[i].lo && edges[end].hi == edges[i].hi) ++end;
    if (end - i != 2 || edges[i].forward == edges[i + 1].forward) open.push_back(edges[i]);
    i = end;
  }
  return open;
}

// Every edge has two triangles, every vertex one fan of them, and none is left over.
inline void expect_closed(const TriangleMesh& mesh) {
  EXPECT_FALSE(mesh.triangles.empty());
  EXPECT_EQ(open_edges(mesh).size(), 0u);
  std::vector<std::map<int, int>> next(
      mesh.vertices.size());  // round a vertex, from one neighbour to another
  for (const auto& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) next[std::size_t(t[k])][t[(k + 1) % 3]] = t[(k + 2) % 3];
  int broken = 0;
  for (const auto& fan : next) {
    if (fan.empty()) {
      ++broken;
      continue;
    }
    std::size_t steps = 0;
    int at = fan.begin()->first;
    do {
      const auto found = fan.find(at);
      if (found == fan.end()) break;
      at = found->second;
      ++steps;
    } while (at != fan.begin()->first && steps <= fan.size());
    broken += steps != fan.size();
  }
  EXPECT_EQ(broken, 0) << "vertices without one fan of triangles";
}

}  // namespace whorl
