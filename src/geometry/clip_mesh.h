// The free surface of a liquid's mesh: what of it lies neither on sides of the domain nor on solids.
#pragma once

#include "geometry/shape.h"
#include "geometry/surface_mesh.h"

#include <span>

namespace whorl {

// Takes away triangles in the planes of `sides`, and what lies within `near` metres of a solid and faces it,
// cut through where it turns from the solid's surface by more than 60 degrees. Vertices on the cut have what
// theirs carry in between; those that no triangle needs go.
SurfaceMesh free_surface(Exec& ex, const SurfaceMesh& surface, const Bounds<3>& sides,
                         std::span<const Shape<3>> solids, double near);

}  // namespace whorl
