// Liquid that has particles near its surface alone (after Ferstl et al. 2016).
//
// The cells further down are its core: full, without particles, with a velocity that the grid carries. It
// goes with the flow as particles do, and where it has got to is known cell by cell: what of it is still deep
// is the new core, beside what particles have got deep; of the rest, particles are made. What chance does to
// the volume is made good at the core's edge, a few particles a cell.
#pragma once

#include "grid/boundary.h"
#include "grid/retile.h"
#include "particles/particle_set.h"
#include "stages/transfer.h"

#include <span>

namespace whorl {

// Gives faces whose particles may be incomplete, for some would be in the core, the velocity that is carried
// there.
template <int D>
void add_core_velocity(Exec& ex, FaceVelocity<D>& faces, const CellMask<D>& core,
                       const MacField<float, D>& carried);

struct BandParams {
  int width = 3;               // cells below the surface that have particles
  std::int64_t particles = 0;  // that all of the liquid would have
  float beside_solids = 0;     // m: cells nearer to one count as air
};

// What is to become of each cell.
template <int D>
struct Band {
  CellMask<D> core;
  CellMask<D> short_of;          // cells that get more particles than they have
  Buffer<std::uint32_t> counts;  // [tile][cell] of particles, and one more
  Field<float, D> moved;         // what the core has got to
};

// For particles that have moved, and a core that was in the cells of `before` and is where `moved` says, all
// on the particles' topology. There is no core in `outside`. `solids` is the distance from the nearest one.
template <int D>
Band<D> divide_band(Exec& ex, const ParticleSet<D>& particles, const CellMask<D>& before,
                    Field<float, D> moved, std::span<const Box<D>> outside, const Field<float, D>& solids,
                    const BandParams& params);

// Takes particles out of cells that have too many, and puts some where there are too few, with the `velocity`
// of their place.
template <int D>
void fill_band(Exec& ex, ParticleSet<D>& particles, Band<D>& band, const MacField<float, D>& velocity,
               const Inflow<D>& inflow, TransferScheme transfer, std::uint64_t seed);

// The particles, and 2^D more in each cell of the core, at places and with ids that depend on the cell alone.
template <int D>
ParticleSet<D> with_core(Exec& ex, const ParticleSet<D>& particles, const CellMask<D>& core,
                         const MacField<float, D>& velocity, const Inflow<D>& inflow,
                         TransferScheme transfer);

template <int D>
std::int64_t count_cells(Exec& ex, const CellMask<D>& mask);

}  // namespace whorl
