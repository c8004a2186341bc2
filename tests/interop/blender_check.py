"""Whether Blender finds in an export what the run has: bounds, scale, axes, times, velocities; and what it renders.

    blender -b --factory-startup --python-exit-code 1 --python blender_check.py -- smoke|fire|liquid RUN EXPORT

RUN/0003.json and RUN/0006.json are what `whorl info --json` says of volumes of the run.
"""
import json
import os
import runpy
import sys

import bmesh
import bpy
import numpy
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

kind, run, export = sys.argv[sys.argv.index("--") + 1:]
run, export = os.path.abspath(run), os.path.abspath(export)
scene = bpy.context.scene


def check(holds, *what):
    if not holds:
        raise AssertionError(" ".join(str(part) for part in what))


def found(*what):
    print("found:", kind, *what)


def z_up(points):
    """Whorl's (x, y, z), y up, as Blender's (x, -z, y)."""
    points = numpy.asarray(points, dtype=float)
    return numpy.stack([points[..., 0], -points[..., 2], points[..., 1]], axis=-1)


def box_of(points):
    return numpy.array([points.min(axis=0), points.max(axis=0)])


def near(one, other, within):
    return numpy.abs(numpy.asarray(one) - numpy.asarray(other)).max() <= within


def statistics(frame):
    with open(os.path.join(run, "frames.jsonl"), encoding="utf-8") as file:
        return [json.loads(line) for line in file][frame - 1]


def empty_scene():
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)


def evaluated(thing):
    return thing.evaluated_get(bpy.context.evaluated_depsgraph_get())


# ---- volumes


