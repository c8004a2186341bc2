// Sources: shapes that give off smoke and heat, and may blow.
#pragma once

#include "geometry/shape.h"
#include "grid/field.h"

#include <optional>
#include <span>
#include <vector>

namespace whorl {

// A number, or one for each cell of a box.
template <int D>
struct CellValues {
  float uniform = 0;
  Box<D> box{};
  std::vector<float> values;  // the last axis fastest; empty: uniform everywhere

  CellValues(float value = 0) : uniform(value) {}
  CellValues(const Box<D>& cells, std::vector<float> each) : box(cells), values(std::move(each)) {}

  float at(const Coord<D>& cell) const {
    if (values.empty()) return uniform;
    std::size_t place = 0;
    for (int a = 0; a < D; ++a)
      place = place * std::size_t(box.hi[a] - box.lo[a]) + std::size_t(cell[a] - box.lo[a]);
    return values[place];
  }
};

// Vortex particles that a source gives off (stages/vortex_particles.h).
struct VortexSeeding {
  double rate = 0;          // a second
  double acceleration = 0;  // m/s², the strongest push of a new one
  double radius = 0.1;      // m, how far it pushes
  double decay = 1;         // 1/s
  int seed = 0;
};

template <int D>
struct SmokeSource {
  Shape<D> shape;                            // in metres from the low corner of cell 0
  Box<D> cells;                              // outside of which it does nothing; values cover it
  CellValues<D> density_rate;                // added per second
  std::optional<CellValues<D>> density;      // held
  CellValues<D> temperature_rate;            // K added per second
  std::optional<CellValues<D>> temperature;  // held, K
  CellValues<D> fuel_rate;                   // added per second
  std::optional<CellValues<D>> fuel;         // held
  std::optional<std::array<CellValues<D>, D>> velocity;
  std::optional<VortexSeeding> vortices;
};

// What the fields' samples see of a shape: 1 inside, 0 outside, a ramp one cell wide between. A held value is
// taken on in that proportion. Smoke, heat and fuel go to the cells of `fluid` alone: solids take none.
// `fuel` is null where there is no fire. Returns the integral of the density that was added.
template <int D>
double emit(Exec& ex, Field<float, D>& density, Field<float, D>& temperature, MacField<float, D>& velocity,
            const TopologyView<D>& fluid, std::span<const SmokeSource<D>> sources, double h, double dt,
            Field<float, D>* fuel = nullptr);

}  // namespace whorl
