#include "sim/export_look.h"

#include "base/json_text.h"
#include "render/daylight.h"
#include "render/fire.h"
#include "render/framing.h"
#include "render/lights.h"
#include "render/liquid_picture.h"
#include "render/smoke_light.h"
#include "sim/picture.h"

#include <fmt/format.h>

namespace whorl {
namespace {

std::string list(const Vec<double, 3>& x) { return json_list(std::span(&x[0], 3)); }
// As few digits as a float needs.
std::string list(const Rgb& x) { return fmt::format("[{}, {}, {}]", x[0], x[1], x[2]); }

// A flat scene is a cell thick.
template <int D>
std::optional<Bounds<3>> domain_of(const Scene<D>& scene) {
  if (!scene.domain) return {};
  Bounds<3> box;
  for (int a = 0; a < 3; ++a) {
    const double half = 0.5 * grid_layout(scene).cell_size;
    box.lo[a] = a < D ? scene.domain->min[a < D ? a : 0] : -half;
    box.hi[a] = a < D ? scene.domain->max[a < D ? a : 0] : half;
  }
  return box;
}

template <int D>
double smoke_extinction(const Scene<D>& scene) {
  Snapshot<D> grid;
  grid.h = grid_layout(scene).cell_size;
  PreviewScene<D> preview;
  preview.snapshot = &grid;
  if (scene.domain) preview.domain = Bounds<D>{scene.domain->min, scene.domain->max};
  return unit_extinction(preview);
}

template <int D>
Camera camera_of(const Scene<D>& scene, const Bounds<3>& box) {
  const bool liquid = scene.solver == SolverKind::liquid;
  return camera_for(view_of(scene.render), box, scene.output.width, scene.output.height,
                    liquid ? liquid_camera_elevation : Camera::elevation);
}

std::string sun_json(const Point& towards, const Rgb& irradiance, double half_angle, UpAxis up) {
  return fmt::format(R"({{"towards": {}, "irradiance": {}, "half_angle": {}}})", list(turned(towards, up)),
                     list(irradiance), json_text(half_angle));
}

// Smoke is seen before a dark backdrop. In Whorl's own pictures it has a glow in its middle
// (render/surfaces.cpp); this colour, between the two, is all of it elsewhere.
constexpr Rgb backdrop{0.03f, 0.036f, 0.046f};

std::string light_json(bool liquid, const LightParams& params, UpAxis up) {
  if (!liquid) {
    const Lights lights(params);
    const auto& [key, rim] = lights.each();
    return fmt::format(R"({{"suns": [{}, {}], "zenith": {}, "horizon": {}, "ground": {}, "backdrop": {}}})",
                       sun_json(key.towards, key.colour, 0.3, up), sun_json(rim.towards, rim.colour, 0.3, up),
                       list(lights.sky({0, 1, 0})), list(lights.sky({1, 0, 0})), list(lights.sky({0, -1, 0})),
                       list(backdrop * lights.sky_part()));
  }
  const Daylight day = Daylight::of(params);
  return fmt::format(R"({{"suns": [{}], "zenith": {}, "horizon": {}, "ground": {}}})",
                     sun_json(day.sun, day.sun_irradiance, day.sun_half_angle, up), list(day.zenith),
                     list(day.horizon), list(day.ground));
}

}  // namespace

template <int D>
std::string look_json(const Scene<D>& scene, UpAxis up, const std::optional<Bounds<3>>& seen) {
  const bool liquid = scene.solver == SolverKind::liquid;
  const std::optional<Bounds<3>> domain = domain_of(scene);
  std::string json;
  if (const std::optional<Bounds<3>> box = domain ? domain : seen) {
    const Camera camera = camera_of(scene, *box);
    const Point ahead = camera.ray(scene.output.width / 2., scene.output.height / 2.).direction;
    const double fov = scene.render.camera ? scene.render.camera->fov : Camera::field_of_view;
    json +=
        fmt::format(R"("camera": {{"position": {}, "towards": {}, "fov": {}, "width": {}, "height": {}}},)"
                    "\n ",
                    list(turned(camera.eye(), up)), list(turned(ahead, up)), json_text(fov),
                    scene.output.width, scene.output.height);
    json += fmt::format("\"size\": {},\n ", json_text(length(box->hi - box->lo)));
  }
  if (domain) {
    const Point a = turned(domain->lo, up), b = turned(domain->hi, up);
    Point lo, hi;
    for (int k = 0; k < 3; ++k) lo[k] = std::min(a[k], b[k]), hi[k] = std::max(a[k], b[k]);
    json += fmt::format("\"domain\": [{}, {}],\n ", list(lo), list(hi));
    if (scene.domain->sides.of(1, 0) == Side::wall)
      json += fmt::format("\"floor\": {},\n ", json_text(domain->lo[1]));
  }
  if (liquid) {
    const double diagonal = domain ? length(domain->hi - domain->lo) : 1;
    json +=
        fmt::format(R"("water": {{"color": {}, "depth": {}}},)"
                    "\n ",
                    list(scene.render.water_color),
                    json_text(scene.render.water_depth.value_or(WaterLook::depth_of_diagonal * diagonal)));
  } else {
    const double extinction = smoke_extinction(scene);
    json += fmt::format(R"("smoke": {{"extinction": {}, "albedo": {}, "anisotropy": {}}},)"
                        "\n ",
                        json_text(extinction), list(smoke_albedo), smoke_forward);
    if (scene.fire)
      json += fmt::format(R"("fire": {{"extinction": {}, "brightness_at_1600_k": {}}},)"
                          "\n ",
                          json_text(Fire<3>::extinction * extinction), Fire<3>::brightness);
  }
  return json + "\"light\": " + light_json(liquid, light_of(scene.render), up);
}

template std::string look_json(const Scene<2>&, UpAxis, const std::optional<Bounds<3>>&);
template std::string look_json(const Scene<3>&, UpAxis, const std::optional<Bounds<3>>&);

}  // namespace whorl
