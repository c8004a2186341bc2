// Sources: shapes, at rest or moving, that change what the air carries, and may blow.
#pragma once

#include "geometry/shape.h"
#include "grid/field.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <optional>
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

  bool zero() const { return values.empty() && uniform == 0; }
  // Beyond the box, that of the nearest cell.
  float at(const Coord<D>& cell) const {
    if (values.empty()) return uniform;
    std::size_t place = 0;
    for (int a = 0; a < D; ++a)
      place = place * std::size_t(box.hi[a] - box.lo[a]) +
              std::size_t(std::clamp(cell[a], box.lo[a], box.hi[a] - 1) - box.lo[a]);
    return values[place];
  }
};

// What a source does to one quantity that the air carries.
template <int D>
struct Emission {
  std::size_t quantity = 0;                // as SmokeState::carried() lists them
  CellValues<D> rate = {};                 // added per second
  std::optional<CellValues<D>> held = {};  // taken on
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
  Shape<D> shape;  // in metres from the low corner of cell 0 …
  // … or, of one that moves, where it is so many seconds after the start of the step.
  std::function<Shape<D>(double)> shape_at;
  double speed = 0;                                      // m/s of its fastest point
  double skin = 0;                                       // m that it reaches beyond its surface
  double start = 0;                                      // s after the start of the step …
  double end = std::numeric_limits<double>::infinity();  // … between which it is on
  Box<D> cells;                                          // all that it touches on its way; values cover them
  std::vector<Emission<D>> emissions;
  CellValues<D> sink;                                    // 1/s: at which all that is carried fades
  std::optional<std::array<CellValues<D>, D>> velocity;  // held
  CellValues<D> expansion;                               // 1/s: air that appears, or where negative vanishes
  std::optional<std::array<CellValues<D>, D>> vent;      // m/s of the air that comes through walls
  std::optional<VortexSeeding> vortices;

  Shape<D> shape_after(double seconds) const { return shape_at ? shape_at(seconds) : shape; }
};

// A source as a part of the step sees it that begins so many seconds later.
template <int D>
SmokeSource<D> seen_later(SmokeSource<D> source, double seconds);

// A source at a moment within the step, as cells are asked about it.
template <int D>
struct SourceMoment {
  Shape<D> shape;
  double skin;
  double age;     // s that are left of the step
  double weight;  // s that the moment stands for

  // What a sample sees of the shape: 1 inside, 0 outside, a ramp one cell wide between.
  double coverage(const Vec<double, D>& x, double h) const {
    return std::clamp(0.5 - (shape.distance(x) - skin) / h, 0., 1.);
  }
};

// The midpoints of equal parts of the time that the source is on: as many as keep what moves, the source or
// air of the speed given, within half a cell a part, up to `most_moments`.
inline constexpr int most_moments = 32;
template <int D>
std::vector<SourceMoment<D>> moments_of(const SmokeSource<D>& source, double air_speed, double h, double dt);

}  // namespace whorl
