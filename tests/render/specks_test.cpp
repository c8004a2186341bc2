// White specks in a picture.
#include "render/specks.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

class Specks : public testing::Test {
 protected:
  // What is left clear of the pixel in the middle, and in all.
  float middle(const std::vector<Speck>& specks, double wall) const { return clear(specks, wall)(32, 32); }
  Pixels<float> clear(const std::vector<Speck>& specks, double wall) const {
    Pixels<Surface> behind(65, 65);
    for (Surface& surface : behind.values) surface.distance = wall;
    return clear_of_specks(specks, camera, behind, 0.1);
  }
  Speck at(double distance, double pixels, float opacity) const {
    return {camera.ray(32.5, 32.5).at(distance), float(pixels * distance * camera.pixel_spread()), opacity};
  }

  const Camera camera{Bounds<3>{{0, 0, 0}, {1, 1, 1}}, 65, 65};
};

TEST_F(Specks, HideWhatIsBehindThem) {
  EXPECT_EQ(middle({}, 9), 1);
  EXPECT_NEAR(middle({at(2, 3, 0.6f)}, 9), 0.4, 1e-3);
  EXPECT_NEAR(middle({at(2, 3, 0.6f), at(3, 3, 0.6f)}, 9), 0.16, 1e-3);
  EXPECT_NEAR(middle({at(2, 0.35, 0.8f)}, 9), 1 - 0.8 / 4, 1e-3);  // half as wide as it is drawn
}

TEST_F(Specks, FadeBehindASurface) {
  EXPECT_NEAR(middle({at(2, 3, 0.6f)}, 2), 0.4, 1e-3);
  EXPECT_NEAR(middle({at(2, 3, 0.6f)}, 1.9), 1 - 0.6 * std::exp(-1.), 1e-3);
  EXPECT_NEAR(middle({at(2, 3, 0.6f)}, 1), 1, 1e-3);
}

TEST_F(Specks, AreRoundAndMayLeaveThePicture) {
  const Pixels<float> seen = clear({at(2, 4, 1)}, 9);
  EXPECT_LT(seen(35, 32), 1);
  EXPECT_NEAR(seen(36, 32), 1, 1e-5);
  EXPECT_NEAR(seen(34, 32), seen(32, 30), 1e-3);
  EXPECT_EQ(seen(35, 35), 1);
  Speck away = at(2, 4, 1);
  away.place = camera.ray(-100, 500).at(2);
  EXPECT_EQ(clear({away}, 9).values, std::vector<float>(65 * 65, 1.f));
}

}  // namespace
}  // namespace whorl
