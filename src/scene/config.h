// A scene, validated: plain structs whose initialisers are the defaults. SI units, y up.
#pragma once

#include "base/material.h"
#include "geometry/shape.h"
#include "geometry/surface_mesh.h"
#include "grid/domain.h"
#include "scene/varying.h"
#include "solvers/liquid.h"
#include "solvers/smoke.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace whorl {

inline constexpr std::size_t smoke_bytes_per_cell = 200;    // a step's fields and its solver's, roughly
inline constexpr std::size_t liquid_bytes_per_cell = 1300;  // full of liquid: particles, fields, solver
inline constexpr std::size_t quantity_bytes_per_cell = 16;  // more for each quantity carried besides

enum class SolverKind { smoke, liquid };

struct TimeConfig {
  double fps = 24;
  int frames = 120;
  double cfl = 4;
  double min_step = 0;
  std::optional<double> max_step;

  double duration() const { return frames / fps; }
};

// One thing for each side of a domain: [axis][0: low, 1: high].
template <class T, int D>
using PerSide = std::array<std::array<T, 2>, D>;

template <int D>
struct SidesConfig {
  Side all = Side::open;  // of the sides not named
  PerSide<std::optional<Side>, D> named;

  Side of(int axis, int end) const { return named[std::size_t(axis)][std::size_t(end)].value_or(all); }
};

template <int D>
struct InflowConfig {
  PerSide<std::optional<VaryingVector<D>>, D> velocity;
};

template <int D>
struct WaterLevelConfig {
  PerSide<std::optional<double>, D> level;
};

template <int D>
struct DomainConfig {
  Vec<double, D> min{};
  Vec<double, D> max{};
  SidesConfig<D> sides;
  InflowConfig<D> inflow_velocity;
  std::optional<double> water_level;
  WaterLevelConfig<D> water_level_at;

  // Only upright sides have one.
  std::optional<double> level_of(int axis, int end) const {
    if (axis == 1) return {};
    const auto& own = water_level_at.level[std::size_t(axis)][std::size_t(end)];
    return own ? own : water_level;
  }
};

// Exactly one of the two.
struct GridConfig {
  std::optional<double> cell_size;
  std::optional<int> resolution;
};

template <int D>
struct SmokeConfig {
  AdvectionParams advection;
  std::optional<AdvectionScheme> velocity_advection;
  EnergyScheme energy = EnergyScheme::reflection;
  PressureSolver pressure_solver = ProjectionParams{}.solver;
  std::optional<double> pressure_tolerance;
  WallMode walls = WallMode::cut;
  VelocityExtension behind_walls = VelocityExtension::closest_point;
  // Buoyancy f = (β·(T − ambient) − α·density)·up.
  double buoyancy_temperature = 9.81 / 300;  // β: gravity over an ambient 300 K, as for an ideal gas
  double buoyancy_density = 0;               // α
  double ambient_temperature = 300;
  double density_dissipation = 0;
  double temperature_dissipation = 0;
  double density_diffusion = 0;
  double heat_diffusion = 0;
  double viscosity = 0;
  DiffusionScheme diffusion = DiffusionScheme::implicit_euler;
  WallFriction wall_friction = WallFriction::no_slip;
  double vorticity_confinement = 0;
  std::optional<VaryingColor> color;
  double edge_relaxation = 0;
  Varying initial_density = 0;
  std::optional<Varying> initial_temperature;
  VaryingVector<D> initial_velocity;
  Vec<double, D> wind{};
  bool sparse = true;
  std::optional<int> margin;  // none: margin_of the scene
  int hysteresis = 4;
  double density_threshold = 1e-3;
  double temperature_threshold = 1;
  std::optional<double> speed_threshold;
};

struct FireConfig {
  CombustionParams combustion;
  double flame_life = 0.15;
  Varying initial_fuel = 0;
};

enum class LiquidSurface { particles, level_set };

struct LiquidConfig {
  LiquidSurface surface = LiquidSurface::particles;
  double surface_tension = 0;  // N/m
  double density = 1000;       // kg/m³
  TransferScheme transfer = TransferScheme::apic;
  double flip_part = 0.97;
  bool keep_volume = true;
  bool narrow_band = false;
  PressureSolver pressure_solver = ProjectionParams{}.solver;
  std::optional<double> pressure_tolerance;
  WallMode walls = WallMode::cut;
  int trace_order = 2;
};

// Liquid that is there from the start, or from a time on.
template <int D>
struct FillConfig {
  std::string name;
  Shape<D> shape;
  VaryingVector<D> velocity;
  double start = 0;
};

// Spray, foam and bubbles of a liquid. Ranges are from nothing to all of a potential.
struct WhitewaterConfig {
  std::optional<Vec<double, 2>> speed, trapped_air;  // none: by the domain's height
  Vec<double, 2> wave_crest{0.5, 2};
  double trapped_air_rate = 100;
  double wave_crest_rate = 100;
  Vec<double, 2> lifetime{1, 3};
  double spray_drag = 0.5;
  double buoyancy = 2;
  double bubble_drag = 60;
  std::optional<double> radius;
  int seed = 0;
};

template <int D>
struct CustomForceConfig {
  VaryingVector<D> acceleration;
};

