// Where rays end: at a solid, on the floor or at the backdrop.
#pragma once

#include "render/colour.h"
#include "render/dense_grid.h"
#include "render/fire_light.h"
#include "render/light_volume.h"
#include "render/lights.h"
#include "render/solids.h"

#include <optional>

namespace whorl {

struct Surface {
  double distance = 0;  // along the ray; infinite for the backdrop
  Rgb colour{};
  Rgba own{};  // the same without the backdrop, which shows where the floor fades
  bool solid = false;
};

class Surfaces {
 public:
  // `shadow` and `sky` are what the smoke leaves of the key light and of the sky, null without smoke; `fire`
  // is null where nothing burns. The solids have colours, and the camera looks `ahead`.
  Surfaces(const Solids& solids, const Lights& lights, const Point& ahead, const Bounds<3>& framed,
           bool floor, const LightVolume* shadow, const DenseGrid<Rgb>* sky, const FireLight* fire = nullptr);

  Surface at(const Ray& ray) const;

 private:
  Rgb backdrop(const Point& towards) const;
  Rgb sky_left(const Point& x) const;
  Rgb lit(const Point& x, const Point& normal, const Rgb& albedo) const;

  const Solids& solids_;
  const Lights& lights_;
  Point ahead_;
  Point middle_;  // of the framed box
  double size_;   // its diagonal
  std::optional<double> floor_;
  const LightVolume* shadow_;
  const DenseGrid<Rgb>* sky_;
  const FireLight* fire_;
  Rgb open_sky_;
};

}  // namespace whorl
