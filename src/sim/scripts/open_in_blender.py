"""Sets up a scene in Blender, 3.4 or newer, from what `whorl export --for blender` wrote beside this file.

    blender --python open_in_blender.py

or open it in Blender's Text editor and run it there. A new file gets everything: camera, light, floor, render settings.
A file of your own gets a collection with what the run holds and its camera, and is otherwise left alone.

Blender plays sequences of volumes by itself, but not of meshes: a handler in here loads the one of each frame, so run
this again after opening a saved .blend file. Where the collection is there already, nothing else is touched but the
paths of its files; delete it to have it made anew.
"""
import json
import math
import os

import bpy
import mathutils
import numpy


def this_folder():
    text = getattr(bpy.context.space_data, "text", None)  # in the Text editor
    return os.path.dirname(os.path.abspath(bpy.path.abspath(text.filepath) if text else __file__))


def find(things, name):
    """By a property: Blender cuts names at 63 bytes."""
    return next((thing for thing in things if thing.get("whorl_name") == name), None)


def find_or_add(things, name):
    thing = find(things, name)
    if not thing:
        thing = things.new(name)
        thing["whorl_name"] = name
    return thing


def collection_name(run):
    return f"Whorl {run['name']}"


def add_object(run, name, data):
    thing = bpy.data.objects.new(f"{run['name']} {name}", data)
    thing["whorl_name"] = name
    find(bpy.data.collections, collection_name(run)).objects.link(thing)
    return thing


def is_new_file():
    return not bpy.data.filepath and {thing.name for thing in bpy.data.objects} <= {"Cube", "Camera", "Light"}


# ---- meshes and particles, a file a frame


def read_ply(path):
    """The vertices of one of Whorl's PLY files, an array with names, and the corners of its triangles."""
    kinds = {"float": "<f4", "double": "<f8"}
    with open(path, "rb") as file:
        counts, properties = {}, []
        for line in iter(file.readline, b"end_header\n"):
            words = line.decode().split()
            if words[0] == "element":
                counts[words[1]] = int(words[2])
            elif words[0] == "property" and words[1] in kinds:
                properties.append((words[2], kinds[words[1]]))
        vertices = numpy.fromfile(file, numpy.dtype(properties), counts["vertex"])
        faces = numpy.fromfile(file, numpy.dtype([("sides", "u1"), ("corners", "<i4", 3)]), counts.get("face", 0))
    return vertices, faces["corners"]


def vectors(vertices, names):
    return numpy.stack([vertices[name].astype(numpy.float32) for name in names], axis=1)


def set_attribute(mesh, name, kind, field, values):
    attribute = mesh.attributes.get(name) or mesh.attributes.new(name, kind, "POINT")
    attribute.data.foreach_set(field, values.ravel())


def fill_mesh(mesh, vertices, triangles):
    mesh.clear_geometry()
    count = len(triangles)
    mesh.vertices.add(len(vertices))
    mesh.loops.add(3 * count)
    mesh.polygons.add(count)
    mesh.vertices.foreach_set("co", vectors(vertices, "xyz").ravel())
    mesh.loops.foreach_set("vertex_index", triangles.ravel())
    mesh.polygons.foreach_set("loop_start", numpy.arange(0, 3 * count, 3, dtype=numpy.int32))
    if bpy.app.version < (4, 1, 0):
        mesh.polygons.foreach_set("loop_total", numpy.full(count, 3, dtype=numpy.int32))
    mesh.polygons.foreach_set("use_smooth", numpy.ones(count, dtype=bool))
    for name in vertices.dtype.names:
        if name not in ("x", "y", "z", "vx", "vy", "vz", "id"):
            set_attribute(mesh, name, "FLOAT", "value", vertices[name].astype(numpy.float32))
    if "vx" in vertices.dtype.names:  # m/s, as Cycles takes them for motion blur
        set_attribute(mesh, "velocity", "FLOAT_VECTOR", "vector", vectors(vertices, ("vx", "vy", "vz")))
    mesh.update()


