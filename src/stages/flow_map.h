// Advection by long maps: BiMocq² (Qu, Zhang, Gao, Jiang & Chen 2019, "Efficient and conservative fluids
// using bidirectional mapping").
//
// A flow map knows, since it was last restarted, where the fluid of each place came from (backward) and where
// the fluid of each place went (forward). What is carried is read from where it started, once, however many
// steps ago that was: it is not interpolated anew in every step. What forces, sources and the projection
// change on the way is taken back along the forward map and added to what there was at the start.
#pragma once

#include "grid/retile.h"
#include "stages/advect.h"

#include <span>
#include <string>
#include <vector>

namespace whorl {

// When maps are restarted. The defaults are measured (V-B1, V-B2). A velocity changes in every step, and what
// is taken back along a map is blurred by it, so its map is short; with one of two steps, though, the
// Taylor–Green vortex in space gains energy. Scalars change little, and gain from long maps.
struct FlowMapParams {
  int velocity_steps = 4;         // at most; an odd number counts as the next even one
  int scalar_steps = 20;          // at most
  float velocity_distortion = 1;  // cells by which there and back may miss the start
  float scalar_distortion = 1;
};

// Displacements in cells, at cell centres: the fluid at x started at x + backward(x), and what started at X
// is at X + forward(X).
template <int D>
struct FlowMap {
  std::vector<Field<float, D>> backward;  // [axis] where the flow is now
  std::vector<Field<float, D>> forward;   // [axis] where it was at the start
  std::vector<Field<float, D>> start;     // what is carried, as it started, with all changes since …
  std::vector<Field<float, D>> carried;   // … until it was carried last, to this
  std::int64_t steps = 0;                 // since the start

  bool empty() const { return start.empty(); }
  const TopologyPtr<D>& start_topology() const { return start.front().topology(); }

  template <class Self, class Visitor>
  static void visit(Self& m, Visitor& v, const std::string& name) {
    v(name + ".backward", m.backward);
    v(name + ".forward", m.forward);
    v(name + ".start", m.start);
    v(name + ".carried", m.carried);
    v(name + ".steps", m.steps);
  }
};

// A map that leads nowhere yet, for these fields as they are.
template <int D>
FlowMap<D> start_map(Exec& ex, std::vector<Field<float, D>> fields);

// Follows the flow for one step of `step` cells per unit velocity: forward maps by moving their points,
// backward maps by asking, where each point comes from, for the map there.
template <int D>
void extend_maps(Exec& ex, std::span<FlowMap<D>* const> maps, const Crossing<D>& crossing,
                 const Flow<D>& flow, float step);

// What the start fields have become. Each `in` is one of map.start; `out` is made anew where the flow is.
// There and back along the maps shows what sampling loses; half of that is given to the start fields first
// (BFECC), and the result is limited to extremes of what it is made of.
template <int D>
void carry_by_map(Exec& ex, const FlowMap<D>& map, std::span<const Carried<D>> carried,
                  const AdvectionParams& params);

// Takes a change back along the forward map, to map.start[which]. Beyond the sides nothing changes.
template <int D>
void change_start(Exec& ex, FlowMap<D>& map, std::size_t which, int location, const Field<float, D>& change,
                  Interpolation interpolation);

// Whether any of these cells holds fluid that started where the map has no grid, or beyond the domain. What
// it has got since then has no place there to be taken back to.
template <int D>
bool started_beyond(Exec& ex, const FlowMap<D>& map, const CellMask<D>& cells);

// The most that going back and forth again misses, in cells, for the fluid now in these cells.
template <int D>
double distortion(Exec& ex, const FlowMap<D>& map, const CellMask<D>& cells);

}  // namespace whorl
