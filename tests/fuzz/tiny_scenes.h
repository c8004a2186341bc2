// Scenes with next to no cells that between them have all there is in a checkpoint.
#pragma once

namespace whorl {

struct TinyScene {
  const char* name;
  const char* text;
};

inline constexpr TinyScene tiny_scenes[] = {
    {"fire", R"(
solver = "smoke"
dimension = 2
[domain]
max = [1, 1]
sides = { default = "open", bottom = "wall" }
[grid]
resolution = 8
[smoke]
color = [0.5, 0.4, 0.3]
[fire]
[[source]]
shape = { sphere = { center = [0.5, 0.3], radius = 0.2 } }
fuel_rate = 5
temperature = 800
vortex_particles = { rate = 200, acceleration = 2, radius = 0.1 }
)"},
    {"maps", R"(
solver = "smoke"
dimension = 2
[domain]
max = [1, 1]
sides = { default = "periodic" }
[grid]
resolution = 8
[smoke]
advection = "bimocq"
velocity_advection = "bimocq"
energy = "none"
wind = [1, 0]
[[source]]
shape = { sphere = { center = [0.5, 0.5], radius = 0.2 } }
density_rate = 8
)"},
    {"level_set", R"(
solver = "liquid"
dimension = 2
[domain]
max = [1, 1]
sides = { default = "wall", top = "open" }
[grid]
resolution = 16
[liquid]
surface = "level_set"
surface_tension = 20
[[fill]]
shape = { box = { min = [0, 0], max = [0.6, 0.5] } }
)"},
    {"band", R"(
solver = "liquid"
dimension = 2
[domain]
max = [1, 1]
sides = { default = "wall", left = "inflow", right = "open", top = "open" }
inflow_velocity = { left = [0.7, 0] }
water_level = 0.4
[grid]
resolution = 24
[liquid]
narrow_band = true
transfer = "polypic"
[[fill]]
shape = { box = { min = [0, 0], max = [1, 0.6] } }
[[source]]
shape = { sphere = { center = [0.5, 0.8], radius = 0.1 } }
velocity = [-1, 0]
)"},
    {"whitewater", R"(
solver = "liquid"
[time]
fps = 12
[domain]
max = [1, 1, 1]
sides = { default = "wall", top = "open" }
[grid]
resolution = 8
[[fill]]
shape = { box = { min = [0, 0, 0], max = [0.4, 0.4, 0.4] } }
velocity = [2, 0, 0]
[whitewater]
speed = [0.01, 1]
trapped_air = [0.01, 0.5]
trapped_air_rate = 50
)"},
};

}  // namespace whorl
