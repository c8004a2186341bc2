// Coloured smoke: a snapshot's fields "color_r", "color_g" and "color_b" say how much of each colour there is
// in a volume, so that the colours of smokes that mix are those of their parts.
#pragma once

#include "render/bricks.h"
#include "render/colour.h"

#include <array>

namespace whorl {

template <int D>
class SmokeColour {
 public:
  // Whether a snapshot has one.
  static bool present(const Snapshot<D>& snapshot) {
    for (const char* name : names)
      if (!snapshot.find(name)) return false;
    return true;
  }

  // In the tiles of the snapshot's topology that are told.
  SmokeColour(Exec& ex, const Snapshot<D>& snapshot, const std::vector<int>& tiles)
      : amount_{Bricks<D>(ex, *snapshot.find(names[0]), 0.f, tiles),
                Bricks<D>(ex, *snapshot.find(names[1]), 0.f, tiles),
                Bricks<D>(ex, *snapshot.find(names[2]), 0.f, tiles)} {}

  // The colour of smoke at a place, given as Bricks::sample() takes it, where it has that density above zero.
  template <class... Where>
  Rgb sample(float density, const Where&... where) const {
    Rgb colour;
    for (int c = 0; c < 3; ++c)
      colour[c] = std::clamp(amount_[std::size_t(c)].sample(where...) / density, 0.f, 1.f);
    return colour;
  }

 private:
  static constexpr std::array<const char*, 3> names{"color_r", "color_g", "color_b"};

  std::array<Bricks<D>, 3> amount_;
};

}  // namespace whorl
