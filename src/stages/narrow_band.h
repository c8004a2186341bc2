// Liquid that has particles near its surface alone (after Ferstl et al. 2016).
//
// The cells further down are its core: full, without particles, with a velocity that the grid carries. For a
// step the edge of the core has particles, too: those that the flow takes out of it stay, all that it takes
// in go. Then the core loses what has come near the surface and gains where particles have got deep; what
// chance does to the volume is made good at its edge, a few particles a cell.
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

// Gives the cells of the core particles that the flow may take out of it, in a `step` of dt / h.
template <int D>
void seed_core_edge(Exec& ex, ParticleSet<D>& particles, const CellMask<D>& core,
                    const MacField<float, D>& velocity, float step, const Inflow<D>& inflow,
                    TransferScheme transfer, std::uint64_t seed);

struct BandParams {
  int width = 4;               // cells below the surface that have particles
  std::int64_t particles = 0;  // that all of the liquid would have
  float beside_solids = 0;     // m: cells nearer to one count as air
  TransferScheme transfer = TransferScheme::apic;
  std::uint64_t seed = 0;
};

// The new core of particles that have moved, from the one `before`, on the particles' topology. There is none
// in `outside`. `solids` is the distance from the nearest one. New particles have the `velocity` of their
// place.
template <int D>
CellMask<D> renew_band(Exec& ex, ParticleSet<D>& particles, const CellMask<D>& before,
                       std::span<const Box<D>> outside, const Field<float, D>& solids,
                       const MacField<float, D>& velocity, const Inflow<D>& inflow, const BandParams& params);

// The particles, and 2^D more in each cell of the core, at places and with ids that depend on the cell alone.
template <int D>
ParticleSet<D> with_core(Exec& ex, const ParticleSet<D>& particles, const CellMask<D>& core,
                         const MacField<float, D>& velocity, const Inflow<D>& inflow,
                         TransferScheme transfer);

template <int D>
std::int64_t count_cells(Exec& ex, const CellMask<D>& mask);

}  // namespace whorl
