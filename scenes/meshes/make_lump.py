#!/usr/bin/env python3
"""Writes lump.obj, a smooth solid with dents and a hole through it, and lump_broken.obj, the same gone wrong.

The lump is where a function is negative: a ball with three dents, pierced, with a ring that runs into it,
all blended. Its surface is found cell by cell (surface nets: a vertex for each cell that the surface crosses,
a face for each edge), then every vertex is moved onto it. Plain Python; the same files every time.
"""
import math
import os
import random

CELLS = 30
LO, HI = -0.62, 0.62
H = (HI - LO) / CELLS


def blend(a, b, k):
    """The smaller of two distances, rounded over a width k (Quilez)."""
    h = max(k - abs(a - b), 0.0) / k
    return min(a, b) - h * h * k / 4


def ball(p, centre, radius):
    return math.dist(p, centre) - radius


def lump(p):
    x, y, z = p
    body = ball(p, (0.0, 0.0, 0.0), 0.38)
    ring = math.hypot(math.hypot(x - 0.12, y - 0.18) - 0.3, z) - 0.085
    d = blend(body, ring, 0.1)
    for dent, radius in (((-0.36, 0.2, 0.2), 0.2), ((0.1, -0.42, 0.22), 0.2), ((0.12, 0.12, -0.44), 0.22)):
        d = -blend(-d, ball(p, dent, radius), 0.06)
    pierce = math.hypot(x + 0.05, z - 0.02) - 0.11  # along y
    return -blend(-d, pierce, 0.05)


def gradient(p, e=1e-4):
    g = []
    for a in range(3):
        hi, lo = list(p), list(p)
        hi[a] += e
        lo[a] -= e
        g.append((lump(hi) - lump(lo)) / (2 * e))
    return g


def onto_surface(p):
    for _ in range(8):
        d, g = lump(p), gradient(p)
        size = sum(c * c for c in g) or 1.0
        p = [x - 0.8 * d * c / size for x, c in zip(p, g)]
    return p


def surface():
    """Vertices, and triangles anticlockwise seen from outside."""
    n = CELLS + 1
    place = [LO + i * H for i in range(n)]
    value = [[[lump((x, y, z)) for z in place] for y in place] for x in place]
    at = lambda c: value[c[0]][c[1]][c[2]]
    vertices, of_cell = [], {}

    def vertex(cell):
        if cell not in of_cell:
            cuts = []
            for a in range(3):
                for k in range(4):
                    lo = list(cell)
                    lo[(a + 1) % 3] += k & 1
                    lo[(a + 2) % 3] += k >> 1
                    hi = list(lo)
                    hi[a] += 1
                    f, g = at(lo), at(hi)
                    if (f < 0) != (g < 0):
                        cut = [LO + c * H for c in lo]
                        cut[a] += H * f / (f - g)
                        cuts.append(cut)
            middle = [sum(c[a] for c in cuts) / len(cuts) for a in range(3)]
            of_cell[cell] = len(vertices)
            vertices.append(onto_surface(middle))
        return of_cell[cell]

    triangles = []
    for i in range(1, CELLS):
        for j in range(1, CELLS):
            for k in range(1, CELLS):
                for a in range(3):
                    end = [i, j, k]
                    end[a] += 1
                    inside, leaves = at((i, j, k)) < 0, at(end) >= 0
                    if inside != leaves:
                        continue
                    b, c = (a + 1) % 3, (a + 2) % 3
                    quad = []
                    for db, dc in ((-1, -1), (0, -1), (0, 0), (-1, 0)):
                        cell = [i, j, k]
                        cell[b] += db
                        cell[c] += dc
                        quad.append(vertex(tuple(cell)))
                    if not inside:
                        quad.reverse()
                    triangles += [(quad[0], quad[1], quad[2]), (quad[0], quad[2], quad[3])]
    return vertices, triangles


def broken(vertices, triangles):
    """Holes, flipped triangles, a part that is there twice, and a ball stuck through the surface."""
    rng = random.Random(7)
    vertices, triangles = list(vertices), list(triangles)

    def near(t, centre, radius):
        middle = [sum(vertices[i][a] for i in t) / 3 for a in range(3)]
        return math.dist(middle, centre) < radius

    for centre, radius in HOLES:
        triangles = [t for t in triangles if not near(t, centre, radius)]
    triangles = [t[::-1] if rng.random() < 0.1 else t for t in triangles]
    twice = [t for t in triangles if near(t, (0.4, 0.3, 0.0), 0.12)]
    copies = {}
    for t in twice:
        for i in t:
            if i not in copies:
                copies[i] = len(vertices)
                vertices.append(vertices[i])
    triangles += [tuple(copies[i] for i in t) for t in twice]

    # A ball half inside the ring, as coarse rings of triangles.
    centre, radius, rows, columns = STUCK[0], STUCK[1], 8, 12
    first = len(vertices)
    for r in range(rows + 1):
        for c in range(columns):
            up, round_ = math.pi * r / rows, 2 * math.pi * c / columns
            vertices.append([centre[0] + radius * math.sin(up) * math.cos(round_),
                             centre[1] - radius * math.cos(up),
                             centre[2] + radius * math.sin(up) * math.sin(round_)])
    for r in range(rows):
        for c in range(columns):
            a, b = first + r * columns + c, first + r * columns + (c + 1) % columns
            if r > 0:
                triangles.append((a, b + columns, b)[::-1])
            if r < rows - 1:
                triangles.append((a, a + columns, b + columns))
    rng.shuffle(triangles)
    return vertices, triangles


# Where triangles are missing in the broken lump, and the ball that it has besides.
HOLES = (((0.26, -0.1, 0.3), 0.07), ((-0.3, -0.2, -0.16), 0.09), ((0.36, 0.36, 0.06), 0.05))
STUCK = ((0.42, 0.18, 0.0), 0.11)


def write(name, mesh, title):
    vertices, triangles = mesh
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    with open(path, "w", encoding="ascii") as out:
        out.write(f"# {title} Made by make_lump.py.\n")
        for v in vertices:
            out.write("v " + " ".join(f"{c:.5f}" for c in v) + "\n")
        for t in triangles:
            out.write("f " + " ".join(str(i + 1) for i in t) + "\n")


if __name__ == "__main__":
    whole = surface()
    write("lump.obj", whole, "A smooth solid with dents and a hole through it.")
    write("lump_broken.obj", broken(*whole), "The lump with holes, flipped and doubled faces and a ball in it.")
