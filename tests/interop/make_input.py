"""Writes the files that are then converted: a torus that bends, a block of tetrahedra, and what to expect of them."""
import json
import pathlib
import sys

import numpy

from checks import GRID, checksum

FRAMES = 6


def on_grid(points):
    return numpy.rint(numpy.asarray(points) / GRID) * GRID


def torus(around=24, across=16):
    u, v = numpy.meshgrid(numpy.arange(around) / around, numpy.arange(across) / across, indexing="ij")
    u, v = 2 * numpy.pi * u.ravel(), 2 * numpy.pi * v.ravel()
    points = numpy.stack([(3 + numpy.cos(v)) * numpy.cos(u), (3 + numpy.cos(v)) * numpy.sin(u), numpy.sin(v)], axis=1)
    faces = []
    for i in range(around):
        for j in range(across):
            a, b = i * across + j, (i + 1) % around * across + j
            c, d = (i + 1) % around * across + (j + 1) % across, i * across + (j + 1) % across
            faces += [[a, b, c], [a, c, d]]
    return on_grid(points), numpy.array(faces)


def bent(points, frame):
    """Different along every axis, so that swapped or mirrored axes show."""
    moved = points + 0.1 * frame * numpy.stack(
        [numpy.sin(points[:, 1]), 0.5 * points[:, 2] ** 2, points[:, 0] - 0.25 * points[:, 1]], axis=1)
    return on_grid(moved)


def block(size=3):
    """Every cube of a lattice cut into six tetrahedra around its diagonal."""
    steps = numpy.arange(size + 1)
    points = numpy.stack(numpy.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3) * [1, 0.5, 0.25]
    number = lambda p: int((p[0] * (size + 1) + p[1]) * (size + 1) + p[2])
    tets = []
    for corner in numpy.ndindex(size, size, size):
        for order in [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (1, 0, 2), (2, 1, 0)]:
            path = [numpy.array(corner)]
            for axis in order:
                path.append(path[-1] + numpy.eye(3, dtype=int)[axis])
            tet = [number(p) for p in path]
            sign = numpy.linalg.det([points[t] - points[tet[0]] for t in tet[1:]])
            tets.append(tet if sign > 0 else [tet[0], tet[1], tet[3], tet[2]])
    return points, numpy.array(tets)


def main(folder):
    points, faces = torus()
    frames = [bent(points, k) for k in range(FRAMES)]
    obj = [f"v {x} {y} {z}" for x, y, z in frames[0].tolist()] + [f"f {a} {b} {c}" for a, b, c in (faces + 1).tolist()]
    (folder / "torus.obj").write_text("\n".join(obj) + "\n")
    numpy.save(folder / "torus.npy", numpy.stack(frames))
    # One half pushed through the other, more every frame.
    crash = [on_grid(frames[0] - [1.5 * k, 0, 0] * (frames[0][:, :1] > 0)) for k in range(FRAMES)]
    numpy.save(folder / "crash.npy", numpy.stack(crash))
    nodes, tets = block()
    lines = ["MeshVersionFormatted 2", "Dimension 3", "Vertices", str(len(nodes))]
    lines += [f"{x} {y} {z} 0" for x, y, z in nodes.tolist()] + ["Tetrahedra", str(len(tets))]
    lines += [f"{a} {b} {c} {d} 0" for a, b, c, d in (tets + 1).tolist()] + ["End"]
    (folder / "block.mesh").write_text("\n".join(lines) + "\n")
    moving = [bent(nodes, k) for k in range(FRAMES)]
    numpy.save(folder / "block.npy", numpy.stack(moving))
    expected = {
        "mesh": {"vertices": len(points), "faces": len(faces), "positions": checksum(frames[0])},
        "corners": {"vertices": len(points), "faces": len(faces), "corners": checksum(frames[0][faces])},
        "motion": {"vertices": len(points), "positions": [checksum(frame) for frame in frames]},
        "tets": {"vertices": len(nodes), "tets": len(tets), "positions": checksum(nodes), "corners": checksum(nodes[tets])},
        "moving tets": {"vertices": len(nodes), "tets": len(tets), "positions": [checksum(frame) for frame in moving]},
        "crash": {"vertices": len(points), "positions": [checksum(frame) for frame in crash]},
        "frames": FRAMES,
    }
    (folder / "expected.json").write_text(json.dumps(expected))


main(pathlib.Path(sys.argv[1]))
