// Coloured smoke in the preview.
#include "render/colour.h"
#include "render/small_scene.h"

#include <gtest/gtest.h>

#include <array>

namespace whorl {
namespace {

constexpr PreviewParams small{160, 90};

// A ball of smoke, a part of it of one colour and the rest of another: what its middle looks like.
template <int D>
struct ColouredBall {
  Exec ex;
  SmallScene<D> smoke{ex, {{}, Coord<D>::filled(24)}, 1 / 24., ball<D>(Vec<double, D>::filled(0.5), 0.25, 3)};
  std::array<Field<float, D>, 3> amounts{field(), field(), field()};

  Field<float, D> field() { return Field<float, D>(ex, smoke.velocity.topology()); }

  Image picture() { return render_preview(ex, smoke.scene(Vec<double, D>::filled(1)), small).screen; }
  Image picture(const Rgb& x, const Rgb& y, float part) {
    smoke.snapshot.scalars = {{"density", &smoke.density}, {"temperature", &smoke.temperature}};
    for (int c = 0; c < 3; ++c) {
      const char* name[] = {"color_r", "color_g", "color_b"};
      smoke.snapshot.scalars.push_back({name[c], &amounts[std::size_t(c)]});
      for_each_coord(Box<D>{{}, Coord<D>::filled(24)}, [&](const Coord<D>& at) {
        amounts[std::size_t(c)].set(at, smoke.density.get(at) * mix(x, y, part)[c]);
      });
    }
    return picture();
  }
  Vec<int, 3> middle(const Rgb& x, const Rgb& y = {}, float part = 0) {
    const Image image = picture(x, y, part);
    const std::uint8_t* p = image.pixel(small.width / 2, small.height / 2);
    return {p[0], p[1], p[2]};
  }
};

constexpr Rgb white{1, 1, 1}, red{0.8f, 0.05f, 0.05f}, blue{0.05f, 0.05f, 0.8f};

template <int D>
void expect_colours() {
  ColouredBall<D> made;
  const Vec<int, 3> a = made.middle(red), b = made.middle(blue), both = made.middle(red, blue, 0.5f);
  EXPECT_GT(a[0], a[2] + 80);
  EXPECT_GT(b[2], b[0] + 80);
  for (int c = 0; c < 3; c += 2) {
    EXPECT_GT(both[c], std::min(a[c], b[c]) + 30) << "mixed";
    EXPECT_LT(both[c], std::max(a[c], b[c]) - 5) << "mixed";
  }
}
TEST(SmokeColour, ShowsAndMixes) {
  expect_colours<2>();
  expect_colours<3>();
}

TEST(SmokeColour, WhiteIsTheSmokeWithoutAColour) {
  ColouredBall<3> made;
  const Image plain = made.picture();
  EXPECT_LE(largest_difference(made.picture(white, white, 0), plain), 1);
  made.smoke.snapshot.scalars.pop_back();
  EXPECT_EQ(made.picture().rgb, plain.rgb) << "two of three are none";
}

TEST(SmokeColour, SameBitsOnAnyThreads) {
  ColouredBall<3> made;
  const Image expected = made.picture(red, blue, 0.3f);
  Exec one({.threads = 1}), two({.threads = 2});
  for (Exec* ex : {&one, &two})
    EXPECT_EQ(render_preview(*ex, made.smoke.scene({1, 1, 1}), small).screen.rgb, expected.rgb);
}

}  // namespace
}  // namespace whorl
