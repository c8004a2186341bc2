// Conservation: what advection must leave of a carried quantity.
//
// Values sampled at points keep no integral, and a limiter that clips below more often than above makes smoke
// out of nothing. What is too much is taken from, and what is missing given to, the places that have room for
// it between the extremes that the limiter held them to: the result obeys the same limits and has the right
// sum. The amount is spread over the whole fluid: far smaller in each cell than the scheme's own error there.
#pragma once

#include "grid/field.h"
#include "stages/advect.h"

namespace whorl {

// Σ (q - background) over active cells.
template <int D>
double amount(Exec& ex, const Field<float, D>& q);

// How much of it the flow carries out through open and inflow sides in one step of `step` cells per unit
// velocity.
template <int D>
double amount_leaving(Exec& ex, const Field<float, D>& q, const MacField<float, D>& velocity, double step);

// What air that appears brings of it in `dt`, being like the air there is, and what air that vanishes takes
// with it. `expansion` is the velocity's divergence, 1/s; an empty field is none.
struct Brought {
  double gained = 0, lost = 0;
};
template <int D>
Brought amount_brought(Exec& ex, const Field<float, D>& q, const Field<float, D>& expansion, double dt);

// Makes the amount `right`, as far as there is room, and returns what that added. Cells that hold nothing
// keep nothing.
template <int D>
double restore_amount(Exec& ex, Field<float, D>& q, const Extremes<D>& extremes, double right);

// Of q, a part of some whole, as a colour is of the density: makes it the share of the whole that it was of
// the whole before that was restored, between none and all of it. Each restored by itself, colours would
// drift from their smoke.
template <int D>
void keep_share(Exec& ex, Field<float, D>& q, const Field<float, D>& before, const Field<float, D>& whole);

}  // namespace whorl
