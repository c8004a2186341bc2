// V-P2: potential flow past a cylinder.
#include "cases/cylinder.h"
#include "expect_rows.h"

namespace whorl {
namespace {

TEST(Cylinder, CutFacesConverge) { expect_rows(flow_past_cut_cylinder); }
TEST(Cylinder, VoxelsDoNot) { expect_rows(flow_past_voxel_cylinder); }

}  // namespace
}  // namespace whorl
