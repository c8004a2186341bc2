// Analytic shapes: a tree of plain data, evaluated as a signed distance, negative inside.
//
// Primitives give the exact Euclidean distance, and so does a transform of an exact shape. A union is
// exact outside, an intersection or a difference inside; on their other side they give a bound that never
// exceeds the true distance in size. Every shape changes by at most the distance moved, a mesh by about that.
// A 2D shape is the section of its 3D namesake through the plane z = 0.
#pragma once

#include "base/vec.h"
#include "geometry/rotation.h"

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace whorl {

template <int D>
class Shape;
class MeshDistance;

template <int D>
struct BoxShape {
  Vec<double, D> min{}, max{};
};

template <int D>
struct SphereShape {
  Vec<double, D> center{};
  double radius = 0;
};

// All points within `radius` of the segment from start to end.
template <int D>
struct CapsuleShape {
  Vec<double, D> start{}, end{};
  double radius = 0;
};

// Which coordinate axis a shape is round. In 2D, z looks along the plane's normal: a cylinder is a disc
// and a torus a ring, while about x or y they are a rectangle and a pair of discs.
enum class ShapeAxis { x, y, z };

// `height` is from end to end, the centre half-way.
template <int D>
struct CylinderShape {
  Vec<double, D> center{};
  double radius = 0, height = 0;
  ShapeAxis axis = ShapeAxis::y;
};

// Everything on the side of the plane that the normal points away from.
template <int D>
struct PlaneShape {
  Vec<double, D> point{};
  Vec<double, D> normal = Vec<double, D>::unit(1);  // of any length but zero
};

template <int D>
struct TorusShape {
  Vec<double, D> center{};
  double ring_radius = 0, tube_radius = 0;
  ShapeAxis axis = ShapeAxis::y;
};

// The solid that a surface of triangles bounds. In 2D its distance in space, which in the plane is a bound.
template <int D>
struct MeshShape {
  std::string file = {};  // where it comes from
  // The key that says so and its place in the scene, for messages about the file.
  std::string key = {}, where = {};
  std::shared_ptr<const MeshDistance> mesh = {};  // none until the file is read: then all space may be in it
};

template <int D>
struct UnionShape {
  std::vector<Shape<D>> parts;
};

template <int D>
struct IntersectionShape {
  std::vector<Shape<D>> parts;
};

// The first part without the others.
template <int D>
struct DifferenceShape {
  std::vector<Shape<D>> parts;
};

// Everything outside all parts.
template <int D>
struct ComplementShape {
  std::vector<Shape<D>> parts;
};

// The union of the parts scaled, then rotated, then moved; the first two about the origin.
template <int D>
struct TransformShape {
  std::vector<Shape<D>> parts;
  Vec<double, D> translate{};
  Angles<D> rotate_deg{};
  double scale = 1;    // more than 0
  Rotation<D> turn{};  // by rotate_deg: a Shape sees to it
};

// The parts' union turned about the origin, then moved: where a motion has brought it.
template <int D>
struct PosedShape {
  std::vector<Shape<D>> parts;
  Vec<double, D> translate{};
  Rotation<D> turn = rotation<D>(Quaternion{});
};

// An axis-aligned box of space. Infinite where a shape is; lo > hi along some axis when it is empty.
template <int D>
struct Bounds {
  Vec<double, D> lo, hi;

  bool empty() const;
  bool overlaps(const Bounds& other) const;  // touching is not enough
};

template <class T, class Variant>
inline constexpr bool is_alternative = false;
template <class T, class... Alternatives>
inline constexpr bool is_alternative<T, std::variant<Alternatives...>> = (std::is_same_v<T, Alternatives> ||
                                                                          ...);

// An empty shape until one of the structs above is put into it.
template <int D>
class Shape {
 public:
  using Node = std::variant<UnionShape<D>, BoxShape<D>, SphereShape<D>, CapsuleShape<D>, CylinderShape<D>,
                            PlaneShape<D>, TorusShape<D>, MeshShape<D>, IntersectionShape<D>,
                            DifferenceShape<D>, ComplementShape<D>, TransformShape<D>, PosedShape<D>>;

  Shape() = default;
  template <class S>
  requires(is_alternative<S, Node>) Shape(S shape) {
    if constexpr (std::is_same_v<S, TransformShape<D>>) shape.turn = rotation<D>(shape.rotate_deg);
    node_ = std::move(shape);
  }

  const Node& node() const { return node_; }

  double distance(const Vec<double, D>& at) const;
  bool contains(const Vec<double, D>& at) const { return distance(at) < 0; }

  // A box that holds the shape; no larger than needed but for intersections, differences and rotations.
  Bounds<D> bounds() const;

 private:
  Node node_;
};

}  // namespace whorl
