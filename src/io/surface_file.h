// Meshes for renderers: PLY, OBJ and USD. Metres and metres a second, Y up unless told. Files appear whole or
// not at all; ErrorCode::resources where one cannot be written.
#pragma once

#include "geometry/surface_mesh.h"
#include "io/up_axis.h"
#include "whorl/error.h"

#include <span>
#include <string>

namespace whorl {

// Binary, little endian: x y z, then vx vy vz where the mesh has velocities, then its columns by their names.
Result<void> write_ply(const std::string& path, const SurfaceMesh& surface, UpAxis up = UpAxis::y);

// A file of this layout, as it lies; otherwise an error, ErrorCode::usage, that begins with the path.
Result<SurfaceMesh> read_ply(const std::string& path);

// Text, the places and the triangles alone.
Result<void> write_obj(const std::string& path, const SurfaceMesh& surface);

struct UsdOptions {
  double fps = 24;               // frames, which are USD's time codes, a second
  std::string prim = "surface";  // what the mesh is called
};

// One frame of a sequence as a layer of text (.usda): the mesh with points, velocities and columns (as
// primvars) as time samples at the frame's number. It can be opened alone.
Result<void> write_usd_frame(const std::string& path, const SurfaceMesh& surface, int frame,
                             const UsdOptions& options = {});

struct UsdFrame {
  int frame;
  std::string file;  // as seen from the folder of the sequence
};

// The sequence: a small layer that plays the frames' files as value clips, and beside it, as
// "NAME.manifest.usda", the list of what varies, as USD asks for. Both are made anew from the list of frames
// each time, so that no file is ever written to twice: a run that is killed leaves every frame whole and a
// sequence that names only frames that were, and a run again writes the same files. `frames` are in order;
// `surface` is any of them, for the names of what it carries.
Result<void> write_usd_sequence(const std::string& path, std::span<const UsdFrame> frames,
                                const SurfaceMesh& surface, const UsdOptions& options = {});

}  // namespace whorl
