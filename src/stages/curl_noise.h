// Turbulence as a force: the curl of a noise that changes in time (Bridson, Hourihan & Nordenstam 2007).
//
// The potential is gradient noise on the edges of cells, in 2D on their corners, and the force on a face is
// the circulation round it: the divergence of that is zero cell by cell, whatever the noise. Each octave has
// half the size of the one before, 2^(-1/3) of its strength and 2^(2/3) times its pace, as the eddies of a
// turbulent flow have (Kolmogorov 1941).
#pragma once

#include "grid/topology.h"
#include "stages/face_push.h"

namespace whorl {

struct Turbulence {
  double acceleration = 0;  // m/s², the root mean square of its length over space and time
  double size = 0.1;        // m, of the largest eddies
  double speed = 1;         // 1/s: how often they become others
  int octaves = 3;          // those finer than two cells are left out, with their part of the strength
  int seed = 0;
};

inline constexpr int most_octaves = 8;

template <int D>
void add_curl_noise(Exec& ex, const Topology<D>& topology, const FacePush<D>& push, const Turbulence& noise,
                    double strength, double h, double t);

// No component of it is larger, m/s², but by a chance that is not met with.
double max_curl_noise(const Turbulence& noise);

}  // namespace whorl
