// Sources: shapes that give off smoke and heat, and may blow.
#pragma once

#include "geometry/shape.h"
#include "grid/field.h"

#include <optional>
#include <span>

namespace whorl {

template <int D>
struct SmokeSource {
  Shape<D> shape;                    // in metres
  float density_rate = 0;            // added per second
  std::optional<float> density;      // held
  std::optional<float> temperature;  // held, K
  std::optional<Vec<float, D>> velocity;
};

// The cells a source may touch.
template <int D>
Box<D> source_cells(const SmokeSource<D>& source, double h);

// What the fields' samples see of a shape: 1 inside, 0 outside, a ramp one cell wide between. A held value is
// taken on in that proportion.
template <int D>
void emit(Exec& ex, Field<float, D>& density, Field<float, D>& temperature, MacField<float, D>& velocity,
          std::span<const SmokeSource<D>> sources, double h, double dt);

}  // namespace whorl
