// Particles in the order of the grid's tiles and cells.
//
// Where a particle is, is said by a tile and a position in it, in cells from the tile's low corner: as exact
// far from the origin as near it. The particles of a tile stand side by side, and so do those of a cell, so
// that what one tile's worth of work needs lies in one piece of memory.
#pragma once

#include "exec/exec.h"
#include "grid/topology.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace whorl {

template <int D>
struct ParticleSet {
  TopologyPtr<D> topology;  // a set without particles may have none
  Buffer<std::uint32_t>
      first;  // [tile][cell], and their number: cell k has those from first[k] to first[k + 1]
  std::array<Buffer<float>, D> position;  // cells
  std::array<Buffer<float>, D> velocity;  // m/s
  std::vector<Buffer<float>> modes;       // of the velocity round each (stages/transfer.h)
  std::vector<Buffer<float>> others;      // whatever else they carry
  Buffer<std::uint64_t> id;
  std::uint64_t made = 0;  // so far: the next one's id

  std::int64_t size() const { return std::int64_t(id.size()); }
  std::uint32_t tile_begin(int tile) const { return first[std::size_t(tile) * tile_cells<D>]; }
  std::uint32_t tile_end(int tile) const { return first[std::size_t(tile + 1) * tile_cells<D>]; }

  // Everything that goes with a particle, one call for each array.
  template <class F>
  void for_each_array(const F& f) {
    for (Buffer<float>& x : position) f(x);
    for (Buffer<float>& v : velocity) f(v);
    for (Buffer<float>& c : modes) f(c);
    for (Buffer<float>& q : others) f(q);
    f(id);
  }

  template <class Self, class Visitor>
  static void visit(Self& s, Visitor& v, const std::string& name) {
    v(name + ".topology", s.topology);
    v(name + ".first", s.first);
    for (std::size_t a = 0; a < D; ++a) v(name + ".position." + "xyz"[a], s.position[a]);
    for (std::size_t a = 0; a < D; ++a) v(name + ".velocity." + "xyz"[a], s.velocity[a]);
    v(name + ".modes", s.modes);
    v(name + ".others", s.others);
    v(name + ".id", s.id);
    v(name + ".made", s.made);
  }
};

// A place in a cell of a tile, `part` of the way through it, 0 to 1: in that cell whatever rounding does.
float place_in_cell(int cell, float part);

// New particles, anywhere.
template <int D>
struct NewParticles {
  std::vector<Vec<double, D>> position;  // cells from the low corner of cell 0
  std::vector<Vec<float, D>> velocity;   // m/s
};

// Puts particles that have moved, by less than a tile's side, into the order of where they are, on the tiles
// that have any. Those of one cell keep their order, so the result is the same on any number of threads.
// Along periodic axes they come in again on the other side.
template <int D>
void sort_particles(Exec& ex, ParticleSet<D>& particles);

// Adds to a set. Those of a cell follow the ones there. What else they carry starts at zero.
template <int D>
void add_particles(Exec& ex, ParticleSet<D>& particles, const Domain<D>& domain, const NewParticles<D>& more);

// Takes out those that `keep` has a zero for.
template <int D>
void keep_particles(Exec& ex, ParticleSet<D>& particles, std::span<const std::uint8_t> keep);

// Which particles of a set are new: those of cell k are index[first[k]] to index[first[k + 1] - 1].
struct NewInCells {
  Buffer<std::uint32_t> first, index;
};

// Gives every cell, [tile][cell], the number of particles in `counts`, which has one entry more. Of those
// that are there, the first ones stay; new ones follow them, with ids, and all else zero.
template <int D>
NewInCells resize_cells(Exec& ex, ParticleSet<D>& particles, Buffer<std::uint32_t> counts);

template <int D>
ParticleSet<D> clone(Exec& ex, const ParticleSet<D>& particles);

// The same particles on a topology that has all the tiles that they are in.
template <int D>
void put_on(Exec& ex, ParticleSet<D>& particles, const TopologyPtr<D>& topology);

}  // namespace whorl
