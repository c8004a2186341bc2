// The keys of forces, and of the vortex particles of sources.
#pragma once

#include "scene/describe.h"

namespace whorl {

inline constexpr double strongest = 1e6;  // m/s²

template <class V, int D>
void describe(V& v, ForceConfig<D>& c) {
  v("name", c.name,
    {.doc = "What messages and --set call it.",
     .absent = "force0, force1, …",
     .example = "\"gust\"",
     .use = in_no_stage});
  v("uniform", c.uniform,
    {.doc = "The same acceleration everywhere.",
     .absent = "none",
     .example = "{ acceleration = [0.5, 0, 0] }"});
  v("drag", c.drag,
    {.doc = "Brings the air to rest, or to the velocity of a wind.",
     .absent = "none",
     .example = "{ velocity = [1, 0, 0], rate = 0.5 }"});
  v("radial", c.radial,
    {.doc = "Away from a point, or towards it.",
     .absent = "none",
     .example = "{ center = [0, 1, 0], acceleration = -2, radius = 0.3 }"});
  v("vortex", c.vortex,
    {.doc = "Round an axis, in 2D round a point.",
     .absent = "none",
     .example = "{ center = [0, 1, 0], acceleration = 2, radius = 0.3 }"});
  v("turbulence", c.turbulence,
    {.doc = "Eddies of many sizes that come and go, free of divergence.",
     .absent = "none",
     .example = "{ acceleration = 2, size = 0.2 }"});
  v("custom", c.custom,
    {.doc = "Any acceleration that a formula gives.",
     .absent = "none",
     .example = "{ acceleration = [\"sin(6 * y)\", 0, 0] }"});
  v("shape", c.shape,
    {.doc = "Where it acts.",
     .absent = "everywhere",
     .example = "{ sphere = { center = [0, 1, 0], radius = 0.5 } }"});
  v("softness", c.softness,
    {.unit = "m",
     .min = 0,
     .max = farthest,
     .doc = "How wide the ramp at the shape's surface is; at least a cell."});
  v("strength", c.strength,
    {.min = 0, .doc = "How many times as strong it is as its kinds say.", .time_only = true});
  v("start", c.start, {.unit = "s", .min = 0, .doc = "When it is switched on."});
  v("end", c.end,
    {.unit = "s", .min = 0, .doc = "When it is switched off.", .absent = "never", .example = "2"});
}

template <class V, int D>
void describe(V& v, UniformForce<D>& c) {
  v("acceleration", c.acceleration,
    {.unit = "m/s²", .min = -strongest, .max = strongest, .doc = "How hard it pushes.", .required = true});
}

template <class V, int D>
void describe(V& v, DragForce<D>& c) {
  v("velocity", c.velocity,
    {.unit = "m/s", .min = -1000, .max = 1000, .doc = "What the air is brought to: the wind."});
  v("rate", c.rate,
    {.unit = "1/s", .min = 0, .max = 1e6, .doc = "The part of the difference that is taken away a second."});
  v("quadratic", c.quadratic,
    {.unit = "1/m", .min = 0, .max = 1e6, .doc = "More of that rate for each m/s of the difference."});
}

// What forces round a point or an axis have in common.
template <class V>
void describe_profile(V& v, auto& c) {
  v("center", c.center,
    {.unit = "m", .min = -farthest, .max = farthest, .doc = "A point at its middle.", .required = true});
  v("radius", c.radius,
    {.unit = "m",
     .min = 1e-9,
     .max = farthest,
     .doc = "Where it is strongest; it is zero at the middle.",
     .required = true});
  v("power", c.power,
    {.min = 0, .max = 16, .doc = "Beyond the radius it falls as this power of the distance."});
}

template <class V, int D>
void describe(V& v, RadialForce<D>& c) {
  describe_profile(v, c);
  v("acceleration", c.acceleration,
    {.unit = "m/s²",
     .min = -strongest,
     .max = strongest,
     .doc = "At the radius, away from the middle; below zero it pulls.",
     .required = true});
}

template <class V, int D>
void describe(V& v, VortexForce<D>& c) {
  describe_profile(v, c);
  if constexpr (D == 3)
    v("axis", c.axis,
      {.min = -farthest,
       .max = farthest,
       .doc = "What it turns about, against the clock for one it points at; of any length."});
  v("acceleration", c.acceleration,
    {.unit = "m/s²",
     .min = -strongest,
     .max = strongest,
     .doc = "At the radius; below zero it turns with the clock.",
     .required = true});
}

template <class V>
void describe(V& v, Turbulence& c) {
  v("acceleration", c.acceleration,
    {.unit = "m/s²",
     .min = 0,
     .max = strongest,
     .doc = "Its root mean square over space and time.",
     .required = true});
  v("size", c.size,
    {.unit = "m",
     .min = 1e-9,
     .max = farthest,
     .doc = "How large the largest eddies are.",
     .required = true});
  v("speed", c.speed,
    {.unit = "1/s", .min = 0, .max = 1000, .doc = "How often the largest eddies become others."});
  v("octaves", c.octaves,
    {.min = 1,
     .max = most_octaves,
     .doc = "How many sizes there are, each half the one before; those under two cells are left out."});
  v("seed", c.seed, {.min = 0, .doc = "Another number is another noise of the same kind."});
}

template <class V, int D>
void describe(V& v, CustomForceConfig<D>& c) {
  v("acceleration", c.acceleration,
    {.unit = "m/s²",
     .doc = "How hard it pushes at each place.",
     .example = "[\"sin(6 * y)\", 0, 0]",
     .required = true});
}

template <class V>
void describe(V& v, VortexSeeding& c) {
  v("rate", c.rate, {.unit = "1/s", .min = 0, .max = 1e6, .doc = "How many each second.", .required = true});
  v("acceleration", c.acceleration,
    {.unit = "m/s²",
     .min = 0,
     .max = strongest,
     .doc = "The strongest push of a new one; it turns any way.",
     .required = true});
  v("radius", c.radius,
    {.unit = "m", .min = 1e-9, .max = farthest, .doc = "How far it pushes.", .required = true});
  v("decay", c.decay, {.unit = "1/s", .min = 0, .max = 1000, .doc = "Rate at which it fades."});
  v("seed", c.seed, {.min = 0, .doc = "Another number gives others of the same kind."});
}

}  // namespace whorl