@bpy.app.handlers.persistent
def show_whorl_frame(scene, *_):
    frame = math.floor(scene.frame_current_final + 0.5)  # within the shutter's time, the frame's own
    for thing in scene.objects:
        if "whorl_files" not in thing or thing.get("whorl_frame") == frame:
            continue
        path = thing["whorl_files"].replace("####", f"{frame:04}")
        if os.path.exists(path):
            fill_mesh(thing.data, *read_ply(path))
        else:
            thing.data.clear_geometry()
        thing["whorl_frame"] = frame


def add_meshes(run, name, files, material):
    """A mesh; where the files' name has #### for the frame, of each frame its own."""
    thing = add_object(run, name, bpy.data.meshes.new(name))
    thing.data.materials.append(material)
    take_files(run, thing, files)
    return thing


def take_files(run, thing, files):
    path = os.path.join(run["folder"], files)
    if "####" in files:
        thing["whorl_files"] = path
        thing["whorl_frame"] = -1  # none yet
    else:
        fill_mesh(thing.data, *read_ply(path))


def play_meshes(scene):
    handlers = bpy.app.handlers.frame_change_pre
    for handler in [handler for handler in handlers if handler.__name__ == "show_whorl_frame"]:
        handlers.remove(handler)
    handlers.append(show_whorl_frame)
    show_whorl_frame(scene)


def show_as_balls(thing, material):
    """Specks as wide as their pscale."""
    tree = bpy.data.node_groups.new("Whorl specks", "GeometryNodeTree")
    if hasattr(tree, "interface"):  # Blender 4
        tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
        tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    else:
        tree.inputs.new("NodeSocketGeometry", "Geometry")
        tree.outputs.new("NodeSocketGeometry", "Geometry")
    kinds = ("NodeGroupInput", "GeometryNodeMeshToPoints", "GeometryNodeInputNamedAttribute", "GeometryNodeSetMaterial",
             "NodeGroupOutput")
    came, points, radius, look, goes = (tree.nodes.new(kind) for kind in kinds)
    radius.inputs["Name"].default_value = "pscale"
    look.inputs["Material"].default_value = material
    tree.links.new(came.outputs[0], points.inputs["Mesh"])
    tree.links.new([out for out in radius.outputs if out.enabled][0], points.inputs["Radius"])
    tree.links.new(points.outputs[0], look.inputs["Geometry"])
    tree.links.new(look.outputs[0], goes.inputs[0])
    thing.modifiers.new("specks", "NODES").node_group = tree


# ---- looks


def new_material(run, name):
    """One without nodes but its output, and functions that add nodes, and that join them."""
    material = find_or_add(bpy.data.materials, f"Whorl {run['name']} {name}")
    material.use_nodes = True
    return material, *node_tools(material.node_tree, "ShaderNodeOutputMaterial")


def node_tools(tree, output):
    tree.nodes.clear()
    end = tree.nodes.new(output)

    def node(kind, properties=None, **inputs):
        made = tree.nodes.new("ShaderNode" + kind)
        for name, value in (properties or {}).items():
            setattr(made, name, value)
        for name, value in inputs.items():
            socket = made.inputs[int(name[1:])] if name[0] == "_" else made.inputs[name.replace("_", " ")]
            if isinstance(value, bpy.types.Node):
                value = value.outputs[0]
            if isinstance(value, bpy.types.NodeSocket):
                tree.links.new(value, socket)
            else:
                socket.default_value = value
        return made

    def finish(socket, value):
        tree.links.new(value.outputs[0], end.inputs[socket])

    return node, finish


def rgba(colour):
    return (*colour, 1)


