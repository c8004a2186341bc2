// All that the rays of a liquid's picture meet, with what it is made of.
#pragma once

#include "render/liquid_picture.h"
#include "render/solid_rays.h"

#include <limits>

namespace whorl {

enum class Matter { sky, water, glass, metal, matte };

class LiquidWorld {
 public:
  struct Hit {
    Matter matter = Matter::sky;
    double distance = std::numeric_limits<double>::infinity();
    Point x{};
    Point normal{}, smooth{};  // outwards: of the surface as it is met, and as it is meant
    Rgb colour{};
    double offset = 0;  // how far from it a ray begins that goes on
    bool ground = false;
    // Of a speck, which sends light to all sides alike; 0 for other things.
    double radius = 0;

    bool clear() const { return matter == Matter::water || matter == Matter::glass; }
    bool speck() const { return radius > 0; }
    // A ray that goes on from a matte surface, on the side that the normal points to.
    Ray away(const Point& towards, const Point& side) const;
  };

  LiquidWorld(const LiquidScene& scene, const Exposure& exposure);

  // At a time from 0, as the shutter opens, to 1.
  Hit first(const Ray& ray, float time) const;

  double size() const { return size_; }  // the domain's diagonal, m
  // Where there is water or glass, within the domain.
  const Bounds<3>& clear_bounds() const { return clear_; }
  std::optional<double> ground() const { return ground_; }  // its height, m
  // How much of the ground is lost in the distance.
  float haze(const Point& x) const;

 private:
  Rgb ground_colour(const Point& x) const;

  const LiquidScene& scene_;
  Point middle_;
  double size_;
  RayScene rays_;
  int specks_ = -1;  // as an object
  SolidRays solids_;
  Bounds<3> clear_;
  std::optional<double> ground_;
};

}  // namespace whorl
