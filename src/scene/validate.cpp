#include "scene/validate.h"

#include "base/check.h"
#include "scene/catalogue.h"
#include "scene/quantities.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace whorl {
namespace {

constexpr double most_cells = 1 << 24;  // along an axis: a float still tells neighbours apart
constexpr std::string_view axis_names = "xyz";

template <int D>
class Validator {
 public:
  Validator(const Scene<D>& scene, const Locations& locations, Problems& problems)
      : scene_(scene), locations_(locations), problems_(problems) {}

  void run() {
    check_name();
    check_time();
    has_inside_ = check_extents();
    if (check_grid() && has_inside_) check_cells();
    if (scene_.domain) check_inflow();
    check_keys_fit(catalogue(D).scene.keys, "");
    check_liquid();
    check_energy();
    check_named("source", scene_.source);
    check_named("solid", scene_.solid);
    check_named("quantity", scene_.quantity);
    check_named("force", scene_.force);
    check_named("fill", scene_.fill);
    for (std::size_t i = 0; i < scene_.quantity.size(); ++i) check_quantity(scene_.quantity[i], i);
    for (std::size_t i = 0; i < scene_.source.size(); ++i) check_source(scene_.source[i], i);
    for (std::size_t i = 0; i < scene_.solid.size(); ++i) check_solid(scene_.solid[i], i);
    for (std::size_t i = 0; i < scene_.force.size(); ++i) check_force(scene_.force[i], i);
    check_grids();
    check_fire();
    check_whitewater();
    check_render();
    if (scene_.output.video && !scene_.output.png && locations_.given("output.video"))
      note("output.video", {"true without the images it is made of", "png = true, or video = false"});
  }

 private:
  void note(const std::string& key, const Problem& problem) {
    problems_.add(locations_.of(key), key, problem);
  }

  // It is part of the names of files, of a pattern that ffmpeg reads and of a line in scene.toml.
  void check_name() {
    const auto odd = [](char c) { return static_cast<unsigned char>(c) < ' ' || std::strchr("/\\\"'%", c); };
    if (std::any_of(scene_.name.begin(), scene_.name.end(), odd) || scene_.name.starts_with('.') ||
        scene_.name.size() > 100)
      note("name", {"found \"" + scene_.name + "\"",
                    "a name for files: up to 100 characters, no dot at its start, none of / \\ \" ' %"});
  }

  void check_time() {
    const TimeConfig& time = scene_.time;
    if (time.max_step && time.min_step > *time.max_step)
      note("time.min_step",
           {fmt::format("found {} s", time.min_step), fmt::format("at most max_step, {} s", *time.max_step)});
  }

  // What is of another solver, or of three dimensions alone, would be passed over without a word.
  void check_keys_fit(const std::vector<SceneKey>& keys, const std::string& table) {
    for (const SceneKey& key : keys) {
      const std::string path = table + key.name, solver = word(scene_.solver);
      if (!key.solver.empty() && key.solver != solver) {
        if (locations_.given(path))
          note(path, {"found in a scene of " + solver, fmt::format("none with solver = \"{}\"", solver)});
      } else if (D == 2 && key.only_3d) {
        if (locations_.given(path)) note(path, {"found in a scene of two dimensions", "a scene of three"});
      } else if (key.kind == KeyKind::table) {
        check_keys_fit(key.keys, path + ".");
      } else if (key.name == "source") {
        for (std::size_t i = 0; i < scene_.source.size(); ++i)
          check_keys_fit(key.keys, path_of("source", scene_.source[i].name, i) + ".");
      } else if (key.name == "solid") {
        for (std::size_t i = 0; i < scene_.solid.size(); ++i)
          check_keys_fit(key.keys, path_of("solid", scene_.solid[i].name, i) + ".");
      }
    }
  }

  void check_liquid() {
    if (scene_.solver != SolverKind::liquid) return;
    if (!scene_.domain) note("domain", {"missing, and a liquid needs a box round it", "a [domain] table"});
    if (scene_.domain) check_levels();
    if (scene_.gravity.depends_on_space())
      note("gravity", {"it varies in space", "numbers, or formulas of t, for a liquid"});
    if (scene_.liquid.transfer != TransferScheme::flip && locations_.given("liquid.flip_part"))
      note("liquid.flip_part", {"found without the scheme that has it", "transfer = \"flip\" with it"});
    if (scene_.liquid.surface == LiquidSurface::level_set) check_level_set();
    if (scene_.fill.empty() && scene_.source.empty() && !any_side_lets_in())
      note("fill", {"there is no liquid in this scene", "a [[fill]], a [[source]] or an inflow side"});
    for (std::size_t i = 0; i < scene_.fill.size(); ++i)
      check_inside(path_of("fill", scene_.fill[i].name, i), scene_.fill[i].shape);
  }

