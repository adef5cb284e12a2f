// A body's surface as it is drawn: smooth where it is smooth, with edges where it has some, whatever its seams.
import type { BodyHeader, Data } from "./data";

const CREASE = Math.cos((50 * Math.PI) / 180);
const STEPS = 65535;

// Vertices at the same place at the start are one for shading: seams do not show.
function weld(positions: Float32Array): Uint32Array {
  const first = new Map<string, number>();
  const welded = new Uint32Array(positions.length / 3);
  for (let v = 0; v < welded.length; ++v) {
    const key = `${positions[3 * v]},${positions[3 * v + 1]},${positions[3 * v + 2]}`;
    const known = first.get(key);
    if (known === undefined) first.set(key, v);
    welded[v] = known ?? v;
  }
  return welded;
}

function faceNormals(positions: Float32Array, triangles: Uint32Array): Float32Array {
  const normals = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
    const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1], uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1], vz = positions[c + 2] - positions[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    const length = Math.hypot(x, y, z) || 1;
    normals[t] = x / length;
    normals[t + 1] = y / length;
    normals[t + 2] = z / length;
  }
  return normals;
}

// By corner of a triangle: the group whose corners share a normal. Around a vertex, corners of triangles that bend less
// than a crease against each other are one group.
function smoothGroups(positions: Float32Array, triangles: Uint32Array): { group: Uint32Array; count: number } {
  const welded = weld(positions);
  const normals = faceNormals(positions, triangles);
  const around = new Map<number, number[][]>();
  const group = new Uint32Array(triangles.length);
  const ids = new Map<number[], number>();
  const bends = (c: number, d: number) => {
    const f = 3 * Math.floor(c / 3), g = 3 * Math.floor(d / 3);
    return normals[f] * normals[g] + normals[f + 1] * normals[g + 1] + normals[f + 2] * normals[g + 2] < CREASE;
  };
  for (let corner = 0; corner < triangles.length; ++corner) {
    const v = welded[triangles[corner]];
    let groups = around.get(v);
    if (!groups) around.set(v, (groups = []));
    let mine = groups.find((one) => !bends(corner, one[0]) || !bends(corner, one[one.length - 1]));
    if (!mine) {
      groups.push((mine = []));
      ids.set(mine, ids.size);
    }
    mine.push(corner);
    group[corner] = ids.get(mine)!;
  }
  return { group, count: ids.size };
}

export class Surface {
  readonly vertices: Float32Array; // of the mesh, at the time that was asked for last
  readonly positions: Float32Array; // as they are drawn: a vertex on an edge stands there once for each side
  readonly normals: Float32Array;
  readonly index: Uint32Array; // three drawn vertices a triangle
  private readonly source: Uint32Array; // by drawn vertex: of the mesh
  private readonly group: Uint32Array; // by drawn vertex
  private readonly groupNormals: Float32Array;

  // `first`: where the vertices are at the start, which decides what is smooth. Kept, and changed.
  constructor(readonly triangles: Uint32Array, first: Float32Array) {
    this.vertices = first;
    const { group, count } = smoothGroups(this.vertices, this.triangles);
    this.groupNormals = new Float32Array(3 * count);
    const drawn = new Map<number, number>();
    const source: number[] = [], groups: number[] = [];
    this.index = this.triangles.map((vertex, corner) => {
      const key = vertex * count + group[corner];
      let at = drawn.get(key);
      if (at === undefined) {
        drawn.set(key, (at = source.length));
        source.push(vertex);
        groups.push(group[corner]);
      }
      return at;
    });
    this.source = Uint32Array.from(source);
    this.group = Uint32Array.from(groups);
    this.positions = new Float32Array(3 * source.length);
    this.normals = new Float32Array(3 * source.length);
    this.draw();
  }

  place(vertices: Float32Array): void {
    this.vertices.set(vertices);
    this.draw();
  }

  // As the vertices are now.
  protected draw(): void {
    this.shade();
    const { source, positions, vertices } = this;
    for (let i = 0; i < source.length; ++i)
      for (let axis = 0; axis < 3; ++axis) positions[3 * i + axis] = vertices[3 * source[i] + axis];
  }

  private shade(): void {
    const { triangles, vertices: x, index, group, groupNormals, normals } = this;
    groupNormals.fill(0);
    for (let t = 0; t < triangles.length; t += 3) {
      const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
      const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2];
      const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
      const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
      for (let k = 0; k < 3; ++k) {
        const g = 3 * group[index[t + k]];
        groupNormals[g] += nx;
        groupNormals[g + 1] += ny;
        groupNormals[g + 2] += nz;
      }
    }
    for (let g = 0; g < groupNormals.length; g += 3) {
      const length = Math.hypot(groupNormals[g], groupNormals[g + 1], groupNormals[g + 2]) || 1;
      for (let axis = 0; axis < 3; ++axis) groupNormals[g + axis] /= length;
    }
    for (let i = 0; i < group.length; ++i)
      for (let axis = 0; axis < 3; ++axis) normals[3 * i + axis] = groupNormals[3 * group[i] + axis];
  }
}

function readRows(body: BodyHeader, steps: Uint16Array, into: Float32Array, row: number, next: number, fraction: number): Float32Array {
  const size = into.length;
  const scale = [0, 1, 2].map((axis) => (body.high[axis] - body.low[axis]) / STEPS);
  for (let i = 0, a = row * size, b = next * size; i < size; ++i, ++a, ++b) {
    const axis = i % 3;
    into[i] = body.low[axis] + scale[axis] * (steps[a] + fraction * (steps[b] - steps[a]));
  }
  return into;
}

// Of a page's data: rows of steps within the body's box.
export class RecordedSurface extends Surface {
  private readonly steps: Uint16Array;

  constructor(data: Data, readonly body: BodyHeader) {
    super(data.triangles(body), readRows(body, data.steps(body), new Float32Array(3 * body.vertices), 0, 0, 0));
    this.steps = data.steps(body);
  }

  // Linear between two rows, as motions are.
  show(row: number, next: number, fraction: number): void {
    if (this.body.rows === 1) row = next = fraction = 0;
    readRows(this.body, this.steps, this.vertices, row, next, fraction);
    this.draw();
  }
}
