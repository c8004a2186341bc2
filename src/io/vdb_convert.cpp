#include "io/vdb_convert.h"

#include "io/vdb_file.h"

#include <algorithm>
#include <new>

#include <fmt/format.h>

namespace whorl {

namespace {

using openvdb::FloatGrid;
using openvdb::GridBase;
using openvdb::Vec3SGrid;

constexpr const char* channels[] = {"color_r", "color_g", "color_b"};

template <class Vector>
Vector z_up(const Vector& x) {
  const auto y = turned(Vec<typename Vector::ValueType, 3>{x[0], x[1], x[2]}, UpAxis::z);
  return Vector(y[0], y[1], y[2]);
}

// Exactly, as a rotation by an angle would not be.
openvdb::math::Transform::Ptr z_up(const openvdb::math::Transform& transform) {
  openvdb::Mat4d index_to_world = transform.baseMap()->getAffineMap()->getMat4();  // of row vectors
  for (int row = 0; row < 4; ++row) {
    const openvdb::Vec3d x(index_to_world[row][0], index_to_world[row][1], index_to_world[row][2]);
    for (int column = 0; column < 3; ++column) index_to_world[row][column] = z_up(x)[column];
  }
  return openvdb::math::Transform::createLinearTransform(index_to_world);
}

void turn_values(Vec3SGrid& grid) {
  for (auto value = grid.beginValueAll(); value; ++value) value.setValue(z_up(*value));
  grid.tree().root().setBackground(z_up(grid.background()), /*updateChildNodes=*/false);
}

// False for what cannot be turned as it is: components in the middle of faces.
bool turn(GridBase& grid) {
  if (grid.getGridClass() == openvdb::GRID_STAGGERED) return false;
  grid.setTransform(z_up(grid.transform()));
  if (grid.getVectorType() != openvdb::VEC_INVARIANT) grid.apply<openvdb::TypeList<Vec3SGrid>>(turn_values);
  return true;
}

FloatGrid::Ptr find(const openvdb::GridPtrVec& grids, const char* name) {
  const auto found = std::ranges::find(grids, name, &GridBase::getName);
  return found == grids.end() ? nullptr : openvdb::gridPtrCast<FloatGrid>(*found);
}

// The three channels, over the density, as one grid in their place.
void join_colour(openvdb::GridPtrVec& grids, const std::string& name) {
  const FloatGrid::Ptr density = find(grids, "density");
  FloatGrid::Ptr part[3];
  for (int c = 0; c < 3; ++c)
    if (!(part[c] = find(grids, channels[c])) || !density) return;
  const openvdb::Vec3f none(0);
  const auto colour =
      Vec3SGrid::create(std::make_shared<openvdb::Vec3STree>(density->tree(), none, openvdb::TopologyCopy()));
  colour->insertMeta(*part[0]);
  colour->setName(name);
  colour->setSaveFloatAsHalf(true);
  colour->setTransform(density->transformPtr()->copy());
  colour->setVectorType(openvdb::VEC_INVARIANT);
  const auto weight = density->getConstAccessor();
  const FloatGrid::ConstAccessor amount[3] = {part[0]->getConstAccessor(), part[1]->getConstAccessor(),
                                              part[2]->getConstAccessor()};
  for (auto value = colour->beginValueOn(); value; ++value) {
    const float smoke = weight.getValue(value.getCoord());
    openvdb::Vec3f x(0);
    for (int c = 0; c < 3 && smoke > 0; ++c)
      x[c] = std::clamp(amount[c].getValue(value.getCoord()) / smoke, 0.f, 1.f);
    value.setValue(x);
  }
  std::erase_if(grids, [](const GridBase::Ptr& grid) {
    return std::ranges::find(channels, grid->getName()) != std::end(channels);
  });
  grids.push_back(colour);
}

std::optional<std::array<std::array<double, 3>, 2>> box_of(const GridBase& grid) {
  const openvdb::CoordBBox voxels = grid.evalActiveVoxelBoundingBox();
  if (voxels.empty()) return {};
  const openvdb::Vec3d half(0.5);
  const openvdb::BBoxd box = grid.transform().indexToWorld(
      openvdb::BBoxd(voxels.min().asVec3d() - half, voxels.max().asVec3d() + half));
  std::array<std::array<double, 3>, 2> corners;
  for (std::size_t a = 0; a < 3; ++a) corners[0][a] = box.min()[int(a)], corners[1][a] = box.max()[int(a)];
  return corners;
}

}  // namespace

Result<VdbConverted> convert_vdb(const std::string& from, const std::string& to,
                                 const VdbConversion& conversion) try {
  Result<VdbFile> file = load_vdb_file(from);
  if (!file) return file.error();
  openvdb::GridPtrVec& grids = file.value().grids;
  if (!conversion.colour.empty()) join_colour(grids, conversion.colour);
  VdbConverted converted;
  for (const GridBase::Ptr& grid : grids) {
    if (conversion.up == UpAxis::z && !turn(*grid))
      return Error{
          ErrorCode::usage,
          fmt::format("cannot turn '{}' of {}: its vectors are staggered; simulate with vectors in the "
                      "middle of cells",
                      grid->getName(), from)};
    for (const auto& [old_name, new_name] : conversion.names)
      if (grid->getName() == old_name) {
        grid->setName(new_name);
        break;
      }
    converted.grids.push_back(grid->getName());
  }
  if (!grids.empty()) converted.box = box_of(*grids.front());
  const Result<void> written =
      write_vdb_file(to, openvdb::GridCPtrVec(grids.begin(), grids.end()), *file.value().metadata);
  if (!written) return written.error();
  return converted;
} catch (const std::bad_alloc&) {
  return Error{ErrorCode::resources, fmt::format("not enough memory to convert {}", from)};
} catch (const std::exception& e) {
  return Error{ErrorCode::resources, fmt::format("cannot write {}: {}", to, e.what())};
}

}  // namespace whorl
