// The preview as a picture: what is bright, what is dark, and what must not change it.
#include "render/camera.h"
#include "render/lights.h"
#include "render/small_scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace whorl {
namespace {

constexpr PreviewParams small{160, 90};

// A box of 1 m, twice as high as wide, of n cells across.
template <int D>
Vec<double, D> tall() {
  auto size = Vec<double, D>::filled(1);
  size[1] = 2;
  return size;
}
template <int D>
Box<D> tall_cells(int n) {
  return {{}, convert<int>(tall<D>() * double(n))};
}
template <int D>
Vec<double, D> place(double x, double y) {
  auto p = Vec<double, D>::filled(0.5);
  p[0] = x;
  p[1] = y;
  return p;
}
template <int D>
typename SmallScene<D>::Function no_smoke() {
  return [](const Vec<double, D>&) { return 0; };
}

template <int D>
void expect_size_and_no_smoke() {
  Exec ex;
  SmallScene<D> none(ex, tall_cells<D>(16), 1 / 16., no_smoke<D>());
  for (PreviewScene<D> scene : {none.scene(tall<D>()), none.scene()}) {
    const Image image = render_preview(ex, scene, {161, 90}).screen;
    EXPECT_EQ(image.width, 161);
    EXPECT_EQ(image.height, 90);
    EXPECT_EQ(image.rgb.size(), 161u * 90 * 3);
    Snapshot<D> bare = none.snapshot;
    bare.scalars.clear();
    scene.snapshot = &bare;
    EXPECT_EQ(render_preview(ex, scene, {161, 90}).screen.rgb, image.rgb) << "no density is no smoke";
  }
}
TEST(Preview, HasItsSizeAndNeedsNoSmoke) {
  expect_size_and_no_smoke<2>();
  expect_size_and_no_smoke<3>();
}

template <int D>
void expect_same_bits(bool bounded) {
  Image expected;
  for (const Backend backend : built_backends())
    for (const int threads : {1, 2, 7}) {
      Exec ex({.threads = threads, .backend = backend});
      SmallScene<D> smoke(ex, tall_cells<D>(24), 1 / 24., ball<D>(place<D>(0.4, 0.7), 0.25, 1));
      PreviewScene<D> scene = bounded ? smoke.scene(tall<D>()) : smoke.scene();
      scene.solids.push_back(SphereShape<D>{place<D>(0.7, 0.3), 0.2});
      const Image image = render_preview(ex, scene, small).screen;
      if (expected.rgb.empty()) expected = image;
      EXPECT_EQ(image.rgb, expected.rgb) << to_string(backend) << " with " << threads << " threads";
    }
}
TEST(Preview, SameBitsOnAnyThreads) {
  for (const bool bounded : {true, false}) {
    expect_same_bits<2>(bounded);
    expect_same_bits<3>(bounded);
  }
}

// What is not a number, or not finite, shows as nothing and spoils nothing beside it.
template <int D>
void expect_nan_does_not_spread() {
  Exec ex;
  SmallScene<D> smoke(ex, tall_cells<D>(16), 1 / 16., ball<D>(place<D>(0.5, 1), 0.3, 1));
  for (const PreviewScene<D>& scene : {smoke.scene(tall<D>()), smoke.scene()}) {
    const Coord<D> middle = convert<int>(place<D>(8, 16)), inside = middle + Coord<D>::unit(1, 2);
    smoke.density.set(middle, 0);
    smoke.density.set(inside, 0);
    const Image clean = render_preview(ex, scene, small).screen;
    smoke.density.set(middle, std::numeric_limits<float>::quiet_NaN());
    smoke.density.set(inside, -std::numeric_limits<float>::infinity());
    EXPECT_EQ(render_preview(ex, scene, small).screen.rgb, clean.rgb);
  }
}
TEST(Preview, NanDoesNotSpread) {
  expect_nan_does_not_spread<2>();
  expect_nan_does_not_spread<3>();
}

// Metres twice as long make the same picture, and so does a scene in another place.
template <int D>
void expect_neither_size_nor_place_matters(bool bounded) {
  Exec ex;
  const auto picture = [&](double scale, double shift) {
    SmallScene<D> smoke(ex, tall_cells<D>(16), 1 / 16., ball<D>(place<D>(0.4, 0.8), 0.3, 1));
    smoke.snapshot.h *= scale;
    const auto moved = Vec<double, D>::filled(shift);
    smoke.snapshot.origin = moved;
    PreviewScene<D> scene = bounded ? smoke.scene(tall<D>() * scale) : smoke.scene();
    if (bounded) scene.domain = Bounds<D>{moved, moved + scene.domain->hi};
    scene.solids.push_back(SphereShape<D>{moved + place<D>(0.7, 0.3) * scale, 0.2 * scale});
    return render_preview(ex, scene, small).screen;
  };
  const Image image = picture(1, 0);
  EXPECT_LE(largest_difference(picture(64, 0), image), 2);
  EXPECT_LE(largest_difference(picture(1, 1024), image), 2);
}
TEST(Preview, NeitherSizeNorPlaceMatters) {
  for (const bool bounded : {true, false}) {
    expect_neither_size_nor_place_matters<2>(bounded);
    expect_neither_size_nor_place_matters<3>(bounded);
  }
}

// ---- 3D

class Ball3D : public testing::Test {
 protected:
  Exec ex;
  const PreviewParams params{320, 180};
  const Camera camera{Bounds<3>{{}, tall<3>()}, params.width, params.height};
  const Point towards = Lights().key().towards;
  const Point centre = place<3>(0.5, 0.6);
  static constexpr double radius = 0.2;

