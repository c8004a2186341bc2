#include "stages/solids.h"

#include "geometry/face_fraction.h"
#include "stages/box_cells.h"
#include "stages/sides.h"

#include <cmath>

namespace whorl {

namespace {

// A part of a solid. Those of a union are apart, for they may leave gaps between them.
template <int D>
struct Part {
  Shape<D> shape;
  const RigidVelocity<D>* velocity;
};

template <int D>
std::vector<Shape<D>> parts_of(const Shape<D>& shape) {
  std::vector<Shape<D>> parts;
  const auto add_parts_of = [&](const std::vector<Shape<D>>& shapes) {
    for (const Shape<D>& part : shapes)
      for (Shape<D>& inner : parts_of(part)) parts.push_back(std::move(inner));
  };
  std::visit(
      [&](const auto& node) {
        using Node = std::remove_cvref_t<decltype(node)>;
        if constexpr (std::is_same_v<Node, UnionShape<D>>) {
          add_parts_of(node.parts);
        } else if constexpr (std::is_same_v<Node, PosedShape<D>> || std::is_same_v<Node, TransformShape<D>>) {
          add_parts_of(node.parts);
          for (Shape<D>& part : parts) {
            Node alone = node;
            alone.parts = {std::move(part)};
            part = std::move(alone);
          }
        } else {
          parts.push_back(node);
        }
      },
      shape.node());
  return parts;
}

template <int D>
std::vector<Part<D>> parts_of(std::span<const Solid<D>> solids, Shape<D> Solid<D>::*place) {
  std::vector<Part<D>> parts;
  for (const Solid<D>& solid : solids)
    for (Shape<D>& part : parts_of(solid.*place)) parts.push_back({std::move(part), &solid.velocity});
  return parts;
}

// Of one face: how open it is, and whose its covered part is.
template <int D>
struct CutFace {
  double open = 1;
  const RigidVelocity<D>* wall = nullptr;
};

// A face next to a cell whose centre is covered.
template <int D>
CutFace<D> voxel_face(const Vec<double, D>& centre, int axis, double h,
                      std::span<const Part<D>* const> near) {
  CutFace<D> face;
  double nearest = 0;
  for (const Part<D>* part : near)
    for (const double side : {-0.5, 0.5}) {
      const double distance = part->shape.distance(centre + Vec<double, D>::unit(axis, side * h));
      if (distance < nearest) nearest = distance, face = {0, part->velocity};
    }
  return face;
}

template <int D>
CutFace<D> cut_face(const Vec<double, D>& centre, int axis, double h, std::span<const Part<D>* const> near) {
  const double half_diagonal = 0.5 * h * std::sqrt(D - 1.);
  std::array<const Shape<D>*, most_solids_a_face> cutting;
  std::size_t count = 0;
  CutFace<D> face;
  double nearest = HUGE_VAL;
  for (const Part<D>* part : near) {
    const double distance = part->shape.distance(centre);
    if (distance >= half_diagonal) continue;
    if (distance < nearest) nearest = distance, face.wall = part->velocity;
    if (distance <= -half_diagonal) face.open = 0;
    if (count < cutting.size()) cutting[count++] = &part->shape;
  }
  if (face.open == 0 || count == 0) return face;
  face.open = open_part_of_face<D>(centre, axis, h, {cutting.data(), count});
  if (face.open < least_open_part) face.open = 0;
  return face;
}

}  // namespace

template <int D>
CutFaces<D> cut_faces(Exec& ex, const TopologyPtr<D>& topology, std::span<const Solid<D>> solids,
                      Shape<D> Solid<D>::*place, double h, WallMode mode) {
  CutFaces<D> faces{open_fraction(ex, topology), {}};
  if (solids.empty()) return faces;
  const Zone zone(ex.profile(), "cut_faces");
  const std::vector<Part<D>> parts = parts_of(solids, place);
  bool moving = false;
  for (const Solid<D>& solid : solids) moving = moving || solid.velocity != RigidVelocity<D>{};
  if (moving) faces.walls = MacField<float, D>(ex, topology);
  const MacView<float, D> open = faces.open.view(), walls = moving ? faces.walls.view() : MacView<float, D>{};

  const double reach = (0.5 * tile_side * std::sqrt(double(D)) + 1) * h;  // of a tile's faces from its centre
  const TileSet<D> tiles = topology->tile_set();
  ex.parallel_for(tiles.count, std::max<std::int64_t>(1, tiles_per_chunk<D> / 16),
                  [&](std::int64_t begin, std::int64_t end) {
                    std::vector<const Part<D>*> near;
                    for (int tile = int(begin); tile < int(end); ++tile) {
                      const Coord<D> first = topology->tiles()[std::size_t(tile)] * tile_side;
                      Vec<double, D> middle;
                      for (int a = 0; a < D; ++a) middle[a] = h * (first[a] + 0.5 * tile_side);
                      near.clear();
                      for (const Part<D>& part : parts)
                        if (part.shape.distance(middle) < reach) near.push_back(&part);
                      if (near.empty()) continue;
                      CellIndex<D> i{tile, tiles.neighbours + std::size_t(tile) * neighbourhood<D>, {}};
                      for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
                        i.at = at;
                        for (int a = 0; a < D; ++a) {
                          if (open[a](i) == 0) continue;
                          const Vec<double, D> centre = sample_place(first + at, a, h);
                          const CutFace<D> face = mode == WallMode::cut ? cut_face<D>(centre, a, h, near)
                                                                        : voxel_face<D>(centre, a, h, near);
                          open[a].store(i, float(face.open));
                          if (moving && face.wall) walls[a].store(i, float(face.wall->at(centre)[a]));
                        }
                      });
                    }
                  });
  return faces;
}

