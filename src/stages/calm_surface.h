// Takes the roughness out of a surface that comes from particles.
//
// Where particles happen to be makes that surface uneven by a tenth of a cell or so, and ever anew as they
// move. Waves of a few cells then pull each other up out of nothing, and a pool never comes to rest: a
// surface that is blind to bumps as short as that lets them fade. It becomes (1 + b) G - b G² of itself, G
// being a narrow Gaussian and b such that longer waves stay, and move as they should. Sheets, drops, what is
// next to a solid and what is deep in the liquid are left alone.
#pragma once

#include "grid/field.h"

namespace whorl {

// `surface` in metres, negative in the liquid; `solids` how far they are, negative in them: nothing is known
// there.
template <int D>
void calm_surface(Exec& ex, Field<float, D>& surface, const Field<float, D>& solids, double h);

}  // namespace whorl
