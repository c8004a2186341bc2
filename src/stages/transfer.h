// Transfers between particles and the faces of the grid, with multilinear weights:
//
//   PIC      particles take on the grid's velocity (Harlow 1964): stable, and it damps everything
//   FLIP     they take on its change (Brackbill & Ruppel 1986; Zhu & Bridson 2005): lively, and noisy
//   APIC     each carries an affine velocity (Jiang et al. 2015): keeps angular momentum, and is calm
//   PolyPIC  each carries a multilinear one (Fu et al. 2017): loses nothing that the grid has
//
// Round a particle, component a of the velocity is a polynomial of the place, Σ_r c_r Π_b d_b over the
// subsets r of the axes, d in cells from the particle. c_∅ is the velocity; APIC has the single axes besides,
// PolyPIC all subsets. With multilinear weights these modes are orthogonal, and c_r is the mixed difference
// of the interpolated velocity along the axes of r.
#pragma once

#include "grid/boundary.h"
#include "grid/field.h"
#include "particles/particle_set.h"

namespace whorl {

enum class TransferScheme { pic, flip, apic, polypic };

// How many modes a component has besides the velocity.
template <int D>
constexpr int mode_count(TransferScheme scheme) {
  return scheme == TransferScheme::apic ? D : scheme == TransferScheme::polypic ? (1 << D) - 1 : 0;
}

// Makes room for the modes of all components, [axis · mode_count + mode], zero at first.
template <int D>
void set_transfer(Exec& ex, ParticleSet<D>& particles, TransferScheme scheme);

// Sums of weight and weight · velocity over the particles, as a velocity and its weight on each face. Faces
// that no particle reaches have weight zero, and the velocity's background. The fields are made on the
// particles' topology.
template <int D>
struct FaceVelocity {
  MacField<float, D> velocity, weight;
};
template <int D>
FaceVelocity<D> particles_to_faces(Exec& ex, const ParticleSet<D>& particles, TransferScheme scheme,
                                   const Vec<float, D>& background = {});

// What particles take back. `before` is the grid's velocity as it was after particles_to_faces; FLIP alone
// asks for it, and keeps `flip_part` of its own change, the rest being PIC's.
template <int D>
void faces_to_particles(Exec& ex, ParticleSet<D>& particles, TransferScheme scheme,
                        const MacField<float, D>& velocity, const Inflow<D>& inflow,
                        const MacField<float, D>* before = nullptr, float flip_part = 0.97f);

}  // namespace whorl
