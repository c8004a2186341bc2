// The particle level set: a surface as the zero level of a field, with markers on both sides that know better
// where it is thin (Enright et al. 2002; with a first-order update: Enright, Losasso & Fedkiw 2005).
//
// Each marker is a sphere that touches the surface from its own side. One that turns up on the other side by
// more than its radius has escaped: the field has lost something, and gets it back from the sphere.
#pragma once

#include "geometry/redistance.h"
#include "particles/particle_set.h"
#include "stages/advect.h"

#include <cstdint>
#include <functional>

namespace whorl {

struct LevelSetParams {
  bool markers = true;
  int markers_a_cell = 0;  // 0: 36 in 2D, 64 in 3D
  double band = 3;         // cells on each side of the surface that have markers
  // In cells. The smaller the least one, the less the surface creeps before a marker says so: 0.1, as in the
  // paper, costs Zalesak's disk half a per cent of its area more in a turn.
  float least_radius = 0.02f;
  float largest_radius = 0.5f;
  // Cells, beyond its radius, at which a marker of the outside that has escaped is given up: liquid has met
  // liquid or a wall, and what was between them is gone.
  float given_up = 1e9f;
  int reseed_every = 10;  // steps; 0: never
  std::uint64_t seed = 0;
  AdvectionParams advection{.scheme = AdvectionScheme::semi_lagrangian};
  RedistanceParams distance{};
  // φ stays as it is while its slope within three cells of the surface is this close to one. Every
  // redistancing moves the surface by a little that is not smooth, and surface tension answers to that.
  double slope_tolerance = 0;
};

template <int D>
struct LevelSet {
  Field<float, D> phi;     // m, negative inside
  ParticleSet<D> markers;  // others[0]: the radius in cells, negative for those of the inside
  std::int64_t steps = 0;

  template <class Self, class Visitor>
  static void visit(Self& s, Visitor& v, const std::string& name) {
    v(name + ".phi", s.phi);
    ParticleSet<D>::visit(s.markers, v, name + ".markers");
    v(name + ".steps", s.steps);
  }
};

// From any field that is negative inside.
template <int D>
LevelSet<D> make_level_set(Exec& ex, Field<float, D> phi, double h, const LevelSetParams& params);

// dφ/dt + u · grad φ = 0 over a step, and φ a distance again. `velocity` lives where φ does, and reaches as
// far as the band and a step's way; a marker that goes further is lost.
template <int D>
void move_level_set(Exec& ex, LevelSet<D>& s, const MacField<float, D>& velocity, const Inflow<D>& inflow,
                    double h, double dt, const LevelSetParams& params);

// Fills up the band with markers, now and not when their steps are over.
template <int D>
void renew_markers(Exec& ex, LevelSet<D>& s, double h, const LevelSetParams& params);

// Takes out the markers for which gone(cell, place, radius) holds, place and radius in cells.
template <int D>
void take_out_markers(Exec& ex, LevelSet<D>& s,
                      const std::function<bool(const CellIndex<D>&, const Vec<double, D>&, float)>& gone);

// The same on another topology. Where it has tiles that the old one has not there is nothing of the inside.
template <int D>
void put_on(Exec& ex, LevelSet<D>& s, const TopologyPtr<D>& topology);

}  // namespace whorl
