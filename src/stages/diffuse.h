// Diffusion with one coefficient, dq/dt = κ Δq: of what cells hold, and of momentum, each component on its
// own faces (incompressible flow of one viscosity needs no more: div (∇u)ᵀ is zero).
//
//   implicit_euler   (I - κ dt Δ) q = q_old: stable for any step, and no value leaves the range of the old
//                    ones and those held at the boundary, up to the tolerance of the solve
//   crank_nicolson   (I - ½ κ dt Δ) q = (I + ½ κ dt Δ) q_old: second order in time and stable, but what is
//                    rough rings where κ dt is well above h²
//   explicit_euler   q = (I + κ dt Δ) q_old, in as many equal parts as it takes for each to be stable
//
// At the boundary:
//
//   cells    nothing passes through walls, inflow sides and the covered part of a face; at open sides and at
//            the edge of a sparse grid the background lies at the centre of the next cell
//   faces    those on walls, inflow sides and in solids are held at what is given there. Along a wall or a
//            solid that is not slippery the fluid has its velocity at its surface, half a cell away or where
//            the open fractions say. Beyond open sides and the sparse edge the background blows, one cell
//            away
#pragma once

#include "grid/boundary.h"
#include "stages/solids.h"

namespace whorl {

enum class DiffusionScheme { implicit_euler, crank_nicolson, explicit_euler };

// What fluid does at walls and solids that it flows along.
enum class WallFriction { no_slip, free_slip };

struct DiffusionParams {
  DiffusionScheme scheme = DiffusionScheme::implicit_euler;
  double tolerance = 1e-5;  // worst residual over the largest |q - background|, old or held
  WallFriction walls = WallFriction::no_slip;
};

struct [[nodiscard]] DiffusionReport {
  int iterations = 0;  // of the solve, or parts of the explicit step; of all components
  bool converged = true;

  DiffusionReport& operator+=(const DiffusionReport& other) {
    iterations += other.iterations;
    converged = converged && other.converged;
    return *this;
  }
};

// `open`: the open fraction of each face.
template <int D>
DiffusionReport diffuse(Exec& ex, Field<float, D>& q, const MacField<float, D>& open, double diffusivity,
                        double h, double dt, const DiffusionParams& params = {});

// Faces that are closed keep what they have.
template <int D>
DiffusionReport diffuse(Exec& ex, MacField<float, D>& velocity, const CutFaces<D>& faces,
                        const Inflow<D>& inflow, double viscosity, double h, double dt,
                        const DiffusionParams& params = {});

}  // namespace whorl
