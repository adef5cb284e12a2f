// The faces that take part in contacts, as text that other programs select them by.
import type { Data } from "./data";

// Faces of one object of the user's file, by the numbers that they have there.
export interface Selection {
  object: string;
  faces: number[]; // ascending
}

// "walk/shirt.obj" is the object "shirt", as it is called where it comes from; of a part that stands alone, the part.
function objectName(name: string): string {
  const part = name.match(/\.[a-z0-9]+\/(.+)$/i);
  return part ? part[1] : name.replace(/^.*\//, "").replace(/\.[a-z0-9]+$/i, "");
}

// `counts`: triangle and number, in turn. Triangles that were cut from one polygon are one face; parts of a file are
// objects of their own, whose faces count from 0.
export function selections(data: Data, body: number, counts: Uint32Array): Selection[] {
  const { name } = data.header.bodies[body];
  const polygons = data.integers(`polygons${body}`);
  const polygon = (triangle: number) => (polygons.length ? polygons[triangle] : triangle);
  const parts = data.header.parts?.[body] ?? [];
  const stands_alone = /\.[a-z0-9]+\/.+$/i.test(name);
  const found = new Map<string, Set<number>>();
  for (let i = 0; i < counts.length; i += 2) {
    const triangle = counts[i];
    const part = stands_alone ? undefined : parts.find(([, first, count]) => triangle >= first && triangle < first + count);
    const object = part ? part[0] : objectName(name);
    const first = part ? polygon(part[1]) : stands_alone ? polygon(0) : 0;
    if (!found.has(object)) found.set(object, new Set());
    found.get(object)!.add(polygon(triangle) - first);
  }
  return [...found].map(([object, faces]) => ({ object, faces: [...faces].sort((a, b) => a - b) }));
}

function runs(faces: number[]): [number, number][] {
  const list: [number, number][] = [];
  for (const face of faces) {
    const last = list[list.length - 1];
    if (last && last[1] === face - 1) last[1] = face;
    else list.push([face, face]);
  }
  return list;
}

// shirt.f[3] shirt.f[7:9]
export function mayaText(list: Selection[]): string {
  const words = list.flatMap(({ object, faces }) => runs(faces).map(([from, to]) => `${object}.f[${from === to ? from : `${from}:${to}`}]`));
  return `select -r ${words.join(" ")};`;
}

// One line for Blender's Python console, for each object.
export function blenderText(list: Selection[]): string {
  return list
    .map(({ object, faces }) => {
      const mode = (name: string) => `bpy.ops.object.mode_set(mode="${name}")`;
      return [
        "import bpy", `o = bpy.data.objects[${JSON.stringify(object)}]`, "bpy.context.view_layer.objects.active = o", mode("EDIT"),
        'bpy.ops.mesh.select_mode(type="FACE")', 'bpy.ops.mesh.select_all(action="DESELECT")', mode("OBJECT"),
        `[setattr(o.data.polygons[i], "select", True) for i in (${faces.join(",")},)]`, mode("EDIT"),
      ].join("; ");
    })
    .join("\n");
}

export function plainText(list: Selection[]): string {
  return list.map(({ object, faces }) => `${object}: ${faces.join(", ")}`).join("\n");
}
