#include "render/volume.h"

#include "render/bloom.h"
#include "render/extinction_grid.h"
#include "render/framing.h"
#include "render/light_volume.h"
#include "render/lights.h"
#include "render/march.h"
#include "render/surfaces.h"

#include <iterator>
#include <optional>

namespace whorl {
namespace {

constexpr float cutoff = 1e-3f;      // a density that does not show
constexpr float brightest_fire = 7;  // where the filmic curve reaches white

template <class T>
const T* pointer(const std::optional<T>& x) {
  return x ? &*x : nullptr;
}

// Everything that smoke and fire do to light; nothing where there is neither.
struct LitSmoke {
  std::optional<Bricks<3>> density;
  std::optional<SmokeColour<3>> colour;
  std::optional<Fire<3>> fire;
  std::optional<FireLight> fire_light;
  std::optional<LightVolume> shadow;  // on surfaces
  std::optional<SmokeLight> light;

  LitSmoke(Exec& ex, const PreviewScene<3>& scene, const Solids& solids, const Lights& lights,
           const Bounds<3>& framed, const Point& eye) {
    const Snapshot<3>& snapshot = *scene.snapshot;
    const Field<float, 3>* field = snapshot.find("density");
    const std::vector<int> burning = burning_tiles(ex, snapshot);
    std::vector<int> tiles = field ? tiles_that_show(ex, *field, cutoff) : std::vector<int>{};
    if (!burning.empty()) {
      const std::vector<int> smoky = std::exchange(tiles, {});
      std::set_union(smoky.begin(), smoky.end(), burning.begin(), burning.end(), std::back_inserter(tiles));
    }
    if (tiles.empty()) return;
    if (field)
      density.emplace(ex, *field, cutoff, tiles);
    else
      density.emplace(ex, Field<float, 3>(ex, snapshot.topology()), cutoff, tiles);
    if (field && SmokeColour<3>::present(snapshot)) colour.emplace(ex, snapshot, tiles);
    const double unit = unit_extinction(scene);
    if (!burning.empty()) {
      fire.emplace(ex, snapshot, tiles);
      fire_light.emplace(ex, snapshot, *fire, unit);
    }
    const DenseGrid<float> extinction = extinction_grid(ex, snapshot, *density, unit, framed);
    shadow.emplace(ex, extinction, lights.key().towards);
    light.emplace(ex, snapshot, *density, extinction, solids, lights, eye, pointer(fire_light));
  }
};

std::vector<Rgb> colours_of_solids(const PreviewScene<3>& scene) {
  std::vector<Rgb> colours(scene.solids.size(), preview_solid_colour);
  for (std::size_t k = 0; k < scene.solid_colours.size(); ++k)
    colours[k] = scene.solid_colours[k].value_or(colours[k]);
  return colours;
}

// What lies behind the smoke at each pixel. Edges of solids are seen by four rays instead of one.
Pixels<Surface> surfaces_of(Exec& ex, const Surfaces& surfaces, const Camera& camera, int width, int height,
                            bool solids) {
  const Zone zone(ex.profile(), "surfaces");
  Pixels<Surface> out(ex, width, height,
                      [&](int column, int row) { return surfaces.at(camera.ray(column + 0.5, row + 0.5)); });
  if (!solids) return out;
  Pixels<Surface> smooth = out;
  for_each_pixel(ex, width, height, [&](int column, int row) {
    const Surface& own = out(column, row);
    bool edge = false;
    for (const auto& [i, j] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
      const Surface& other = out.nearest(column + i, row + j);
      const float contrast = std::abs(own.colour[1] - other.colour[1]);
      edge = edge || own.solid != other.solid ||
             (own.solid && contrast > 0.06f * (own.colour[1] + other.colour[1]));
    }
    if (!edge) return;
    Rgb sum{};
    Rgba without_backdrop{};
    for (const auto& [i, j] : {std::pair{0.375, 0.125}, {0.875, 0.375}, {0.125, 0.625}, {0.625, 0.875}}) {
      const Surface seen = surfaces.at(camera.ray(column + i, row + j));
      sum = sum + seen.colour;
      without_backdrop = without_backdrop + seen.own;
    }
    smooth(column, row).colour = sum * 0.25f;
    smooth(column, row).own = without_backdrop * 0.25f;
  });
  return smooth;
}

}  // namespace

Picture render_volume(Exec& ex, const PreviewScene<3>& scene, const PreviewParams& params) {
  const int width = params.width, height = params.height;
  const Bounds<3> framed = framed_box(ex, scene);
  const Camera camera = camera_for(params.view, framed, width, height);
  const Lights lights(params.light);
  const Solids solids(scene.solids, colours_of_solids(scene));
  const LitSmoke smoke(ex, scene, solids, lights, framed, camera.eye());
  const Point ahead = camera.ray(0.5 * width, 0.5 * height).direction;
  const Surfaces surfaces(solids, lights, ahead, framed, scene.floor && scene.domain, pointer(smoke.shadow),
                          smoke.light ? &smoke.light->sky() : nullptr, pointer(smoke.fire_light));
  const Pixels<Surface> behind = surfaces_of(ex, surfaces, camera, width, height, !solids.empty());

  const Zone zone(ex.profile(), "march");
  const Smoke medium{scene.snapshot,         pointer(smoke.density), pointer(smoke.light),
                     unit_extinction(scene), pointer(smoke.fire),    pointer(smoke.colour)};
  // All that is seen but fire, and the fire apart; then both without the backdrop.
  Pixels<Rgb> light(width, height), glow(width, height);
  Pixels<Rgba> own(width, height);
  for_each_pixel(ex, width, height, [&](int column, int row) {
    const Surface& surface = behind(column, row);
    Through through;
    if (medium.density) through = march(medium, camera.ray(column + 0.5, row + 0.5), surface.distance);
    light(column, row) = through.light + surface.colour * through.transmittance;
    glow(column, row) = roll_off(through.glow, brightest_fire);
    own(column, row) = with_alpha(through.light + through.glow, 1 - through.transmittance) +
                       surface.own * through.transmittance;
  });
  if (medium.fire) {
    const Pixels<Rgb> halo = bloom(ex, glow);
    for (std::size_t k = 0; k < halo.values.size(); ++k)
      light.values[k] = light.values[k] + glow.values[k] + halo.values[k];
  }
  for (Rgb& x : light.values) x = filmic(x);
  return {screen_image(ex, light), light_image(own)};
}

}  // namespace whorl