def smoke_material(run):
    smoke, fire, grids = run["smoke"], run.get("fire"), run["volumes"]["grids"]
    material, node, finish = new_material(run, "smoke")
    look = node("VolumePrincipled", Color=rgba(smoke["albedo"]), Density=smoke["extinction"],
                Anisotropy=smoke["anisotropy"])
    look.inputs["Density Attribute"].default_value = "density" if "density" in grids else ""
    look.inputs["Temperature"].default_value = 1  # the grid's values are kelvins
    if "density" not in grids:
        look.inputs["Density"].default_value = 0
    if "color" in grids:
        look.inputs["Color Attribute"].default_value = "color"
        look.inputs["Color"].default_value = (1, 1, 1, 1)
    if fire and "flame" in grids:
        # Hot soot, which takes light away as well. As bright as the fourth root of what its temperature makes it, seen at
        # 575 nm: an eye that gets used to fire sees both dull red and candle light.
        def math_node(operation, first, second=0.0):
            return node("Math", {"operation": operation}, _0=first, _1=second)

        flame = node("Attribute", {"attribute_name": "flame"}).outputs["Fac"]
        heat = node("Attribute", {"attribute_name": "temperature"}).outputs["Fac"] if "temperature" in grids else 1700.0
        heat = math_node("MAXIMUM", heat, 900.0)
        thick = math_node("MULTIPLY", flame, fire["extinction"])
        glow = math_node("EXPONENT", math_node("MULTIPLY", 25022.0 / 4, math_node(
            "SUBTRACT", 1 / 1600, math_node("DIVIDE", 1.0, heat))))
        strength = math_node("MULTIPLY", thick, math_node("MULTIPLY", glow, fire["brightness_at_1600_k"]))
        soot = node("VolumeAbsorption", Color=(0, 0, 0, 1), Density=thick)
        light = node("Emission", Color=node("Blackbody", Temperature=heat), Strength=strength)
        look = node("AddShader", _0=look, _1=node("AddShader", _0=soot, _1=light))
    finish("Volume", look)
    return material


def clear(node, index):
    """Shadows are of a flat pane: Blender sends no sunlight through what bends it."""
    return node("MixShader", Fac=node("LightPath").outputs["Is Shadow Ray"],
                _1=node("BsdfGlass", IOR=index, Roughness=0.0), _2=node("BsdfTransparent"))


def water_material(run):
    """Clear, but for what its depth takes of white light by Beer's law."""
    water = run["water"]
    material, node, finish = new_material(run, "water")
    taken = [-math.log(max(part, 1e-3)) / water["depth"] for part in water["color"]]
    most = max(max(taken), 1e-9)
    finish("Surface", clear(node, 1.333))
    finish("Volume", node("VolumeAbsorption", Color=rgba(1 - part / most for part in taken), Density=most))
    return material


def matte_material(run, name, colour):
    material, node, finish = new_material(run, name)
    finish("Surface", node("BsdfDiffuse", Color=rgba(colour)))
    return material


def solid_name(solid):
    return "solid " + solid["name"]  # which may be water


def solid_material(run, solid):
    name = solid_name(solid)
    if solid["material"] == "matte":
        return matte_material(run, name, solid["color"])
    material, node, finish = new_material(run, name)
    glass = solid["material"] == "glass"
    finish("Surface", clear(node, 1.5) if glass else node("BsdfGlossy", Color=rgba(solid["color"]), Roughness=0.15))
    return material


def tile_material(run):
    """Square tiles, fourteen across the domain, by which one sees how water bends what is below it."""
    colour = (0.33, 0.305, 0.27)
    material, node, finish = new_material(run, "ground")
    bricks = node("TexBrick", {"offset": 0, "squash": 1}, Vector=node("NewGeometry").outputs["Position"],
                  Color1=rgba(0.95 * part for part in colour), Color2=rgba(1.05 * part for part in colour),
                  Mortar=rgba(0.7 * part for part in colour), Scale=14 / run["size"])
    for name, value in (("Mortar Size", 0.015), ("Brick Width", 1.0), ("Row Height", 1.0)):
        bricks.inputs[name].default_value = value
    finish("Surface", node("BsdfDiffuse", Color=bricks))
    return material


