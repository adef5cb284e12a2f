"""Opens .vtp, .vtu, .vtk, .pvd, coloured .ply and .csv files with VTK."""
import json
import pathlib
import sys
import xml.etree.ElementTree

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkVersion
from vtkmodules.vtkIOInfovis import vtkDelimitedTextReader
from vtkmodules.vtkIOLegacy import vtkUnstructuredGridReader
from vtkmodules.vtkIOPLY import vtkPLYReader
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader, vtkXMLUnstructuredGridReader

from checks import Checks, checksum

VTK_TRIANGLE, VTK_TETRA = 5, 10


def read(path):
    kinds = {".vtp": vtkXMLPolyDataReader, ".vtu": vtkXMLUnstructuredGridReader, ".vtk": vtkUnstructuredGridReader,
             ".ply": vtkPLYReader}
    reader = kinds[path.suffix]()
    reader.SetFileName(str(path))
    reader.Update()
    if reader.GetErrorCode():
        raise RuntimeError(f"VTK reports error {reader.GetErrorCode()}")
    return reader.GetOutput()


def positions_of(data):
    return vtk_to_numpy(data.GetPoints().GetData())


def count(data, kind):
    return sum(data.GetCellType(i) == kind for i in range(data.GetNumberOfCells()))


def corners(data):
    cells = (data.GetCell(i) for i in range(data.GetNumberOfCells()))
    return numpy.array([[cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())] for cell in cells])


def open_surface(path):
    data = read(path)
    return {"vertices": data.GetNumberOfPoints(), "faces": count(data, VTK_TRIANGLE), "positions": checksum(positions_of(data))}


def open_tets(path):
    data = read(path)
    points = positions_of(data)
    return {"vertices": len(points), "tets": count(data, VTK_TETRA), "positions": checksum(points),
            "corners": checksum(points[corners(data)])}


def open_series(path, kind):
    entries = xml.etree.ElementTree.parse(path).getroot().iter("DataSet")
    files = [e.get("file") for e in sorted(entries, key=lambda e: float(e.get("timestep")))]
    frames = [read(path.parent / name) for name in files]
    seen = {"vertices": frames[0].GetNumberOfPoints()}
    if kind == VTK_TETRA:
        seen["tets"] = count(frames[0], VTK_TETRA)
    return {**seen, "positions": [checksum(positions_of(frame)) for frame in frames]}


def expect_contacts(folder):
    """What the JSON report says, which no picture is made from."""
    contacts = json.loads((folder / "contacts.json").read_text())["contacts"]
    faces = {contact[side]["triangle"] for contact in contacts for side in "ab"}
    mesh = checks.expected["mesh"]
    shape = {"vertices": mesh["vertices"], "faces": mesh["faces"]}
    checks.expected["contact faces"] = {**shape, "in contact": len(faces), "sum": sum(faces)}
    checks.expected["contact points"] = {
        "points": len(contacts), "normals": len(contacts), "sum": round(sum(sum(c["point"]) for c in contacts), 6)}
    checks.expected["contact lines"] = {"lines": len(contacts), "times": sorted({f"{c['time']:g}" for c in contacts})}


def open_contact_faces(path):
    data = read(path)
    if path.suffix == ".ply":
        marked = vtk_to_numpy(data.GetCellData().GetArray("RGB"))[:, 0] > 200
    else:
        marked = vtk_to_numpy(data.GetCellData().GetArray("contacts")) > 0
    return {"vertices": data.GetNumberOfPoints(), "faces": data.GetNumberOfCells(), "in contact": int(marked.sum()),
            "sum": int(numpy.flatnonzero(marked).sum())}


def open_contact_points(path):
    data = read(path)
    normals = vtk_to_numpy(data.GetPointData().GetNormals())
    return {"points": data.GetNumberOfVerts(), "normals": len(normals), "sum": round(float(positions_of(data).sum()), 6)}


def open_contact_lines(path):
    reader = vtkDelimitedTextReader()
    reader.SetFileName(str(path))
    reader.SetHaveHeaders(True)
    reader.DetectNumericColumnsOn()
    reader.Update()
    table = reader.GetOutput()
    times = vtk_to_numpy(table.GetColumnByName("time"))
    return {"lines": table.GetNumberOfRows(), "times": sorted({f"{t:g}" for t in times})}


def main():
    for name in ("double.vtp", "float.vtp", "ascii.vtp", "surface.vtu"):
        checks.attempt(name, "mesh", lambda: open_surface(checks.folder / name))
    for name in ("block.vtu", "block_ascii.vtu", "block.vtk", "block_ascii.vtk"):
        checks.attempt(name, "tets", lambda: open_tets(checks.folder / name))
    checks.attempt("moving.pvd", "motion", lambda: open_series(checks.folder / "moving.pvd", VTK_TRIANGLE))
    checks.attempt("block.pvd", "moving tets", lambda: open_series(checks.folder / "block.pvd", VTK_TETRA))
    expect_contacts(checks.folder)
    for name in ("contacts.ply", "contacts.vtp"):
        checks.attempt(name, "contact faces", lambda: open_contact_faces(checks.folder / name))
    checks.attempt("contacts.points.vtp", "contact points", lambda: open_contact_points(checks.folder / "contacts.points.vtp"))
    checks.attempt("contacts.csv", "contact lines", lambda: open_contact_lines(checks.folder / "contacts.csv"))
    checks.attempt("contacts.pvd", "crash", lambda: open_series(checks.folder / "contacts.pvd", VTK_TRIANGLE))


checks = Checks("VTK " + vtkVersion.GetVTKVersion(), pathlib.Path(sys.argv[1]))
main()
checks.finish()
