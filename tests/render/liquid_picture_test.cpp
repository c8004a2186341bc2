// Pictures of liquids: no light is made or lost, and all of it obeys the laws of optics.
#include "render/liquid_picture.h"

#include "render/caustics.h"
#include "render/liquid_case.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

// Under a sky that is white everywhere, what takes no light is as bright as the sky.
TEST(Furnace, WhiteThingsVanish) {
  Exec ex;
  const SurfaceMesh none;
  for (const Material material : {Material::matte, Material::metal, Material::glass}) {
    LiquidScene scene = scene_with(none);
    scene.solids.push_back(SphereShape<3>{{0, 0, 0}, 0.8});
    scene.looks.push_back({material, {1, 1, 1}});
    for (const Rgb& x : liquid_light(ex, scene, plain_params()).values)
      for (int c = 0; c < 3; ++c) ASSERT_NEAR(x[c], 1, 0.03) << int(material);
  }
}

TEST(Furnace, ClearWaterVanishes) {
  Exec ex;
  const SurfaceMesh ball = ball_mesh({0, 0, 0}, 0.8);
  const Pixels<Rgb> light = liquid_light(ex, scene_with(ball), plain_params());
  EXPECT_NEAR(mean_of(light), 1, 0.002);
  for (const Rgb& x : light.values) EXPECT_NEAR(x[1], 1, 0.1);
}

// A vessel with water in it that reaches into its wall.
TEST(Furnace, WaterInGlassVanishes) {
  Exec ex;
  const SurfaceMesh ball = ball_mesh({0, 0, 0}, 0.7);
  LiquidScene scene = scene_with(ball);
  scene.solids.push_back(
      DifferenceShape<3>{{SphereShape<3>{{0, 0, 0}, 0.8}, SphereShape<3>{{0, 0, 0}, 0.65}}});
  scene.looks.push_back({Material::glass});
  EXPECT_NEAR(mean_of(liquid_light(ex, scene, plain_params())), 1, 0.01);
}

TEST(Furnace, GreyThingsAreGrey) {
  Exec ex;
  const SurfaceMesh none;
  for (const Material material : {Material::matte, Material::metal}) {
    LiquidScene scene = scene_with(none);
    scene.solids.push_back(SphereShape<3>{{0, 0, 0}, 0.8});
    scene.looks.push_back({material, {0.5f, 0.25f, 0.125f}});
    LiquidPictureParams params = plain_params(8);
    params.view = View{{0, 0, 5}, {0, 0, 0}, 5};  // nothing but the ball
    for (const Rgb& x : liquid_light(ex, scene, params).values) {
      ASSERT_NEAR(x[0], 0.5, 1e-3);
      ASSERT_NEAR(x[2], 0.125, 1e-3);
    }
  }
}

// A white table outdoors: the sky by the cosine of its height, and the sun; in the shade, the sky alone.
TEST(LiquidPicture, DayOnAMatteSurface) {
  Exec ex;
  const SurfaceMesh none;
  LiquidScene scene = scene_with(none);
  scene.solids.push_back(BoxShape<3>{{-1, -1, -1}, {1, 0, 1}});
  scene.looks.push_back({Material::matte, {1, 1, 1}});
  LiquidPictureParams params = plain_params(256);
  params.view = View{{0, 5, 0}, {0, 0, 0}, 2};
  params.day = Daylight{};
  params.day.glow = 0;
  const auto seen = [&] {
    Rgb mean{};
    const Pixels<Rgb> light = liquid_light(ex, scene, params);
    for (const Rgb& x : light.values) mean = mean + x * (1 / float(light.values.size()));
    return mean;
  };
  const Rgb lit = seen(), expected = params.day.mean();
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(lit[c] / expected[c], 1, 0.01) << c;

  scene.solids.push_back(SphereShape<3>{params.day.sun * 15., 0.7});
  scene.looks.push_back({Material::matte, {1, 1, 1}});
  const Rgb shaded = seen();
  for (int c = 0; c < 3; ++c) {
    const float sun = params.day.sun_irradiance[c] * float(params.day.sun[1] / std::numbers::pi);
    EXPECT_NEAR(shaded[c] / (expected[c] - sun), 1, 0.02) << c;
  }
}

