// Force fields: what a scene does to the air besides buoyancy.
//
// Places are in metres from the low corner of cell 0. A field acts where its shape is, 1 inside and 0 outside
// with a ramp between, and `strength` times as much as its parts say.
#pragma once

#include "geometry/shape.h"
#include "grid/field.h"
#include "stages/curl_noise.h"
#include "stages/face_push.h"

#include <functional>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace whorl {

template <int D>
struct UniformForce {
  Vec<double, D> acceleration{};  // m/s²
};

// du/dt = -(rate + quadratic |u - v|) (u - v): wind where v is not zero.
template <int D>
struct DragForce {
  Vec<double, D> velocity{};  // v, m/s
  double rate = 0;            // 1/s
  double quadratic = 0;       // 1/m
};

// `acceleration` at the radius, falling to zero at the centre in proportion to the distance and beyond the
// radius as (radius / distance)^power. With a power of 2 that is the gravity of a ball.
template <int D>
struct RadialForce {
  Vec<double, D> center{};
  double acceleration = 0;  // m/s², away from the centre
  double radius = 1;        // m
  double power = 2;
};

// The same profile about an axis, and along the circles round it. With a power of 1 that is the velocity of a
// Rankine vortex.
template <int D>
struct VortexForce {
  Vec<double, D> center{};
  Turn<double, D> axis = Turn<double, D>::unit(D == 3 ? 1 : 0);  // right-handed, of any length but zero
  double acceleration = 0;                                       // m/s²
  double radius = 1;                                             // m
  double power = 1;
};

// Any acceleration there is a function for, in m/s²: it fills in one for every live face.
template <int D>
struct CustomForce {
  std::function<void(MacField<float, D>&)> acceleration;
};

template <int D>
using ForcePart =
    std::variant<UniformForce<D>, DragForce<D>, RadialForce<D>, VortexForce<D>, Turbulence, CustomForce<D>>;

template <int D>
struct ForceField {
  std::vector<ForcePart<D>> parts;
  std::optional<Shape<D>> shape;  // none: everywhere
  double softness = 0;            // m that the ramp at the shape's surface is wide; at least a cell
  double strength = 1;
};

// From t to t + dt, one part after another. Drag is implicit, and so stable however strong.
template <int D>
void add_forces(Exec& ex, MacField<float, D>& velocity, std::span<const ForceField<D>> forces, double h,
                double t, double dt);

// No force field accelerates any component of the velocity by more, and drag brings none beyond `speed`.
struct ForceLimit {
  double acceleration = 0;  // m/s²
  double speed = 0;         // m/s
};
template <int D>
ForceLimit force_limit(Exec& ex, const TopologyPtr<D>& topology, std::span<const ForceField<D>> forces);

}  // namespace whorl
