"""Mesh and motion of everything in a scene that Blender opens (.blend, Alembic, USD, FBX, glTF), for Pliant.

    blender -b --python scripts/blender-to-pc2.py -- SCENE OUT_FOLDER [OBJECT...]

Writes OUT_FOLDER/NAME.obj (the first frame, with modifiers) and NAME.pc2 (every frame of the scene) for each mesh
object, or for the named ones, in world coordinates. Objects whose number of vertices changes are left out, in words.
Then:  pliant check OUT_FOLDER/shirt.obj --motion OUT_FOLDER/shirt.pc2 OUT_FOLDER/body.obj --motion OUT_FOLDER/body.pc2
"""
import pathlib
import struct
import sys

import bpy
import numpy

if not hasattr(numpy, "bool"):
    numpy.bool = bool  # the glTF importer of some versions uses the old name


def open_scene(path):
    importers = {
        ".abc": lambda: bpy.ops.wm.alembic_import(filepath=path, as_background_job=False),
        ".fbx": lambda: bpy.ops.import_scene.fbx(filepath=path),
        ".glb": lambda: bpy.ops.import_scene.gltf(filepath=path),
        ".gltf": lambda: bpy.ops.import_scene.gltf(filepath=path),
    }
    suffix = pathlib.Path(path).suffix.lower()
    if suffix == ".blend":
        bpy.ops.wm.open_mainfile(filepath=path)
        return
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if suffix.startswith(".usd"):
        bpy.ops.wm.usd_import(filepath=path)
    elif suffix in importers:
        importers[suffix]()
    else:
        sys.exit(f"blender-to-pc2: {path}: not .blend, .abc, .usd, .fbx, .glb or .gltf")
    fit_frame_range()


def fit_frame_range():
    """Importers of animations do not all set the scene's range; theirs are then the keys' own."""
    ends = [end for action in bpy.data.actions for end in action.frame_range]
    if ends:
        bpy.context.scene.frame_start, bpy.context.scene.frame_end = round(min(ends)), round(max(ends))


def world_mesh(item):
    """Vertices in world coordinates and polygons, modifiers applied, at the current frame."""
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    points = numpy.empty(3 * len(mesh.vertices), dtype=numpy.float32)
    mesh.vertices.foreach_get("co", points)
    matrix = numpy.array(evaluated.matrix_world)
    points = points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
    polygons = [list(polygon.vertices) for polygon in mesh.polygons]
    evaluated.to_mesh_clear()
    return points.astype("<f4"), polygons


class Cache:
    """One object's files. The header of a PC2 is: name, version, points, start, rate, frames."""

    def __init__(self, item, folder):
        self.item = item
        self.path = folder / (item.name.replace("/", "_") + ".pc2")
        points, polygons = world_mesh(item)
        self.points = len(points)
        self.frames = 0
        self.changed = False
        with open(self.path.with_suffix(".obj"), "w") as obj:
            obj.writelines(f"v {x!r} {y!r} {z!r}\n" for x, y, z in points.astype(float).tolist())
            obj.writelines("f " + " ".join(str(v + 1) for v in polygon) + "\n" for polygon in polygons)
        self.file = open(self.path, "wb")
        self.write_header()

    def write_header(self):
        self.file.write(struct.pack("<12siiffi", b"POINTCACHE2\0", 1, self.points, 0.0, 1.0, self.frames))

    def add_frame(self):
        if self.changed:
            return
        points, _ = world_mesh(self.item)
        self.changed = len(points) != self.points
        if not self.changed:
            self.file.write(points.tobytes())
            self.frames += 1

    def finish(self):
        if not self.changed:
            self.file.seek(0)
            self.write_header()
        self.file.close()
        if self.changed:
            self.path.unlink()
            self.path.with_suffix(".obj").unlink()
            print(f"blender-to-pc2: {self.item.name}: left out: its number of vertices changes over time")
        else:
            print(f"blender-to-pc2: {self.path}: {self.points} vertices, {self.frames} frames")


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    open_scene(arguments[0])
    folder, names = pathlib.Path(arguments[1]), arguments[2:]
    folder.mkdir(parents=True, exist_ok=True)
    scene = bpy.context.scene
    scene.frame_set(scene.frame_start)
    items = [item for item in scene.objects if item.type == "MESH" and (not names or item.name in names)]
    if not items:
        sys.exit("blender-to-pc2: the scene has no such mesh; it has " + ", ".join(i.name for i in scene.objects))
    caches = [Cache(item, folder) for item in items]
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        for cache in caches:
            cache.add_frame()
    for cache in caches:
        cache.finish()


main(sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else [])