  // What only particles can do.
  void check_level_set() {
    const std::string without = "none with liquid.surface = \"level_set\"";
    for (const char* key : {"liquid.transfer", "liquid.flip_part", "whitewater"})
      if (locations_.given(key)) note(key, {"found where a level set carries the liquid", without});
    if (scene_.liquid.narrow_band)
      note("liquid.narrow_band", {"true where a level set carries the liquid", "false"});
    if (D == 3 && scene_.output.particles && locations_.given("output.particles"))
      note("output.particles", {"true where a level set carries the liquid", "false"});
    for (std::size_t i = 0; i < scene_.source.size(); ++i) {
      const std::string key = path_of("source", scene_.source[i].name, i) + ".sink";
      if (locations_.given(key)) note(key, {"a drain, where a level set carries the liquid", without});
    }
    for (int a = 0; scene_.domain && a < D; ++a)
      for (int end = 0; end < 2; ++end) {
        const Side side = scene_.domain->sides.of(a, end);
        if (side == Side::inflow || (side == Side::open && scene_.domain->level_of(a, end)))
          note("domain.sides." + std::string(side_names[a][end]),
               {"a side that lets liquid in, where a level set carries it",
                "wall, periodic, or open without a water_level"});
      }
  }

  // Levels are those of upright sides that are open or let liquid in.
  void check_levels() {
    const auto has_level = [&](int a, int end) {
      const Side side = scene_.domain->sides.of(a, end);
      return a != 1 && (side == Side::open || side == Side::inflow);
    };
    bool any = false;
    for (int a = 0; a < D; ++a)
      for (int end = 0; end < 2; ++end) {
        any = any || has_level(a, end);
        const std::string key = "domain.water_level_at." + std::string(side_names[a][end]);
        if (locations_.given(key) && !has_level(a, end))
          note(key, {"found for a side that is " + word(scene_.domain->sides.of(a, end)),
                     "none here, or a side that is open or inflow"});
      }
    if (locations_.given("domain.water_level") && !any)
      note("domain.water_level", {"found where no upright side is open or lets liquid in",
                                  "none, or a side that is open or inflow"});
  }

  // Whether liquid comes in through a side.
  bool any_side_lets_in() const {
    for (int a = 0; scene_.domain && a < D; ++a)
      for (int end = 0; end < 2; ++end) {
        const Side side = scene_.domain->sides.of(a, end);
        if (side == Side::inflow || (side == Side::open && scene_.domain->level_of(a, end))) return true;
      }
    return false;
  }

  void check_energy() {
    const SmokeConfig<D>& smoke = scene_.smoke;
    if (smoke.velocity_advection.value_or(smoke.advection.scheme) == AdvectionScheme::bimocq &&
        smoke.energy != EnergyScheme::none && locations_.given("smoke.energy"))
      note("smoke.energy", {"found beside a velocity that bimocq carries, which keeps its energy by itself",
                            "none, or another velocity_advection"});
  }

  // Whether there is a domain with an inside.
  bool check_extents() {
    const bool read = scene_.domain && locations_.given("domain.max") && !locations_.wrong("domain.max") &&
                      !locations_.wrong("domain.min");
    if (!read) return false;
    for (int a = 0; a < D; ++a) {
      const double lo = scene_.domain->min[a], hi = scene_.domain->max[a];
      if (hi > lo) continue;
      note("domain.max", {fmt::format("the domain has no inside: along {} it goes from {} to {}",
                                      axis_names[std::size_t(a)], lo, hi),
                          "max above min along every axis"});
      return false;
    }
    return true;
  }

  // Whether the size of a cell is known.
  bool check_grid() {
    const GridConfig& grid = scene_.grid;
    if (!locations_.given("grid")) return false;  // its absence has been told
    if (grid.cell_size && grid.resolution) {
      note("grid.resolution", {"found beside cell_size", "one of the two"});
      return false;
    }
    const bool tried = locations_.given("grid.cell_size") || locations_.given("grid.resolution");
    if (!grid.cell_size && !grid.resolution && !tried)
      note("grid", {"found neither cell_size nor resolution", "one of the two"});
    if (grid.resolution && !scene_.domain)
      note("grid.resolution",
           {"found without a [domain] to count cells in", "cell_size for an unbounded scene"});
    return grid.cell_size || (grid.resolution && has_inside_);
  }