// What bounds single paths goes with the light, to the last bit where it is a power of two times as bright.
TEST(LiquidPicture, ThereIsAsMuchMoreOfItAsOfTheLight) {
  Exec ex;
  const SurfaceMesh ball = ball_mesh({0, 0.3, 0}, 0.5);
  LiquidScene scene = scene_with(ball);
  scene.solids.push_back(BoxShape<3>{{-1, -1, -1}, {1, -0.5, 1}});
  scene.looks.push_back({Material::matte, {1, 1, 1}});
  LiquidPictureParams params = plain_params(4);
  const auto in_light = [&](float brightness) {
    params.day = Daylight::of({brightness, brightness, {}, {}});
    return liquid_light(ex, scene, params).values;
  };
  const std::vector<Rgb> day = in_light(1);
  for (const float times : {0.0625f, 8.f}) {
    const std::vector<Rgb> other = in_light(times);
    for (std::size_t k = 0; k < day.size(); ++k)
      for (int c = 0; c < 3; ++c) ASSERT_EQ(other[k][c], times * day[k][c]) << times << " at " << k;
  }
}

// And in the water, or half in it, hardly less: some of their light comes back to them.
TEST(Furnace, SpecksHaveTheirColour) {
  Exec ex;
  const SurfaceMesh none, pool = box_mesh({-1, -1, -1}, {1, 1, 1}), half = box_mesh({-1, -1, -1}, {1, 0, 1});
  for (const SurfaceMesh* water : {&none, &pool, &half}) {
    LiquidScene scene = scene_with(*water);
    scene.specks = {{{0, 0, 0}, 0.3f}};
    LiquidPictureParams params = plain_params(256);
    params.view = View{{0, 0, 5}, {0, 0, 0}, 1};
    EXPECT_NEAR(mean_of(liquid_light(ex, scene, params)), water == &none ? 0.97 : 0.94,
                water == &none ? 1e-3 : 0.03);
  }
}

// A slab seen straight on: light goes to and fro in it.
TEST(LiquidPicture, WaterTakesLightByBeersLaw) {
  Exec ex;
  const double thick = 0.4;
  const SurfaceMesh slab = box_mesh({-1, -1, -thick}, {1, 1, 0});
  LiquidPictureParams params = plain_params(64);
  params.width = params.height = 8;
  params.view = View{{0, 0, 5}, {0, 0, 0}, 1};
  params.water.colour = {0.25f, 0.5f, 1};
  params.water.depth = thick;
  Rgb mean{};
  for (const Rgb& x : liquid_light(ex, scene_with(slab), params).values) mean = mean + x * (1 / 64.f);
  const double back = std::pow(0.333 / 2.333, 2);
  for (int c = 0; c < 3; ++c) {
    const double left = double(params.water.colour[c]), ends = 1 - back * back * left * left;
    const double through = (1 - back) * (1 - back) * left / ends;
    const double returned = back + (1 - back) * (1 - back) * back * left * left / ends;
    EXPECT_NEAR(mean[c], through + returned, 0.005);
  }
}

// A picture with one of everything.
struct Splash {
  SurfaceMesh water = ball_mesh({-0.2, -0.3, 0}, 0.5, 4);
  LiquidScene scene = scene_with(water);
  LiquidPictureParams params;

  Splash() {
    water.velocity.assign(water.mesh.vertices.size(), {1, 2, 0});
    scene.solids = {SphereShape<3>{{0.5, -0.6, 0.3}, 0.3}, BoxShape<3>{{0.2, -1, -0.8}, {0.8, 0.2, -0.5}},
                    SphereShape<3>{{-0.6, 0.5, 0.3}, 0.2}};
    scene.looks = {{Material::glass}, {Material::matte}, {Material::metal, {0.9f, 0.8f, 0.6f}}};
    for (int k = 0; k < 50; ++k)
      scene.specks.push_back({{0.02 * k - 0.5, 0.3, 0.1 * (k % 7)}, 0.02f, {0, 1, 0}});
    scene.floor = true;
    params.width = 64;
    params.height = 36;
    params.samples = 4;
    params.exposure = {-0.05, 0.05};
  }
};

