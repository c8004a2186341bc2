// Brings waves to rest that are lower than the grid can tell.
//
// Once waves are lower than a tenth of a cell or so, particles no longer change cells as they pass: what the
// grid makes of the surface lags behind it or runs ahead, by where in its cells it happens to lie, and such
// waves are as likely to grow for minutes as to fade. A friction sees to it that they fade: where the surface
// of a pool rises, it counts as a few thousandths of a cell higher than it is, where it sinks as lower, so
// that gravity works against its motion. As with dry friction, a wave loses the same height in every period,
// so those of a cell and more go on; at the slowest the friction goes by the speed, and the rest fades to
// nothing.
#pragma once

#include "grid/field.h"

namespace whorl {

// `surface` in metres, negative in the liquid. `velocity` is that of faces on which `gravity` has acted for
// `dt`, and no other force, for that would count as motion; those that liquid reaches: their `weight` is
// positive.
template <int D>
void settle_surface(Exec& ex, Field<float, D>& surface, const MacField<float, D>& velocity,
                    const MacField<float, D>& weight, const Vec<double, D>& gravity, double h, double dt);

}  // namespace whorl
