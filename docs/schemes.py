#!/usr/bin/env python3
"""Runs scenes/schemes.toml once for each scheme; writes the pictures and the table of docs/schemes.md.

    docs/schemes.py [--whorl PROGRAM] [--out FOLDER] [FRAME ...]

One contact sheet a FRAME goes to docs/images/schemes_FRAME.jpg (ffmpeg joins them), the table to standard output.
Runs that the folder already holds are not repeated: take it away to measure again.
"""
import argparse
import json
import pathlib
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLAIN = {"energy": "none"}
SCHEMES = {
    "semi_lagrangian": PLAIN | {"advection": "semi_lagrangian"},
    "maccormack, clamp": PLAIN | {"advection": "maccormack", "limiter": "clamp"},
    "maccormack, revert": PLAIN | {"advection": "maccormack", "limiter": "revert"},
    "bfecc": PLAIN | {"advection": "bfecc"},
    "catmull_rom": PLAIN | {"advection": "semi_lagrangian", "interpolation": "catmull_rom"},
    "maccormack, reflection": {"advection": "maccormack", "energy": "reflection"},
    "maccormack, ivock": {"advection": "maccormack", "energy": "ivock"},
    "bimocq": PLAIN | {"advection": "bimocq"},
}
COLUMNS = 4
PANEL = 300    # pixels wide
FIRE_OUT = 48  # frame


def folder(out, name):
    return out / name.replace(", ", "_")


def run(whorl, out, name, settings):
    """Simulates one variant, unless it is there."""
    if (folder(out, name) / "schemes.mp4").exists():
        return
    command = [whorl, "run", ROOT / "scenes/schemes.toml", "--quiet", "--output", folder(out, name)]
    for key, value in settings.items():
        command += ["--set", f'smoke.{key}="{value}"']
    subprocess.run(command, check=True)


def frames_of(out, name):
    with open(folder(out, name) / "frames.jsonl") as lines:
        return [json.loads(line) for line in lines]


def most_density(whorl, out, name, frame):
    volume = folder(out, name) / f"vdb/schemes.{frame:04}.vdb"
    told = subprocess.run([whorl, "info", "--json", volume], check=True, capture_output=True, text=True)
    return next(grid["max"] for grid in json.loads(told.stdout)["grids"] if grid["name"] == "density")


def contact_sheet(out, frame, target):
    inputs, panels, places = [], [], []
    for k, name in enumerate(SCHEMES):
        inputs += ["-i", folder(out, name) / f"png/schemes.{frame:04}.png"]
        label = f"drawtext=text='{name}':fontcolor=white:fontsize=17:x=12:y=12".replace(",", r"\,", 1)
        panels.append(f"[{k}]scale={PANEL}:-2,{label}[p{k}]")
        column, row = k % COLUMNS, k // COLUMNS
        places.append("+".join(["0"] + ["w0"] * column) + "_" + "+".join(["0"] + ["h0"] * row))
    stack = "".join(f"[p{k}]" for k in range(len(SCHEMES)))
    graph = ";".join(panels) + f";{stack}xstack=inputs={len(SCHEMES)}:layout={'|'.join(places)}"
    subprocess.run(["ffmpeg", "-y", "-v", "error", *inputs, "-filter_complex", graph, "-frames:v", "1", "-q:v", "3",
                    target], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--whorl", default=ROOT / "whorl")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "out/schemes")
    parser.add_argument("frames", metavar="FRAME", type=int, nargs="*", default=[40, 72])
    given = parser.parse_args()
    for name, settings in SCHEMES.items():
        run(given.whorl, given.out, name, settings)
    for frame in given.frames:
        contact_sheet(given.out, frame, ROOT / f"docs/images/schemes_{frame}.jpg")

    print("| scheme | energy kept | density, most | ms a frame |")
    print("|---|---|---|---|")
    last = given.frames[-1]
    for name in SCHEMES:
        frames = frames_of(given.out, name)
        kept = frames[last - 1]["kinetic_energy"] / frames[FIRE_OUT - 1]["kinetic_energy"]
        density = most_density(given.whorl, given.out, name, last)
        step = statistics.median(frame["seconds"]["step"] for frame in frames)
        print(f"| `{name}` | {kept:.2f} | {density:.2f} | {1000 * step:.1f} |")


main()
