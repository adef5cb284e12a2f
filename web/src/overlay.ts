// What a method worked with, drawn over the bodies: boxes, spheres, open pairs, regions, particles, events.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, Color, DoubleSide, Group, IcosahedronGeometry, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4,
  Mesh, MeshBasicMaterial, MeshLambertMaterial, Points, PointsMaterial, Quaternion, SRGBColorSpace, Vector3,
} from "three";
import type { BodyView } from "./body_view";
import type { Layer, LayerSwitch } from "./layers";
import { colour, themeChanged } from "./theme";

// As the library gives it. Boxes of 8 numbers: body, open, least x y z, most x y z. Spheres of 6: body, leaf, centre, radius. Lines of 8: two
// bodies, two ends. Events of 4: time, point.
export interface Overlay {
  boxes: Float32Array;
  spheres: Float32Array;
  lines: Float32Array;
  events: Float32Array;
  surfaces: { body: number; regionOfFace: Uint32Array; particles: Uint32Array }[];
}
export const EMPTY: Overlay = { boxes: new Float32Array(0), spheres: new Float32Array(0), lines: new Float32Array(0), events: new Float32Array(0), surfaces: [] };

const NO_REGION = 0xffffffff;
const MOST = 600; // boxes and spheres; the library gives fewer

const EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7]; // corners by bits x y z

export function regionColour(region: number): Color {
  return new Color().setHSL((region * 0.61803398875) % 1, 0.48, 0.6 + 0.14 * ((region * 0.377) % 1), SRGBColorSpace);
}

// Points or lines, as many as there is room for.
function fill(object: { geometry: BufferGeometry }, values: number[]): void {
  const attribute = object.geometry.attributes.position as BufferAttribute;
  const count = Math.min(values.length, attribute.array.length);
  (attribute.array as Float32Array).set(count < values.length ? values.slice(0, count) : values);
  attribute.needsUpdate = true;
  object.geometry.setDrawRange(0, count / 3);
}
function room(numbers: number): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(numbers), 3));
  return geometry;
}

class LineLayer {
  readonly object: LineSegments<BufferGeometry, LineBasicMaterial>;
  constructor(most: number, opacity: number) {
    this.object = new LineSegments(room(6 * most), new LineBasicMaterial({ transparent: true, opacity, depthTest: false }));
    this.object.frustumCulled = false;
    this.object.renderOrder = 1;
  }
  set(values: number[]): void {
    fill(this.object, values);
  }
}

export class PointLayer {
  readonly object: Points<BufferGeometry, PointsMaterial>;
  constructor(size: number) {
    this.object = new Points(room(3 * 8192), new PointsMaterial({ size, sizeAttenuation: false, depthTest: false, transparent: true }));
    this.object.frustumCulled = false;
    this.object.renderOrder = 2;
  }
  set(values: number[]): void {
    fill(this.object, values);
  }
}

// The faces of a body that are in regions, each in the colour of its own, over the body.
export class RegionLayer {
  readonly object: Mesh<BufferGeometry, MeshLambertMaterial>;
  private faces: number[] = [];

  constructor(private readonly view: BodyView, private readonly colourOfRegion: (region: number) => Color = regionColour) {
    const material = new MeshLambertMaterial({ vertexColors: true, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2 });
    this.object = new Mesh(new BufferGeometry(), material);
    this.object.frustumCulled = false;
  }
  paint(regionOfFace: Uint32Array): void {
    this.faces = [];
    for (let face = 0; face < regionOfFace.length; ++face) if (regionOfFace[face] !== NO_REGION) this.faces.push(face);
    const colours = new Float32Array(9 * this.faces.length);
    this.faces.forEach((face, i) => {
      const { r, g, b } = this.colourOfRegion(regionOfFace[face]);
      for (let k = 0; k < 3; ++k) colours.set([r, g, b], 9 * i + 3 * k);
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(colours.length), 3));
    geometry.setAttribute("normal", new BufferAttribute(new Float32Array(colours.length), 3));
    geometry.setAttribute("color", new BufferAttribute(colours, 3));
    this.object.geometry.dispose();
    this.object.geometry = geometry;
  }
  // Where the body is now.
  follow(): void {
    const { surface, mesh } = this.view;
    const { position, normal } = this.object.geometry.attributes as Record<string, BufferAttribute>;
    this.object.visible = mesh.visible && this.faces.length > 0;
    if (!position || !this.object.visible) return;
    this.faces.forEach((face, i) => {
      for (let k = 0; k < 3; ++k) {
        const v = surface.index[3 * face + k];
        for (let axis = 0; axis < 3; ++axis) {
          position.array[9 * i + 3 * k + axis] = surface.positions[3 * v + axis];
          normal.array[9 * i + 3 * k + axis] = surface.normals[3 * v + axis];
        }
      }
    });
    position.needsUpdate = normal.needsUpdate = true;
  }
}

