// What glows.
#include "render/blackbody.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

float luminance(const Rgb& x) { return 0.2126f * x[0] + 0.7152f * x[1] + 0.0722f * x[2]; }

TEST(Blackbody, ColoursAreInGamutAndOfUnitLuminance) {
  for (const double kelvin : {500., 900., 1200., 1900., 3000., 6500., 20000.}) {
    const Rgb colour = blackbody_colour(kelvin);
    for (int c = 0; c < 3; ++c) EXPECT_GE(colour[c], -1e-6f) << kelvin;
    EXPECT_NEAR(luminance(colour), 1, 1e-3) << kelvin;
  }
  const Rgb day = blackbody_colour(6500);
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(day[c], 1, 0.08) << "daylight is about white";
}

// Wien's law: far from the peak, luminance goes as exp(-c2 / (λ T)), with λ near 600 nm for a red glow.
TEST(Blackbody, BrightnessIsTheFourthRootOfLuminance) {
  EXPECT_NEAR(blackbody_brightness(1600), 1, 1e-12);
  const double step = std::log(blackbody_brightness(1650) / blackbody_brightness(1550));
  EXPECT_NEAR(step, 0.25 * 1.4388e-2 / 600e-9 * (1 / 1550. - 1 / 1650.), 0.05 * step);
}

TEST(Blackbody, LookedUpColoursAreTheSame) {
  const GlowColours colours;
  for (const double kelvin : {900., 1003., 1777., 2345., 4000.}) {
    const Rgb exact = blackbody_colour(kelvin) * float(blackbody_brightness(kelvin));
    const Rgb found = colours(float(kelvin));
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(found[c], exact[c], 2e-3 * exact[0]) << kelvin;
  }
  EXPECT_EQ(colours(300), colours(900)) << "what burns glows";
}

}  // namespace
}  // namespace whorl
