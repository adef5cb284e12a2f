"""Has Gmsh open .msh files and write them anew in its plainest format, which is then read here."""
import pathlib
import subprocess
import sys

import numpy

from checks import Checks, checksum

TETRAHEDRON = 4  # Gmsh's number of the element type


def resave(path, out):
    run = subprocess.run(["gmsh", str(path), "-save", "-format", "msh22", "-o", str(out)], capture_output=True, text=True)
    if run.returncode or "Error" in run.stdout + run.stderr or not out.exists():
        raise RuntimeError((run.stdout + run.stderr).strip().splitlines()[-1])


def section(lines, name):
    start = lines.index(f"${name}")
    return [line.split() for line in lines[start + 2:lines.index(f"$End{name}")]]


def open_tets(path):
    out = path.with_suffix(".resaved.msh")
    resave(path, out)
    lines = out.read_text().splitlines()
    nodes = sorted((int(row[0]), [float(x) for x in row[1:4]]) for row in section(lines, "Nodes"))
    place = {tag: i for i, (tag, _) in enumerate(nodes)}
    points = numpy.array([point for _, point in nodes])
    tets = [[place[int(tag)] for tag in row[3 + int(row[2]):]] for row in section(lines, "Elements")
            if int(row[1]) == TETRAHEDRON]
    return {"vertices": len(points), "tets": len(tets), "positions": checksum(points), "corners": checksum(points[tets])}


version = subprocess.run(["gmsh", "--version"], capture_output=True, text=True)
checks = Checks("Gmsh " + (version.stdout + version.stderr).strip(), pathlib.Path(sys.argv[1]))
for name in ("v22.msh", "v22_ascii.msh", "v41.msh", "v41_ascii.msh"):
    checks.attempt(name, "tets", lambda: open_tets(checks.folder / name))
checks.finish()
