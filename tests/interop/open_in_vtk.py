"""Opens .vtp, .vtu, .vtk and .pvd files with VTK."""
import pathlib
import sys
import xml.etree.ElementTree

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkVersion
from vtkmodules.vtkIOLegacy import vtkUnstructuredGridReader
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader, vtkXMLUnstructuredGridReader

from checks import Checks, checksum

VTK_TRIANGLE, VTK_TETRA = 5, 10


def read(path):
    kinds = {".vtp": vtkXMLPolyDataReader, ".vtu": vtkXMLUnstructuredGridReader, ".vtk": vtkUnstructuredGridReader}
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


def main():
    for name in ("double.vtp", "float.vtp", "ascii.vtp", "surface.vtu"):
        checks.attempt(name, "mesh", lambda: open_surface(checks.folder / name))
    for name in ("block.vtu", "block_ascii.vtu", "block.vtk", "block_ascii.vtk"):
        checks.attempt(name, "tets", lambda: open_tets(checks.folder / name))
    checks.attempt("moving.pvd", "motion", lambda: open_series(checks.folder / "moving.pvd", VTK_TRIANGLE))
    checks.attempt("block.pvd", "moving tets", lambda: open_series(checks.folder / "block.pvd", VTK_TETRA))


checks = Checks("VTK " + vtkVersion.GetVTKVersion(), pathlib.Path(sys.argv[1]))
main()
checks.finish()