TEST(LiquidPicture, SameBitsOnAnyThreads) {
  Image expected;
  for (const Backend backend : built_backends())
    for (const int threads : {1, 2, 7}) {
      Exec ex({.threads = threads, .backend = backend});
      const Splash splash;
      const Image image = render_liquid(ex, splash.scene, splash.params).screen;
      if (expected.rgb.empty()) expected = image;
      EXPECT_EQ(image.rgb, expected.rgb) << to_string(backend) << " with " << threads << " threads";
    }
}

// Brighter than white where it is, and the light that the paths have found.
TEST(LiquidPicture, HasItsLight) {
  Exec ex;
  Splash splash;
  splash.params.day = Daylight::even({4, 4, 4});
  const Picture picture = render_liquid(ex, splash.scene, splash.params);
  const Pixels<Rgb> light = liquid_light(ex, splash.scene, splash.params);
  ASSERT_EQ(picture.light.channels, 3);
  ASSERT_EQ(picture.light.values.size(), 3 * light.values.size());
  for (std::size_t k = 0; k < light.values.size(); ++k)
    for (int c = 0; c < 3; ++c) ASSERT_EQ(picture.light.values[3 * k + std::size_t(c)], light.values[k][c]);
  EXPECT_GT(*std::max_element(picture.light.values.begin(), picture.light.values.end()), 2);
}

// By a clock of its own: as many paths as there is time for, from those of a draft to all.
TEST(LiquidPicture, TimeLimitsItsPaths) {
  Exec ex;
  Splash splash;
  splash.params.samples = 12;
  const auto all = [&](int samples) {
    LiquidPictureParams params = splash.params;
    params.samples = samples;
    params.denoise = false;
    return liquid_light(ex, splash.scene, params).values;
  };
  // Everything before the paths takes ten seconds, and so does a path in every pixel.
  const auto in_time = [&](double seconds, int samples = 12) {
    LiquidPictureParams params = splash.params;
    params.samples = samples;
    params.denoise = false;
    double now = 0;
    int asked = 0;
    params.limit = {seconds, [&] { return now += ++asked == 2 ? 20 : 10; }};
    return liquid_light(ex, splash.scene, params).values;
  };
  const auto twelve = all(12);
  EXPECT_TRUE(in_time(1e9) == twelve);
  EXPECT_TRUE(in_time(0) == all(2)) << "a draft's";
  EXPECT_TRUE(in_time(0, 1) == all(1)) << "no more than are asked for";
  // Four of twelve are not enough for any pixel to have done with fewer.
  EXPECT_TRUE(in_time(50) == all(4));
  EXPECT_TRUE(in_time(49) == all(3)) << "none that would end too late";

  const std::vector<std::uint8_t> whole = render_liquid(ex, splash.scene, splash.params).screen.rgb;
  splash.params.limit = {1e9, [] { return 0.; }};
  EXPECT_TRUE(render_liquid(ex, splash.scene, splash.params).screen.rgb == whole);
}

// Metres a thousand times longer make the same picture, and so does a scene in another place.
TEST(LiquidPicture, NeitherSizeNorPlaceMatters) {
  Exec ex;
  const SurfaceMesh ball = ball_mesh({0, -0.5, 0}, 0.5);
  const auto seen = [&](double scale, double shift) {
    SurfaceMesh moved = ball;
    const Point by = Point::filled(shift);
    for (Point& x : moved.mesh.vertices) x = x * scale + by;
    LiquidScene scene{.surface = &moved, .domain = {by + Point::filled(-scale), by + Point::filled(scale)}};
    scene.solids.push_back(SphereShape<3>{by + Point{0.5, 0.3, 0} * scale, 0.3 * scale});
    scene.looks.push_back({Material::matte});
    scene.floor = true;
    LiquidPictureParams params;
    params.width = 64;
    params.height = 36;
    return mean_of(liquid_light(ex, scene, params));
  };
  EXPECT_NEAR(seen(1000, 0), seen(1, 0), 0.01);
  EXPECT_NEAR(seen(1, 500), seen(1, 0), 0.01);
}

