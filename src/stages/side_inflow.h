// Liquid that comes in through a side of the domain.
//
// What stands before each half of a face is a row of particles, half a cell apart in the mean, that moves
// with the velocity of the face: those that pass the side in a step come in, each as far as the time since
// takes it. So the rate is that of the flow, and no beads show however long the steps are.
#pragma once

#include "grid/field.h"
#include "particles/particle_set.h"
#include "stages/solids.h"

#include <cmath>
#include <functional>
#include <span>
#include <vector>

namespace whorl {

// A side of the domain.
struct SideName {
  int axis = 0;
  bool high = false;
};

// Its faces, each as the cell that it is the low face of.
template <int D>
Box<D> faces_of(const Domain<D>& domain, const SideName& side);

// Liquid is given its velocity on a side, up to a level; above it the side is a wall.
template <int D>
struct SideInflow {
  SideName side;
  double level = HUGE_VAL;              // m above the low corner of cell 0
  std::vector<Vec<float, D>> velocity;  // m/s, of every face in the order of for_each_coord
};

// Gives the side's faces what flows through them, less what solids close of each.
template <int D>
void enforce_inflow(MacField<float, D>& velocity, const SideInflow<D>& inflow,
                    std::span<const Solid<D>> solids, double h);

// What enter() needs to know of a side.
template <int D>
struct Entrance {
  SideName side;
  double level = HUGE_VAL;                                       // m: nothing comes in above
  std::function<Vec<double, D>(const Coord<D>& face)> velocity;  // m/s
  std::uint64_t seed = 0;
};

// How many rows of particles stand before a side.
template <int D>
std::size_t rows_before(const Domain<D>& domain, const SideName& side);

// The particles that come in through a side in a step of length dt, outside of solids. `ways` is how far each
// row has come, in cells: as it was at the start, and moved on.
template <int D>
NewParticles<D> enter(const Entrance<D>& entrance, std::span<double> ways, const Domain<D>& domain,
                      std::span<const Solid<D>> solids, double h, double dt);

}  // namespace whorl