export class OverlayView implements LayerSwitch {
  readonly group = new Group();
  private readonly on: Record<Layer, boolean> = { boxes: false, spheres: false, pairs: false, regions: false, particles: false, events: false };
  private readonly edges = new LineLayer(12 * MOST, 0.5);
  private readonly openEdges = new LineLayer(12 * MOST, 0.75);
  private readonly lines = new LineLayer(MOST, 0.9);
  private readonly particles = new PointLayer(4);
  private readonly events = new PointLayer(5);
  private readonly fills: InstancedMesh<BoxGeometry, MeshBasicMaterial>;
  private readonly balls: InstancedMesh<IcosahedronGeometry, MeshLambertMaterial>;
  private readonly regions: RegionLayer[];
  private shown: Overlay = EMPTY;
  private counted: Record<Layer, number> = { boxes: 0, spheres: 0, pairs: 0, regions: 0, particles: 0, events: 0 };

  constructor(private readonly bodies: BodyView[]) {
    this.fills = new InstancedMesh(new BoxGeometry(1, 1, 1), new MeshBasicMaterial({ transparent: true, opacity: 0.045, depthWrite: false }), MOST);
    this.balls = new InstancedMesh(new IcosahedronGeometry(1, 3), new MeshLambertMaterial({ transparent: true, opacity: 0.17, depthWrite: false }), MOST);
    this.regions = bodies.map((body) => new RegionLayer(body));
    for (const mesh of [this.fills, this.balls]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 1;
    }
    this.group.add(this.edges.object, this.openEdges.object, this.lines.object, this.particles.object, this.events.object, this.fills, this.balls);
    for (const region of this.regions) this.group.add(region.object);
    this.paint();
    themeChanged(() => this.paint());
    this.show(EMPTY);
  }

  get counts(): Readonly<Record<Layer, number>> {
    return this.counted;
  }
  // What is on screen: nothing of a layer that is off.
  drawn(layer: Layer): number {
    return this.on[layer] ? this.counted[layer] : 0;
  }
  isOn(layer: Layer): boolean {
    return this.on[layer];
  }
  turn(layer: Layer, on: boolean): void {
    this.on[layer] = on;
    this.show(this.shown);
  }

  // `until`: events that come later than this are not drawn yet.
  show(overlay: Overlay, until = Infinity): void {
    const repaint = overlay !== this.shown;
    this.shown = overlay;
    this.showBoxes(overlay.boxes);
    this.showSpheres(overlay.spheres);
    const lines: number[] = [];
    for (let at = 0; at < overlay.lines.length; at += 8) if (this.hasBoth(overlay.lines[at], overlay.lines[at + 1])) lines.push(...overlay.lines.subarray(at + 2, at + 8));
    this.counted.pairs = lines.length / 6;
    this.lines.set(this.on.pairs ? lines : []);
    const points: number[] = [];
    for (let at = 0; at < overlay.events.length; at += 4) if (overlay.events[at] <= until) points.push(overlay.events[at + 1], overlay.events[at + 2], overlay.events[at + 3]);
    this.counted.events = points.length / 3;
    this.events.set(this.on.events ? points : []);
    this.showSurfaces(overlay, repaint);
  }

