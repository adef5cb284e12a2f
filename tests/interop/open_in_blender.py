"""Run inside Blender: opens every mesh and point cache that it knows.  blender -b --python THIS -- FOLDER"""
import pathlib
import sys

import bpy
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from checks import Checks, checksum  # noqa: E402

if not hasattr(numpy, "bool"):
    numpy.bool = bool  # Blender 3.4's glTF importer uses the old name


def clear():
    bpy.ops.wm.read_factory_settings(use_empty=True)


def only_mesh():
    return next(item for item in bpy.context.scene.objects if item.type == "MESH")


def positions_of(mesh):
    flat = numpy.empty(3 * len(mesh.vertices), dtype=numpy.float32)
    mesh.vertices.foreach_get("co", flat)
    return flat.reshape(-1, 3).astype(float)


def evaluated_positions(item, frame):
    bpy.context.scene.frame_set(frame)
    return positions_of(item.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh())


def from_gltf(points):
    """Blender turns glTF's y-up into z-up; back again."""
    return numpy.stack([points[:, 0], points[:, 2], -points[:, 1]], axis=1)


def open_mesh(importer, turn=lambda points: points):
    clear()
    importer()
    mesh = only_mesh().data
    return {"vertices": len(mesh.vertices), "faces": len(mesh.polygons), "positions": checksum(turn(positions_of(mesh)))}


def open_stl(path):
    clear()
    bpy.ops.import_mesh.stl(filepath=path)
    mesh = only_mesh().data
    corners = positions_of(mesh)[[v for polygon in mesh.polygons for v in polygon.vertices]]
    return {"vertices": len(mesh.vertices), "faces": len(mesh.polygons), "corners": checksum(corners)}


def frames_of(item, turn=lambda points: points):
    sums = [checksum(turn(evaluated_positions(item, k))) for k in range(checks.expected["frames"])]
    return {"vertices": len(item.data.vertices), "positions": sums}


def open_cache(path, kind):
    clear()
    import_obj()
    item = only_mesh()
    cache = item.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format = kind
    cache.filepath = path
    cache.forward_axis, cache.up_axis = "POS_Y", "POS_Z"
    cache.interpolation = "NONE"
    cache.frame_start = 0
    return frames_of(item)


def open_animation(path):
    clear()
    bpy.context.scene.render.fps = 24
    bpy.ops.import_scene.gltf(filepath=path)
    return frames_of(only_mesh(), from_gltf)


def import_obj():
    bpy.ops.wm.obj_import(filepath=str(checks.folder / "torus_out.obj"), forward_axis="Y", up_axis="Z")


def main():
    path = lambda name: str(checks.folder / name)
    checks.attempt("OBJ", "mesh", lambda: open_mesh(import_obj))
    for name in ("double.ply", "float.ply", "ascii.ply"):
        checks.attempt(name, "mesh", lambda: open_mesh(lambda: bpy.ops.import_mesh.ply(filepath=path(name))))
    for name in ("binary.stl", "ascii.stl"):
        checks.attempt(name, "corners", lambda: open_stl(path(name)))
    for name in ("still.glb", "still.gltf"):
        checks.attempt(name, "mesh", lambda: open_mesh(lambda: bpy.ops.import_scene.gltf(filepath=path(name)), from_gltf))
    checks.attempt("moving.pc2", "motion", lambda: open_cache(path("moving.pc2"), "PC2"))
    checks.attempt("moving.mdd", "motion", lambda: open_cache(path("moving.mdd"), "MDD"))
    for name in ("moving.glb", "moving.gltf"):
        checks.attempt(name, "motion", lambda: open_animation(path(name)))


checks = Checks("Blender " + bpy.app.version_string, sys.argv[sys.argv.index("--") + 1])
main()
checks.finish()
