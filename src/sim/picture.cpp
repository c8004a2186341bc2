#include "sim/picture.h"

#include "io/exr.h"
#include "io/png.h"
#include "sim/motion.h"
#include "sim/stopwatch.h"

#include <utility>

#include <fmt/format.h>

namespace whorl {
namespace {

constexpr double shutter = 0.5;  // of a frame's time that it is open for, half of it on either side

// Round a time. For as long as the solid is there.
SolidMotion motion_of(const SolidConfig<3>& solid, double time) {
  return [&solid, time](double after) {
    const Pose<3> pose = pose_of(solid, time + after);
    return SolidPlace{pose.translate, rotation<3>(pose.turn)};
  };
}

}  // namespace

std::optional<View> view_of(const RenderConfig& render) {
  if (!render.camera) return {};
  return View{render.camera->position, render.camera->target, render.camera->fov};
}

LightParams light_of(const RenderConfig& render) {
  return {float(render.light.sun), float(render.light.sky), render.light.azimuth, render.light.elevation};
}

Result<void> write_picture(const RunPaths& paths, const PictureFiles& files, int frame,
                           const Picture& picture) {
  if (files.exr)
    if (Result<void> written = write_exr(paths.exr(frame), picture.light); !written) return written;
  if (!files.png) return {};
  return write_png(paths.image(frame), picture.screen);
}

SolidLook look_of(const SolidConfig<3>& solid) {
  SolidLook look;
  look.material = solid.material;
  if (solid.material == Material::metal) look.colour = {0.72f, 0.72f, 0.73f};
  look.colour = given_colour(solid).value_or(look.colour);
  return look;
}

std::string picture_warning(const RenderConfig& render) {
  if (!render.seconds) return "";
  return fmt::format(
      "pictures have as many paths of light as there is time for (render.seconds = {:.6g}), so they differ "
      "from one run to another",
      *render.seconds);
}

Picture liquid_picture(Exec& ex, const Scene<3>& scene, int frame, const SurfaceMesh& surface,
                       std::vector<Speck> specks) {
  const RenderConfig& render = scene.render;
  LiquidScene shown{.surface = &surface, .domain = {scene.domain->min, scene.domain->max}};
  const double time = frame / scene.time.fps;
  const double open = render.motion_blur ? shutter / scene.time.fps : 0;
  const Exposure exposure{-open / 2, open / 2};
  for (const SolidConfig<3>& solid : scene.solid) {
    const bool blurred = moves(solid.motion, time + exposure.open, time + exposure.close);
    shown.solids.push_back(blurred ? solid.shape : shape_at(solid, time));
    shown.looks.push_back(look_of(solid));
    shown.motions.push_back(blurred ? motion_of(solid, time) : SolidMotion());
  }
  shown.specks = std::move(specks);
  shown.floor = scene.domain->sides.of(1, 0) == Side::wall;

  LiquidPictureParams params;
  params.width = scene.output.width;
  params.height = scene.output.height;
  params.samples = render.draft ? draft_samples : render.samples;
  params.denoise = !render.draft;
  if (render.seconds) params.limit = {*render.seconds, [clock = Stopwatch()] { return clock.seconds(); }};
  params.exposure = exposure;
  params.view = view_of(render);
  params.day = Daylight::of(light_of(render));
  params.water = {convert<float>(render.water_color), render.water_depth};
  params.seed = std::uint64_t(frame);
  return render_liquid(ex, shown, params);
}

}  // namespace whorl
