// Fire in the preview.
#include "render/bloom.h"
#include "render/camera.h"
#include "render/fire_light.h"
#include "render/framing.h"
#include "render/lights.h"
#include "render/march.h"
#include "render/small_scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace whorl {
namespace {

template <int D>
struct FireScene : SmallScene<D> {
  using Function = typename SmallScene<D>::Function;
  Field<float, D> flame;

  FireScene(Exec& ex, const Box<D>& cells, double h, const Function& smoke, const Function& burning,
            double kelvin)
      : SmallScene<D>(ex, cells, h, smoke), flame(ex, this->velocity.topology()) {
    this->snapshot.scalars.push_back({"flame", &flame});
    for_each_coord(cells, [&](const Coord<D>& c) {
      const double strength = burning(this->snapshot.centre(c));
      flame.set(c, float(strength));
      if (strength > 0) this->temperature.set(c, float(kelvin));
    });
  }
};

template <int D>
typename SmallScene<D>::Function nothing() {
  return [](const Vec<double, D>&) { return 0; };
}
constexpr PreviewParams small{160, 90};
constexpr int cells = 24;  // a metre
template <int D>
Box<D> metre() {
  return {{}, Coord<D>::filled(cells)};
}
template <int D>
Vec<double, D> middle() {
  return Vec<double, D>::filled(0.5);
}

// A ball of flame in a box of a metre.
template <int D>
Image burning_ball(Exec& ex, double strength, double kelvin, const typename SmallScene<D>::Function& smoke,
                   double radius = 0.12) {
  FireScene<D> made(ex, metre<D>(), 1. / cells, smoke, ball<D>(middle<D>(), radius, strength), kelvin);
  return render_preview(ex, made.scene(Vec<double, D>::filled(1)), small).screen;
}

// Fire is as bright as it burns in the light, whatever a screen can show of it.
TEST(Fire, LightIsNotRolledOff) {
  Exec ex;
  const auto brightest = [&](double kelvin) {
    FireScene<3> made(ex, metre<3>(), 1. / cells, nothing<3>(), ball<3>(middle<3>(), 0.12, 1), kelvin);
    const LightImage light = render_preview(ex, made.scene({1, 1, 1}), small).light;
    return *std::max_element(light.values.begin(), light.values.end());
  };
  EXPECT_GT(brightest(1800), 1);
  EXPECT_GT(brightest(2600), 7);
}

// Red, green and blue in the middle.
Vec<int, 3> centre_of(const Image& image) {
  const std::uint8_t* p = image.pixel(image.width / 2, image.height / 2);
  return {p[0], p[1], p[2]};
}

template <int D>
void expect_colours_of_fire() {
  Exec ex;
  const Vec<int, 3> none = centre_of(burning_ball<D>(ex, 0, 1500, nothing<D>()));
  const Vec<int, 3> cool = centre_of(burning_ball<D>(ex, 1, 1100, nothing<D>()));
  const Vec<int, 3> fire = centre_of(burning_ball<D>(ex, 1, 1500, nothing<D>()));
  const Vec<int, 3> hot = centre_of(burning_ball<D>(ex, 1, 2500, nothing<D>()));
  EXPECT_GT(fire[0], none[0] + 100);
  EXPECT_GT(fire[0], fire[1] + 20) << "orange: more red than green";
  EXPECT_GT(fire[1], fire[2] + 20) << "and more green than blue";
  EXPECT_GT(cool[0], cool[1] + 30) << "a dull glow is red";
  EXPECT_LT(cool[1], fire[1]);
  for (int c = 1; c < 3; ++c) EXPECT_GT(hot[c], fire[c] + 15) << "hotter is whiter";
}
TEST(Fire, IsBrightAndOrange) {
  expect_colours_of_fire<2>();
  expect_colours_of_fire<3>();
}

// A field "flame" without a flame in it changes no bit, and neither does one that is not a number.
template <int D>
void expect_no_fire_is_no_change() {
  Exec ex;
  FireScene<D> made(ex, metre<D>(), 1. / cells, ball<D>(middle<D>(), 0.25, 2), nothing<D>(), 300);
  const PreviewScene<D> scene = made.scene(Vec<double, D>::filled(1));
  made.flame.set(Coord<D>::filled(3), std::numeric_limits<float>::quiet_NaN());
  const Image with = render_preview(ex, scene, small).screen;
  made.snapshot.scalars.pop_back();
  EXPECT_EQ(render_preview(ex, scene, small).screen.rgb, with.rgb);
}
TEST(Fire, NoneChangesNothing) {
  expect_no_fire_is_no_change<2>();
  expect_no_fire_is_no_change<3>();
}

template <int D>
void expect_same_bits() {
  Image expected;
  for (const Backend backend : built_backends())
    for (const int threads : {1, 2, 7}) {
      Exec ex({.threads = threads, .backend = backend});
      const Image image = burning_ball<D>(ex, 0.7, 1600, ball<D>(middle<D>(), 0.3, 1));
      if (expected.rgb.empty()) expected = image;
      EXPECT_EQ(image.rgb, expected.rgb) << to_string(backend) << " with " << threads << " threads";
    }
}
TEST(Fire, SameBitsOnAnyThreads) {
  expect_same_bits<2>();
  expect_same_bits<3>();
}

TEST(Fire, NeedsNeitherSmokeNorTemperature) {
  Exec ex;
  FireScene<3> made(ex, metre<3>(), 1. / cells, nothing<3>(), ball<3>(middle<3>(), 0.12, 1), 1500);
  made.snapshot.scalars = {{"flame", &made.flame}};
  const Vec<int, 3> bounded = centre_of(render_preview(ex, made.scene({1, 1, 1}), small).screen);
  EXPECT_GT(bounded[0], 220);
  const Vec<int, 3> followed = centre_of(render_preview(ex, made.scene(), small).screen);
  EXPECT_GT(followed[0], 220) << "the camera finds it";
  const Bounds<3> box = framed_box(ex, made.scene());
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(0.5 * (box.lo[a] + box.hi[a]), 0.5, 1e-6);
}

// A slab of flame before a slab of smoke: L = B (1 - exp(-σ)), and the other way round, times exp(-τ).
TEST(March, GlowOfASlabIsThatOfABlackBodyAndSmokeAbsorbsIt) {
  Exec ex;
  constexpr double h = 0.05, extinction = 2.5, smoke_depth = 0.7 * extinction * 16 * h;
  constexpr double strength = 0.6, depth = strength * extinction * Fire<3>::extinction * 16 * h;
  FireScene<3> made(
      ex, {{}, {64, 32, 32}}, h, [](const auto& x) { return x[0] > 32 * h && x[0] < 48 * h ? 0.7 : 0; },
      [](const auto& x) { return x[0] > 8 * h && x[0] < 24 * h ? strength : 0; }, 1500);
  std::vector<int> tiles(std::size_t(made.velocity.topology()->tile_count()));
  for (std::size_t k = 0; k < tiles.size(); ++k) tiles[k] = int(k);
  made.temperature.fill(ex, 1500);
  const Bricks<3> density(ex, made.density, 1e-3f, tiles);
  const Fire<3> fire(ex, made.snapshot, tiles);
  const Smoke smoke{&made.snapshot, &density, nullptr, extinction, &fire};
  const Rgb body = fire.radiance(Point{16, 16, 16});
  const Through first = march(smoke, {{-1, 16 * h, 16 * h}, {1, 0, 0}}, 100);
  const Through last = march(smoke, {{64 * h + 1, 16 * h, 16 * h}, {-1, 0, 0}}, 100);
  for (int c = 0; c < 2; ++c) {
    EXPECT_NEAR(first.glow[c], body[c] * (1 - std::exp(-depth)), 0.01 * body[c]);
    EXPECT_NEAR(last.glow[c], first.glow[c] * std::exp(-smoke_depth), 0.01 * first.glow[c]);
  }
  EXPECT_NEAR(-std::log(first.transmittance), depth + smoke_depth, 0.01 * depth);
}

// The lamps have the power of the flames: from far away, intensity over distance squared.
TEST(FireLight, HasThePowerOfTheFlames) {
  Exec ex;
  constexpr double h = 1 / 16., unit = 3;
  FireScene<3> made(ex, {{}, {48, 48, 48}}, h, nothing<3>(), ball<3>({1.5, 1.5, 1.5}, 0.9, 0.5), 1500);
  const std::vector<int> tiles = burning_tiles(ex, made.snapshot);
  made.temperature.fill(ex, 1500);
  const Fire<3> fire(ex, made.snapshot, tiles);
  const FireLight light(ex, made.snapshot, fire, unit);
  ASSERT_FALSE(light.lamps().empty());
  EXPECT_LE(light.lamps().size(), 12u);
  double volume = 0;  // times strength
  for_each_coord(Box<3>{{}, {48, 48, 48}}, [&](const auto& c) { volume += made.flame.get(c) * h * h * h; });
  const Rgb body = fire.radiance(Point{24, 24, 24});
  const double far = 12, red = body[0] * unit * Fire<3>::extinction * volume;
  const Solids none({}), wall({BoxShape<3>{{4, -50, -50}, {11, 50, 50}}});
  const Point x{1.5 + far, 1.5, 1.5}, towards{-1, 0, 0};
  const double expected = FireLight::gain * red / (far * far) * std::numbers::inv_pi;
  EXPECT_NEAR(light.on_surface(x, towards, none)[0], expected, 0.03 * expected);
  EXPECT_LT(light.on_surface(x, towards * -1., none)[0], 0.05 * expected) << "faces away";
  EXPECT_LT(light.on_surface(x, towards, wall)[0], 0.01 * expected) << "in the shade";
}

// Fire shines on the floor and on smoke beside it.
TEST(Fire, LightsWhatIsAround) {
  Exec ex;
  const Point hot{0.5, 0.2, 0.5}, beside{0.8, 0.3, 0.5};
  const auto smoke = ball<3>(beside, 0.07, 3);
  const Camera camera({{0, 0, 0}, {1, 1, 1}}, small.width, small.height);
  const auto picture = [&](double strength) {
    FireScene<3> made(ex, metre<3>(), 1. / cells, smoke, ball<3>(hot, 0.1, strength), 1700);
    return render_preview(ex, made.scene({1, 1, 1}), small).screen;
  };
  const Image dark = picture(0), lit = picture(1);
  const auto redder = [&](const Point& x) {
    const Vec<double, 2> at = camera.project(x);
    EXPECT_TRUE(at[0] >= 0 && at[0] < small.width && at[1] >= 0 && at[1] < small.height);
    return int(lit.pixel(int(at[0]), int(at[1]))[0]) - int(dark.pixel(int(at[0]), int(at[1]))[0]);
  };
  EXPECT_GT(redder({0.5, 0, 0.85}), 12) << "the floor";
  EXPECT_GT(redder(beside - Point{0.04, 0, 0}), 4) << "the smoke";
  EXPECT_GT(redder({0.5, 0, 0.85}), redder({0.5, 0, 1.15}) + 5) << "less further away";
}

// Light spreads to all sides alike and none is lost, but what leaves the picture.
TEST(Bloom, SpreadsAShareOfTheLight) {
  Exec ex;
  Pixels<Rgb> light(256, 256);
  for (const int i : {127, 128})
    for (const int j : {127, 128}) light(i, j) = {400, 200, 0};
  const Pixels<Rgb> halo = bloom(ex, light);
  double red = 0;
  for (const Rgb& x : halo.values) {
    red += x[0];
    EXPECT_FLOAT_EQ(x[1], 0.5f * x[0]);
    EXPECT_EQ(x[2], 0);
  }
  EXPECT_NEAR(red, bloom_strength * 1600, 0.05 * bloom_strength * 1600);
  for (const int r : {4, 20, 60}) {
    EXPECT_NEAR(halo(128 + r, 128)[0], halo(127 - r, 128)[0], 1e-5);
    EXPECT_NEAR(halo(128 + r, 128)[0], halo(128, 128 + r)[0], 1e-5);
    EXPECT_GT(halo(128 + r, 128)[0], 1.5 * halo(128 + 2 * r, 128)[0]);
    EXPECT_GT(halo(128 + r, 128)[0], 0);
  }
  for (const Rgb& x : bloom(ex, Pixels<Rgb>(33, 17)).values) EXPECT_EQ(x, Rgb{});
}

TEST(RollOff, KeepsFaintLightAndTamesTheBright) {
  const Rgb faint = roll_off({0.02f, 0.01f, 0}, 7);
  EXPECT_NEAR(faint[0], 0.02, 1e-4);
  EXPECT_NEAR(faint[1], 0.01, 1e-4);
  const Rgb bright = roll_off({1e4f, 1e3f, 0}, 7);
  EXPECT_LE(bright[0], 7.001f);
  EXPECT_GT(bright[2], 0.1f) << "and pales";
  EXPECT_EQ(roll_off({}, 7), Rgb{});
}

}  // namespace
}  // namespace whorl