def fading_material(run):
    """A dark floor without an edge: it is lost in the backdrop."""
    material, node, finish = new_material(run, "ground")
    low, high = run["domain"]
    middle = (0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), run["floor"])
    away = node("VectorMath", {"operation": "DISTANCE"}, _0=node("NewGeometry").outputs["Position"], _1=middle)
    ratio = node("Math", {"operation": "DIVIDE"}, _0=away.outputs["Value"], _1=run["size"])
    square = node("Math", {"operation": "MULTIPLY"}, _0=ratio, _1=ratio)
    shown = node("Math", {"operation": "EXPONENT"}, _0=node("Math", {"operation": "MULTIPLY"}, _0=square, _1=-0.8))
    finish("Surface", node("MixShader", Fac=shown, _1=node("BsdfTransparent"),
                           _2=node("BsdfDiffuse", Color=rgba((0.072, 0.078, 0.09)))))
    return material


# ---- what there is


def take_volumes(run, data):
    volumes = run["volumes"]
    first, last = volumes["frames"][0], volumes["frames"][-1]
    data.filepath = os.path.join(run["folder"], volumes["files"].replace("####", f"{first:04}"))
    data.is_sequence = True
    data.frame_start = first
    data.frame_duration = last - first + 1
    data.frame_offset = first - 1


def add_volumes(run):
    data = bpy.data.volumes.new("volumes")
    take_volumes(run, data)
    data.velocity_unit = "SECOND"
    data.materials.append(smoke_material(run))
    return add_object(run, "smoke", data)


