# The plume of bench/plume.cpp, a step a frame, or the dam of bench/dam.cpp in Blender's Mantaflow; bench/blender.cpp
# runs it as
#
#   blender -b --factory-startup -t THREADS -P whorl-peer-blender.py -- FOLDER plume|dam|dam-full N
#
# FOLDER/frames.txt has the length of each frame in seconds, a line a frame. FOLDER/figures.txt receives lines of
# a name and numbers: "frame" for each with the seconds of all of it, of Mantaflow's own steps, of their pressure
# solves and of writing the cache, the number of steps and of particles. Blender's z is up.
import array
import ctypes
import gc
import os
import re
import sys
import time

import bpy

FPS = 25  # at which a time_scale of one is real time
HEAT = 2 / 3  # of the source: 200 K over an ambient 300 K, which beta = 1 makes as buoyant as Whorl's


def add_mesh(name, vertices, faces):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def add_box(name, low, high):
    corners = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return add_mesh(name, corners, sides)


def add_domain(high, kind, resolution, lengths, cache):
    domain = add_box("domain", (0, 0, 0), high)
    domain.modifiers.new("fluid", "FLUID").fluid_type = "DOMAIN"
    settings = domain.modifiers["fluid"].domain_settings
    settings.domain_type = kind
    settings.resolution_max = resolution
    settings.use_adaptive_timesteps = True  # or every step would be as long as the first
    settings.timesteps_min = 1
    settings.cache_type = "REPLAY"
    settings.cache_directory = cache
    settings.cache_frame_start, settings.cache_frame_end = 1, len(lengths)
    for frame, length in enumerate(lengths, 1):
        settings.time_scale = length * FPS
        settings.keyframe_insert("time_scale", frame=frame)
    return domain, settings


def add_flow(thing, flow_type, behavior):
    thing.modifiers.new("fluid", "FLUID").fluid_type = "FLOW"
    settings = thing.modifiers["fluid"].flow_settings
    settings.flow_type = flow_type
    settings.flow_behavior = behavior
    return settings


def add_plume(n, lengths, cache):
    domain, settings = add_domain((0.5, 0.5, 1), "GAS", 2 * n, lengths, cache)
    settings.timesteps_max = 1
    settings.use_adaptive_domain = False
    settings.use_noise = False
    settings.use_dissolve_smoke = False
    settings.vorticity = 0
    settings.alpha = 0
    settings.beta = 1
    for side in ("left", "right", "front", "back", "top", "bottom"):
        setattr(settings, "use_collision_border_" + side, side == "bottom")
    bpy.ops.mesh.primitive_cylinder_add(vertices=64, radius=0.08, depth=0.05, location=(0.25, 0.25, 0.05))
    source = add_flow(bpy.context.object, "SMOKE", "INFLOW")
    source.use_absolute = True
    source.volume_density = 1  # all of the inside, and half a cell round it
    source.surface_distance = 0.5
    source.density = 1
    source.temperature = HEAT
    source.fuel_amount = 0  # or fuel and flame are carried along, with nothing in them
    return domain


# Particles in a band below the surface, as Blender has them unless told, or with `full` in all of the water.
def add_dam(n, lengths, cache, full):
    bpy.context.scene.gravity = (0, 0, -9.8)
    domain, settings = add_domain((1, 1, 1), "LIQUID", n, lengths, cache)
    settings.timesteps_max = 100
    settings.cfl_condition = 4
    settings.simulation_method = "FLIP"
    settings.particle_number = 2  # along each axis of a cell
    if full:
        settings.particle_band_width = 1000
    settings.use_mesh = False
    settings.use_flip_particles = False  # which are for the eye: those of the simulation it has anyway
    settings.use_diffusion = False
    settings.use_viscosity = False
    settings.surface_tension = 0
    # Past the sides of the domain, so that no surface of it lies there.
    add_flow(add_box("water", (-0.1, -0.1, -0.1), (0.5, 1.1, 0.5)), "LIQUID", "GEOMETRY")
    return domain


# Where Mantaflow's own script runs: the functions that a step calls by name, so that they can be timed, and the
# number that ends the names of this simulation's. Blender gives a script a __main__ that is not that one.
def mantaflow(kind):
    step = re.compile(kind + r"_adaptive_step_(\d+)$")
    for names in [d for d in gc.get_objects() if isinstance(d, dict) and "set_manta_debuglevel" in d]:
        numbers = [int(m[1]) for m in map(step.match, filter(lambda k: isinstance(k, str), names)) if m]
        if numbers:
            return names, str(max(numbers))
    sys.exit("whorl-peer-blender: this Blender runs Mantaflow in another way than the one that this knows")


