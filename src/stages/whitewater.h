// Spray, foam and bubbles: specks that a liquid gives off, and that go with it but do not push it (Ihmsen,
// Akinci, Akinci & Teschner 2012, "Unified spray, foam and air bubbles for particle-based fluids").
//
// Each particle of liquid gives off I_k (k_ta I_ta + k_wc I_wc) specks a second, I_k from its speed, I_ta
// and I_wc from the sums of stages/air_potentials.h, each brought to 0 … 1 by a range. What a speck is, the
// number n of particles of liquid within a cell of it says, and how it moves follows from that:
//
//   spray   n < 6       dv/dt = g - k v                  and ends at solids and walls
//   foam    otherwise   v is the liquid's                and ends after its lifetime
//   bubble  n > 20      dv/dt = -b g + c (v_liquid - v)
//
// v_liquid is the mean of those particles by W = 1 - |x| / R. The equations are solved exactly over a step,
// so drag of any size is stable; the paper's drag is a part of the difference a step, and changes with it.
#pragma once

#include "particles/particle_set.h"
#include "stages/solids.h"

#include <span>

namespace whorl {

enum class WhitewaterKind { spray, foam, bubble };

// What the specks carry, in ParticleSet::others.
enum WhitewaterColumn : std::size_t {
  speck_kind,    // a WhitewaterKind
  speck_age,     // s
  speck_radius,  // m
  speck_foam,    // s that it was foam
  speck_flow,    // m/s: the liquid's velocity, three of them
  speck_columns = speck_flow + 3
};

struct WhitewaterParams {
  // From nothing to all of a potential.
  struct Range {
    double min = 0, max = 1;
    double part(double x) const { return std::clamp((x - min) / (max - min), 0., 1.); }
  };

  double h = 1;  // m
  Vec<double, 3> gravity{0, -9.81, 0};
  Range speed{1, 3};        // m/s; the potential goes by its square
  Range trapped_air{2, 8};  // m/s
  Range wave_crest{0.3, 1.2};
  double trapped_air_rate = 1, wave_crest_rate = 1;  // k_ta, k_wc, 1/s
  Range lifetime{1, 3};                              // s; each has its own
  double spray_drag = 0;                             // k, 1/s
  double buoyancy = 2;                               // b
  double bubble_drag = 60;                           // c, 1/s
  double radius = 0.1;                               // m, on average
  std::uint64_t seed = 0;
};

inline constexpr int most_spray_neighbours = 5, most_foam_neighbours = 20;

// What each particle of liquid gives off, in specks a second.
Buffer<float> whitewater_rates(Exec& ex, const ParticleSet<3>& liquid, const WhitewaterParams& params);

// New specks round the ways that particles of liquid have come over the last dt, at `rates`: exact in the
// mean, a fraction of a speck being one with that chance. Chance depends on the seed, the particle's id and
// the number of the step alone. None is made in a solid.
void emit_whitewater(Exec& ex, ParticleSet<3>& specks, const ParticleSet<3>& liquid,
                     std::span<const float> rates, std::span<const Solid<3>> solids,
                     const WhitewaterParams& params, double dt, std::uint64_t step);

// Finds what each speck is, and the velocity of the liquid round it.
void look_round_whitewater(Exec& ex, ParticleSet<3>& specks, const ParticleSet<3>& liquid);

// Over a step: moves the specks as what they are, puts them in order, and takes out those that end or leave.
// `solids` are where they are at the start and the end of the step.
void move_whitewater(Exec& ex, ParticleSet<3>& specks, std::span<const Solid<3>> solids,
                     const WhitewaterParams& params, double dt);

}  // namespace whorl
