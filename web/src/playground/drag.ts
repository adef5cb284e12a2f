// Takes hold of bodies with the mouse or a finger, and pulls.
import { Plane, Raycaster, Vector2, Vector3 } from "three";
import type { BodyView } from "../body_view";
import type { Vector } from "../engine/api";
import type { Stage } from "../stage";
import { firstHit } from "../viewer";

export interface Grip {
  body: number;
  vertex: number;
  from: Vector;
}

export interface DragEnds {
  canDrag(body: number): boolean;
  pull(grip: Grip | null, to: Vector): void;
}

function nearest(vertices: Float32Array, to: Vector3): number {
  let best = 0, least = Infinity;
  for (let v = 0; v < vertices.length / 3; ++v) {
    const distance = (vertices[3 * v] - to.x) ** 2 + (vertices[3 * v + 1] - to.y) ** 2 + (vertices[3 * v + 2] - to.z) ** 2;
    if (distance < least) [least, best] = [distance, v];
  }
  return best;
}

// With Shift, and where nothing can be pulled, dragging turns the camera as ever.
export function dragBodies(stage: Stage, drawn: BodyView[], coarse: BodyView[], ends: DragEnds): void {
  const canvas = stage.renderer.domElement;
  const rays = new Raycaster(), plane = new Plane(), at = new Vector3();
  let grip: Grip | null = null;
  const aim = (event: PointerEvent) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    rays.setFromCamera(new Vector2((2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height), stage.camera);
  };
  const take = (): Grip | null => {
    const { origin, direction } = rays.ray;
    let distance = stage.camera.far, body = -1;
    drawn.forEach(({ surface, mesh }, b) => {
      const hit = mesh.visible ? firstHit(surface, origin, direction, 0, distance) : distance;
      if (hit < distance) [distance, body] = [hit, b];
    });
    if (body < 0 || !ends.canDrag(body)) return null;
    const point = origin.clone().addScaledVector(direction, distance);
    plane.setFromNormalAndCoplanarPoint(stage.camera.getWorldDirection(new Vector3()), point);
    return { body, vertex: nearest(coarse[body].surface.vertices, point), from: point.toArray() as Vector };
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.shiftKey || event.button !== 0) return;
    aim(event);
    grip = take();
    if (!grip) return;
    stage.hold(true);
    canvas.setPointerCapture(event.pointerId);
    ends.pull(grip, grip.from);
  }, { capture: true });
  canvas.addEventListener("pointermove", (event) => {
    if (!grip) return;
    aim(event);
    if (rays.ray.intersectPlane(plane, at)) ends.pull(grip, at.toArray() as Vector);
  });
  const letGo = () => {
    if (!grip) return;
    grip = null;
    stage.hold(false);
    ends.pull(null, [0, 0, 0]);
  };
  canvas.addEventListener("pointerup", letGo);
  canvas.addEventListener("pointercancel", letGo);
}
