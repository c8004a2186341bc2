"""Renders a frame of an export in Blender's Cycles, as the run's own pictures see it, to put beside them.

    whorl export out/dam_break --for blender
    blender -b --factory-startup --python-exit-code 1 --python docs/cycles.py -- \
        out/dam_break/export-blender 30 dam_break_cycles.png [--samples 64] [--caustics]

Without a denoiser, as Debian's Blender is built, 64 paths a pixel leave some grain.
"""
import argparse
import os
import runpy
import sys

import bpy


def allow_caustics(scene):
    """The script lets sunlight straight through what is clear; here it must find its way."""
    scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = True
    for material in (material for material in bpy.data.materials if material.use_nodes):
        for link in list(material.node_tree.links):
            if link.from_socket.name == "Is Shadow Ray":
                link.to_socket.default_value = 0
                material.node_tree.links.remove(link)


def main():
    parser = argparse.ArgumentParser(prog="cycles.py", description=__doc__.splitlines()[0])
    parser.add_argument("export", help="the folder of an export for Blender")
    parser.add_argument("frame", type=int)
    parser.add_argument("picture", help="the PNG file to write")
    parser.add_argument("--samples", type=int, default=64, help="paths a pixel")
    parser.add_argument("--caustics", action="store_true", help="light only as water bends it; takes many more paths")
    arguments = parser.parse_args(sys.argv[sys.argv.index("--") + 1:])
    runpy.run_path(os.path.join(arguments.export, "open_in_blender.py"))
    scene = bpy.context.scene
    scene.frame_set(arguments.frame)
    scene.cycles.samples = arguments.samples
    if arguments.caustics:
        allow_caustics(scene)
    scene.render.filepath = os.path.abspath(arguments.picture)
    bpy.ops.render.render(write_still=True)


main()
