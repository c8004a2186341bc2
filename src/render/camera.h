// A pinhole: unless told otherwise it looks at a box from a little above and to the side, and sees all of it.
#pragma once

#include "base/vec.h"
#include "geometry/shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace whorl {

using Point = Vec<double, 3>;

// From degrees: azimuth from +z towards +x, elevation from the horizon.
inline Point direction(double azimuth, double elevation) {
  const double a = azimuth * std::numbers::pi / 180, e = elevation * std::numbers::pi / 180;
  return {std::sin(a) * std::cos(e), std::sin(e), std::cos(a) * std::cos(e)};
}

struct Ray {
  Point origin;
  Point direction;  // of unit length

  Point at(double t) const { return origin + direction * t; }
};

class Camera {
 public:
  static constexpr double azimuth = 22, elevation = 9;  // degrees
  static constexpr double field_of_view = 35;           // degrees, from bottom to top
  static constexpr double fill = 0.92;                  // of the image, by the box

  // All of a box, from `above` degrees over the horizon.
  Camera(const Bounds<3>& box, int width, int height, double above = elevation)
      : Camera(whorl::direction(azimuth, above), field_of_view, width, height) {
    // Along an axis s of the image, the corners' coordinates s and depth z (away from us) must meet
    // |s - s_eye| ≤ k (z + distance): two half-planes for each, and the tightest two fix eye and distance.
    constexpr double least = -std::numeric_limits<double>::infinity();
    double distance = least;
    Vec<double, 2> eye{};
    for (int axis = 0; axis < 2; ++axis) {
      const double k = fill * pixel_ * middle_[axis];
      double low = least, high = least;
      for (int corner = 0; corner < 8; ++corner) {
        Point x;
        for (int a = 0; a < 3; ++a) x[a] = corner >> a & 1 ? box.hi[a] : box.lo[a];
        const double s = dot(x, axis == 0 ? right_ : up_), z = -dot(x, back_);
        low = std::max(low, -s - k * z);
        high = std::max(high, s - k * z);
      }
      eye[axis] = (high - low) / 2;
      distance = std::max(distance, (high + low) / (2 * k));
    }
    eye_ = right_ * eye[0] + up_ * eye[1] + back_ * distance;
  }

  // From one point to another, which is in the middle of the image.
  Camera(const Point& eye, const Point& target, double field, int width, int height)
      : Camera(normalised(eye - target), field, width, height) {
    eye_ = eye;
  }

  const Point& eye() const { return eye_; }

  // Through a point of the image, in pixels from its top left corner.
  Ray ray(double column, double row) const {
    const Point to = right_ * ((column - middle_[0]) * pixel_) - up_ * ((row - middle_[1]) * pixel_) - back_;
    return {eye_, normalised(to)};
  }
  // Where a point appears.
  Vec<double, 2> project(const Point& x) const {
    const Point from = x - eye_;
    const double scale = -1 / (dot(from, back_) * pixel_);
    return {middle_[0] + dot(from, right_) * scale, middle_[1] - dot(from, up_) * scale};
  }

 private:
  Camera(const Point& back, double field, int width, int height)
      : back_(back),
        // Straight up or down there is no horizon to hold on to.
        right_(normalised(cross(Point::unit(std::abs(back[1]) < 1 - 1e-9 ? 1 : 2), back_))),
        up_(cross(back_, right_)),
        pixel_(2 * std::tan(field * std::numbers::pi / 360) / height),
        middle_{0.5 * width, 0.5 * height} {}

  Point back_, right_, up_;  // back_ points from what we look at to us
  double pixel_;
  Vec<double, 2> middle_;
  Point eye_;
};

// From where to where, in metres.
struct View {
  Point position, target;
  double field_of_view;  // degrees, from bottom to top
};

// As told, or all of a box.
inline Camera camera_for(const std::optional<View>& view, const Bounds<3>& box, int width, int height,
                         double above = Camera::elevation) {
  if (!view) return {box, width, height, above};
  return {view->position, view->target, view->field_of_view, width, height};
}

}  // namespace whorl
