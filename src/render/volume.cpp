#include "render/volume.h"

#include "render/extinction_grid.h"
#include "render/framing.h"
#include "render/light_volume.h"
#include "render/lights.h"
#include "render/march.h"
#include "render/surfaces.h"

#include <optional>

namespace whorl {
namespace {

constexpr float cutoff = 1e-3f;  // a density that does not show

// Everything that the smoke does to light, where there is smoke.
struct LitSmoke {
  Bricks<3> density;
  std::optional<LightVolume> shadow;  // on surfaces
  std::optional<SmokeLight> light;

  LitSmoke(Exec& ex, const PreviewScene<3>& scene, const Field<float, 3>& field, const Solids& solids,
           const Bounds<3>& framed, const Point& eye)
      : density(ex, field, cutoff) {
    if (density.empty()) return;
    const DenseGrid<float> extinction =
        extinction_grid(ex, *scene.snapshot, density, unit_extinction(scene), framed);
    shadow.emplace(ex, extinction, key_light.towards);
    light.emplace(ex, *scene.snapshot, density, extinction, solids, eye);
  }
};

// What lies behind the smoke at each pixel. Edges of solids are seen by four rays instead of one.
std::vector<Surface> surfaces_of(Exec& ex, const Surfaces& surfaces, const Camera& camera, int width,
                                 int height, bool solids) {
  const Zone zone(ex.profile(), "surfaces");
  std::vector<Surface> out(std::size_t(width) * std::size_t(height));
  const auto at = [&](std::vector<Surface>& all, int column, int row) -> Surface& {
    return all[std::size_t(std::clamp(row, 0, height - 1)) * std::size_t(width) +
               std::size_t(std::clamp(column, 0, width - 1))];
  };
  ex.parallel_for(height, 2, [&](std::int64_t begin, std::int64_t end) {
    for (int row = int(begin); row < int(end); ++row)
      for (int column = 0; column < width; ++column)
        at(out, column, row) = surfaces.at(camera.ray(column + 0.5, row + 0.5));
  });
  if (!solids) return out;
  std::vector<Surface> smooth = out;
  ex.parallel_for(height, 2, [&](std::int64_t begin, std::int64_t end) {
    for (int row = int(begin); row < int(end); ++row)
      for (int column = 0; column < width; ++column) {
        const Surface& own = at(out, column, row);
        bool edge = false;
        for (const auto& [i, j] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
          const Surface& other = at(out, column + i, row + j);
          const float contrast = std::abs(own.colour[1] - other.colour[1]);
          edge = edge || own.solid != other.solid ||
                 (own.solid && contrast > 0.06f * (own.colour[1] + other.colour[1]));
        }
        if (!edge) continue;
        Rgb sum{};
        for (const auto& [i, j] : {std::pair{0.375, 0.125}, {0.875, 0.375}, {0.125, 0.625}, {0.625, 0.875}})
          sum = sum + surfaces.at(camera.ray(column + i, row + j)).colour;
        at(smooth, column, row).colour = sum * 0.25f;
      }
  });
  return smooth;
}

}  // namespace

Image render_volume(Exec& ex, const PreviewScene<3>& scene, const PreviewParams& params) {
  const Bounds<3> framed = framed_box(ex, scene);
  const Camera camera(framed, params.width, params.height);
  const Solids solids(scene.solids);

  std::optional<LitSmoke> smoke;
  if (const Field<float, 3>* density = scene.snapshot->find("density"))
    smoke.emplace(ex, scene, *density, solids, framed, camera.eye());
  const bool visible = smoke && !smoke->density.empty();

  const Surfaces surfaces(solids, framed, scene.floor && scene.domain, visible ? &*smoke->shadow : nullptr,
                          visible ? &smoke->light->sky() : nullptr);
  const std::vector<Surface> behind =
      surfaces_of(ex, surfaces, camera, params.width, params.height, !solids.empty());

  const Zone zone(ex.profile(), "march");
  Image image(params.width, params.height);
  const double unit = unit_extinction(scene);
  ex.parallel_for(params.height, 2, [&](std::int64_t begin, std::int64_t end) {
    for (int row = int(begin); row < int(end); ++row)
      for (int column = 0; column < params.width; ++column) {
        const Surface& surface = behind[std::size_t(row) * std::size_t(params.width) + std::size_t(column)];
        Rgb colour = surface.colour;
        if (visible) {
          const Smoke medium{scene.snapshot, &smoke->density, &*smoke->light, unit};
          const Through seen = march(medium, camera.ray(column + 0.5, row + 0.5), surface.distance);
          colour = seen.light + colour * seen.transmittance;
        }
        put_pixel(image, column, row, filmic(colour));
      }
  });
  return image;
}

}  // namespace whorl
