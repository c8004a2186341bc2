# The plume of bench/plume.cpp in Blender's Mantaflow, a step a frame; bench/blender.cpp runs it as
#
#   blender -b --factory-startup -t THREADS -P whorl-peer-blender.py -- FOLDER N
#
# FOLDER/steps.txt has the length of each step in seconds, a line a step. FOLDER/figures.txt receives lines of
# a name and numbers: "frame" for each step with the seconds of the whole frame, of Mantaflow's own step, of its
# pressure solve and of writing the cache. Blender's z is up.
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


def add_domain(n, steps, cache):
    corners = [(x, y, z) for x in (0, 0.5) for y in (0, 0.5) for z in (0, 1)]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    domain = add_mesh("domain", corners, sides)
    domain.modifiers.new("fluid", "FLUID").fluid_type = "DOMAIN"
    settings = domain.modifiers["fluid"].domain_settings
    settings.domain_type = "GAS"
    settings.resolution_max = 2 * n
    settings.use_adaptive_domain = False
    settings.use_noise = False
    settings.use_dissolve_smoke = False
    settings.vorticity = 0
    settings.alpha = 0
    settings.beta = 1
    for side in ("left", "right", "front", "back", "top", "bottom"):
        setattr(settings, "use_collision_border_" + side, side == "bottom")
    settings.use_adaptive_timesteps = True  # or every step would be as long as the first
    settings.timesteps_max = settings.timesteps_min = 1
    settings.cache_type = "REPLAY"
    settings.cache_directory = cache
    settings.cache_frame_start, settings.cache_frame_end = 1, len(steps)
    for frame, dt in enumerate(steps, 1):
        settings.time_scale = dt * FPS
        settings.keyframe_insert("time_scale", frame=frame)
    return domain


def add_source():
    bpy.ops.mesh.primitive_cylinder_add(vertices=64, radius=0.08, depth=0.05, location=(0.25, 0.25, 0.05))
    source = bpy.context.object
    source.modifiers.new("fluid", "FLUID").fluid_type = "FLOW"
    settings = source.modifiers["fluid"].flow_settings
    settings.flow_type = "SMOKE"
    settings.flow_behavior = "INFLOW"
    settings.use_absolute = True
    settings.volume_density = 1  # all of the inside, and half a cell round it
    settings.surface_distance = 0.5
    settings.density = 1
    settings.temperature = HEAT
    settings.fuel_amount = 0  # or fuel and flame are carried along, with nothing in them


# Where Mantaflow's own script runs: the functions that a step calls by name, so that they can be timed, and the
# number that ends the names of this simulation's. Blender gives a script a __main__ that is not that one.
def mantaflow():
    step = re.compile(r"smoke_adaptive_step_(\d+)$")
    for names in [d for d in gc.get_objects() if isinstance(d, dict) and "set_manta_debuglevel" in d]:
        numbers = [int(m[1]) for m in map(step.match, filter(lambda k: isinstance(k, str), names)) if m]
        if numbers:
            return names, str(max(numbers))
    sys.exit("whorl-peer-blender: this Blender runs Mantaflow in another way than the one that this knows")


class Timer:
    def __init__(self, names, name):
        self.seconds = 0
        self.call = names[name]
        names[name] = self

    def __call__(self, *arguments, **named):
        start = time.perf_counter()
        try:
            return self.call(*arguments, **named)
        finally:
            self.seconds += time.perf_counter() - start


# Of resident pages. Not getrusage's, which a program inherits from the one that started it.
def peak_bytes():
    with open("/proc/self/status") as status:
        return next(1024 * int(line.split()[1]) for line in status if line.startswith("VmHWM"))


def state(domain):
    settings = domain.evaluated_get(bpy.context.evaluated_depsgraph_get()).modifiers["fluid"].domain_settings
    nx, ny, nz = settings.domain_resolution
    density = settings.density_grid[:]
    layers = [sum(density[k * nx * ny : (k + 1) * nx * ny]) for k in range(len(density) // (nx * ny))]
    smoke = sum(layers)
    centre = sum((k + 0.5) / nz * layer for k, layer in enumerate(layers)) / smoke if smoke > 0 else 0
    return (nx, ny, nz), smoke, centre


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
    folder, n = sys.argv[-2], int(sys.argv[-1])
    with open(os.path.join(folder, "steps.txt")) as lines:
        steps = [float(line) for line in lines]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = FPS
    scene.frame_start, scene.frame_end = 1, len(steps) + 1
    before = peak_bytes()
    domain = add_domain(n, steps + steps[-1:], os.path.join(folder, "cache"))
    add_source()
    with open(os.path.join(folder, "figures.txt"), "w") as out:
        timers = []
        for frame in range(1, len(steps) + 1):
            for timer in timers:
                timer.seconds = 0
            start = time.perf_counter()
            scene.frame_set(frame)
            seconds = time.perf_counter() - start
            if not timers:  # the first frame defines what there is to time
                names, number = mantaflow()
                timed = ["smoke_adaptive_step_" + number, "solvePressure", "smoke_save_data_" + number]
                timers = [Timer(names, name) for name in timed]
            print("frame", seconds, *[timer.seconds for timer in timers], file=out)
        resolution, smoke, centre = state(domain)
        print("resolution", *resolution, file=out)
        print("smoke", smoke, file=out)
        print("centre", centre, file=out)
        print("bytes", peak_bytes() - before, file=out)
        print("displacement", names["vel_s" + number].getMax() * names["s" + number].timestep, file=out)
        print("pressure", *pressure_report(scene, names, number, folder), file=out)


main()