class Timer:
    def __init__(self, names, name):
        self.seconds = self.calls = 0
        self.call = names[name]
        names[name] = self

    def __call__(self, *arguments, **named):
        start = time.perf_counter()
        try:
            return self.call(*arguments, **named)
        finally:
            self.seconds += time.perf_counter() - start
            self.calls += 1


# Of resident pages. Not getrusage's, which a program inherits from the one that started it.
def peak_bytes():
    with open("/proc/self/status") as status:
        return next(1024 * int(line.split()[1]) for line in status if line.startswith("VmHWM"))


# How much there is of the smoke or the water, and the height of its centre of mass as a part of the domain's.
def amount(settings, names, number):
    nx, ny, nz = settings.domain_resolution
    if settings.domain_type == "GAS":
        density = settings.density_grid[:]
    else:  # a cell is full of water or has none: the lowest bit of its flags
        flags = names["flags_s" + number].getDataPointer()
        density = [f & 1 for f in array.array("i", ctypes.string_at(int(flags, 16), 4 * nx * ny * nz))]
    layers = [sum(density[k * nx * ny : (k + 1) * nx * ny]) for k in range(len(density) // (nx * ny))]
    total = sum(layers)
    centre = sum((k + 0.5) / nz * layer for k, layer in enumerate(layers)) / total if total > 0 else 0
    return total, centre


# What the pressure solver says of itself in one more step: iterations and residual, which it prints on the
# standard output, and the largest entry of the right side.
def pressure_report(scene, names, number, folder):
    solve = names["solvePressure"]
    right_side = names["s" + number].create(names["RealGrid"])
    names["solvePressure"] = lambda **named: solve(retRhs=right_side, **named)
    path = os.path.join(folder, "printed.txt")
    kept = os.dup(1)
    with open(path, "w") as printed:
        os.dup2(printed.fileno(), 1)
        names["set_manta_debuglevel"](2)
        scene.frame_set(scene.frame_current + 1)
        names["set_manta_debuglevel"](0)
        os.dup2(kept, 1)
    names["solvePressure"] = solve  # and with the lambda goes the grid: Mantaflow cannot end before it
    with open(path) as printed:
        said = re.findall(r"Iterations: *(\d+), *residual: *([-+.e\d]+)", printed.read())
    return (*said[-1], right_side.getMaxAbs())


def main():
    folder, what, n = sys.argv[-3], sys.argv[-2], int(sys.argv[-1])
    kind = "smoke" if what == "plume" else "liquid"
    with open(os.path.join(folder, "frames.txt")) as lines:
        lengths = [float(line) for line in lines]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = FPS
    scene.frame_start, scene.frame_end = 1, len(lengths) + 1
    before = peak_bytes()
    planned, cache = lengths + lengths[-1:], os.path.join(folder, "cache")
    domain = add_plume(n, planned, cache) if kind == "smoke" else add_dam(n, planned, cache, what == "dam-full")
    with open(os.path.join(folder, "figures.txt"), "w") as out:
        timers = []
        for frame in range(1, len(lengths) + 1):
            for timer in timers:
                timer.seconds = timer.calls = 0
            start = time.perf_counter()
            scene.frame_set(frame)
            seconds = time.perf_counter() - start
            if not timers:  # the first frame defines what there is to time
                names, number = mantaflow(kind)
                timed = [kind + "_adaptive_step_" + number, "solvePressure", kind + "_save_data_" + number]
                timers = [Timer(names, name) for name in timed]
            particles = names["pp_s" + number].pySize() if kind == "liquid" else 0
            print("frame", seconds, *[t.seconds for t in timers], timers[0].calls, particles, file=out)
        evaluated = domain.evaluated_get(bpy.context.evaluated_depsgraph_get())
        settings = evaluated.modifiers["fluid"].domain_settings
        total, centre = amount(settings, names, number)
        print("resolution", *settings.domain_resolution, file=out)
        print("amount", total, file=out)
        print("centre", centre, file=out)
        print("bytes", peak_bytes() - before, file=out)
        print("displacement", names["vel_s" + number].getMax() * names["s" + number].timestep, file=out)
        print("pressure", *pressure_report(scene, names, number, folder), file=out)


main()
