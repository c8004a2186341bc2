// What a run reports about its fields. Sums in double, over active cells.
#pragma once

#include "grid/field.h"

namespace whorl {

// ∫ q dx over active cells.
template <int D>
double integral(Exec& ex, const Field<float, D>& q, double h);

// ½ ∫ weight |u - frame|² dx, each cell taking the mean of its two faces' squares along each axis;
// `weight` of null counts as 1.
template <int D>
double kinetic_energy(Exec& ex, const MacField<float, D>& velocity, double h, const Vec<float, D>& frame = {},
                      const Field<float, D>* weight = nullptr);

// ∫ weight u dx and ∫ weight x × u dx, the latter about x = 0, with cell 0's low corner at `origin`. In 2D
// the second has one entry, about z.
template <int D>
Vec<double, D> momentum(Exec& ex, const MacField<float, D>& velocity, double h,
                        const Field<float, D>* weight = nullptr);
template <int D>
Vec<double, D*(D - 1) / 2> angular_momentum(Exec& ex, const MacField<float, D>& velocity,
                                            const Vec<double, D>& origin, double h,
                                            const Field<float, D>* weight = nullptr);

// ∫ x q dx over ∫ q dx; the origin of space where the latter is zero.
template <int D>
Vec<double, D> center_of_mass(Exec& ex, const Field<float, D>& q, const Vec<double, D>& origin, double h);

// The largest |u| at a cell's centre, in m/s, of cells that have a weight.
template <int D>
double max_speed(Exec& ex, const MacField<float, D>& velocity, const Field<float, D>* weight = nullptr);

// The largest |u_a| over all axes and all faces, those that are not stored among them, in m/s: what limits
// the step.
template <int D>
double max_component(Exec& ex, const MacField<float, D>& velocity);

// [tile of `topology`] the largest |u_a| in each tile of a velocity, which may live on another topology;
// where it has no tile, and after the last, the wind's.
template <int D>
Buffer<float> fastest_in_tiles(Exec& ex, const MacField<float, D>& velocity, const Topology<D>& topology);

}  // namespace whorl
