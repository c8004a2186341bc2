// Smoke: density and temperature carried by the air that they move, on a grid that follows them.
#pragma once

#include "grid/retile.h"
#include "stages/advect.h"
#include "stages/buoyancy.h"
#include "stages/combust.h"
#include "stages/diffuse.h"
#include "stages/emit.h"
#include "stages/extend.h"
#include "stages/flow_map.h"
#include "stages/force_fields.h"
#include "stages/project.h"
#include "stages/solids.h"
#include "stages/vortex_particles.h"

#include <optional>
#include <string>
#include <vector>

namespace whorl {

// What keeps the flow from losing its energy to the splitting into advection and projection.
enum class EnergyScheme {
  none,
  reflection,  // advection-reflection (Zehnder, Narain & Thomaszewski 2018): two halves a step, and between
               // them what the projection took is taken once more, so that it is right in the middle
  ivock,       // vorticity that advection loses is put back (stages/ivock.h)
};

// What the air carries besides smoke and heat; clear air has none of it.
struct Quantity {
  std::string name;
  double dissipation = 0;                         // 1/s
  float threshold = 1e-3f;                        // a cell with less counts as clear air for the sparse grid
  std::optional<AdvectionScheme> advection = {};  // none: as density is carried
  double diffusion = 0;                           // m²/s
  bool thins = true;                              // whether gas that expands has less of it in each volume
  bool of_density = false;                        // a part of the density, as a colour is
};

// Where a fire has them among the quantities.
inline constexpr std::size_t fuel_place = 0, flame_place = 1;

template <int D>
struct SmokeParams {
  double h = 1;  // cell size, m
  AdvectionParams advection;
  std::optional<AdvectionScheme> velocity_advection;  // none: as density is carried
  EnergyScheme energy = EnergyScheme::none;
  FlowMapParams maps;  // for AdvectionScheme::bimocq
  ProjectionParams projection;
  BuoyancyParams<D> buoyancy;
  double density_dissipation = 0;        // 1/s
  double temperature_dissipation = 0;    // 1/s
  double density_diffusion = 0;          // m²/s
  double heat_diffusion = 0;             // m²/s
  double viscosity = 0;                  // kinematic, m²/s
  DiffusionParams diffusion;             // of all three
  double vorticity_confinement = 0;      // ε
  std::vector<Quantity> quantities;      // as SmokeState::others has them
  std::optional<CombustionParams> fire;  // with it, fuel and flame are among the quantities
  double edge_relaxation = 0;            // 1/s, over the outermost `margin` cells
  std::vector<ForceField<D>> forces;
  std::vector<SmokeSource<D>> sources;
  std::vector<Solid<D>> solids;
  WallMode walls = WallMode::cut;
  VelocityExtension behind_walls = VelocityExtension::closest_point;
  Inflow<D> inflow;
  bool sparse = true;               // false: the grid stays as it is
  float density_threshold = 1e-3f;  // a cell with less …
  float temperature_threshold = 1;  // … and no further from the ambient temperature, in K, holds no smoke …
  std::optional<float> speed_threshold;  // … where given, if it is also no faster than this against the wind
  int margin = 8;      // cells of clear air kept round the smoke, so that the sparse edge is far
  int hysteresis = 4;  // cells
};

// Everything that the next step depends on. A quantity left out of visit() is a bug: state_hash,
// files and device transfer see what it lists.
template <int D>
struct SmokeState {
  MacField<float, D> velocity;  // m/s; its background is the wind
  Field<float, D> density;
  Field<float, D> temperature;          // K; its background is the ambient one
  std::vector<Field<float, D>> others;  // as SmokeParams::quantities names them
  Field<float, D> expansion;            // 1/s, of air that sources blow in or take away; empty: none
  Field<double, D> pressure;            // p/ρ, m²/s²
  Field<double, D> growth;              // div u of gas that expands, 1/s; empty where none does
  VortexParticles<D> vortices;
  FlowMap<D> velocity_map, scalar_map;  // of bimocq
  double injected = 0;                  // the integral of the density that sources gave off …
  double left = 0;                      // … of what went out through open sides, into sinks, or faded …
  double corrected = 0;                 // … and of what was added to make up for the error of advection
  double time = 0;                      // s
  std::int64_t steps = 0;

  const TopologyPtr<D>& topology() const { return velocity.topology(); }
  // Everything at cell centres that goes with the flow: density, temperature, the others.
  std::vector<Field<float, D>*> carried() {
    std::vector<Field<float, D>*> all{&density, &temperature};
    for (Field<float, D>& q : others) all.push_back(&q);
    return all;
  }

  template <class Self, class Visitor>
  static void visit(Self& s, Visitor& v) {
    v("velocity", s.velocity);
    v("density", s.density);
    v("temperature", s.temperature);
    v("others", s.others);
    v("expansion", s.expansion);
    v("pressure", s.pressure);
    v("growth", s.growth);
    VortexParticles<D>::visit(s.vortices, v);
    FlowMap<D>::visit(s.velocity_map, v, "velocity_map");
    FlowMap<D>::visit(s.scalar_map, v, "scalar_map");
    v("injected", s.injected);
    v("left", s.left);
    v("corrected", s.corrected);
    v("time", s.time);
    v("steps", s.steps);
  }
};

template <int D>
SmokeState<D> make_smoke(Exec& ex, const TopologyPtr<D>& topology, const Vec<float, D>& wind = {},
                         float ambient_temperature = 300, std::size_t others = 0);

struct [[nodiscard]] StepReport {
  SolveReport pressure;
  DiffusionReport diffusion;  // of all that is diffused
  bool retiled = false;
  bool finite = true;  // false: the velocity was not finite, and no step was taken
  bool whole = true;   // false: the air became so fast that the step ended early, at the state's time
};

// How far a step may go, in cells and in seconds.
struct StepLimits {
  double cfl = 3;       // cells that the fastest air may cross
  double shortest = 0;  // s; wins over cfl, but not over what one step can carry
  double longest = 1;   // s
  double speed = 0;     // m/s, of whatever else moves: it, too, crosses at most cfl cells
};

// The five-cell rule of Bridson & Müller-Fischer (2007, §3.2), with `cfl` for the five: dt (u + √(cfl h a))
// is at most cfl h, for the fastest air u, or what a fire may make of it, and the strongest acceleration a.
// No gas grows by more than `most_growth` of its volume. NaN for a velocity that is not finite.
inline constexpr double most_growth = 0.1;
template <int D>
double step_length(Exec& ex, const SmokeState<D>& s, const SmokeParams<D>& p, const StepLimits& limits);

// Before the first step: no smoke in solids, and a velocity behind their surfaces that follows them, as every
// step leaves it.
template <int D>
void fit_to_solids(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p);

template <int D>
StepReport step(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p, double dt);

}  // namespace whorl