def add_floor(run):
    far = 30 * run["size"]
    height = run["floor"] + 3e-4 * run["size"]  # a hair in what stands on it: no film of air in between
    mesh = bpy.data.meshes.new("ground")
    corners = [(-far, -far, height), (far, -far, height), (far, far, height), (-far, far, height)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    mesh.materials.append(tile_material(run) if "water" in run else fading_material(run))
    add_object(run, "ground", mesh)


def add_camera(run):
    seen = run["camera"]
    data = bpy.data.cameras.new("camera")
    data.sensor_fit = "VERTICAL"
    data.angle = math.radians(seen["fov"])
    data.clip_start, data.clip_end = 1e-3 * run["size"], 1e3 * run["size"]
    camera = add_object(run, "camera", data)
    camera.location = seen["position"]
    camera.rotation_euler = mathutils.Vector(seen["towards"]).to_track_quat("-Z", "Y").to_euler()
    return camera


def add_light(run, scene):
    light = run["light"]
    for k, sun in enumerate(light["suns"]):
        brightest = max(sun["irradiance"])
        if brightest == 0:  # put out by the scene, and so of no colour
            continue
        data = bpy.data.lights.new("sun", "SUN")
        data.energy = brightest
        data.color = [part / brightest for part in sun["irradiance"]]
        data.angle = 2 * math.radians(sun["half_angle"])
        thing = add_object(run, f"sun {k + 1}", data)
        thing.rotation_euler = mathutils.Vector(sun["towards"]).to_track_quat("Z", "Y").to_euler()
    scene.world = find_or_add(bpy.data.worlds, f"Whorl {run['name']} sky")
    scene.world.use_nodes = True
    scene.world.cycles.sampling_method = "MANUAL"
    scene.world.cycles.sample_map_resolution = 256  # smooth as it is
    node, finish = node_tools(scene.world.node_tree, "ShaderNodeOutputWorld")
    up = node("SeparateXYZ", Vector=node("TexCoord").outputs["Generated"]).outputs["Z"]
    fall = node("Math", {"operation": "EXPONENT"}, _0=node("Math", {"operation": "MULTIPLY"}, _0=up, _1=-3.2))
    height = node("Math", {"operation": "SUBTRACT", "use_clamp": True}, _0=1.0, _1=fall)
    below = node("MapRange", _0=up, _1=0.0, _2=-0.04, _3=0.0, _4=1.0)
    sky = node("MixRGB", Fac=height, Color1=rgba(light["horizon"]), Color2=rgba(light["zenith"]))
    sky = node("MixRGB", Fac=below, Color1=sky, Color2=rgba(light["ground"]))
    if "backdrop" in light:  # the eye sees that in place of the sky
        sky = node("MixRGB", Fac=node("LightPath").outputs["Is Camera Ray"], Color1=sky, Color2=rgba(light["backdrop"]))
    finish("Surface", node("Background", Color=sky))


def can_denoise():
    """Debian's Blender cannot, and would refuse to render."""
    try:
        import _cycles
        return bool(_cycles.with_openimagedenoise)
    except (ImportError, AttributeError):
        return False


def set_up_render(run, scene):
    scene.render.fps = max(1, round(run["fps"]))
    scene.render.fps_base = scene.render.fps / run["fps"]
    scene.frame_start, scene.frame_end = run["first_frame"], run["last_frame"]
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 64
    scene.cycles.use_denoising = can_denoise()
    scene.cycles.volume_bounces = 8
    scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False  # light comes through as in shadows
    scene.render.use_motion_blur = True
    scene.render.motion_blur_shutter = 0.5


def sequences(run):
    """Names and files of meshes, a file a frame or one for all, with what makes their material."""
    if "meshes" in run:
        yield "water", run["meshes"]["files"], lambda: water_material(run)
    for solid in run.get("solids", []):
        yield solid_name(solid), solid["files"], lambda solid=solid: solid_material(run, solid)
    if "whitewater" in run:
        yield "whitewater", run["whitewater"]["files"], lambda: matte_material(run, "specks", (0.96, 0.97, 0.98))


def has_smoke(run):
    return bool({"density", "flame"} & set(run.get("volumes", {}).get("grids", [])))


def add_all(run, scene):
    scene.collection.children.link(find_or_add(bpy.data.collections, collection_name(run)))
    if has_smoke(run):
        add_volumes(run)
    for name, files, look in sequences(run):
        material = look()
        thing = add_meshes(run, name, files, material)
        if name == "whitewater":
            show_as_balls(thing, material)
    return add_camera(run) if "camera" in run else None


def set_up_scene(run, scene, camera):
    """All of a new file, as the run's own pictures are."""
    for name in ("Cube", "Camera", "Light"):
        if name in bpy.data.objects:
            bpy.data.objects.remove(bpy.data.objects[name])
    set_up_render(run, scene)
    scene.frame_set(run["first_frame"])
    if "floor" in run:
        add_floor(run)
    if camera:
        scene.camera = camera
        scene.render.resolution_x, scene.render.resolution_y = run["camera"]["width"], run["camera"]["height"]
    add_light(run, scene)


def renew_paths(run, collection):
    """The export may be at another place, or have other frames."""
    files = {name: names for name, names, _ in sequences(run)}
    for thing in collection.all_objects:
        if thing.type == "VOLUME" and has_smoke(run):
            take_volumes(run, thing.data)
        elif thing.get("whorl_name") in files and thing.type == "MESH":
            take_files(run, thing, files[thing["whorl_name"]])


def main():
    scene = bpy.context.scene
    folder = this_folder()
    with open(os.path.join(folder, "export.json"), encoding="utf-8") as file:
        run = json.load(file)
    run["folder"] = folder
    collection = find(bpy.data.collections, collection_name(run))
    if collection and collection in scene.collection.children_recursive:
        renew_paths(run, collection)
    else:
        if collection:  # taken out of the scene by hand
            bpy.data.collections.remove(collection)
        new_file = is_new_file()
        camera = add_all(run, scene)
        if new_file:
            set_up_scene(run, scene, camera)
        elif not scene.camera:
            scene.camera = camera
    play_meshes(scene)


main()
