// Surface tension: behind a surface that bends, the pressure is higher by σ κ (Young 1805; Laplace 1806).
#pragma once

#include "exec/exec.h"
#include "grid/field.h"

namespace whorl {

// σ/ρ κ where the surface of `phi` crosses from one cell to the next, on the low face between them, in m²/s²:
// what the projection has for the pressure there (ghost fluid: Kang, Fedkiw & Liu 2000, with air that weighs
// nothing). Zero on all other faces. κ is taken near both cells and weighed by how near they are to the
// crossing.
//
// Its shape is that of `ahead`, which may be `phi` itself. Where the surface is going to be half a step later
// is better: waves then lose a little, the more the shorter they are, and those as short as the grid's cells,
// which it does not know well enough to keep them in check, die out. Both fields are in metres, and distances
// or nearly; `tension` is σ/ρ in m³/s².
//
// `share`, if there is one, says how much of it acts near each cell, 0 to 1.
template <int D>
MacField<float, D> surface_tension(Exec& ex, const Field<float, D>& phi, const Field<float, D>& ahead,
                                   double h, double tension, const Field<float, D>& share = {});

// The longest step for which waves as short as the grid has them stay small. A wave that turns by z = ω dt in
// a step, with its shape taken half a step ahead, does if z² < 2; with ω² = σ/ρ k³ and k = π/h, dt is then
// below 0.25 sqrt(ρ h³ / σ). This is half of sqrt(ρ h³ / (4π σ)) (Brackbill, Kothe & Zemach 1992), 0.14: the
// discrete shortest waves are not exactly these. Endless without tension.
double capillary_step(double h, double tension);

// The same where the shape is that of tension_shape.h and not taken ahead: the velocity changes by it, and
// the surface moves by the new velocity. A wave then neither grows nor fades while z < 2. The filter leaves
// at most 0.7 / h³ of k³: dt < 2.4 sqrt(ρ h³ / σ), of which a fifth is taken.
double smooth_capillary_step(double h, double tension);

}  // namespace whorl
