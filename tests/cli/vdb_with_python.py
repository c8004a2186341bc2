"""vdb_with_python.py FILE JSON: compares a VDB file, as pyopenvdb reads it, to what Whorl says of it."""
import json
import math
import sys

import pyopenvdb

failures = 0


def same(x, y, tolerance):
    if isinstance(y, (tuple, list)):
        return x is not None and len(x) == len(y) and all(same(p, q, tolerance) for p, q in zip(x, y))
    if isinstance(x, (int, float)) and isinstance(y, (int, float)):
        return math.isclose(x, y, rel_tol=tolerance, abs_tol=tolerance)
    return x == y


def expect(what, ours, theirs, tolerance=0.0):
    global failures
    if not same(ours, theirs, tolerance):
        print(f"{what}: Whorl says {ours}, OpenVDB {theirs}")
        failures += 1


def compare_grid(ours, grid):
    name = grid.name
    expect(f"{name}: type", ours["type"], grid.valueTypeName)
    expect(f"{name}: class", ours["class"], grid.gridClass)
    is_vector = isinstance(grid.background, tuple)
    expect(f"{name}: vector type", ours["vector_type"], grid.vectorType if is_vector else "")
    expect(f"{name}: background", ours["background"], grid.background if is_vector else [grid.background])
    expect(f"{name}: half", ours["half"], grid.saveFloatAsHalf)
    expect(f"{name}: voxel size", ours["voxel_size"], grid.transform.voxelSize(), 1e-12)
    expect(f"{name}: origin", ours["origin"], grid.transform.indexToWorld((0, 0, 0)), 1e-12)
    expect(f"{name}: active voxels", ours["active_voxels"], grid.activeVoxelCount())
    if grid.activeVoxelCount() == 0:
        expect(f"{name}: active box", ours["active_box"], None)
        return
    low, high = grid.evalActiveVoxelBoundingBox()
    expect(f"{name}: first voxel", ours["active_box"][0], low)
    expect(f"{name}: last voxel", ours["active_box"][1], high)
    if not is_vector:
        least, most = grid.evalMinMax()
        expect(f"{name}: min", ours["min"], least, 1e-7)
        expect(f"{name}: max", ours["max"], most, 1e-7)


def main():
    path, json_path = sys.argv[1:]
    with open(json_path) as file:
        info = json.load(file)
    grids, metadata = pyopenvdb.readAll(path)
    expect("names of grids", [g["name"] for g in info["grids"]], [g.name for g in grids])
    for key in ("fps", "frame", "time"):
        expect(key, info["metadata"].get(key), metadata[key], 1e-6)
    for ours, grid in zip(info["grids"], grids):
        compare_grid(ours, grid)
    print(f"{path}: {len(grids)} grids, {failures} differences")
    return 1 if failures else 0


sys.exit(main())
