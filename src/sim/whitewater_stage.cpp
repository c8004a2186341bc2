#include "sim/whitewater_stage.h"

#include "base/rng.h"
#include "exec/reduce.h"
#include "sim/cached_frame.h"
#include "sim/evaluate.h"
#include "sim/motion.h"
#include "sim/state_check.h"

#include <cmath>
#include <utility>

namespace whorl {

namespace {

constexpr int most_steps = 64;      // of a frame
constexpr double cells_a_step = 2;  // that the fastest may go

Result<Vec<double, 3>> gravity_at(const Scene<3>& scene, double t) {
  Vec<double, 3> gravity;
  for (int a = 0; a < 3; ++a) {
    const Result<double> component = evaluate(scene.gravity.component[std::size_t(a)], t, "gravity");
    if (!component) return component.error();
    gravity[a] = component.value();
  }
  return gravity;
}

// √(g H) of the domain's height: what is fast in a scene, whatever its size. Without gravity,
// that of the earth says it.
double speed_of_fall(const Scene<3>& scene, Vec<double, 3> gravity) {
  if (!(length(gravity) > 0)) gravity = Vec<double, 3>::unit(1, -9.81);
  double square = 0;
  for (int a = 0; a < 3; ++a) square += std::abs(gravity[a]) * (scene.domain->max[a] - scene.domain->min[a]);
  return std::sqrt(square);
}

WhitewaterParams params_of(const Scene<3>& scene, double h, const Vec<double, 3>& gravity) {
  const WhitewaterConfig& config = *scene.whitewater;
  const double fall = speed_of_fall(scene, gravity);
  const auto range = [](const Vec<double, 2>& v) { return WhitewaterParams::Range{v[0], v[1]}; };
  WhitewaterParams p;
  p.h = h;
  p.gravity = gravity;
  p.speed = range(config.speed.value_or(Vec<double, 2>{0.3 * fall, 0.9 * fall}));
  p.trapped_air = range(config.trapped_air.value_or(Vec<double, 2>{0.5 * fall, 2 * fall}));
  p.wave_crest = range(config.wave_crest);
  p.trapped_air_rate = config.trapped_air_rate;
  p.wave_crest_rate = config.wave_crest_rate;
  p.lifetime = range(config.lifetime);
  p.spray_drag = config.spray_drag;
  p.buoyancy = config.buoyancy;
  p.bubble_drag = config.bubble_drag;
  p.radius = config.radius.value_or(0.06 * h);
  p.seed = std::uint64_t(config.seed);
  return p;
}

double fastest_of(Exec& ex, const ParticleSet<3>& p) {
  return reduce(
      ex, p.size(), 4096, 0.,
      [&](std::int64_t begin, std::int64_t end) {
        double most = 0;
        for (std::size_t i = std::size_t(begin); i < std::size_t(end); ++i)
          most = std::max(
              most, double(length(Vec<float, 3>{p.velocity[0][i], p.velocity[1][i], p.velocity[2][i]})));
        return most;
      },
      [](double x, double y) { return std::max(x, y); });
}

// What each particle of a table gives off, in its order.
std::vector<float> rates_of(Exec& ex, const ParticleTable& table, const GridLayout<3>& layout,
                            const WhitewaterParams& params) {
  ParticleTable numbered{table.position, table.velocity, {}, {}};
  for (std::size_t i = 0; i < table.id.size(); ++i) numbered.id.push_back(i);
  const ParticleSet<3> liquid = particles_on_grid(ex, layout, std::move(numbered));
  const Buffer<float> found = whitewater_rates(ex, liquid, params);
  std::vector<float> rates(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) rates[liquid.id[i]] = found[i];
  return rates;
}

}  // namespace

WhitewaterStage::WhitewaterStage(const Scene<3>& scene) : scene_(scene), layout_(grid_layout(scene)) {
  specks_.others.resize(speck_columns);
}

Result<WhitewaterStage> WhitewaterStage::create(const Scene<3>& scene) {
  WhitewaterStage stage(scene);
  const Result<Vec<double, 3>> gravity = gravity_at(scene, 0);
  if (!gravity) return gravity.error();
  stage.params_ = params_of(scene, stage.layout_.cell_size, gravity.value());
  return stage;
}

std::string WhitewaterStage::wrong_with_state() const {
  const std::size_t n = before_.liquid.id.size();
  if (before_.liquid.position.size() != n || before_.liquid.velocity.size() != n || before_.rate.size() != n)
    return "the liquid under its whitewater is not as much everywhere";
  return wrong_with(specks_, layout_.domain, 0, speck_columns);
}

Result<void> WhitewaterStage::advance(Exec& ex, ParticleTable liquid) {
  WhitewaterSource now{std::move(liquid), {}};
  now.rate = rates_of(ex, now.liquid, layout_, params_);
  if (frame_ > 0) {
    const double seconds = 1 / scene_.time.fps;
    LiquidPaths paths(ex, layout_, before_, now, seconds);
    const double cells = std::max(paths.fastest(), fastest_of(ex, specks_)) * seconds / params_.h;
    const int steps = int(std::clamp(std::ceil(cells / cells_a_step), 1., double(most_steps)));
    for (int k = 0; k < steps; ++k)
      if (const Result<void> taken = step(ex, paths, k, steps); !taken) return taken;
  }
  before_ = std::move(now);
  ++frame_;
  return {};
}

Result<void> WhitewaterStage::step(Exec& ex, LiquidPaths& paths, int step, int steps) {
  const double dt = 1 / (scene_.time.fps * steps), t = frame_ / scene_.time.fps + step * dt;
  const Result<Vec<double, 3>> gravity = gravity_at(scene_, t);
  if (!gravity) return gravity.error();
  params_.gravity = gravity.value();
  std::vector<Solid<3>> solids;
  for (const SolidConfig<3>& solid : scene_.solid) solids.push_back(solid_over(solid, t, dt, layout_.origin));

  move_whitewater(ex, specks_, solids, params_, dt);
  paths.go_to(ex, double(step + 1) / steps);
  const Buffer<float> rates = paths.rates(ex);
  emit_whitewater(ex, specks_, paths.liquid(), {rates.data(), rates.size()}, solids, params_, dt,
                  std::uint64_t(frame_) * most_steps + std::uint64_t(step));
  look_round_whitewater(ex, specks_, paths.liquid());
  return {};
}

std::vector<Speck> specks_of(const ParticleTable& table) {
  const auto column = [&](const char* name) {
    return std::find_if(table.columns.begin(), table.columns.end(),
                        [&](const NamedColumn& c) { return c.name == name; });
  };
  const auto kind = column("kind"), age = column("age"), radius = column("pscale"),
             none = table.columns.end();
  std::vector<Speck> specks;
  if (kind == none || age == none || radius == none) return specks;
  constexpr float drawn_wider = 1.6f;             // each stands for some
  constexpr float shown[] = {0.9f, 0.6f, 0.25f};  // how many are seen, by kind
  for (std::size_t i = 0; i < table.position.size(); ++i) {
    const auto which = WhitewaterKind(int(kind->values[i]));
    const float fading = which == WhitewaterKind::foam ? std::exp(-0.4f * age->values[i]) : 1;
    // The same ones from frame to frame.
    if (Rng(0, table.id[i]).uniform() < shown[std::clamp(int(which), 0, 2)] * fading)
      specks.push_back({table.position[i], drawn_wider * radius->values[i], table.velocity[i]});
  }
  return specks;
}

ParticleTable WhitewaterStage::particles() const {
  ParticleTable table = particle_table(specks_, layout_.cell_size, {"kind", "age", "pscale"});
  for (Vec<double, 3>& x : table.position) x = x + layout_.origin;
  return table;
}

}  // namespace whorl