template <int D>
Field<float, D> solid_distance(Exec& ex, const TopologyPtr<D>& topology, std::span<const Solid<D>> solids,
                               Shape<D> Solid<D>::*place, double h) {
  Field<float, D> distance(ex, topology, float(tile_side * h));
  if (solids.empty()) return distance;
  const Zone zone(ex.profile(), "solid_distance");
  const auto nearest = [&](const Vec<double, D>& cell) {
    double found = tile_side * h;
    for (const Solid<D>& solid : solids) found = std::min(found, (solid.*place).distance(cell * h));
    return found;
  };
  const double reach = 0.5 * tile_side * std::sqrt(double(D));  // cells from a tile's centre
  ex.parallel_for(topology->tile_count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (int tile = int(begin); tile < int(end); ++tile) {
      Vec<double, D> corner;
      for (int a = 0; a < D; ++a) corner[a] = topology->tiles()[std::size_t(tile)][a] * tile_side;
      if (nearest(corner + Vec<double, D>::filled(0.5 * tile_side)) > (reach + 1) * h) continue;
      float* out = distance.data() + std::size_t(tile) * tile_cells<D>;
      for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& cell) {
        Vec<double, D> x = corner;
        for (int a = 0; a < D; ++a) x[a] += cell[a] + 0.5;
        out[cell_offset<D>(cell)] = float(nearest(x));
      });
    }
  });
  return distance;
}

template <int D>
void enforce_solids(Exec& ex, MacField<float, D>& velocity, const CutFaces<D>& faces) {
  const Zone zone(ex.profile(), "enforce_solids");
  using Real = Lane<float>;
  const MacView<float, D> u = velocity.view();
  const MacView<const float, D> open = faces.open.view();
  const bool moving = faces.walls.topology() != nullptr;
  const MacView<const float, D> walls = moving ? faces.walls.view() : MacView<const float, D>{};
  const TopologyView<D> cells = velocity.topology()->view();
  for_rows(ex, velocity.topology()->tile_set(), [=](const RowIndex<D>& i) {
    for (int a = 0; a < D; ++a) {
      const unsigned closed = cells.live_face_bits(i, a) & bits(open[a](i) == Real(0.f));
      if (!closed) continue;
      u[a].store(i, select(Real::mask_from_bits(closed), moving ? walls[a](i) : Real(0.f), u[a](i)));
    }
  });
}

template <int D>
CellMask<D> fluid_cells(Exec& ex, const MacField<float, D>& open) {
  const MacView<const float, D> w = open.view();
  return cells_where(ex, open.topology(), [=](const RowIndex<D>& r) {
    Lane<float> sum(0.f);
    for (int a = 0; a < D; ++a) sum += w[a](r) + w[a](r, a, +1);
    return sum > Lane<float>(0.f);
  });
}

template <int D>
void clear_solids(Exec& ex, Field<float, D>& q, const CellMask<D>& fluid) {
  const FieldView<float, D> value = q.view();
  const TopologyView<D> wet = fluid.view();
  const Lane<float> nothing(q.background());
  for_rows(ex, q.topology()->active_tile_set(), [=](const RowIndex<D>& r) {
    value.store(r, select(Lane<float>::mask_from_bits(wet.active_bits(r)), value(r), nothing));
  });
}

#define WHORL_INSTANTIATE(D)                                                                       \
  template Field<float, D> solid_distance(Exec&, const TopologyPtr<D>&, std::span<const Solid<D>>, \
                                          Shape<D> Solid<D>::*, double);                           \
  template CutFaces<D> cut_faces(Exec&, const TopologyPtr<D>&, std::span<const Solid<D>>,          \
                                 Shape<D> Solid<D>::*, double, WallMode);                          \
  template void enforce_solids(Exec&, MacField<float, D>&, const CutFaces<D>&);                    \
  template CellMask<D> fluid_cells(Exec&, const MacField<float, D>&);                              \
  template void clear_solids(Exec&, Field<float, D>&, const CellMask<D>&);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
