// The keys of shapes. A shape in a scene is a table with one key, which says its kind.
#pragma once

#include "scene/describe.h"

namespace whorl {

inline constexpr double smallest = 1e-9;  // m; no shape is without size

// v(name, an empty shape of that kind, info) for every kind there is.
template <int D, class V>
void describe_shapes(V&& v) {
  v("box", BoxShape<D>{}, KeyInfo{.doc = "A box along the axes."});
  v("sphere", SphereShape<D>{}, KeyInfo{.doc = "A ball; in 2D a disc."});
  v("capsule", CapsuleShape<D>{}, KeyInfo{.doc = "A rod with round ends."});
  v("cylinder", CylinderShape<D>{}, KeyInfo{.doc = "A cylinder about a coordinate axis."});
  v("plane", PlaneShape<D>{}, KeyInfo{.doc = "All that lies behind a plane."});
  v("torus", TorusShape<D>{}, KeyInfo{.doc = "A ring about a coordinate axis."});
  v("mesh", MeshShape<D>{},
    KeyInfo{.doc = "A surface of triangles from a file, as a solid; in 2D its section at z = 0."});
  v("union", UnionShape<D>{}, KeyInfo{.doc = "What any of the shapes holds."});
  v("intersection", IntersectionShape<D>{}, KeyInfo{.doc = "What all of the shapes hold."});
  v("difference", DifferenceShape<D>{}, KeyInfo{.doc = "The first shape without the others."});
  v("complement", ComplementShape<D>{}, KeyInfo{.doc = "What none of the shapes holds."});
  v("transform", TransformShape<D>{}, KeyInfo{.doc = "Shapes scaled, then rotated, then moved."});
}

template <class V, int D>
void describe(V& v, BoxShape<D>& s) {
  v("min", s.min,
    {.unit = "m", .min = -farthest, .max = farthest, .doc = "The low corner.", .required = true});
  v("max", s.max,
    {.unit = "m", .min = -farthest, .max = farthest, .doc = "The high corner.", .required = true});
}

template <class V, int D>
void describe(V& v, SphereShape<D>& s) {
  v("center", s.center,
    {.unit = "m", .min = -farthest, .max = farthest, .doc = "Its centre.", .required = true});
  v("radius", s.radius,
    {.unit = "m", .min = smallest, .max = farthest, .doc = "Its radius.", .required = true});
}

template <class V, int D>
void describe(V& v, CapsuleShape<D>& s) {
  v("start", s.start,
    {.unit = "m", .min = -farthest, .max = farthest, .doc = "One end of its axis.", .required = true});
  v("end", s.end,
    {.unit = "m", .min = -farthest, .max = farthest, .doc = "The other end.", .required = true});
  v("radius", s.radius,
    {.unit = "m", .min = smallest, .max = farthest, .doc = "Its radius.", .required = true});
}

template <class V, int D>
void describe(V& v, CylinderShape<D>& s) {
  v("center", s.center,
    {.unit = "m", .min = -farthest, .max = farthest, .doc = "Half-way along its axis.", .required = true});
  v("radius", s.radius,
    {.unit = "m", .min = smallest, .max = farthest, .doc = "Its radius.", .required = true});
  v("height", s.height,
    {.unit = "m", .min = smallest, .max = farthest, .doc = "From end to end.", .required = true});
  v("axis", s.axis, {.doc = "What it is round; z in 2D makes a disc."});
}

template <class V, int D>
void describe(V& v, PlaneShape<D>& s) {
  v("point", s.point,
    {.unit = "m", .min = -farthest, .max = farthest, .doc = "A point on the plane.", .required = true});
  v("normal", s.normal,
    {.min = -farthest, .max = farthest, .doc = "Points out of the shape; of any length."});
}

template <class V, int D>
void describe(V& v, TorusShape<D>& s) {
  v("center", s.center,
    {.unit = "m", .min = -farthest, .max = farthest, .doc = "Its centre.", .required = true});
  v("ring_radius", s.ring_radius,
    {.unit = "m",
     .min = smallest,
     .max = farthest,
     .doc = "Centre to middle of the tube.",
     .required = true});
  v("tube_radius", s.tube_radius,
    {.unit = "m", .min = smallest, .max = farthest, .doc = "Radius of the tube.", .required = true});
  v("axis", s.axis, {.doc = "What it is round; z in 2D makes a ring."});
}

template <class V, int D>
void describe(V& v, MeshShape<D>& s) {
  v("file", s.file,
    {.doc = "An .obj, .ply, .stl, .gltf or .glb file; its place is counted from the scene's folder.",
     .example = "\"bunny.obj\"",
     .required = true});
}

template <class V, int D>
void describe(V& v, TransformShape<D>& s) {
  v("shape", s.parts, {.doc = "What is moved.", .required = true});
  v("translate", s.translate,
    {.unit = "m", .min = -farthest, .max = farthest, .doc = "How far, last of all."});
  v("rotate_deg", s.rotate_deg,
    {.unit = "degrees", .doc = "Turned about the origin: about x, then y, then z; in 2D one number."});
  v("scale", s.scale, {.min = 1e-6, .max = 1e6, .doc = "Made larger about the origin, first of all."});
}

}  // namespace whorl
