// Fields that are read back are what was written, on the cells of a scene.
#include "io/vdb_fields.h"
#include "io/temporary_folder.h"
#include "io/vdb_contents.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

template <int D>
VdbPlace<D> place_of(const VdbCase<D>& c) {
  const Snapshot<D> snapshot = c.snapshot();
  return {c.topology->domain(), snapshot.origin, snapshot.h};
}

template <int D>
void expect_fields_again() {
  Exec ex;
  const VdbCase<D> c(ex);
  const TemporaryFolder folder;
  const std::string path = folder / "frame.vdb";
  write(path, c, {.half = false});
  const auto read = read_vdb_fields<D>(ex, path, place_of(c), {"temperature", "fuel", "density"});
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read.value().size(), 2u);
  EXPECT_EQ(read.value()[0].name, "temperature");
  EXPECT_EQ(read.value()[1].name, "density");
  const Field<float, D>&temperature = read.value()[0].field, &density = read.value()[1].field;
  EXPECT_EQ(temperature.topology(), density.topology());
  c.for_each_cell([&](const Coord<D>& cell) {
    const bool active = c.is_active(cell);
    ASSERT_EQ(temperature.get(cell), active ? c.temperature.get(cell) : c.temperature.background());
    ASSERT_EQ(density.get(cell), active ? c.density.get(cell) : c.density.background());
  });
}

TEST(VdbFields, AreWhatWasWritten2D) { expect_fields_again<2>(); }
TEST(VdbFields, AreWhatWasWritten3D) { expect_fields_again<3>(); }

template <int D>
void expect_refused(const std::string& path, const VdbCase<D>& c, const VdbPlace<D>& place) {
  const auto read = read_vdb_fields<D>(c.ex, path, place, {"density"});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::usage);
  EXPECT_NE(read.error().message.find("are not the cells of the scene"), std::string::npos)
      << read.error().message;
}

TEST(VdbFields, OfOtherCellsAreRefused) {
  Exec ex;
  const VdbCase<3> c(ex);
  const TemporaryFolder folder;
  const std::string path = folder / "frame.vdb";
  write(path, c);
  VdbPlace<3> finer = place_of(c), shifted = place_of(c);
  finer.h *= 0.5;
  shifted.origin[1] += 0.1 * shifted.h;
  expect_refused(path, c, finer);
  expect_refused(path, c, shifted);
}

// What lies outside of the scene's domain is left out.
TEST(VdbFields, StayInTheDomain) {
  Exec ex;
  const VdbCase<3> c(ex);
  const TemporaryFolder folder;
  const std::string path = folder / "frame.vdb";
  write(path, c);
  VdbPlace<3> place = place_of(c);
  place.domain = box_domain<3>({Coord<3>::filled(-16), Coord<3>::filled(8)}, Side::wall);
  const auto read = read_vdb_fields<3>(ex, path, place, {"density"});
  ASSERT_TRUE(read) << read.error().message;
  const Topology<3>& topology = *read.value().at(0).field.topology();
  EXPECT_GT(topology.tile_count(), 0);
  for (const Coord<3>& tile : topology.tiles())
    for (int a = 0; a < 3; ++a) EXPECT_TRUE(tile[a] >= -2 && tile[a] < 1) << tile[a];
}

}  // namespace
}  // namespace whorl