  // Bodies have moved, or were hidden.
  follow(): void {
    this.show(this.shown);
  }

  private hasBoth(a: number, b: number): boolean {
    return (this.bodies[a]?.mesh.visible ?? true) && (this.bodies[b]?.mesh.visible ?? true);
  }

  private showBoxes(boxes: Float32Array): void {
    const closed: number[] = [], open: number[] = [];
    const matrix = new Matrix4(), none = new Quaternion(), middle = new Vector3(), size = new Vector3();
    let filled = 0;
    this.counted.boxes = 0;
    for (let at = 0; at < boxes.length; at += 8) {
      if (!this.hasBoth(boxes[at], boxes[at])) continue;
      ++this.counted.boxes;
      const corner = (bits: number) => [0, 1, 2].map((axis) => boxes[at + 2 + axis + (bits & (4 >> axis) ? 3 : 0)]);
      const into = boxes[at + 1] ? open : closed;
      for (const bits of EDGES) into.push(...corner(bits));
      if (!boxes[at + 1] || filled >= MOST) continue;
      for (let axis = 0; axis < 3; ++axis) {
        middle.setComponent(axis, (boxes[at + 2 + axis] + boxes[at + 5 + axis]) / 2);
        size.setComponent(axis, boxes[at + 5 + axis] - boxes[at + 2 + axis]);
      }
      this.fills.setMatrixAt(filled++, matrix.compose(middle, none, size));
    }
    this.edges.set(this.on.boxes ? closed : []);
    this.openEdges.set(this.on.boxes ? open : []);
    this.fills.count = this.on.boxes ? filled : 0;
    this.fills.instanceMatrix.needsUpdate = true;
  }

  private showSpheres(spheres: Float32Array): void {
    const matrix = new Matrix4(), none = new Quaternion(), centre = new Vector3(), scale = new Vector3();
    let count = 0;
    for (let at = 0; at < spheres.length && count < MOST; at += 6) {
      if (!this.hasBoth(spheres[at], spheres[at])) continue;
      centre.fromArray(spheres, at + 2);
      this.balls.setMatrixAt(count, matrix.compose(centre, none, scale.setScalar(spheres[at + 5])));
      this.balls.setColorAt(count++, spheres[at + 1] ? this.leafColour : this.sphereColour);
    }
    this.counted.spheres = count;
    this.balls.count = this.on.spheres ? count : 0;
    this.balls.instanceMatrix.needsUpdate = true;
    if (this.balls.instanceColor) this.balls.instanceColor.needsUpdate = true;
  }

  private showSurfaces({ surfaces }: Overlay, repaint: boolean): void {
    const points: number[] = [];
    let regions = 0;
    const divided = new Map(surfaces.map((surface) => [surface.body, surface]));
    this.regions.forEach((layer, body) => {
      const surface = divided.get(body);
      if (repaint) layer.paint(surface?.regionOfFace ?? new Uint32Array(0));
      if (this.on.regions) layer.follow();
      else layer.object.visible = false;
      if (!surface) return;
      const ids = new Set(surface.regionOfFace);
      regions += ids.size - (ids.has(NO_REGION) ? 1 : 0);
      if (!this.bodies[body].mesh.visible) return;
      const { vertices } = this.bodies[body].surface;
      for (const vertex of surface.particles) points.push(vertices[3 * vertex], vertices[3 * vertex + 1], vertices[3 * vertex + 2]);
    });
    this.counted.regions = regions;
    this.counted.particles = points.length / 3;
    this.particles.set(this.on.particles ? points : []);
  }

  private sphereColour = new Color();
  private leafColour = new Color();

  private paint(): void {
    const set = (target: { color: Color }, name: string) => target.color.set(colour(name));
    set(this.edges.object.material, "box");
    set(this.openEdges.object.material, "boxopen");
    set(this.fills.material, "boxopen");
    set(this.lines.object.material, "pair");
    set(this.particles.object.material, "particle");
    set(this.events.object.material, "event");
    this.sphereColour.set(colour("sphere"));
    this.leafColour.set(colour("boxopen"));
  }
}
