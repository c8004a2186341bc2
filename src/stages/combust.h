// Combustion: fuel that is hot enough burns, and becomes heat, soot, gas and a flame.
//
//   df/dt = -r f   where T ≥ T_ignition,   T += H b,   density += S b,   div u = G b/dt,   b: what burns in
//   dt
//
// and hot gas shines its heat away (Nguyen, Fedkiw & Jensen 2002, eq. 14),
//
//   dT/dt = -c ((T - T_ambient) / (T_max - T_ambient))⁴
//
// Nguyen, Fedkiw & Jensen keep the front between fuel and flame as a surface; here fuel is a concentration,
// and burns in every cell at a rate of its own.
#pragma once

#include "grid/field.h"

namespace whorl {

struct CombustionParams {
  float ignition_temperature = 500;  // K
  float burn_rate = 5;               // r, 1/s
  float heat_release = 2500;         // H, K for each unit of fuel
  float soot = 0.3f;                 // S, density for each unit of fuel
  float gas_release = 1;             // G, volumes of gas for a volume with one unit of fuel
  float max_expansion = 60;          // 1/s; gas beyond it is not released
  float max_temperature = 2000;      // K
  float cooling = 3000;              // c, K/s
  float flame_fuel = 0.2f;           // what burns with a full flame
};

// Fuel burns at its full rate from this much above its ignition temperature on, K.
inline constexpr float ignition_range = 10;

// Heat is taken in full up to this part of the way from the ambient temperature to the largest; from there
// on less and less of it.
inline constexpr float full_heat_part = 0.9f;

template <int D>
struct BurningGas {
  Field<float, D>& fuel;
  Field<float, D>& temperature;
  Field<float, D>& density;
  Field<float, D>& flame;      // 1 where enough fuel burns, less where there is less of it
  Field<float, D>& expansion;  // 1/s: the divergence that is meant to be, to which that of the gas is added
};

// Exact over a step of any length for the temperature at its start. The flame is at least what burns now; to
// let it fade is for others. Returns the integral of the fuel that burnt.
template <int D>
double combust(Exec& ex, const BurningGas<D>& gas, const CombustionParams& params, double h, double dt);

// Cooling by radiation, exact over a step of any length. The ambient temperature is the background.
template <int D>
void radiate(Exec& ex, Field<float, D>& temperature, const CombustionParams& params, double dt);

// What burning as it is here may bring about.
struct ExpansionBounds {
  double rate = 0;   // 1/s, of the gas that grows fastest
  double speed = 0;  // m/s, of the air that it pushes away
};

// The speed is that round one ball of all the gas that is released, which grows everywhere as fast as it does
// anywhere: in open air no other shape makes more of it by more than 3 %.
template <int D>
ExpansionBounds expansion_bounds(Exec& ex, const Field<float, D>& fuel, const Field<float, D>& temperature,
                                 const CombustionParams& params, double h);

}  // namespace whorl
