// Vortex particles (Selle, Rasmussen & Fedkiw 2005): eddies that the grid is too coarse to keep, carried with
// the air, turned and stretched by it, and pushing it round themselves.
//
// A particle at x_p with its vorticity along w pushes the air by
//
//   f = k (w × d) (1 - |d|²)²  for |d| < 1,   d = (x - x_p) / radius,
//
// which is free of divergence, as the paper's Gaussian is, and ends. k makes the strongest push |w|, so that
// w is an acceleration, in m/s²; the paper's ε h |ω| is one, too, but fades as the grid gets finer.
#pragma once

#include "grid/boundary.h"
#include "grid/field.h"
#include "stages/face_push.h"
#include "stages/source.h"

#include <cstdint>
#include <span>
#include <vector>

namespace whorl {

// One entry a particle in each list. Places are in metres from the low corner of cell 0.
template <int D>
struct VortexParticles {
  std::vector<Vec<double, D>> position;
  std::vector<Turn<float, D>> swirl;  // w, m/s²
  std::vector<float> strength;        // of w when it was new, m/s²
  std::vector<float> life;            // what is left of the strength, from 1 down
  std::vector<float> radius;          // m
  std::vector<float> decay;           // 1/s
  std::uint64_t made = 0;             // so far: the number of the next one

  std::size_t size() const { return position.size(); }

  template <class Self, class Visitor>
  static void visit(Self& s, Visitor& v) {
    v("vortices.position", s.position);
    v("vortices.swirl", s.swirl);
    v("vortices.strength", s.strength);
    v("vortices.life", s.life);
    v("vortices.radius", s.radius);
    v("vortices.decay", s.decay);
    v("vortices.made", s.made);
  }
};

// dx/dt = u by the midpoint rule, and in 3D dw/dt = w · grad u, but w never grows beyond what is left of its
// strength. Those spent to a hundredth, and those that leave the grid, are taken out.
template <int D>
void move_vortices(Exec& ex, VortexParticles<D>& particles, const MacField<float, D>& velocity,
                   const Inflow<D>& inflow, double h, double dt);

// New ones at random places of the sources that have any, turning any way. A fraction of a particle is one
// with that chance. Chance depends on the source's seed, the number of the step and that of the particle
// alone.
template <int D>
void emit_vortices(VortexParticles<D>& particles, std::span<const SmokeSource<D>> sources, double h,
                   double dt, std::int64_t step);

template <int D>
void add_vortices(Exec& ex, MacField<float, D>& velocity, const VortexParticles<D>& particles, double h,
                  double dt);

// No component of the velocity is accelerated by more, m/s².
template <int D>
double max_vortex_push(const Topology<D>& topology, const VortexParticles<D>& particles, double h);

}  // namespace whorl