TEST(LiquidPicture, WhatMovesIsBlurred) {
  Exec ex;
  SurfaceMesh ball = ball_mesh({0, 0, 0}, 0.3);
  const LiquidScene scene = scene_with(ball);
  LiquidPictureParams params = plain_params(16);
  params.water.colour = {0.1f, 0.1f, 0.1f};
  params.water.depth = 0.1;
  const Pixels<Rgb> still = liquid_light(ex, scene, params);
  ball.velocity.assign(ball.mesh.vertices.size(), {4, 0, 0});
  EXPECT_TRUE(liquid_light(ex, scene, params).values == still.values) << "with a shutter that is not open";
  params.exposure = {-0.05, 0.05};
  const Pixels<Rgb> blurred = liquid_light(ex, scene, params);
  const auto dark = [](const Pixels<Rgb>& light) {
    int columns = 0;
    for (int column = 0; column < light.width; ++column)
      columns += light(column, light.height / 2)[1] < 0.97f;
    return columns;
  };
  const double pixel = 2 * 5 * std::tan(10 * std::numbers::pi / 180) / params.height;
  EXPECT_NEAR(dark(blurred) - dark(still), 0.4 / pixel, 2.1);
  EXPECT_NEAR(mean_of(blurred), mean_of(still), 0.01);
}

// Along x by 4 m/s, and about z by a quarter turn a second.
SolidPlace carried(double after) {
  return {{4 * after, 0.3, 0}, rotation<3>(Vec<double, 3>{0, 0, 90 * after})};
}

TEST(LiquidPicture, SolidsThatMoveAreBlurred) {
  Exec ex;
  const SurfaceMesh none;
  LiquidScene scene = scene_with(none);
  scene.solids = {SphereShape<3>{{0, -0.3, 0}, 0.3}};  // about the origin, once it is carried
  scene.looks = {{Material::matte, {0.1f, 0.1f, 0.1f}}};
  scene.motions = {carried};
  LiquidPictureParams params = plain_params(64);
  LiquidScene at_rest = scene_with(none);
  at_rest.solids = {SphereShape<3>{{0, 0, 0}, 0.3}};
  at_rest.looks = scene.looks;
  const Pixels<Rgb> still = liquid_light(ex, at_rest, params);
  at_rest.motions = {SolidMotion()};
  params.exposure = {-0.05, 0.05};
  EXPECT_TRUE(liquid_light(ex, at_rest, params).values == still.values) << "at rest before an open shutter";
  const Pixels<Rgb> blurred = liquid_light(ex, scene, params);
  const auto dark = [](const Pixels<Rgb>& light) {
    int columns = 0;
    for (int column = 0; column < light.width; ++column)
      columns += light(column, light.height / 2)[1] < 0.97f;
    return columns;
  };
  const double pixel = 2 * 5 * std::tan(10 * std::numbers::pi / 180) / params.height;
  EXPECT_NEAR(dark(blurred) - dark(still), 0.4 / pixel, 2.1);
  EXPECT_NEAR(mean_of(blurred), mean_of(still), 0.01);
}

// Every ray meets it where it is then, and as it is turned then.
TEST(LiquidPicture, SolidsAreWhereTheyAreAtTheTimeOfTheRay) {
  const SurfaceMesh none;
  const Shape<3> box = BoxShape<3>{{-0.3, -0.4, -0.2}, {0.3, -0.2, 0.2}};
  LiquidScene moving = scene_with(none);
  moving.solids = {box};
  moving.looks = {{Material::glass}};
  moving.motions = {[](double after) {
    return SolidPlace{{2 * after, 0.3 - after, 0}, rotation<3>(Vec<double, 3>{70 * after, 0, 400 * after})};
  }};
  const Exposure exposure{-0.1, 0.3};
  const LiquidWorld world(moving, exposure);
  for (const float time : {0.f, 0.25f, 0.5f, 0.8f, 1.f}) {
    const SolidPlace there = moving.motions[0](-0.1 + 0.4 * double(time));
    LiquidScene then = scene_with(none);
    then.solids = {PosedShape<3>{{box}, there.translate, there.turn}};
    then.looks = moving.looks;
    const LiquidWorld frozen(then, {});
    const Bounds<3> now = then.solids[0].bounds();
    int hits = 0;
    for (int k = 0; k < 400; ++k) {
      const Point from{0.1 * (k % 20) - 0.95, 3, 0.1 * (k / 20) - 0.95};
      const Ray ray{from, normalised(Point{0.3 * there.translate[0], -1, 0.1})};
      const LiquidWorld::Hit expected = frozen.first(ray, 0), hit = world.first(ray, time);
      ASSERT_EQ(hit.matter, expected.matter) << time << ' ' << k;
      if (hit.matter == Matter::sky) continue;
      ++hits;
      // As near as rays are followed to a surface, by its normal.
      const double apart = (hit.distance - expected.distance) * dot(ray.direction, expected.normal);
      EXPECT_LT(std::abs(apart), 1.01e-5 * world.size());
      EXPECT_LT(std::abs(then.solids[0].distance(hit.x)), 1.01e-5 * world.size());
      EXPECT_LT(length(hit.normal - expected.normal), 1e-6);
    }
    EXPECT_GT(hits, 5) << time;
    for (int a = 0; a < 3; ++a) {  // photons are sent to all of it, as far as it is in the domain
      EXPECT_LE(world.clear_bounds().lo[a], std::max(now.lo[a], -1.) + 1e-9);
      EXPECT_GE(world.clear_bounds().hi[a], std::min(now.hi[a], 1.) - 1e-9);
    }
  }
}