// At least one of the kinds; they act together.
template <int D>
struct ForceConfig {
  std::string name;
  std::optional<UniformForce<D>> uniform;
  std::optional<DragForce<D>> drag;
  std::optional<RadialForce<D>> radial;
  std::optional<VortexForce<D>> vortex;
  std::optional<Turbulence> turbulence;
  std::optional<CustomForceConfig<D>> custom;
  std::optional<Shape<D>> shape;
  double softness = 0;
  Varying strength = 1;
  double start = 0;
  std::optional<double> end;
};

template <int D>
struct MotionKey {
  double t = 0;
  Vec<double, D> translate{};
  Angles<D> rotate_deg{};
};

template <int D>
struct MotionConfig {
  std::vector<MotionKey<D>> keys;
  KeyInterpolation interp = KeyInterpolation::linear;
};

template <int D>
struct SolidConfig {
  std::string name;
  Shape<D> shape;
  MotionConfig<D> motion;
  Material material = Material::matte;
  std::optional<Vec<double, 3>> color = {};
};

// What the air carries besides density and temperature.
struct QuantityConfig {
  std::string name;
  Varying initial = 0;
  double dissipation = 0;
  double diffusion = 0;
  double threshold = 1e-3;
  std::optional<AdvectionScheme> advection;  // none: smoke's
};

template <int D>
struct SourceConfig {
  std::string name;
  // Either a shape and how it moves, or the name of a solid and how far beyond its surface the source
  // reaches.
  Shape<D> shape;
  MotionConfig<D> motion;
  std::string solid;
  std::optional<double> skin;
  Varying density_rate = 0;
  std::optional<Varying> density;
  std::optional<VaryingColor> color;
  Varying temperature_rate = 0;
  std::optional<Varying> temperature;
  Varying fuel_rate = 0;
  std::optional<Varying> fuel;
  std::optional<VaryingVector<D>> velocity;
  std::optional<VortexSeeding> vortex_particles;
  std::map<std::string, Varying> emits, holds;  // by the name of a quantity
  Varying expansion = 0;
  std::optional<VaryingVector<D>> vent;
  Varying sink = 0;
  double start = 0;
  std::optional<double> end;
};

struct OutputConfig {
  std::vector<std::string> vdb = {"density", "temperature", "vel"};  // a scene that is read: all there is
  bool half = true;
  bool mesh = true;
  int mesh_refinement = 2;
  MeshSides mesh_walls = MeshSides::capped;
  bool particles = false;
  bool png = true;
  bool exr = false;
  bool video = true;
  int width = 960;
  int height = 540;
};

struct CameraConfig {
  Vec<double, 3> position{}, target{};
  double fov = 35;
};

// Of the pictures. What it does not say is as the solver's pictures have it.
struct LightConfig {
  double sun = 1, sky = 1;
  std::optional<double> azimuth, elevation;
};

// The pictures in three dimensions.
struct RenderConfig {
  int samples = 8;
  std::optional<double> seconds;
  bool draft = false;
  bool motion_blur = true;
  std::optional<CameraConfig> camera;
  LightConfig light;
  Vec<double, 3> water_color{0.31, 0.71, 0.84};
  std::optional<double> water_depth;
};

// When the state of a run is kept, to go on from later.
struct CheckpointConfig {
  double seconds = 60;
  std::optional<int> frames;  // in the place of the seconds
  int keep = 2;
};

template <int D>
struct Scene {
  SolverKind solver = SolverKind::smoke;
  int dimension = D;
  std::string name;
  VaryingVector<D> gravity = Vec<double, D>::unit(1, -9.81);
  TimeConfig time;
  std::optional<DomainConfig<D>> domain;  // none: unbounded
  GridConfig grid;
  SmokeConfig<D> smoke;
  std::optional<FireConfig> fire;
  LiquidConfig liquid;
  std::vector<FillConfig<D>> fill;
  std::optional<WhitewaterConfig> whitewater;
  std::vector<QuantityConfig> quantity;
  std::vector<SourceConfig<D>> source;
  std::vector<SolidConfig<D>> solid;
  std::vector<ForceConfig<D>> force;
  OutputConfig output;
  RenderConfig render;
  CheckpointConfig checkpoint;
};

using SceneConfig = std::variant<Scene<2>, Scene<3>>;

// ---- the grid that a scene asks for

// The low corner of cell 0 is the domain's, or the origin where there is no domain.
template <int D>
struct GridLayout {
  Vec<double, D> origin{};
  double cell_size = 1;
  Domain<D> domain;  // in cells, rounded to whole ones

  Vec<double, D> centre(const Coord<D>& cell) const {
    Vec<double, D> p;
    for (int a = 0; a < D; ++a) p[a] = origin[a] + (cell[a] + 0.5) * cell_size;
    return p;
  }
};

template <int D>
GridLayout<D> grid_layout(const Scene<D>& scene);

// Cells of clear air that a sparse grid keeps round the smoke. Its edge must be far off beside the size of
// the flow, not of the cells: a default follows the domain.
template <int D>
int margin_of(const Scene<D>& scene, const GridLayout<D>& layout);

}  // namespace whorl
