// The one list of keys of every struct of a scene. See key.h.
#pragma once

#include "scene/config.h"
#include "scene/key.h"

namespace whorl {

template <>
inline constexpr std::string_view words_of<SolverKind>[] = {"smoke", "liquid"};
template <>
inline constexpr std::string_view words_of<LiquidSurface>[] = {"particles", "level_set"};
template <>
inline constexpr std::string_view words_of<TransferScheme>[] = {"pic", "flip", "apic", "polypic"};
template <>
inline constexpr std::string_view words_of<PressureSolver>[] = {
    "multigrid_pcg", "multigrid", "mic_pcg", "ic_pcg", "cg", "gauss_seidel", "jacobi"};
template <>
inline constexpr std::string_view words_of<WallMode>[] = {"cut", "voxel"};
template <>
inline constexpr std::string_view words_of<VelocityExtension>[] = {"layers", "closest_point"};
template <>
inline constexpr std::string_view words_of<DiffusionScheme>[] = {"implicit", "crank_nicolson", "explicit"};
template <>
inline constexpr std::string_view words_of<WallFriction>[] = {"no_slip", "free_slip"};
template <>
inline constexpr std::string_view words_of<AdvectionScheme>[] = {"semi_lagrangian", "maccormack", "bfecc",
                                                                 "bimocq"};
template <>
inline constexpr std::string_view words_of<EnergyScheme>[] = {"none", "reflection", "ivock"};
template <>
inline constexpr std::string_view words_of<Interpolation>[] = {"linear", "catmull_rom", "monotone_cubic"};
template <>
inline constexpr std::string_view words_of<Limiter>[] = {"none", "clamp", "revert"};
template <>
inline constexpr std::string_view words_of<Side>[] = {"open", "wall", "inflow", "periodic"};
template <>
inline constexpr std::string_view words_of<MeshSides>[] = {"capped", "clipped"};
template <>
inline constexpr std::string_view words_of<Material>[] = {"matte", "glass", "metal"};
template <>
inline constexpr std::string_view words_of<ShapeAxis>[] = {"x", "y", "z"};

inline constexpr std::string_view side_names[3][2] = {
    {"left", "right"}, {"bottom", "top"}, {"back", "front"}};
// What frames are on, in and round; and what says how they are called and kept.
inline constexpr KeyUse in_every_stage{.simulate = true, .surface = true, .whitewater = true, .render = true};
inline constexpr KeyUse in_no_stage{};
inline constexpr KeyUse in_pictures{.render = true};

inline constexpr double farthest = 1e6;  // m; beyond it a float grid has no room for cells

template <class V, int D>
void describe(V& v, Scene<D>& c) {
  v("solver", c.solver,
    {.doc = "What moves: smoke is air that carries density and heat, a liquid has a surface.",
     .required = true,
     .use = in_every_stage});
  v("dimension", c.dimension,
    {.min = 2, .max = 3, .doc = "2 or 3 dimensions. A 2D scene has x and y.", .use = in_every_stage});
  v("name", c.name,
    {.doc = "What the files of the run are called.",
     .absent = "the scene file's name",
     .example = "\"my_scene\"",
     .use = in_no_stage});
  v("gravity", c.gravity,
    {.unit = "m/s²",
     .doc = "The pull of the earth; buoyancy acts against its direction.",
     .use = KeyUse{.simulate = true, .whitewater = true}});
  v("time", c.time, {.doc = "Frames and time steps."});
  v("domain", c.domain,
    {.doc = "The box round the fluid.", .absent = "the scene is unbounded", .use = in_every_stage});
  v("grid", c.grid,
    {.doc = "How fine the grid is: exactly one of its keys.", .required = true, .use = in_every_stage});
  v("smoke", c.smoke, {.doc = "The smoke solver.", .solver = "smoke"});
  v("fire", c.fire,
    {.doc = "Burning fuel: with this table, sources may give off fuel, and what is hot enough of it burns.",
     .absent = "nothing burns",
     .solver = "smoke"});
  v("liquid", c.liquid, {.doc = "The liquid solver.", .solver = "liquid"});
  v("fill", c.fill,
    {.doc = "Where there is liquid at the start, or from a time on; as many as you like.",
     .solver = "liquid"});
  v("whitewater", c.whitewater,
    {.doc = "Spray, foam and bubbles of a liquid in three dimensions, as particles in files of their own.",
     .absent = "there is none",
     .solver = "liquid",
     .only_3d = true,
     .use = KeyUse{.simulate = true, .whitewater = true}});
  v("quantity", c.quantity,
    {.doc = "What the air carries besides density and temperature; as many as you like.", .solver = "smoke"});
  v("source", c.source,
    {.doc = "Where smoke, heat, fuel or a stream of air comes from or goes to; as many as you like."});
  v("solid", c.solid, {.doc = "What the air flows round; as many as you like.", .use = in_every_stage});
  v("force", c.force,
    {.doc = "What pushes the air besides buoyancy, or a liquid besides gravity; as many as you like."});
  v("output", c.output, {.doc = "What is written for every frame.", .use = in_no_stage});
  v("render", c.render,
    {.doc = "How scenes in three dimensions are pictured.", .only_3d = true, .use = in_pictures});
  v("checkpoint", c.checkpoint,
    {.doc = "When the state is kept, from which `whorl run --resume` goes on.", .use = in_no_stage});
}

template <class V>
void describe(V& v, WhitewaterConfig& c) {
  v("speed", c.speed,
    {.unit = "m/s",
     .min = 0,
     .max = 1e4,
     .doc = "The speed from which liquid gives off whitewater, and that at which it gives off all it can.",
     .absent = "0.3 and 0.9 times √(g · height of the domain)",
     .example = "[1, 3]"});
  v("trapped_air", c.trapped_air,
    {.unit = "m/s",
     .min = 0,
     .max = 1e6,
     .doc = "How much particles of liquid fly at each other, from where air is trapped to where most is.",
     .absent = "0.5 and 2 times √(g · height of the domain)",
     .example = "[2, 8]"});
  v("wave_crest", c.wave_crest,
    {.min = 0,
     .max = 100,
     .doc =
         "How sharp a crest is, from the first that loses spray to those that lose most; 0.5 is a ridge as "
         "round as a cell."});
  v("trapped_air_rate", c.trapped_air_rate,
    {.unit = "1/s",
     .min = 0,
     .max = 1e6,
     .doc = "What a particle of liquid gives off where air is trapped."});
  v("wave_crest_rate", c.wave_crest_rate,
    {.unit = "1/s", .min = 0, .max = 1e6, .doc = "What a particle of liquid gives off at a crest."});
  v("lifetime", c.lifetime,
    {.unit = "s", .min = 0, .max = 1e6, .doc = "How long foam lasts, at least and at most."});
  v("spray_drag", c.spray_drag,
    {.unit = "1/s", .min = 0, .max = 1e4, .doc = "Rate at which air slows spray down."});
  v("buoyancy", c.buoyancy,
    {.min = 0, .max = 1000, .doc = "Acceleration of bubbles against gravity, in parts of it."});
  v("bubble_drag", c.bubble_drag,
    {.unit = "1/s",
     .min = 0.01,
     .max = 1e4,
     .doc = "Rate at which bubbles take on the liquid's velocity; they rise by buoyancy · gravity / this."});
  v("radius", c.radius,
    {.unit = "m",
     .min = 1e-6,
     .max = 1e3,
     .doc = "The mean radius in the files (pscale); each has its own, from a half to one and a half of it.",
     .absent = "0.06 of a cell",
     .example = "0.002"});
  v("seed", c.seed, {.min = 0, .max = 2e9, .doc = "Another number, other specks."});
}

template <class V>
void describe(V& v, TimeConfig& c) {
  v("fps", c.fps,
    {.unit = "1/s",
     .min = 1,
     .max = 100000,
     .doc = "Frames a second; the video of more than 240 shows 24 of them a second.",
     .use = KeyUse{.simulate = true, .surface = true, .whitewater = true, .render = true, .video = true}});
  v("frames", c.frames,
    {.min = 1,
     .max = 100000,
     .doc = "How many frames; frame n shows the time n / fps, the first is 1.",
     .use = in_no_stage});
  v("cfl", c.cfl,
    {.unit = "cells",
     .min = 0.1,
     .max = 6,
     .doc = "How far the fastest air or liquid may go in one time step. Steps of liquids are also "
            "no longer than half of √(h/g), and not more than five cells."});
  v("min_step", c.min_step,
    {.unit = "s",
     .min = 0,
     .max = 1,
     .doc = "Time steps are not made shorter than this to obey cfl; those of a frame have one length."});
  v("max_step", c.max_step,
    {.unit = "s",
     .min = 1e-6,
     .max = 1,
     .doc = "No time step is longer.",
     .absent = "the length of a frame",
     .example = "0.01"});
}

template <class V, int D>
void describe(V& v, DomainConfig<D>& c) {
  v("min", c.min, {.unit = "m", .min = -farthest, .max = farthest, .doc = "The low corner."});
  v("max", c.max,
    {.unit = "m",
     .min = -farthest,
     .max = farthest,
     .doc = "The high corner; the extents are rounded to whole cells.",
     .required = true});
  v("sides", c.sides,
    {.doc = "What each side does.", .example = "{ default = \"open\", bottom = \"wall\" }"});
  v("inflow_velocity", c.inflow_velocity,
    {.doc = "What blows or flows in; a velocity for every inflow side.", .example = "{ left = [1, 0, 0] }"});
  v("water_level", c.water_level,
    {.unit = "m",
     .min = -farthest,
     .max = farthest,
     .doc = "How high water stands beyond open sides, but not the top and the bottom, and flows in through "
            "inflow sides.",
     .absent = "air beyond open sides, inflow sides full of water",
     .example = "0.5",
     .solver = "liquid"});
  v("water_level_at", c.water_level_at,
    {.doc = "The same for single sides, where it is another.",
     .example = "{ left = 0.6 }",
     .solver = "liquid"});
}

template <class V, int D>
void describe(V& v, SidesConfig<D>& c) {
  v("default", c.all,
    {.doc = "Every side not named here: open lets air and liquid pass freely, a wall stops them, an inflow "
            "side blows, a periodic one leads to the side across."});
  constexpr std::string_view docs[3][2] = {{"At the lowest x.", "At the highest x."},
                                           {"At the lowest y.", "At the highest y."},
                                           {"At the lowest z.", "At the highest z."}};
  for (std::size_t a = 0; a < D; ++a)
    for (std::size_t end = 0; end < 2; ++end)
      v(side_names[a][end], c.named[a][end], {.doc = docs[a][end], .absent = "as default says"});
}

template <class V, int D>
void describe(V& v, InflowConfig<D>& c) {
  for (std::size_t a = 0; a < D; ++a)
    for (std::size_t end = 0; end < 2; ++end)
      v(side_names[a][end], c.velocity[a][end],
        {.unit = "m/s",
         .doc = "What blows or flows in on this side, whose sides entry must say inflow. Of liquids, it may "
                "vary along the side.",
         .absent = "no inflow there"});
}

template <class V, int D>
void describe(V& v, WaterLevelConfig<D>& c) {
  for (std::size_t a = 0; a < D; ++a)
    for (std::size_t end = 0; end < 2 && a != 1; ++end)
      v(side_names[a][end], c.level[a][end],
        {.unit = "m",
         .min = -farthest,
         .max = farthest,
         .doc = "On this side.",
         .absent = "as water_level says"});
}

template <class V>
void describe(V& v, GridConfig& c) {
  v("cell_size", c.cell_size,
    {.unit = "m",
     .min = 1e-6,
     .max = 1e4,
     .doc = "The side of a cell.",
     .absent = "resolution decides",
     .example = "0.02"});
  v("resolution", c.resolution,
    {.unit = "cells",
     .min = 8,
     .max = 65536,
     .doc = "Cells along the longest side of the domain.",
     .absent = "cell_size decides",
     .example = "96"});
}

template <class V, int D>
void describe(V& v, SmokeConfig<D>& c) {
  v("advection", c.advection.scheme,
    {.doc = "How the flow carries things: semi_lagrangian blurs, maccormack keeps detail, bfecc keeps more "
            "for half as much work again, bimocq follows the flow over many steps and keeps most, for twice "
            "the work."});
  v("velocity_advection", c.velocity_advection,
    {.doc = "How the flow carries its own velocity.", .absent = "as advection says", .example = "\"bfecc\""});
  v("energy", c.energy,
    {.doc = "What keeps swirls alive that splitting a step into advection and pressure would damp: "
            "reflection takes each step in two halves, with twice the work and far larger steps; ivock puts "
            "back the vorticity that advection loses. A velocity that bimocq carries keeps them by itself."});
  v("interpolation", c.advection.interpolation, {.doc = "How values between cells are found."});
  v("limiter", c.advection.limiter, {.doc = "What keeps maccormack, bfecc and bimocq from overshooting."});
  v("trace_order", c.advection.trace_order, {.min = 1, .max = 3, .doc = "Order of accuracy of a path."});
  v("pressure_solver", c.pressure_solver,
    {.doc = "How the pressure is found; multigrid_pcg is the fastest."});
  v("pressure_tolerance", c.pressure_tolerance,
    {.unit = "1/s",
     .min = 1e-9,
     .max = 1e3,
     .doc = "The worst divergence that may be left in a cell.",
     .absent = "0.001, or more where the air is too fast for floats to hold that",
     .example = "0.001"});
  v("walls", c.walls,
    {.doc = "How solids are felt: cut where they are, within cells, or as whole cells (voxel), to compare."});
  v("behind_walls", c.behind_walls,
    {.doc =
         "The velocity that sampling finds inside solids: spread in layers, or taken from the closest point "
         "of the surface and made to follow it."});
  v("buoyancy_temperature", c.buoyancy_temperature,
    {.unit = "m/(s²·K)",
     .min = 0,
     .max = 100,
     .doc = "Upward acceleration for each kelvin above the ambient, where gravity is 9.81 m/s²."});
  v("buoyancy_density", c.buoyancy_density,
    {.unit = "m/s²",
     .min = 0,
     .max = 1000,
     .doc = "Downward acceleration for each unit of density, where gravity is 9.81 m/s²."});
  v("ambient_temperature", c.ambient_temperature,
    {.unit = "K", .min = 0, .max = 10000, .doc = "The temperature of clear air."});
  v("density_dissipation", c.density_dissipation,
    {.unit = "1/s", .min = 0, .max = 1000, .doc = "Rate at which density fades."});
  v("temperature_dissipation", c.temperature_dissipation,
    {.unit = "1/s", .min = 0, .max = 1000, .doc = "Rate at which the temperature goes back to the ambient."});
  v("density_diffusion", c.density_diffusion,
    {.unit = "m²/s",
     .min = 0,
     .max = 1e4,
     .doc = "How fast density spreads into still air; in a sparse grid, within smoke.margin in each step."});
  v("heat_diffusion", c.heat_diffusion,
    {.unit = "m²/s",
     .min = 0,
     .max = 1e4,
     .doc = "How fast heat spreads into still air (its thermal diffusivity; that of air is 2e-5)."});
  v("viscosity", c.viscosity,
    {.unit = "m²/s",
     .min = 0,
     .max = 1e4,
     .doc = "How fast momentum spreads (the kinematic viscosity; that of air is 1.5e-5)."});
  v("diffusion", c.diffusion,
    {.doc = "How density, heat and momentum diffuse: implicit takes any step, crank_nicolson is more exact "
            "where little diffuses in one, explicit takes as many parts of a step as are stable."});
  v("wall_friction", c.wall_friction,
    {.doc = "Whether viscous air sticks to walls and solids (no_slip) or glides along them."});
  v("vorticity_confinement", c.vorticity_confinement,
    {.min = 0, .max = 100, .doc = "Strength of the force that keeps small swirls alive; 0 is none."});
  v("color", c.color,
    {.min = 0,
     .max = 1,
     .doc = "Red, green and blue of the smoke at the start and of sources without a color of their own. "
            "Colours are carried, times the density, as color_r, color_g and color_b, where this key or a "
            "source's is given.",
     .absent = "[0.8, 0.8, 0.8], where a source has a color",
     .example = "[0.8, 0.8, 0.8]"});
  v("edge_relaxation", c.edge_relaxation,
    {.unit = "1/s",
     .min = 0,
     .max = 1e6,
     .doc = "Rate at which air near the edge of the grid and open sides, over margin cells, takes on the "
            "wind; 0 is none."});
  v("initial_density", c.initial_density,
    {.min = 0,
     .doc = "Density at the start. Without a domain it is looked for from the origin and the sources "
            "outwards."});
  v("initial_temperature", c.initial_temperature,
    {.unit = "K",
     .min = 0,
     .doc = "Temperature at the start.",
     .absent = "the ambient temperature",
     .example = "\"300 + 50 * exp(-20 * x^2)\""});
  v("initial_velocity", c.initial_velocity,
    {.unit = "m/s",
     .doc =
         "Velocity at the start, on top of the wind; in a sparse grid, where there is smoke or a source."});
  v("wind", c.wind,
    {.unit = "m/s", .min = -1000, .max = 1000, .doc = "Velocity of the air far from everything."});
  v("sparse", c.sparse, {.doc = "Whether the grid follows the smoke; otherwise it fills the domain."});
  v("margin", c.margin,
    {.unit = "cells",
     .min = 2,
     .max = 64,
     .doc = "Clear air that the grid keeps round the smoke; more is slower and more exact.",
     .absent = "a seventh of the domain's longest side, between 8 and 64",
     .example = "12"});
  v("hysteresis", c.hysteresis,
    {.unit = "cells", .min = 0, .max = 64, .doc = "How much farther smoke must be before grid is given up."});
  v("density_threshold", c.density_threshold,
    {.min = 1e-6, .max = 1, .doc = "A cell with less density counts as clear air for the sparse grid."});
  v("temperature_threshold", c.temperature_threshold,
    {.unit = "K",
     .min = 1e-3,
     .max = 1000,
     .doc = "A cell further than this from the ambient temperature is no clear air for the sparse grid, "
            "either."});
  v("speed_threshold", c.speed_threshold,
    {.unit = "m/s",
     .min = 1e-6,
     .max = 1000,
     .doc = "Air that moves faster than this against the wind keeps its grid, smoke or not.",
     .absent = "clear air never does",
     .example = "0.05"});
}

template <class V>
void describe(V& v, QuantityConfig& c) {
  v("name", c.name,
    {.doc = "What sources, files and statistics call it: letters, digits and _.",
     .example = "\"dye\"",
     .required = true});
  v("initial", c.initial, {.doc = "How much of it there is at the start."});
  v("dissipation", c.dissipation, {.unit = "1/s", .min = 0, .max = 1000, .doc = "Rate at which it fades."});
  v("diffusion", c.diffusion,
    {.unit = "m²/s", .min = 0, .max = 1000, .doc = "How fast it spreads of itself."});
  v("threshold", c.threshold,
    {.min = 1e-6, .max = 1e6, .doc = "A cell with less counts as clear air for the sparse grid."});
  v("advection", c.advection,
    {.doc = "How the flow carries it.", .absent = "as smoke.advection says", .example = "\"bfecc\""});
}

template <class V>
void describe(V& v, FireConfig& c) {
  CombustionParams& burning = c.combustion;
  v("ignition_temperature", burning.ignition_temperature,
    {.unit = "K", .min = 0, .max = 10000, .doc = "Fuel burns where it is at least this hot."});
  v("burn_rate", burning.burn_rate,
    {.unit = "1/s", .min = 0.001, .max = 1000, .doc = "Rate at which fuel that is hot enough burns away."});
  v("heat_release", burning.heat_release,
    {.unit = "K", .min = 0, .max = 1e5, .doc = "How much hotter a unit of fuel makes the air as it burns."});
  v("soot", burning.soot, {.min = 0, .max = 1000, .doc = "Density that a unit of fuel leaves behind."});
  v("gas_release", burning.gas_release,
    {.min = 0,
     .max = 1000,
     .doc = "How many times its own volume air with a unit of fuel in it grows by as that burns."});
  v("max_expansion", burning.max_expansion,
    {.unit = "1/s", .min = 0, .max = 1e4, .doc = "Air grows no faster, however fiercely fuel burns."});
  v("max_temperature", burning.max_temperature,
    {.unit = "K", .min = 1, .max = 1e5, .doc = "Fire makes nothing hotter."});
  v("cooling", burning.cooling,
    {.unit = "K/s",
     .min = 0,
     .max = 1e6,
     .doc =
         "How fast the hottest air shines its heat away; with the fourth power of the temperature, so that "
         "warm air hardly does."});
  v("flame_fuel", burning.flame_fuel,
    {.min = 1e-4, .max = 1000, .doc = "Fuel that burns with a full flame; less of it shows less."});
  v("flame_life", c.flame_life,
    {.unit = "s", .min = 0.001, .max = 100, .doc = "How long a flame shows after its fuel has burnt."});
  v("initial_fuel", c.initial_fuel, {.min = 0, .doc = "Fuel at the start."});
}

template <class V>
void describe(V& v, LiquidConfig& c) {
  v("surface", c.surface,
    {.doc =
         "What carries the liquid: particles, or a level_set with markers, which is smoother and calmer, and "
         "loses splashes that are thinner than a cell."});
  v("surface_tension", c.surface_tension,
    {.unit = "N/m",
     .min = 0,
     .max = 1e6,
     .doc = "How strongly the surface pulls itself together; water at 20 °C has 0.0728. It shapes what is "
            "millimetres in size, on cells some times smaller."});
  v("density", c.density,
    {.unit = "kg/m³",
     .min = 1e-3,
     .max = 1e6,
     .doc = "Of the liquid; only surface_tension asks for it. The default is water's."});
  v("transfer", c.transfer,
    {.doc = "How particles and the grid exchange velocities: apic is lively and calm, polypic keeps every "
            "eddy of the grid, flip is the liveliest and noisy, pic damps everything."});
  v("flip_part", c.flip_part,
    {.min = 0, .max = 1, .doc = "Of flip: how much of a particle's velocity is its own; the rest is pic's."});
  v("keep_volume", c.keep_volume,
    {.doc = "Whether particles that have come too close to each other are moved apart, and those too far "
            "apart together, and a level set to where it holds what it should; without it, volume drifts."});
  v("narrow_band", c.narrow_band,
    {.doc =
         "Particles only within some cells of the surface, and the grid alone deeper down: much less memory "
         "and time where liquid is deep."});
  v("pressure_solver", c.pressure_solver,
    {.doc = "How the pressure is found; multigrid_pcg is the fastest."});
  v("pressure_tolerance", c.pressure_tolerance,
    {.unit = "1/s",
     .min = 1e-9,
     .max = 1e3,
     .doc = "The worst divergence that may be left in a cell.",
     .absent = "a thousandth of what the step found, and at least 0.001",
     .example = "0.01"});
  v("walls", c.walls,
    {.doc = "How solids are felt: cut where they are, within cells, or as whole cells (voxel), to compare."});
  v("trace_order", c.trace_order, {.min = 1, .max = 3, .doc = "Order of accuracy of a particle's path."});
}

template <class V, int D>
void describe(V& v, FillConfig<D>& c) {
  v("name", c.name,
    {.doc = "What messages and --set call it.",
     .absent = "fill0, fill1, …",
     .example = "\"pool\"",
     .use = in_no_stage});
  v("shape", c.shape,
    {.doc = "What it fills.",
     .example = "{ box = { min = [0, 0, 0], max = [0.5, 0.5, 1] } }",
     .required = true});
  v("velocity", c.velocity, {.unit = "m/s", .doc = "Its velocity as it appears."});
  v("start", c.start,
    {.unit = "s", .min = 0, .doc = "When it appears; liquid that is there already stays as it is."});
}

template <class V, int D>
void describe(V& v, SourceConfig<D>& c) {
  v("name", c.name,
    {.doc = "What messages and --set call it.",
     .absent = "source0, source1, …",
     .example = "\"burner\"",
     .use = in_no_stage});
  v("shape", c.shape,
    {.doc = "Where it is, where translate and rotate_deg are zero.",
     .absent = "the skin of a solid, as solid says",
     .example = "{ sphere = { center = [0, 0.2, 0], radius = 0.12 } }"});
  v("motion", c.motion,
    {.doc = "How the shape moves; without it, it rests.",
     .example = "{ keys = [{ t = 0 }, { t = 2, translate = [0.4, 0, 0] }] }"});
  v("solid", c.solid,
    {.doc = "The name of a solid, instead of a shape: the source is the air round it, and moves with it.",
     .absent = "the shape decides",
     .example = "\"ball\"",
     .solver = "smoke"});
  v("skin", c.skin,
    {.unit = "m",
     .min = 0,
     .max = farthest,
     .doc = "How far from the solid's surface the source reaches.",
     .absent = "1.5 cells",
     .example = "0.03",
     .solver = "smoke"});
  v("density_rate", c.density_rate,
    {.unit = "1/s", .min = 0, .doc = "Density added each second.", .solver = "smoke"});
  v("density", c.density,
    {.min = 0,
     .doc = "Density held inside the shape.",
     .absent = "not held",
     .example = "1",
     .solver = "smoke"});
  v("color", c.color,
    {.min = 0,
     .max = 1,
     .doc = "Red, green and blue of the density that it gives off or holds.",
     .absent = "as smoke.color says",
     .example = "[1, 0.3, 0.1]",
     .solver = "smoke"});
  v("temperature_rate", c.temperature_rate,
    {.unit = "K/s", .doc = "Heat added each second.", .solver = "smoke"});
  v("temperature", c.temperature,
    {.unit = "K",
     .min = 0,
     .doc = "Temperature held inside the shape.",
     .absent = "not held",
     .example = "{ keys = [[0, 350], [2, 500]] }",
     .solver = "smoke"});
  v("fuel_rate", c.fuel_rate,
    {.unit = "1/s", .min = 0, .doc = "Fuel added each second, for a [fire].", .solver = "smoke"});
  v("fuel", c.fuel,
    {.min = 0,
     .doc = "Fuel held inside the shape, for a [fire].",
     .absent = "not held",
     .example = "1",
     .solver = "smoke"});
  v("velocity", c.velocity,
    {.unit = "m/s",
     .doc = "Velocity held inside the shape. In a liquid, the shape is a spout: as much comes out of it as "
            "flows through it at this velocity, which may change in time alone.",
     .absent = "not held",
     .example = "[0, 1, \"0.2 * sin(6 * t)\"]"});
  v("emits", c.emits,
    {.unit = "1/s",
     .doc = "What is added each second of each quantity named, as in { dye = 1 }.",
     .solver = "smoke"});
  v("holds", c.holds,
    {.doc = "What is held inside the shape of each quantity named, as in { dye = 1 }.", .solver = "smoke"});
  v("expansion", c.expansion,
    {.unit = "1/s",
     .doc = "Volumes of air that appear in each volume of the shape each second; negative: that are sucked "
            "away. The air carries what there is.",
     .solver = "smoke"});
  v("vent", c.vent,
    {.unit = "m/s",
     .doc = "Velocity of air blown through the walls and solids that the shape covers: what of it is along "
            "their normal comes in.",
     .absent = "no vent",
     .example = "[0, 1, 0]",
     .solver = "smoke"});
  v("sink", c.sink,
    {.unit = "1/s",
     .min = 0,
     .doc =
         "Rate at which all that the air carries fades inside the shape, the temperature to the ambient. In "
         "a liquid, the shape is a drain, and this the rate at which it takes liquid away."});
  v("vortex_particles", c.vortex_particles,
    {.doc = "Small eddies that it gives off, which the smoke carries with it.",
     .absent = "none",
     .example = "{ rate = 60, acceleration = 8, radius = 0.1 }",
     .solver = "smoke"});
  v("start", c.start, {.unit = "s", .min = 0, .doc = "When it is switched on."});
  v("end", c.end,
    {.unit = "s", .min = 0, .doc = "When it is switched off.", .absent = "never", .example = "2"});
}

template <class V, int D>
void describe(V& v, SolidConfig<D>& c) {
  v("name", c.name,
    {.doc = "What messages and --set call it.",
     .absent = "solid0, solid1, …",
     .example = "\"ball\"",
     .use = in_no_stage});
  v("shape", c.shape,
    {.doc = "Its shape where translate and rotate_deg are zero.",
     .example = "{ sphere = { center = [0, 1.2, 0], radius = 0.15 } }",
     .required = true});
  v("motion", c.motion,
    {.doc = "How it moves; without it, it rests.",
     .example = "{ keys = [{ t = 0 }, { t = 2, translate = [0, 0.4, 0] }] }"});
  v("material", c.material,
    {.doc = "What it looks like in pictures of three dimensions.",
     .solver = "liquid",
     .only_3d = true,
     .use = in_pictures});
  v("color", c.color,
    {.min = 0,
     .max = 1,
     .doc = "Red, green and blue of the light that it sends back; glass has none.",
     .absent = "a light grey, brighter for metal",
     .example = "[0.7, 0.3, 0.2]",
     .use = in_pictures});
}

template <class V, int D>
void describe(V& v, MotionConfig<D>& c) {
  v("keys", c.keys, {.doc = "Where it is at given times, in order.", .required = true});
  v("interp", c.interp, {.doc = "How it gets from one key to the next."});
}

template <class V, int D>
void describe(V& v, MotionKey<D>& c) {
  v("t", c.t, {.unit = "s", .min = 0, .doc = "The time of this key.", .required = true});
  v("translate", c.translate,
    {.unit = "m", .min = -farthest, .max = farthest, .doc = "How far it has moved."});
  v("rotate_deg", c.rotate_deg,
    {.unit = "degrees", .doc = "Turned about the origin: about x, then y, then z; in 2D one number."});
}

template <class V>
void describe(V& v, OutputConfig& c) {
  v("vdb", c.vdb,
    {.doc = "Grids of the OpenVDB file: density, temperature, vel, and whatever else the air carries, by "
            "name; of a liquid, surface and vel; an empty list writes none.",
     .absent = "all of them",
     .example = "[\"density\", \"temperature\", \"vel\"]"});
  v("half", c.half, {.doc = "Whether density is written in 16 bits.", .solver = "smoke"});
  v("mesh", c.mesh,
    {.doc = "Whether the surface of a liquid in three dimensions is written as a mesh, in PLY files.",
     .solver = "liquid",
     .only_3d = true});
  v("mesh_refinement", c.mesh_refinement,
    {.min = 1,
     .max = 4,
     .doc = "How many times finer than the grid the mesh is made.",
     .solver = "liquid",
     .only_3d = true,
     .use = KeyUse{.surface = true, .render = true}});
  v("mesh_walls", c.mesh_walls,
    {.doc =
         "Whether the mesh is closed where liquid meets walls, solids and sides of the domain (capped), or "
         "open there, the free surface alone (clipped).",
     .solver = "liquid",
     .only_3d = true,
     .use = KeyUse{.surface = true}});
  v("particles", c.particles,
    {.doc = "Whether the particles of a liquid in three dimensions are written, in PLY files.",
     .solver = "liquid",
     .only_3d = true});
  v("png", c.png, {.doc = "Whether a preview image is written.", .use = in_pictures});
  v("exr", c.exr,
    {.doc =
         "Whether the light of the picture is written, in OpenEXR files: linear, before it is made fit for "
         "a screen.",
     .use = in_pictures});
  v("video", c.video, {.doc = "Whether the images become a video; needs png."});
  v("width", c.width,
    {.unit = "pixels", .min = 16, .max = 8192, .doc = "Width of the preview.", .use = in_pictures});
  v("height", c.height,
    {.unit = "pixels", .min = 16, .max = 8192, .doc = "Height of the preview.", .use = in_pictures});
}

template <class V>
void describe(V& v, RenderConfig& c) {
  v("samples", c.samples,
    {.min = 1,
     .max = 65536,
     .doc = "Paths of light a pixel, at most; more is slower and has less noise.",
     .solver = "liquid"});
  v("seconds", c.seconds,
    {.unit = "s",
     .min = 0,
     .doc =
         "Time for a picture: of the samples, as many as it allows for, and two at least. Pictures are then "
         "not reproducible: they differ from run to run.",
     .absent = "as long as all samples take",
     .example = "10",
     .solver = "liquid"});
  v("draft", c.draft,
    {.doc =
         "Whether pictures are made fast and rough: two paths a pixel, and none of the noise is taken out.",
     .solver = "liquid"});
  v("motion_blur", c.motion_blur,
    {.doc = "Whether what moves is blurred as by a shutter that is open for half of a frame's time.",
     .solver = "liquid"});
  v("camera", c.camera,
    {.doc = "Where the pictures are taken from.",
     .absent = "all of the domain is seen, from the front",
     .example = "{ position = [0, 1, 4], target = [0, 0.5, 0] }"});
  v("light", c.light,
    {.doc = "The light that they are taken in.", .example = "{ sun = 0.5, elevation = 20 }"});
  v("water_color", c.water_color,
    {.min = 0.001,
     .max = 1,
     .doc = "Red, green and blue that water_depth of the liquid leaves of white light.",
     .solver = "liquid"});
  v("water_depth", c.water_depth,
    {.unit = "m",
     .min = 1e-6,
     .max = farthest,
     .doc = "How much of the liquid has the water_color; less makes it darker.",
     .absent = "0.18 of the domain's diagonal",
     .example = "0.3",
     .solver = "liquid"});
}

template <class V>
void describe(V& v, CameraConfig& c) {
  v("position", c.position,
    {.unit = "m",
     .min = -farthest,
     .max = farthest,
     .doc = "Where it is.",
     .example = "[0, 1, 4]",
     .required = true});
  v("target", c.target,
    {.unit = "m",
     .min = -farthest,
     .max = farthest,
     .doc = "What is in the middle of the picture.",
     .example = "[0, 0.5, 0]",
     .required = true});
  v("fov", c.fov,
    {.unit = "degrees", .min = 1, .max = 150, .doc = "Angle from bottom to top of the picture."});
}

template <class V>
void describe(V& v, LightConfig& c) {
  v("sun", c.sun,
    {.min = 0,
     .max = 100,
     .doc = "How bright the sun is, beside what it is by default; less lets fire glow."});
  v("sky", c.sky,
    {.min = 0,
     .max = 100,
     .doc = "The same of the sky, and of what is behind everything. At night both are dark: 0.02, say."});
  v("azimuth", c.azimuth,
    {.unit = "degrees",
     .min = -360,
     .max = 360,
     .doc = "Where the sun stands: from +z, 0, towards +x, 90.",
     .absent = "-60 for smoke, to the left; -128 for a liquid, behind it",
     .example = "-60"});
  v("elevation", c.elevation,
    {.unit = "degrees",
     .min = 1,
     .max = 90,
     .doc = "How high it stands above the horizon.",
     .absent = "46 for smoke, 38 for a liquid",
     .example = "20"});
}

template <class V>
void describe(V& v, CheckpointConfig& c) {
  v("seconds", c.seconds,
    {.unit = "s",
     .min = 0,
     .doc = "By the clock on the wall: one is kept at the end of the first frame that ends this long after "
            "the one before, and whenever the run ends or is stopped."});
  v("frames", c.frames,
    {.min = 1,
     .doc = "How many frames from one to the next, whatever the clock says.",
     .absent = "seconds says when",
     .example = "10"});
  v("keep", c.keep, {.min = 0, .max = 1000, .doc = "How many there are, the newest; 0 keeps none."});
}

}  // namespace whorl