// Under flat water the ground gets what Fresnel and Beer leave, and round a ball what it gathers.
TEST(Caustics, GroundGetsWhatWaterLetsThrough) {
  Exec ex;
  const SurfaceMesh pool = box_mesh({-1, -1, -1}, {1, -0.5, 1});
  LiquidScene scene = scene_with(pool);
  scene.floor = true;
  const LiquidWorld world(scene, {});
  Daylight day;
  day.sun = direction(0, 60);
  const ClearWater water({.colour = {0.5f, 1, 1}, .depth = 1}, world.size(), day);
  const Caustics caustics(ex, world, day, water, 1 << 18, 0);
  Rgb mean{};
  constexpr int n = 20;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const Point x{0.8 * (i + 0.5) / n - 0.4, -1, 0.8 * (j + 0.5) / n - 0.4};
      ASSERT_TRUE(caustics.covers(x));
      mean = mean + caustics.irradiance(x) * (1.f / (n * n));
    }
  const double sine = std::cos(std::numbers::pi / 3) / 1.333, way = 0.5 / std::sqrt(1 - sine * sine);
  for (int c = 0; c < 2; ++c) {
    const double through = 1 - double(reflectance(day.sun[1], 1 / 1.333));
    const double expected =
        double(day.sun_irradiance[c]) * day.sun[1] * through * (c == 0 ? std::pow(0.5, way) : 1);
    EXPECT_NEAR(double(mean[c]) / expected, 1, 0.03) << c;
  }
}

TEST(Caustics, ABallGathersLight) {
  Exec ex;
  const SurfaceMesh ball = ball_mesh({0, -0.3, 0}, 0.4);
  LiquidScene scene = scene_with(ball);
  scene.floor = true;
  const LiquidWorld world(scene, {});
  Daylight day;
  day.sun = direction(0, 89.9);
  const ClearWater water({.colour = {1, 1, 1}}, world.size(), day);
  const Caustics caustics(ex, world, day, water, 1 << 16, 0);
  EXPECT_GT(caustics.irradiance({0, -1, 0})[1], 5 * day.sun_irradiance[1]);
  EXPECT_LT(caustics.irradiance({0.3, -1, 0})[1], 0.3f * day.sun_irradiance[1]);
}

TEST(Daylight, IsWhatASceneSays) {
  const Daylight usual, low = Daylight::of({0.5f, 0.25f, 90, 10});
  for (int a = 0; a < 3; ++a) {
    EXPECT_NEAR(low.sun[a], direction(90, 10)[a], 1e-12);
    EXPECT_EQ(Daylight::of({}).sun[a], usual.sun[a]);
  }
  const Rgb bright = Daylight::of({1, 1, 90, 10}).sky({0, 1, 0});
  for (int c = 0; c < 3; ++c) {
    EXPECT_FLOAT_EQ(low.sun_irradiance[c], 0.5f * usual.sun_irradiance[c]);
    EXPECT_FLOAT_EQ(low.sky({0, 1, 0})[c], 0.25f * bright[c]);
  }
}

}  // namespace
}  // namespace whorl
