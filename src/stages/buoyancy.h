// Buoyancy: hot air rises, smoke-laden air sinks (Bridson & Müller-Fischer 2007, §5; Boussinesq).
#pragma once

#include "grid/field.h"

#include <functional>

namespace whorl {

// du/dt = g (α s - β (T - T_ambient)), with s the density of smoke and T the temperature.
template <int D>
struct BuoyancyParams {
  Vec<float, D> gravity = Vec<float, D>::unit(1, -9.81f);  // m/s²
  std::function<void(MacField<float, D>&)> gravity_at;     // where set: fills in one for every face instead
  float smoke_weight = 0;                                  // α: of a unit of smoke, as a part of the air's
  float expansion = 1 / 300.f;  // β, 1/K: one over the ambient temperature, for a gas
};

// The ambient temperature is the background of `temperature`. Each live face takes the mean of its two cells.
template <int D>
void add_buoyancy(Exec& ex, MacField<float, D>& velocity, const Field<float, D>& density,
                  const Field<float, D>& temperature, const BuoyancyParams<D>& params, double dt);

// The largest acceleration along an axis that buoyancy gives anywhere, m/s².
template <int D>
double max_buoyancy(Exec& ex, const Field<float, D>& density, const Field<float, D>& temperature,
                    const BuoyancyParams<D>& params);

}  // namespace whorl
