// The signed distance of a mesh: any mesh, with holes, flipped faces or parts that overlap.
//
// The solid is where the winding number is at least a half (see orient_mesh.h and solid_boundary.h). Its
// distance is stored at the nodes of sparse grids: the finest in a band of four cells on both sides of the
// surface, exact; the next with cells twice as large in a band twice as wide, to a twentieth of a cell; and
// so on. In between it is trilinear, and goes over from one grid to the next along the last cell of a band.
// Beyond the last grid it is exact. It changes by at most about the distance moved. Features thinner than a
// cell of the finest grid may be lost. Outside its band the distance may be a tenth too large off a sharp
// corner, and where no one point is nearest a quarter too small.
#pragma once

#include "exec/exec.h"
#include "geometry/triangle_tree.h"
#include "geometry/winding_number.h"
#include "grid/tile_map.h"

#include <cstdint>
#include <vector>

namespace whorl {

class MeshDistance {
 public:
  // Lengths are the mesh's own; only places in `wanted` will be asked for. The bits do not depend on the
  // number of threads.
  MeshDistance(Exec& ex, const TriangleMesh& mesh, double cell_size, const Bounds<3>& wanted = all_space());

  static Bounds<3> all_space();
  static Bounds<3> section();  // the plane z = 0, all that 2D wants

  double distance(const Vec<double, 3>& at) const;

  const Bounds<3>& bounds() const { return bounds_; }     // of the solid; empty where it is
  bool has_inside() const;                                // whether any node of the grids is in the solid
  double cell_size() const { return cell_size_; }         // of the finest grid
  int boundary_edges() const { return boundary_edges_; }  // of the mesh as it was given
  std::int64_t stored_values() const;
  std::size_t bytes() const;

 private:
  // Tiles of 8 cells a side with the 9 nodes of each row of them: a place needs one tile alone.
  struct Level {
    Vec<double, 3> origin;
    double h;
    TileMap<3> map;
    std::vector<float> values;  // [tile][node], the last axis fastest

    // The value in the tile that holds a place; false where there is none.
    bool sample(const Vec<double, 3>& at, double& value) const;
  };

  Level make_level(Exec& ex, double h, const Bounds<3>& wanted, const WindingNumber& winding) const;
  void fill_tile(const Vec<double, 3>& first_node, double h, const WindingNumber& winding,
                 float* values) const;

  TriangleTree surface_;  // of the solid
  Bounds<3> bounds_;
  double cell_size_;
  int boundary_edges_;
  std::vector<Level> levels_;  // finest first
};

// The side of a cell for a mesh in a grid of cells of side h: half of h, more where the memory would go
// beyond some 256 MiB, less where the mesh would have but a few cells. In 2D, for its section.
double mesh_cell_size(const TriangleMesh& mesh, double h, int dimension);

}  // namespace whorl
