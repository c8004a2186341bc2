// Burning gas as the preview sees it: hot soot. What glows also absorbs, so thick flames are as bright as
// their temperature makes them and no brighter (Kirchhoff's law).
#pragma once

#include "render/blackbody.h"
#include "render/bricks.h"

#include <optional>

namespace whorl {

template <int D>
class Fire {
 public:
  static constexpr float cutoff = 5e-3f;     // a flame that does not show
  static constexpr float extinction = 0.5f;  // of unit flame, against that of smoke of unit density
  static constexpr float brightness = 2;     // of what has 1600 K, in a scene lit as lights.h says

  // In the tiles of the snapshot's topology that are told. The snapshot has a field "flame" and may have a
  // "temperature"; without one, flames have that of a candle.
  Fire(Exec& ex, const Snapshot<D>& snapshot, const std::vector<int>& tiles)
      : flame_(ex, *snapshot.find("flame"), cutoff, tiles) {
    if (const Field<float, D>* temperature = snapshot.find("temperature")) {
      heat_.emplace(ex, *temperature, 0.f, tiles);
      ambient_ = temperature->background();
    }
  }

  const Bricks<D>& flame() const { return flame_; }
  bool shows(int brick, const Vec<float, D>& at) const { return flame_.shows(brick, at); }

  // How strongly gas burns somewhere, and how bright it would be if it were thick; both places as
  // Bricks::sample() takes them.
  template <class... Where>
  float strength(const Where&... where) const {
    return std::max(flame_.sample(where...), 0.f);
  }
  template <class... Where>
  Rgb radiance(const Where&... where) const {
    return colours_(heat_ ? ambient_ + heat_->sample(where...) : candle) * brightness;
  }
  // The same in a cell of a brick, as it is stored.
  float strength_of_cell(int brick, std::size_t cell) const {
    return std::max(flame_.values(brick)[cell], 0.f);
  }
  Rgb radiance_of_cell(int brick, std::size_t cell) const {
    return colours_(heat_ ? ambient_ + heat_->values(brick)[cell] : candle) * brightness;
  }

 private:
  static constexpr float candle = 1700;  // K

  GlowColours colours_;
  Bricks<D> flame_;
  std::optional<Bricks<D>> heat_;  // K above the ambient
  float ambient_ = 0;              // K
};

// The tiles where anything burns; none without a field "flame".
template <int D>
std::vector<int> burning_tiles(Exec& ex, const Snapshot<D>& snapshot) {
  const Field<float, D>* flame = snapshot.find("flame");
  return flame ? tiles_that_show(ex, *flame, Fire<D>::cutoff) : std::vector<int>{};
}

}  // namespace whorl
