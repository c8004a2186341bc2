// Particles in a file: all that is needed to make a liquid's surface again without simulating.
//
// Binary PLY, little endian, one element "vertex": x y z in metres as doubles, vx vy vz in m/s, id (a double:
// ids are whole numbers far below 2^53), then any number of named floats.
#pragma once

#include "base/named_column.h"
#include "io/up_axis.h"
#include "particles/particle_set.h"
#include "whorl/error.h"

#include <string>
#include <vector>

namespace whorl {

struct ParticleTable {
  std::vector<Vec<double, 3>> position;  // m
  std::vector<Vec<float, 3>> velocity;   // m/s
  std::vector<std::uint64_t> id;
  std::vector<NamedColumn> columns;
};

// The particles of a set, in its order; `names` for its `others`, of which as many are taken.
ParticleTable particle_table(const ParticleSet<3>& particles, double h,
                             const std::vector<std::string>& names = {});

// A set of the table's particles with their own ids, its `others` the columns. Particles outside the domain
// are moved to its edge.
ParticleSet<3> particle_set(Exec& ex, ParticleTable table, const Domain<3>& domain, double h);

// ErrorCode::resources where it cannot be written.
Result<void> write_particles_ply(const std::string& path, const ParticleTable& particles,
                                 UpAxis up = UpAxis::y);

// Files of this layout alone, whole ones, with finite places and velocities; otherwise an error,
// ErrorCode::usage, that begins with the path.
Result<ParticleTable> read_particles_ply(const std::string& path);

}  // namespace whorl
