// Liquid: particles that carry it, a grid that keeps its volume.
#pragma once

#include "grid/boundary.h"
#include "grid/field.h"
#include "grid/retile.h"
#include "particles/particle_set.h"
#include "stages/force_fields.h"
#include "stages/move_particles.h"
#include "stages/project.h"
#include "stages/side_inflow.h"
#include "stages/solids.h"
#include "stages/spout.h"
#include "stages/transfer.h"

namespace whorl {

template <int D>
struct LiquidParams {
  double h = 1;              // m, the side of a cell
  Vec<double, D> gravity{};  // m/s²
  TransferScheme transfer = TransferScheme::apic;
  float flip_part = 0.97f;  // for TransferScheme::flip
  ProjectionParams projection;
  MoveParams move;
  int band = 0;             // cells below the surface that have particles (stages/narrow_band.h); 0: all have
  double tension = 0;       // m³/s², σ/ρ, of the surface
  bool keep_volume = true;  // carry particles apart where they crowd, together where they thin out
  WallMode walls = WallMode::cut;
  std::vector<Solid<D>> solids;  // where they are at the start and the end of the step
  std::vector<Spout<D>> spouts;  // as many in every step
  std::vector<Drain<D>> drains;
  std::vector<ForceField<D>> forces;
  Inflow<D> inflow;                                    // what liquid brings along its inflow sides …
  std::vector<SideInflow<D>> inflows;                  // … and how it comes in: one for each
  std::array<std::array<double, 2>, D> water_level{};  // m above the low corner of cell 0, of Side::water
};

template <int D>
struct LiquidState {
  ParticleSet<D> particles;
  Field<double, D> pressure;               // p/ρ, m²/s²
  CellMask<D> core;                        // on the particles' topology; has none without a band
  MacField<float, D> core_velocity;        // m/s, on the same
  std::vector<Vec<double, D>> spout_ways;  // m: how far the liquid of each spout has come
  std::vector<double> side_ways;           // cells: how far what stands before sides has come
  std::vector<double> side_flows;          // m/s, the mean flow through each Side::water
  std::int64_t injected = 0, drained = 0;  // particles let in, and gone by drains or through open sides
  std::int64_t held = 0;                   // that there are, or would be without a core
  std::int64_t not_evened = 0;             // steps in which no flow was found that evens particles out
  double time = 0;                         // s
  std::int64_t steps = 0;

  template <class Self, class Visitor>
  static void visit(Self& s, Visitor& v) {
    ParticleSet<D>::visit(s.particles, v, "particles");
    v("pressure", s.pressure);
    v("core.topology", s.core.topology);
    v("core", s.core.rows);
    v("core_velocity", s.core_velocity);
    v("spout_ways", s.spout_ways);
    v("side_ways", s.side_ways);
    v("side_flows", s.side_flows);
    v("injected", s.injected);
    v("drained", s.drained);
    v("held", s.held);
    v("not_evened", s.not_evened);
    v("time", s.time);
    v("steps", s.steps);
  }
};

template <int D>
LiquidState<D> make_liquid(Exec& ex, const Domain<D>& domain, const NewParticles<D>& particles,
                           TransferScheme transfer);

// More of it.
template <int D>
void add_liquid(Exec& ex, LiquidState<D>& s, const NewParticles<D>& more);

// The longest step in which the fastest particle, after gravity and forces have acted, goes `cfl` cells along
// an axis, at most five, and which surface tension allows.
template <int D>
double step_length(Exec& ex, const LiquidState<D>& s, const LiquidParams<D>& p, double cfl, double longest);

template <int D>
SolveReport step(Exec& ex, LiquidState<D>& s, const LiquidParams<D>& p, double dt);

}  // namespace whorl