  void check_cells() {
    const DomainConfig<D>& domain = *scene_.domain;
    const bool by_size = scene_.grid.cell_size.has_value();
    double longest = 0;
    for (int a = 0; a < D; ++a) longest = std::max(longest, domain.max[a] - domain.min[a]);
    for (int a = 0; a < D && by_size; ++a) {
      const double extent = domain.max[a] - domain.min[a];
      if (extent < *scene_.grid.cell_size / 2)
        return note("grid.cell_size",
                    {fmt::format("found {} m, more than the domain's {} m along {}", *scene_.grid.cell_size,
                                 extent, axis_names[std::size_t(a)]),
                     "less than every extent of the domain"});
    }
    if (by_size && longest / *scene_.grid.cell_size > most_cells)
      return note("grid.cell_size", {fmt::format("found {} m, {:.3g} cells along the longest side",
                                                 *scene_.grid.cell_size, longest / *scene_.grid.cell_size),
                                     fmt::format("at least {:.3g} m here", longest / most_cells)});
    if (const Result<void> valid = whorl::validate(grid_layout(scene_).domain); !valid) {
      std::string what = valid.error().message;
      what.erase(0, what.find(": ") + 2);  // the key says domain already
      note("domain.sides", {what});
    }
  }

  void check_inflow() {
    for (int a = 0; a < D; ++a)
      for (int end = 0; end < 2; ++end) {
        const std::string side(side_names[a][end]);
        const bool inflow = scene_.domain->sides.of(a, end) == Side::inflow;
        const bool given = locations_.given("domain.inflow_velocity." + side);
        if (inflow && !given)
          note("domain.inflow_velocity." + side, {"missing for an inflow side", "a velocity"});
        const auto& velocity = scene_.domain->inflow_velocity.velocity[std::size_t(a)][std::size_t(end)];
        if (scene_.solver == SolverKind::smoke && velocity && velocity->depends_on_space())
          note("domain.inflow_velocity." + side,
               {"it varies in space", "numbers, or formulas of t, for smoke"});
        if (given && !inflow)
          note("domain.inflow_velocity." + side,
               {"found for a side that is " + word(scene_.domain->sides.of(a, end)),
                fmt::format("sides = {{ {} = \"inflow\" }} with it", side)});
      }
  }

  template <class Entry>
  void check_named(const std::string& list, const std::vector<Entry>& entries) {
    std::set<std::string> names;
    for (const Entry& entry : entries)
      if (!entry.name.empty() && !names.insert(entry.name).second)
        note(list + "." + entry.name + ".name",
             {fmt::format("found '{}' a second time", entry.name), "a name of its own for each " + list});
  }