  Image with(const SmallScene<3>::Function& smoke, std::vector<Shape<3>> solids = {}) {
    SmallScene<3> made(ex, tall_cells<3>(32), 1 / 32., smoke);
    PreviewScene<3> scene = made.scene(tall<3>());
    scene.solids = std::move(solids);
    return render_preview(ex, scene, params).screen;
  }
  // Where the key light's ray through a point meets the floor.
  Point shadow_of(const Point& x) const { return x - towards * (x[1] / towards[1]); }
};

// Of the light, alpha is what is hidden of the backdrop: all by a solid, some by smoke.
TEST_F(Ball3D, LightIsWithoutTheBackdrop) {
  const Point solid = place<3>(0.8, 0.3);
  SmallScene<3> made(ex, tall_cells<3>(32), 1 / 32., ball<3>(centre, radius, 0.3));
  PreviewScene<3> scene = made.scene(tall<3>());
  scene.floor = false;
  scene.solids = {SphereShape<3>{solid, 0.1}};
  const Picture picture = render_preview(ex, scene, params);
  ASSERT_EQ(picture.light.channels, 4);
  const auto at = [&](const Vec<double, 2>& x) {
    return picture.light.values.data() + 4 * (int(x[1]) * params.width + int(x[0]));
  };
  for (int c = 0; c < 4; ++c) EXPECT_EQ(at({2, 2})[c], 0);
  const Vec<double, 2> on_solid = camera.project(solid);
  EXPECT_EQ(at(on_solid)[3], 1);
  for (int c = 0; c < 3; ++c)
    EXPECT_NEAR(255 * srgb_encode(filmic(at(on_solid)[c])),
                picture.screen.pixel(int(on_solid[0]), int(on_solid[1]))[c], 1.6);
  const float* smoke = at(camera.project(centre));
  EXPECT_GT(smoke[3], 0.1f);
  EXPECT_LT(smoke[3], 0.98f);
  EXPECT_GT(smoke[0], 0.01f);

  scene.solids.clear();
  scene.floor = true;
  const LightImage floor = render_preview(ex, scene, params).light;
  EXPECT_GT(floor.values[4 * std::size_t(params.width * (params.height - 1) + params.width / 2) + 3], 0.5f);
}

TEST_F(Ball3D, SmokeShadowsItselfAndTheFloor) {
  const Image image = with(ball<3>(centre, radius, 4)), bare = with(no_smoke<3>());
  const int lit = brightness(image, camera.project(centre + towards * (0.8 * radius)));
  const int dark = brightness(image, camera.project(centre - towards * (0.8 * radius)));
  EXPECT_GT(lit, dark * 5 / 4);
  EXPECT_GT(lit, 450) << "dense smoke in the light is bright";
  EXPECT_GT(dark, 90) << "and not black in the shade";

  const Vec<double, 2> shadow = camera.project(shadow_of(centre));
  EXPECT_LT(brightness(image, shadow), brightness(bare, shadow) * 3 / 4);
  const Vec<double, 2> open = camera.project(Point{centre[0], 0, centre[2]} * 2. - shadow_of(centre));
  EXPECT_NEAR(brightness(image, open), brightness(bare, open), 6);
}

TEST_F(Ball3D, SolidsShadowSmokeAndFloor) {
  const Shape<3> block(SphereShape<3>{centre + towards * (2.5 * radius), radius});
  const SmallScene<3>::Function smoke = ball<3>(centre, radius, 4);
  const Image image = with(smoke, {block}), bare = with(smoke);
  const Vec<double, 2> on_smoke = camera.project(centre + towards * (0.5 * radius));
  EXPECT_LT(brightness(image, on_smoke), brightness(bare, on_smoke) * 9 / 10);

  const Image solid = with(no_smoke<3>(), {SphereShape<3>{centre, radius}}), empty = with(no_smoke<3>());
  const Vec<double, 2> shadow = camera.project(shadow_of(centre));
  EXPECT_LT(brightness(solid, shadow), brightness(empty, shadow) * 3 / 4);
  EXPECT_GT(brightness(solid, camera.project(centre + towards * (0.8 * radius))),
            brightness(solid, camera.project(centre - towards * (0.8 * radius))) * 3 / 2);
}

TEST_F(Ball3D, WhatIsInFrontHidesWhatIsBehind) {
  const Point view = normalised(centre - camera.eye());
  const Vec<double, 2> middle = camera.project(centre);
  const SmallScene<3>::Function smoke = ball<3>(centre, 0.1, 8);
  const Image solid = with(no_smoke<3>(), {SphereShape<3>{centre - view * 0.3, 0.1}});
  const Image in_front = with(smoke, {SphereShape<3>{centre - view * 0.3, 0.1}});
  const Image behind = with(smoke, {SphereShape<3>{centre + view * 0.3, 0.1}});
  EXPECT_NEAR(brightness(in_front, middle), brightness(solid, middle), 24);
  EXPECT_NEAR(brightness(behind, middle), brightness(with(smoke), middle), 12);
}

TEST_F(Ball3D, SolidsHaveTheirColours) {
  const Point left = place<3>(0.3, 0.6), right = place<3>(0.8, 0.6);
  SmallScene<3> made(ex, tall_cells<3>(32), 1 / 32., no_smoke<3>());
  PreviewScene<3> scene = made.scene(tall<3>());
  scene.solids = {SphereShape<3>{left, 0.1}, SphereShape<3>{right, 0.1}};
  const Image grey = render_preview(ex, scene, params).screen;
  scene.solid_colours = {Rgb{0.6f, 0.05f, 0.05f}, {}};
  const Image red = render_preview(ex, scene, params).screen;
  const auto at = [&](const Image& image, const Point& x) {
    const Vec<double, 2> pixel = camera.project(x);
    return image.pixel(int(pixel[0]), int(pixel[1]));
  };
  EXPECT_GT(at(red, left)[0], 2 * at(red, left)[2]);
  EXPECT_LT(at(grey, left)[0], at(grey, left)[2] * 3 / 2);
  for (int c = 0; c < 3; ++c) EXPECT_EQ(at(red, right)[c], at(grey, right)[c]) << "has none of its own";
}

TEST_F(Ball3D, IsSeenFromWhereTheCameraIs) {
  SmallScene<3> made(ex, tall_cells<3>(32), 1 / 32., ball<3>(centre, radius, 4));
  PreviewScene<3> scene = made.scene(tall<3>());
  PreviewParams from = params;
  from.view = View{centre + Point{0, 0.2, -3}, centre + Point{0.5, 0, 0}, 30};
  const Image image = render_preview(ex, scene, from).screen;
  const Camera other(from.view->position, from.view->target, 30, params.width, params.height);
  EXPECT_GT(other.project(centre)[0], 0.6 * params.width) << "the target is beside it, seen from behind";
  EXPECT_GT(brightness(image, other.project(centre)), 200);
  SmallScene<3> clear(ex, tall_cells<3>(32), 1 / 32., no_smoke<3>());
  const Image bare = render_preview(ex, clear.scene(tall<3>()), from).screen;
  const Vec<double, 2> middle{0.5 * params.width, 0.5 * params.height};
  EXPECT_NEAR(brightness(image, middle), brightness(bare, middle), 12) << "beside the smoke";
}

TEST_F(Ball3D, TheLightIsWhatTheSceneSays) {
  SmallScene<3> made(ex, tall_cells<3>(32), 1 / 32., ball<3>(centre, radius, 4));
  PreviewScene<3> scene = made.scene(tall<3>());
  const auto in = [&](const LightParams& light) {
    PreviewParams lit = params;
    lit.light = light;
    return render_preview(ex, scene, lit).screen;
  };
  const Image day = in({}), night = in({0.02f, 0.02f, {}, {}}), black = in({0, 0, {}, {}});
  const Vec<double, 2> middle = camera.project(centre);
  EXPECT_LT(brightness(night, middle), brightness(day, middle) / 4);
  EXPECT_GT(brightness(night, middle), 0);
  EXPECT_EQ(*std::max_element(black.rgb.begin(), black.rgb.end()), 0);
  // The sun on the other side lights the other side.
  const Image from_right = in({1, 1, 100, 40});
  const Vec<double, 2> left = camera.project(centre + direction(-60, 0) * (0.8 * radius)),
                       right = camera.project(centre + direction(100, 0) * (0.8 * radius));
  EXPECT_GT(brightness(day, left), brightness(day, right));
  EXPECT_LT(brightness(from_right, left), brightness(from_right, right));
}

// Two puffs a hundred thousand cells apart: memory follows the smoke, not the space between.
TEST(Preview, FarApartIsNoTrouble) {
  Exec ex;
  constexpr int far = 1 << 14;  // tiles
  std::vector<Coord<3>> tiles;
  for (const int x : {0, far})
    for_each_coord(Box<3>{{x, 0, 0}, {x + 2, 2, 2}}, [&](const auto& t) { tiles.push_back(t); });
  const auto topology = Topology<3>::of_tiles(ex, {}, tiles);
  const MacField<float, 3> velocity(ex, topology);
  Field<float, 3> density(ex, topology);
  for (const int x : {0, far * tile_side})
    for_each_coord(Box<3>{{x + 4, 4, 4}, {x + 12, 12, 12}}, [&](const auto& c) { density.set(c, 1); });
  Snapshot<3> snapshot;
  snapshot.velocity = &velocity;
  snapshot.scalars = {{"density", &density}};
  const Image image = render_preview<3>(ex, {&snapshot, {}, {}, false}, small).screen;
  EXPECT_EQ(image.width, small.width);
  EXPECT_LT(ex.memory().peak_bytes(), std::size_t(64) << 20);
}

// ---- 2D

TEST(Section, UpIsUpAndHeatIsWarm) {
  Exec ex;
  SmallScene<2> smoke(ex, tall_cells<2>(32), 1 / 32., ball<2>(place<2>(0.25, 1.6), 0.15, 0.8));
  const PreviewScene<2> scene = smoke.scene(tall<2>());
  const Image cold = render_preview(ex, scene, small).screen;
  // 94 % of the height shows two metres.
  const auto pixel = [](double x, double y) {
    const double metre = 0.94 * small.height / 2;
    return Vec<double, 2>{small.width / 2 + (x - 0.5) * metre, small.height / 2 - (y - 1) * metre};
  };
  const int there = brightness(cold, pixel(0.25, 1.6));
  for (const auto& [x, y] : {std::pair{0.75, 1.6}, {0.25, 0.4}, {0.75, 0.4}})
    EXPECT_GT(there, brightness(cold, pixel(x, y)) + 150);

  const auto warmth = [&](const Image& image) {
    const Vec<double, 2> at = pixel(0.25, 1.6);
    const std::uint8_t* p = image.pixel(int(at[0]), int(at[1]));
    return int(p[0]) - int(p[2]);
  };
  EXPECT_LT(warmth(cold), 0);
  smoke.temperature.fill(ex, 800);
  EXPECT_GT(warmth(render_preview(ex, scene, small).screen), 60);
}

// Without smoke, the sense of rotation: the left half turns one way, the right half the other.
TEST(Section, AirAloneShowsItsVorticity) {
  Exec ex;
  SmallScene<2> air(ex, {{}, {64, 32}}, 1 / 32., no_smoke<2>());
  const auto pi = std::numbers::pi;
  for_each_coord(Box<2>{{}, {64, 32}}, [&](const Coord<2>& c) {
    const double x = c[0] / 32., y = c[1] / 32., half = 1 / 64.;
    air.velocity[0].set(c, float(std::sin(pi * x) * std::cos(pi * (y + half))));
    air.velocity[1].set(c, float(-std::cos(pi * (x + half)) * std::sin(pi * y)));
  });
  const Image image = render_preview(ex, air.scene({2, 1}), small).screen;
  const std::uint8_t *left = image.pixel(43, 45), *right = image.pixel(117, 45);
  EXPECT_GT(left[0], left[2] + 60) << "anticlockwise is warm";
  EXPECT_GT(right[2], right[0] + 60) << "clockwise is blue";
  EXPECT_LT(brightness(image, {80, 45}), 120) << "still air is dark";
}

// A pool half a metre deep, whose surface is known no further than two cells into the air.
TEST(Section, WaterEndsAtItsSurface) {
  Exec ex;
  constexpr double h = 1 / 32.;
  Field<float, 2> surface(ex, Topology<2>::of_box(ex, {}, {{}, {32, 24}}), float(2 * h));
  Snapshot<2> snapshot;
  snapshot.h = h;
  snapshot.scalars = {{"surface", &surface}};
  for_each_coord(Box<2>{{}, {32, 24}}, [&](const Coord<2>& c) {
    surface.set(c, float(std::clamp(snapshot.centre(c)[1] - 0.5, -3 * h, 2 * h)));
  });
  const PreviewScene<2> scene{&snapshot, Bounds<2>{{}, {1, 1}}, {}, true};
  const Image image = render_preview(ex, scene, small).screen;
  const double metre = 0.94 * small.height;
  const auto at = [&](double y) { return brightness(image, {80, small.height / 2 - (y - 0.5) * metre}); };
  for (const double y : {0.56, 0.7, 0.8, 0.95}) EXPECT_LT(at(y), 60) << "air at " << y;
  EXPECT_GT(at(0.49), 400) << "pale at its edge";
  for (const double y : {0.05, 0.3, 0.42}) EXPECT_NEAR(at(y), at(0.2), 6) << "as deep water at " << y;
}

TEST(Section, SolidsHaveSmoothEdges) {
  Exec ex;
  SmallScene<2> none(ex, tall_cells<2>(16), 1 / 16., no_smoke<2>());
  PreviewScene<2> scene = none.scene(tall<2>());
  const Image without = render_preview(ex, scene, small).screen;
  scene.solids.push_back(SphereShape<2>{{0.5, 1}, 0.3});
  const Image with = render_preview(ex, scene, small).screen;
  EXPECT_GT(brightness(with, {80, 45}), brightness(without, {80, 45}) + 150);
  int between = 0;
  const int body = brightness(with, {80, 45}), air = brightness(without, {80, 45});
  for (int row = 0; row < small.height; ++row)
    for (int column = 0; column < small.width; ++column) {
      const int level = brightness(with, {double(column), double(row)});
      between += level > air + 40 && level < body - 40;
    }
  EXPECT_GT(between, 10);

  scene.solid_colours = {Rgb{0.6f, 0.05f, 0.05f}};
  const Image red = render_preview(ex, scene, small).screen;
  EXPECT_GT(red.pixel(80, 45)[0], 2 * red.pixel(80, 45)[2]);
}

}  // namespace
}  // namespace whorl
