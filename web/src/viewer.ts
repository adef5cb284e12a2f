// The bodies at a time: what both faces of the page share.
import { Box3, Vector3 } from "three";
import { colourOf, RecordedBody } from "./body_view";
import { Clock } from "./clock";
import type { Data, Place } from "./data";
import { Marks } from "./marks";
import type { OverlayView } from "./overlay";
import { Stage, unite } from "./stage";
import type { Surface } from "./surface";
import { themeChanged } from "./theme";

// The longer of y and z, where the files do not say: most of what is checked stands upright.
function upOf(data: Data): Vector3 {
  const size = unite(data.header.bodies).getSize(new Vector3());
  const up = data.header.up ?? (size.y > size.z ? "y" : "z");
  return up === "y" ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
}

export class Viewer {
  readonly stage: Stage;
  readonly bodies: RecordedBody[];
  readonly marks = new Marks();
  readonly clock: Clock;
  overlay: OverlayView | null = null; // what a method worked with
  timeChanged: () => void = () => {};

  constructor(readonly host: HTMLElement, readonly data: Data, rate: number, plain: boolean) {
    const { bodies } = data.header;
    // As run.json says; in motions that are made, and in reports, no body is one.
    const obstacles: boolean[] = bodies.map((_, b) => data.document.bodies[b]?.obstacle ?? false);
    const moving = bodies.filter((body, b) => body.rows > 1 && !obstacles[b]);
    this.clock = new Clock(data.header.times, rate);
    this.stage = new Stage(host, upOf(data), unite(moving.length ? moving : bodies), unite(bodies));
    let coloured = 0;
    this.bodies = bodies.map((body, b) => new RecordedBody(data, body, colourOf(body.kind, obstacles[b], obstacles[b] ? 0 : coloured++, plain)));
    for (const body of this.bodies) this.stage.scene.add(body.mesh);
    this.stage.scene.add(this.marks.group);
    this.dim();
    themeChanged(() => this.dim());
    this.clock.changed(() => this.stage.invalidate());
    this.stage.wantsMore = () => this.clock.playing;
    this.stage.beforeDraw = (seconds) => {
      this.clock.advance(seconds);
      this.showTime();
    };
  }

  private dim(): void {
    for (const body of this.bodies) body.dim();
  }

  showTime(time = this.clock.time): void {
    const { row, next, fraction } = this.clock.moment(time);
    for (const body of this.bodies) body.show(row, next, fraction);
    this.timeChanged();
  }

  // What is there at the time that is shown: a body that walks is smaller than its way.
  private box(): Box3 {
    const box = new Box3();
    const point = new Vector3();
    for (const { surface, mesh } of this.bodies) {
      if (!mesh.visible) continue;
      for (let i = 0; i + 2 < surface.vertices.length; i += 3) box.expandByPoint(point.fromArray(surface.vertices, i));
    }
    return box;
  }

  // Half the diagonal of that.
  extent(): number {
    return Math.min(this.stage.sphere.radius, this.box().getSize(new Vector3()).length() / 2);
  }

  middle(): Vector3 {
    return this.box().getCenter(new Vector3());
  }

  turnUp(): void {
    this.stage.setUp(this.stage.upAxis.z ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1));
  }

  wireframe(on: boolean): void {
    for (const body of this.bodies) body.mesh.material.wireframe = on;
    this.stage.invalidate();
  }

  // From where a place is seen best: as little in the way as can be, rather along the normal than across, rather from
  // above than from below, rather from where one is than from the other side.
  eyeFor(place: Place, reach: number): Vector3 {
    const point = new Vector3(...place.point), normal = new Vector3(...place.normal);
    const up = this.stage.upAxis;
    const away = point.clone().sub(this.stage.sphere.center).normalize();
    const distance = this.stage.distance(reach);
    let best = new Vector3(), most = -Infinity;
    for (const direction of directions(up)) {
      const free = this.freeWay(point, direction, distance, 0.012 * this.stage.sphere.radius);
      const worth = 2.2 * free + 0.35 * Math.abs(direction.dot(normal)) + 0.5 * direction.dot(away) - 0.3 * Math.abs(direction.dot(up) - 0.3);
      if (worth > most) [most, best] = [worth, direction];
    }
    return point.addScaledVector(best, distance);
  }

  // What part of the way to the eye nothing stands in; what is within `near` belongs to the place itself.
  private freeWay(from: Vector3, direction: Vector3, distance: number, near: number): number {
    let nearest = distance;
    for (const { surface, mesh } of this.bodies)
      if (mesh.visible) nearest = Math.min(nearest, firstHit(surface, from, direction, near, nearest));
    return nearest / distance;
  }
}

// Evenly over the upper half of the sphere, and a little below.
function directions(up: Vector3): Vector3[] {
  const list: Vector3[] = [];
  for (const height of [-0.25, 0.2, 0.55, 0.85])
    for (let turn = 0; turn < 10; ++turn) {
      const angle = (2 * Math.PI * (turn + 5 * height)) / 10, radius = Math.sqrt(1 - height * height);
      const x = radius * Math.cos(angle), y = radius * Math.sin(angle);
      list.push(up.z ? new Vector3(x, y, height) : new Vector3(x, height, y));
    }
  return list;
}

// The distance at which a ray meets the surface first, of those beyond `near`; `far` if it does not before.
export function firstHit(surface: Surface, from: Vector3, d: Vector3, near: number, far: number): number {
  const { vertices: x, triangles } = surface;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
    const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2];
    const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
    const px = d.y * vz - d.z * vy, py = d.z * vx - d.x * vz, pz = d.x * vy - d.y * vx;
    const det = ux * px + uy * py + uz * pz;
    if (Math.abs(det) < 1e-20) continue;
    const sx = from.x - x[a], sy = from.y - x[a + 1], sz = from.z - x[a + 2];
    const first = (sx * px + sy * py + sz * pz) / det;
    if (first < 0 || first > 1) continue;
    const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux;
    const second = (d.x * qx + d.y * qy + d.z * qz) / det;
    if (second < 0 || first + second > 1) continue;
    const hit = (vx * qx + vy * qy + vz * qz) / det;
    if (hit > near && hit < far) far = hit;
  }
  return far;
}