  // It is the name of a grid and of a key of emits and holds.
  void check_quantity(const QuantityConfig& quantity, std::size_t index) {
    const std::string path = path_of("quantity", quantity.name, index);
    if (!locations_.given(path + ".name") || locations_.wrong(path + ".name")) return;  // told already
    const auto fits = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); };
    const std::string& name = quantity.name;
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) ||
        !std::all_of(name.begin(), name.end(), fits))
      note(path + ".name", {fmt::format("found \"{}\"", name), "letters, digits and _, a letter first"});
    for (const std::string_view taken : {"density", "temperature", "vel", "fuel", "flame"})
      if (name == taken)
        note(path + ".name",
             {fmt::format("found \"{}\", which the solver has itself", name), "another name"});
    if (name.starts_with("color_"))
      note(path + ".name",
           {fmt::format("found \"{}\"; names with color_ are those of the smoke's color", name),
            "another name"});
  }

  void check_source(const SourceConfig<D>& source, std::size_t index) {
    const std::string path = path_of("source", source.name, index);
    const auto given = [&](const char* key) { return locations_.given(path + "." + key); };
    check_place(source, path);
    check_motion(path, source.motion);
    if (scene_.solver == SolverKind::liquid) return check_spout(source, path);
    constexpr const char* effects[] = {
        "density_rate", "density", "temperature_rate", "fuel_rate", "fuel", "temperature",     "velocity",
        "emits",        "holds",   "expansion",        "vent",      "sink", "vortex_particles"};
    if (std::none_of(std::begin(effects), std::end(effects), given))
      note(path,
           {"the source gives nothing off", fmt::format("at least one of {}", fmt::join(effects, ", "))});
    if (source.color && !given("density_rate") && !given("density"))
      note(path + ".color", {"found without a density that has it", "density_rate or density with it"});
    check_emitted(path + ".emits", source.emits);
    check_emitted(path + ".holds", source.holds);
    for (const char* key : {"fuel_rate", "fuel"})
      if (given(key) && !scene_.fire)
        note(path + "." + key, {"found in a scene where nothing burns", "a [fire] table with it"});
    if (source.vortex_particles && has_inside_)
      check_vortices(path + ".vortex_particles.radius", source.vortex_particles->radius);
    check_end(path, source);
  }

  void check_spout(const SourceConfig<D>& source, const std::string& path) {
    const bool spout = source.velocity.has_value(), hole = locations_.given(path + ".sink");
    if (spout == hole)
      note(path, {spout ? "it is a spout and a drain at once" : "the source does nothing",
                  "a velocity for a spout, or a sink for a drain"});
    if (spout && source.velocity->depends_on_space())
      note(path + ".velocity", {"it varies in space", "numbers, or formulas of t, for a spout"});
    if (hole && source.sink.depends_on_space())
      note(path + ".sink", {"it varies in space", "a number, or a formula of t, for a drain"});
    check_end(path, source);
  }

  // Farther, each would push the same air from ever more sides at once.
  void check_vortices(const std::string& key, double radius) {
    for (int a = 0; a < D; ++a) {
      const double period = scene_.domain->max[a] - scene_.domain->min[a];
      if (scene_.domain->sides.of(a, 0) == Side::periodic && radius > period)
        return note(key, {fmt::format("found {} m, farther than round the domain, which is periodic", radius),
                          fmt::format("at most {:.6g} m here", period)});
    }
  }

  void check_end(const std::string& path, const auto& entry) {
    if (entry.end && *entry.end <= entry.start)
      note(path + ".end",
           {fmt::format("found {} s", *entry.end), fmt::format("later than start, {} s", entry.start)});
  }

  void check_force(const ForceConfig<D>& force, std::size_t index) {
    const std::string path = path_of("force", force.name, index);
    if (force.shape) check_inside(path, *force.shape);
    check_end(path, force);
    const auto given = [&](const char* key) { return locations_.given(path + "." + key); };
    if (!given("uniform") && !given("drag") && !given("radial") && !given("vortex") && !given("turbulence") &&
        !given("custom"))
      note(path,
           {"the force does nothing", "at least one of uniform, drag, radial, vortex, turbulence, custom"});
    if (force.drag && force.drag->rate == 0 && force.drag->quadratic == 0 &&
        !locations_.wrong(path + ".drag.rate") && !locations_.wrong(path + ".drag.quadratic"))
      note(path + ".drag", {"without a rate it does nothing", "rate or quadratic above 0"});
    if (force.vortex && force.vortex->axis == Turn<double, D>{})
      note(path + ".vortex.axis", {"the axis is zero", "a direction"});
  }

  // Either a shape or a solid.
  void check_place(const SourceConfig<D>& source, const std::string& path) {
    const bool has_shape = locations_.given(path + ".shape"), has_solid = locations_.given(path + ".solid");
    if (!has_shape && !has_solid)
      note(path + ".shape", {"missing", "a shape, as { sphere = { … } }, or solid = \"the name of one\""});
    if (has_shape && has_solid) note(path + ".solid", {"found beside a shape", "one of the two"});
    if (has_shape && source.motion.keys.empty()) check_inside(path, source.shape);  // or it may come in
    if (!has_solid) {
      if (locations_.given(path + ".skin"))
        note(path + ".skin", {"found without the solid that has it", "solid = \"its name\" with it"});
      return;
    }
    if (locations_.given(path + ".motion"))
      note(path + ".motion", {"found beside a solid, which moves by its own", "none here"});
    std::vector<std::string> names;
    for (const SolidConfig<D>& solid : scene_.solid) names.push_back(solid.name);
    if (locations_.wrong(path + ".solid") ||
        std::find(names.begin(), names.end(), source.solid) != names.end())
      return;
    note(path + ".solid", {fmt::format("found \"{}\", and no solid has that name", source.solid),
                           names.empty() ? "a [[solid]] of that name with it"
                                         : fmt::format("\"{}\"", fmt::join(names, "\", \"")),
                           nearest_name(source.solid, names)});
  }

  void check_emitted(const std::string& path, const std::map<std::string, Varying>& values) {
    const std::vector<std::string> names = emitted_names(scene_);
    for (const auto& [name, value] : values) {
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      if (name == "density" || name == "temperature" || name == "fuel") {
        note(path + "." + name,
             {"found where quantities are", fmt::format("{0} or {0}_rate beside it", name)});
        continue;
      }
      note(path + "." + name, {"no quantity has that name",
                               names.empty() ? fmt::format("a [[quantity]] with name = \"{}\" with it", name)
                                             : fmt::format("{}", fmt::join(names, ", ")),
                               nearest_name(name, names)});
    }
  }

  void check_grids() {
    const std::vector<std::string> names = grid_names(scene_);
    for (const std::string& grid : scene_.output.vdb)
      if (!scene_.fire && (grid == "fuel" || grid == "flame"))
        note("output.vdb",
             {fmt::format("found \"{}\" in a scene where nothing burns", grid), "a [fire] table with it"});
      else if (std::find(names.begin(), names.end(), grid) == names.end())
        note("output.vdb",
             {fmt::format("found \"{}\"", grid), fmt::format("a list of \"{}\"", fmt::join(names, "\", \"")),
              nearest_name(grid, names)});
  }

  void check_fire() {
    if (!scene_.fire) return;
    const CombustionParams& burning = scene_.fire->combustion;
    const double lowest = std::max(double(burning.ignition_temperature), scene_.smoke.ambient_temperature);
    if (burning.max_temperature <= lowest)
      note("fire.max_temperature",
           {fmt::format("found {} K", burning.max_temperature),
            fmt::format("more than the ignition and the ambient temperature, {} K", lowest)});
  }

  void check_whitewater() {
    if (!scene_.whitewater) return;
    const auto check_range = [&](const char* key, const std::optional<Vec<double, 2>>& range) {
      if (range && !((*range)[0] < (*range)[1]))
        note(std::string("whitewater.") + key,
             {fmt::format("found [{}, {}]", (*range)[0], (*range)[1]), "a lower number and a higher one"});
    };
    check_range("speed", scene_.whitewater->speed);
    check_range("trapped_air", scene_.whitewater->trapped_air);
    check_range("wave_crest", scene_.whitewater->wave_crest);
    check_range("lifetime", scene_.whitewater->lifetime);
  }

  void check_render() {
    if (const std::optional<CameraConfig>& camera = scene_.render.camera;
        camera && camera->position == camera->target)
      note("render.camera.target", {"found the camera's own position", "another point, to look at"});
  }

  void check_solid(const SolidConfig<D>& solid, std::size_t index) {
    const std::string path = path_of("solid", solid.name, index);
    if (solid.motion.keys.empty()) check_inside(path, solid.shape);  // one that moves may come in
    check_motion(path, solid.motion);
  }

  void check_motion(const std::string& path, const MotionConfig<D>& motion) {
    for (std::size_t i = 1; i < motion.keys.size(); ++i)
      if (motion.keys[i].t <= motion.keys[i - 1].t)
        note(fmt::format("{}.motion.keys.{}.t", path, i),
             {fmt::format("found {} s after {} s", motion.keys[i].t, motion.keys[i - 1].t),
              "keys in order of time, each later than the one before"});
  }

  void check_inside(const std::string& path, const Shape<D>& shape) {
    if (!has_inside_) return;
    if (const auto problem = lies_outside(shape, *scene_.domain)) note(path + ".shape", *problem);
  }

  // As the reader called it: by the name in the file, where it had one.
  std::string path_of(const std::string& list, const std::string& name, std::size_t index) const {
    const std::string named = list + "." + name;
    return locations_.given(named) ? named : fmt::format("{}.{}", list, index);
  }

  const Scene<D>& scene_;
  const Locations& locations_;
  Problems& problems_;
  bool has_inside_ = false;  // the domain, if there is one
};

}  // namespace

template <int D>
void validate(const Scene<D>& scene, const Locations& locations, Problems& problems) {
  Validator<D>(scene, locations, problems).run();
}

template <int D>
std::optional<Problem> lies_outside(const Shape<D>& shape, const DomainConfig<D>& config) {
  const Bounds<D> domain{config.min, config.max}, bounds = shape.bounds();
  if (bounds.empty() || bounds.overlaps(domain)) return {};  // a shape that could not be read is empty
  return Problem{concat("it lies outside the domain, from ", bounds.lo, " to ", bounds.hi),
                 concat("a shape that reaches into the domain, from ", domain.lo, " to ", domain.hi)};
}

template void validate(const Scene<2>&, const Locations&, Problems&);
template void validate(const Scene<3>&, const Locations&, Problems&);
template std::optional<Problem> lies_outside(const Shape<2>&, const DomainConfig<2>&);
template std::optional<Problem> lies_outside(const Shape<3>&, const DomainConfig<3>&);

}  // namespace whorl