def voxel_box(frame, name):
    """By the run's own file: from the first leaf of eight voxels a side to the last, centre to centre, as Blender
    reckons the bounds of a volume."""
    with open(os.path.join(run, f"{frame:04}.json"), encoding="utf-8") as file:
        grid = [grid for grid in json.load(file)["grids"] if grid["name"] == name][0]
    first, last = (numpy.array(corner) for corner in grid["active_box"])
    corners = numpy.array([first // 8 * 8, last // 8 * 8 + 7])
    return box_of(z_up(corners * grid["voxel_size"] + grid["origin"]))


def bounds(volume):
    return box_of(numpy.array([volume.matrix_world @ Vector(corner) for corner in evaluated(volume).bound_box]))


def check_volume(volume, frame, shown):
    """Which file it has in a frame, and where that is."""
    data = evaluated(volume).data
    data.grids.load()
    check(data.grids.frame_filepath.endswith(f"{kind}.{frame:04}.vdb"), data.grids.frame_filepath, "in frame", frame)
    boxes = numpy.array([voxel_box(frame, name) for name in shown])
    expected = numpy.array([boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)])
    check(near(bounds(volume), expected, 1e-5), frame, bounds(volume), "for", expected)
    found("bounds in frame", frame, "to", numpy.abs(bounds(volume) - expected).max(), "m")


def check_imported_volumes(last, names, shown):
    """As File > Import > OpenVDB takes them, nothing set."""
    files = [{"name": f"{kind}.{frame:04}.vdb"} for frame in range(1, last + 1)]
    folder = os.path.join(export, "vdb")
    bpy.ops.object.volume_import(filepath=os.path.join(folder, files[0]["name"]), directory=folder, files=files)
    volume = bpy.context.object
    check(volume.data.is_sequence and volume.data.frame_duration == last, "a sequence of", volume.data.frame_duration)
    for frame in (3, 6):
        scene.frame_set(frame)
        data = evaluated(volume).data
        data.grids.load()
        check(sorted(grid.name for grid in data.grids) == sorted(names), data.grids.keys())
        check_volume(volume, frame, shown)


# ---- meshes


def read_ply(path):
    with open(path, "rb") as file:
        header, data = file.read().split(b"end_header\n", 1)
    vertices = int(header.split(b"element vertex ")[1].split()[0])
    floats = header.split(b"element face")[0].count(b"property float")
    return numpy.frombuffer(data, "<f4", vertices * floats).reshape(vertices, floats)


def places_of(mesh):
    places = numpy.empty((len(mesh.vertices), 3), dtype=numpy.float32)
    mesh.vertices.foreach_get("co", places.ravel())
    return places


def check_imported_mesh(frame):
    """As File > Import > Stanford PLY takes it."""
    own = z_up(read_ply(os.path.join(run, "mesh", f"{kind}.{frame:04}.ply"))[:, :3])
    has_own_importer = "ply_import" in dir(bpy.ops.wm)  # from Blender 4 on the only one
    importer = bpy.ops.wm.ply_import if has_own_importer else bpy.ops.import_mesh.ply
    importer(filepath=os.path.join(export, "mesh", f"{kind}.{frame:04}.ply"))
    mesh = bpy.context.object
    check(near(mesh.matrix_world, numpy.eye(4), 0), "an importer that turns by itself")
    check(near(box_of(places_of(mesh.data)), box_of(own), 1e-6), box_of(places_of(mesh.data)), "for", box_of(own))


def check_sequence(thing):
    """The script's handler: each frame has its own mesh, in its place, as large as the run says, the right way out."""
    for frame in (1, 6, 3):
        scene.frame_set(frame)
        mesh = evaluated(thing).data
        own = read_ply(os.path.join(run, "mesh", f"{kind}.{frame:04}.ply"))
        check(near(places_of(mesh), z_up(own[:, :3]), 1e-6), "places in frame", frame)
        velocity = numpy.empty((len(own), 3), dtype=numpy.float32)
        mesh.attributes["velocity"].data.foreach_get("vector", velocity.ravel())
        check(near(velocity, z_up(own[:, 3:6]), 1e-5), "velocities in frame", frame)
        solid = bmesh.new()
        solid.from_mesh(mesh)
        inside = solid.calc_volume(signed=True)
        solid.free()
        expected = statistics(frame)["mesh_volume"]
        check(abs(inside / expected - 1) < 1e-3, inside, "m3 for", expected)
    found("the volume of the mesh to", abs(inside / expected - 1))
    # Water lies flat on the floor of the tank, which is at a height of 0.25 m.
    down = sum(face.area for face in mesh.polygons if face.normal.z < -0.99 and abs(face.center.z - 0.25) < 1e-3)
    up = sum(face.area for face in mesh.polygons if face.normal.z > 0.99 and face.center.z > 0.3)
    check(0.28 < down < 0.6 and up < down, "flat below:", down, "m2, above:", up, "m2")


# ---- pictures


def picture():
    scene.render.filepath = os.path.join(export, "check.png")
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(scene.render.filepath)
    pixels = numpy.empty(len(image.pixels), dtype=numpy.float32)
    image.pixels.foreach_get(pixels)
    width, height = image.size
    bpy.data.images.remove(image)
    return pixels.reshape(height, width, -1)[:, :, :3]  # from the bottom row up


def check_picture(thing, frame, least):
    """What the thing adds to the picture is where the run has the middle of its mass."""
    scene.render.resolution_x, scene.render.resolution_y = 128, 72
    scene.cycles.samples = 8
    scene.cycles.volume_bounces = 1
    scene.frame_set(frame)
    for name, other in the("MESH").items():
        other.hide_render = other is not thing  # no shadows, no specks
    with_it = picture()
    thing.hide_render = True
    change = numpy.abs(with_it - picture()).sum(axis=2)
    change[change < 0.1] = 0  # noise
    rows, columns = numpy.nonzero(change)
    check(len(rows) > least, "a change of", len(rows), "pixels")
    weight = change[rows, columns]
    middle = numpy.array([((columns + 0.5) * weight).sum() / 128, ((rows + 0.5) * weight).sum() / 72]) / weight.sum()
    centre = Vector(z_up(statistics(frame)["center_of_mass"]))
    expected = numpy.array(world_to_camera_view(scene, scene.camera, centre))[:2]
    found("the middle of what", len(rows), "pixels show at", middle.round(3), "for", expected.round(3))
    check(near(middle, expected, 0.06), "off by", middle - expected)


def behind():
    """The light that the camera sees where nothing is."""
    looks = [node for node in scene.world.node_tree.nodes if node.type == "MIX_RGB"]
    by_eye = [node for node in looks if any(link.from_socket.name == "Is Camera Ray" for link in node.inputs[0].links)]
    check(len(by_eye) == 1, len(by_eye), "backdrops")
    return by_eye[0].inputs["Color2"].default_value[:3]


def run_script():
    runpy.run_path(os.path.join(export, "open_in_blender.py"), run_name="<run_path>")


def check_set_up(last, size):
    run_script()
    check((scene.frame_start, scene.frame_end) == (1, last), scene.frame_start, scene.frame_end)
    check(scene.render.fps / scene.render.fps_base == 30, scene.render.fps, scene.render.fps_base)
    check((scene.render.resolution_x, scene.render.resolution_y) == size, "another size of pictures")
    check(not {"Cube", "Light", "Camera"} & set(bpy.data.objects.keys()), "the default scene is still there")


def check_again():
    """A second time, nothing that was changed by hand is lost, and nothing is there twice."""
    before = sorted(bpy.data.objects.keys()), sorted(bpy.data.materials.keys())
    places = [tuple(thing.location) for thing in bpy.data.objects]
    materials = [material for material in bpy.data.materials if material.name.startswith("Whorl")]
    for material in materials:
        material.node_tree.nodes.new("ShaderNodeRGB").name = "mine"
    scene.cycles.samples, scene.frame_end, scene.world = 13, 4, bpy.data.worlds[0]
    scene.camera = None
    run_script()
    check((sorted(bpy.data.objects.keys()), sorted(bpy.data.materials.keys())) == before, "not what there was:", before)
    check([tuple(thing.location) for thing in bpy.data.objects] == places, "something went elsewhere")
    check(all("mine" in material.node_tree.nodes for material in materials), "a material is made anew")
    check((scene.cycles.samples, scene.frame_end, scene.camera) == (13, 4, None), "the render settings are changed")
    handlers = [one for one in bpy.app.handlers.frame_change_pre if one.__name__ == "show_whorl_frame"]
    check(len(handlers) == 1, len(handlers), "handlers")


def check_own_file():
    """In a file with things of its own, the run comes beside them."""
    bpy.ops.wm.read_homefile(use_factory_startup=True)
    own = bpy.context.scene
    bpy.data.objects["Cube"].name = "mine"

    def settings():
        return own.camera.name, own.world, own.frame_end, own.render.engine, own.render.resolution_x, own.render.fps

    before = settings()
    run_script()
    check({"mine", "Camera", "Light"} <= set(bpy.data.objects.keys()), "something is gone")
    check(settings() == before, "settings are changed:", settings(), "for", before)
    things = bpy.data.collections[f"Whorl {kind}"].objects
    check(len(things) > 1 and "LIGHT" not in {thing.type for thing in things}, [thing.name for thing in things])


def the(kind_of_data):
    things = [thing for thing in bpy.data.objects if thing.type == kind_of_data and thing.name.startswith(kind)]
    return {thing.name[len(kind) + 1:]: thing for thing in things}


check_set_up({"smoke": 12, "fire": 6, "liquid": 6}[kind], (960, 540))
check_again()
bpy.ops.wm.read_homefile(use_factory_startup=True)
scene = bpy.context.scene
run_script()
if kind == "smoke":
    smoke = the("VOLUME")["smoke"]
    heights = []
    for frame in (1, 3, 6, 12):
        scene.frame_set(frame)
        heights.append(bounds(smoke)[1][2])
        if frame in (3, 6):
            check_volume(smoke, frame, ["density", "temperature", "vel"])
    check(heights == sorted(heights) and heights[-1] > heights[0], "smoke that does not rise:", heights)
    check_picture(smoke, 12, 60)
    empty_scene()
    check_imported_volumes(12, ["density", "temperature", "velocity"], ["density", "temperature", "vel"])
elif kind == "fire":
    # A paddle goes up by 0.4 m in the 0.2 s of the run, and 0.1 m towards Whorl's z, Blender's -y.
    for frame, low in ((1, (1.8, 1.4 - 0.1 / 6, 0.7 + 0.4 / 6)), (6, (1.8, 1.3, 1.1))):
        scene.frame_set(frame)
        paddle = box_of(places_of(evaluated(the("MESH")["solid paddle"]).data))
        check(near(paddle, [low, numpy.add(low, (0.2, 0.3, 0.1))], 2e-3), "a paddle at", paddle, "for", low)
    # At night: the sun is put out, and what is left of the sky dims the rim light and the backdrop.
    check(list(the("LIGHT")) == ["sun 2"], "lights:", list(the("LIGHT")))
    rim = the("LIGHT")["sun 2"]
    check(abs(rim.data.energy - 0.3 * 0.75) < 1e-6, "a rim of", rim.data.energy, "W/m2")
    check(near(behind(), 0.3 * numpy.array([0.03, 0.036, 0.046]), 1e-6), "a backdrop of", behind())
    rim.hide_render = True
    scene.render.resolution_x, scene.render.resolution_y = 64, 36
    scene.cycles.samples = 4
    glow = picture().reshape(-1, 3)
    brightest = glow[glow.sum(axis=1).argmax()]
    found("in the dark a fire of", brightest.round(3))
    check(brightest[0] > 0.5 and brightest[0] > 2 * brightest[2], "no fire:", brightest)
    empty_scene()
    names = ["density", "temperature", "velocity", "fuel", "flame", "color"]
    check_imported_volumes(6, names, ["density", "temperature", "vel", "fuel", "flame"])
else:
    things = the("MESH")
    check_sequence(things["water"])
    scene.frame_set(6)
    check(len(things["whitewater"].data.vertices) > 0, "no specks")
    check_picture(things["water"], 6, 200)
    empty_scene()
    check_imported_mesh(6)
    check_imported_volumes(6, ["surface", "velocity"], ["surface", "vel"])
check_own_file()
