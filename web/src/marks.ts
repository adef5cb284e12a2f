// Contacts as they are drawn: points, lines along normals and forces, and a ring around the place that is meant.
import {
  BufferAttribute, BufferGeometry, CanvasTexture, Color, Group, LineBasicMaterial, LineSegments, Points, PointsMaterial, Sprite, SpriteMaterial,
  Vector3,
} from "three";
import { colour } from "./theme";

function picture(size: number, draw: (context: CanvasRenderingContext2D) => void): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  draw(canvas.getContext("2d")!);
  return new CanvasTexture(canvas);
}

const disc = () =>
  picture(64, (context) => {
    context.fillStyle = "#fff";
    context.strokeStyle = "rgba(0,0,0,0.75)";
    context.lineWidth = 8;
    context.arc(32, 32, 26, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  });

const ring = (line: string) =>
  picture(128, (context) => {
    for (const [style, width] of [["rgba(0,0,0,0.6)", 16], [line, 9]] as [string, number][]) {
      context.strokeStyle = style;
      context.lineWidth = width;
      context.beginPath();
      context.arc(64, 64, 50, 0, 2 * Math.PI);
      context.stroke();
    }
  });

// So many at once; what is beyond them is not drawn.
const MOST = 20000;

function buffer(material: PointsMaterial | LineBasicMaterial, perMark: number): { geometry: BufferGeometry; set: (values: number[]) => void } {
  const geometry = new BufferGeometry();
  const attribute = new BufferAttribute(new Float32Array(3 * perMark * MOST), 3);
  geometry.setAttribute("position", attribute);
  geometry.setDrawRange(0, 0);
  const set = (values: number[]) => {
    const count = Math.min(values.length, attribute.array.length);
    (attribute.array as Float32Array).set(count < values.length ? values.slice(0, count) : values);
    attribute.needsUpdate = true;
    geometry.setDrawRange(0, count / 3);
  };
  material.depthTest = false;
  material.transparent = true;
  return { geometry, set };
}

export class Marks {
  readonly group = new Group();
  readonly ring: Sprite;
  private readonly points;
  private readonly normals;
  private readonly forces;
  private readonly layers: { points: Points; normals: LineSegments; forces: LineSegments };

  constructor() {
    const dot = new PointsMaterial({ size: 6, opacity: 0.9, sizeAttenuation: false, map: disc(), color: new Color(colour("hit")), alphaTest: 0.1 });
    const normal = new LineBasicMaterial({ color: new Color(colour("normal")) });
    const force = new LineBasicMaterial({ color: new Color(colour("force")) });
    this.points = buffer(dot, 1);
    this.normals = buffer(normal, 2);
    this.forces = buffer(force, 2);
    this.layers = {
      points: new Points(this.points.geometry, dot),
      normals: new LineSegments(this.normals.geometry, normal),
      forces: new LineSegments(this.forces.geometry, force),
    };
    for (const layer of Object.values(this.layers)) {
      layer.frustumCulled = false;
      layer.renderOrder = 2;
      this.group.add(layer);
    }
    this.ring = new Sprite(new SpriteMaterial({ map: ring(colour("hit")), sizeAttenuation: false, depthTest: false }));
    this.ring.scale.setScalar(0.07);
    this.ring.renderOrder = 3;
    this.ring.visible = false;
    this.group.add(this.ring);
  }

  get drawn(): number {
    return this.points.geometry.drawRange.count;
  }

  visible(layer: "points" | "normals" | "forces", on: boolean): void {
    this.layers[layer].visible = on;
  }

  // Three numbers a point; six a line.
  show(points: number[], normals: number[], forces: number[]): void {
    this.points.set(points);
    this.normals.set(normals);
    this.forces.set(forces);
  }

  pointAt(place: Vector3 | null): void {
    this.ring.visible = place !== null;
    if (place) this.ring.position.copy(place);
  }
}
