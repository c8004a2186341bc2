"""Sets up a scene in Houdini from what `whorl export --for houdini` wrote beside this file: in Houdini's Python Shell,

    exec(open("/path/to/open_in_houdini.py").read(), {"__file__": "/path/to/open_in_houdini.py"})

It makes one geometry object with a File node for each sequence, and the camera of the run's own pictures.
"""
import json
import math
import os

import hou

folder = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(folder, "export.json"), encoding="utf-8") as file:
    run = json.load(file)

hou.setFps(run["fps"])
hou.playbar.setFrameRange(run["first_frame"], run["last_frame"])
hou.playbar.setPlaybackRange(run["first_frame"], run["last_frame"])
hou.setFrame(run["first_frame"])



def add_node(parent, kind, name):
    """Names of runs may hold what names of nodes may not."""
    return parent.createNode(kind, name, force_valid_node_name=True)


place = add_node(hou.node("/obj"), "geo", run["name"])
sequences = [(kind, run[kind]["files"]) for kind in ("volumes", "meshes", "particles", "whitewater") if kind in run]
sequences += [("solid_" + solid["name"], solid["files"]) for solid in run.get("solids", [])]
for kind, files in sequences:
    node = add_node(place, "file", kind)
    node.parm("file").set(os.path.join(folder, files.replace("####", "$F4")))
    if kind in ("particles", "whitewater"):
        # One vector from the three columns that the files have.
        wrangle = node.createOutputNode("attribwrangle", kind + "_v")
        wrangle.parm("snippet").set("v@v = set(f@vx, f@vy, f@vz);")
place.layoutChildren()

if "camera" in run:
    seen = run["camera"]
    x, y, z = seen["towards"]
    camera = add_node(hou.node("/obj"), "cam", run["name"] + "_camera")
    camera.parmTuple("t").set(seen["position"])
    camera.parmTuple("r").set((math.degrees(math.asin(y)), math.degrees(math.atan2(-x, -z)), 0))
    camera.parmTuple("res").set((seen["width"], seen["height"]))
    wide = math.tan(math.radians(seen["fov"]) / 2) * seen["width"] / seen["height"]
    camera.parm("focal").set(camera.parm("aperture").eval() / (2 * wide))
