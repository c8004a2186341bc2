// What the 3D preview is made of, against answers worked out by hand.
#include "render/framing.h"
#include "render/light_volume.h"
#include "render/march.h"
#include "render/small_scene.h"

#include <gtest/gtest.h>

#include <cmath>

namespace whorl {
namespace {

// The cubic is exact for what is linear, also from one tile to the next.
template <int D>
void expect_linear_is_exact() {
  Exec ex;
  const auto slope = [](const Vec<double, D>& x) {
    double sum = 5;
    for (int a = 0; a < D; ++a) sum += (a + 1) * 0.1 * x[a];
    return sum;
  };
  SmallScene<D> scene(ex, {{}, Coord<D>::filled(24)}, 1, slope);
  const Bricks<D> bricks(ex, scene.density, 1e-3f);
  for_each_coord(Box<D>{{}, Coord<D>::filled(5)}, [&](const Coord<D>& c) {
    const Vec<double, D> x = Vec<double, D>::filled(6.3) + convert<double>(c) * 1.7;
    EXPECT_NEAR(bricks.sample(x), slope(x), 1e-4) << x;
  });
  EXPECT_EQ(bricks.sample(Vec<double, D>::filled(-100)), 0);
}
TEST(Bricks, LinearIsExactAcrossTiles) {
  expect_linear_is_exact<2>();
  expect_linear_is_exact<3>();
}

TEST(Bricks, KeepWhatShowsAndNothingElse) {
  Exec ex;
  SmallScene<3> scene(ex, {{}, Coord<3>::filled(64)}, 1, [](const auto&) { return 0; });
  scene.density.set(Coord<3>::filled(4 * tile_side + 5), 1);
  const Bricks<3> bricks(ex, scene.density, 1e-3f);
  ASSERT_EQ(bricks.tiles().size(), 1u);
  EXPECT_EQ(bricks.tiles()[0], Coord<3>::filled(4));
  EXPECT_TRUE(bricks.shows(0, {5, 5, 5}));
  EXPECT_FALSE(bricks.shows(0, {5, 1.9f, 5}));
  EXPECT_EQ(bricks.sample(0, {5, 1.9f, 5}), 0);
}

// T = exp(-σ ρ L) for a slab of smoke, whatever way a ray passes through it (Beer and Lambert).
TEST(March, TransmittanceOfASlab) {
  Exec ex;
  constexpr double h = 0.05, density = 0.7, extinction = 2.5;
  SmallScene<3> scene(ex, {{}, {40, 96, 96}}, h,
                      [](const auto& x) { return x[0] > 12 * h && x[0] < 29 * h ? density : 0; });
  const Bricks<3> bricks(ex, scene.density, 1e-4f);
  const Smoke smoke{&scene.snapshot, &bricks, nullptr, extinction};
  const Point middle{20.5 * h, 48 * h, 48 * h};
  for (const Point& towards : {Point{1, 0, 0}, {-1, 0, 0}, {1, 0.3, 0}, {1, -0.4, 0.5}, {-1, 0.7, -0.7}}) {
    const Point d = normalised(towards);
    const double depth = extinction * density * 17 * h / std::abs(d[0]);
    const Ray ray{middle - d * 3., d};
    EXPECT_NEAR(-std::log(march(smoke, ray, 100).transmittance), depth, 5e-3 * depth) << towards;
    EXPECT_NEAR(-std::log(march(smoke, ray, 3).transmittance), depth / 2, 0.03 * depth) << "to the middle";
    EXPECT_EQ(march(smoke, {middle + Point{0, 10, 0}, d}, 100).transmittance, 1);
  }
}

// The way from the middle of a block of smoke to the light, and from a point far behind it.
TEST(LightVolume, DepthOfABlock) {
  Exec ex;
  constexpr double cell = 0.25, extinction = 1.5;
  const Coord<3> size{24, 32, 40};
  DenseGrid<float> grid({3, -1, 2}, cell, size);
  std::fill(grid.values.begin(), grid.values.end(), float(extinction));
  Point half, middle;
  for (int a = 0; a < 3; ++a) {
    half[a] = 0.5 * cell * size[a];
    middle[a] = grid.origin[a] + half[a];
  }
  for (const Point& direction :
       {Point{0, 1, 0}, {0, 0, -1}, {0.3, 1, -0.2}, {-1, 0.5, 0.3}, {0.2, -0.6, 1}}) {
    const Point towards = normalised(direction);
    const LightVolume volume(ex, grid, towards);
    double out = 1e9;  // how far it is to the first face
    for (int a = 0; a < 3; ++a) out = std::min(out, half[a] / std::max(std::abs(towards[a]), 1e-9));
    EXPECT_NEAR(volume.depth(middle), extinction * out, 0.01 * extinction * out) << direction;
    EXPECT_NEAR(volume.depth(middle - towards * 50.), 2 * extinction * out, 0.02 * extinction * out);
    EXPECT_EQ(volume.depth(middle + towards * 50.), 0);
  }
}

TEST(Camera, SeesAllOfTheBox) {
  for (const Point& size : {Point{1, 2, 1}, {4, 1, 1}, {1, 1, 9}, {1, 1, 1}, {100, 3, 100}})
    for (const auto& [width, height] : {std::pair{960, 540}, {540, 960}}) {
      const Bounds<3> box{Point{5, -3, 7}, Point{5, -3, 7} + size};
      const Camera camera(box, width, height);
      double across = 0, up = 0;  // from the middle of the image, 1 at its edge
      for (int corner = 0; corner < 8; ++corner) {
        Point x;
        for (int a = 0; a < 3; ++a) x[a] = corner >> a & 1 ? box.hi[a] : box.lo[a];
        EXPECT_GT(dot(x - camera.eye(), camera.ray(width / 2., height / 2.).direction), 0);
        const Vec<double, 2> at = camera.project(x);
        across = std::max(across, std::abs(2 * at[0] / width - 1));
        up = std::max(up, std::abs(2 * at[1] / height - 1));
        const Ray ray = camera.ray(at[0], at[1]);
        EXPECT_NEAR(length(cross(ray.direction, normalised(x - camera.eye()))), 0, 1e-9);
      }
      EXPECT_NEAR(std::max(across, up), Camera::fill, 1e-6) << size << ' ' << width;
      EXPECT_LE(std::min(across, up), Camera::fill) << size << ' ' << width;
    }
  const Camera camera({{0, 0, 0}, {1, 2, 1}}, 960, 540);
  EXPECT_LT(camera.project({0.5, 2, 0.5})[1], camera.project({0.5, 0, 0.5})[1]) << "up is up";
  EXPECT_LT(camera.project({0, 1, 0.5})[0], camera.project({1, 1, 0.5})[0]) << "and x goes right";
}

// Without a domain the frame holds the smoke, and moves as it moves.
TEST(Framing, FollowsTheSmoke) {
  Exec ex;
  constexpr double h = 1 / 16.;
  const auto framed = [&](const Point& centre) {
    SmallScene<3> scene(ex, {{}, Coord<3>::filled(80)}, h, ball<3>(centre, 0.5, 1));
    return framed_box(ex, scene.scene());
  };
  const Point centre{3, 2, 1.5};
  const Bounds<3> box = framed(centre);
  for (int a = 0; a < 3; ++a) {
    EXPECT_NEAR(0.5 * (box.lo[a] + box.hi[a]), centre[a], 1e-6);
    EXPECT_GT(box.hi[a] - centre[a], 0.65);
    EXPECT_LT(box.hi[a] - centre[a], 1);
  }
  const Point step{0.3 * h, h, 0};
  const Bounds<3> next = framed(centre + step);
  for (int a = 0; a < 3; ++a) {
    EXPECT_NEAR(next.lo[a], box.lo[a] + step[a], 0.1 * h);
    EXPECT_NEAR(next.hi[a], box.hi[a] + step[a], 0.1 * h);
  }
}

// The same optical depth across a domain of any size and resolution.
TEST(Framing, ExtinctionGoesByTheSizeOfTheDomain) {
  Exec ex;
  SmallScene<3> scene(ex, {{}, Coord<3>::filled(8)}, 1, [](const auto&) { return 0; });
  const double one = unit_extinction(scene.scene({1, 1, 1}));
  EXPECT_NEAR(unit_extinction(scene.scene({10, 10, 10})), one / 10, 1e-12);
  EXPECT_NEAR(unit_extinction(scene.scene({1, 8, 1})), one / 2, 1e-12);
}

}  // namespace
}  // namespace whorl
