// Light, shadow, ground and camera. Draws only when something has changed.
import { Box3, CircleGeometry, Color, type DirectionalLight, Mesh, PerspectiveCamera, Scene, type ShadowMaterial, Sphere, Vector3, type WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { addLights, drawsInSoftware, endRenderer, groundMaterial, takeRenderer } from "./renderer";
import { colour, themeChanged } from "./theme";

// From where a scene wants to be looked at.
export interface CameraPlace {
  name: string;
  position: [number, number, number];
  target: [number, number, number];
  angle: number; // of view, from the lower to the upper edge, degrees
}
const MEANT_ASPECT = 1.5; // what places are chosen for; in a narrower picture one stands farther away

export type View = "fit" | "front" | "side" | "top";

interface Flight {
  from: [Vector3, Vector3];
  to: [Vector3, Vector3]; // eye, target
  begun: number;
}
const FLIGHT_MS = 700;
const ANGLE = 35; // degrees

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(ANGLE, 1, 0.01, 1000);
  readonly renderer: WebGLRenderer;
  readonly sphere: Sphere; // around what moves
  beforeDraw: (seconds: number) => void = () => {};
  wantsMore: () => boolean = () => false; // the next picture will differ
  moved: () => void = () => {}; // the camera was, by hand or by a flight
  afterDraw: () => void = () => {};
  private controls!: OrbitControls;
  private readonly sun: DirectionalLight;
  private readonly lit: Sphere; // where shadows are cast
  private readonly ground: Mesh;
  private readonly slow: boolean;
  private flight: Flight | null = null;
  private scheduled = false;
  private last = 0;

  constructor(
    readonly host: HTMLElement,
    private up: Vector3,
    private box: Box3, // of what moves
    private readonly all: Box3,
  ) {
    this.renderer = takeRenderer();
    this.slow = drawsInSoftware();
    this.renderer.domElement.setAttribute("aria-label", "The bodies in three dimensions; drag to turn, scroll to come nearer");
    host.append(this.renderer.domElement);
    this.sphere = box.getBoundingSphere(new Sphere());
    this.lit = this.sphere.clone();
    this.ground = new Mesh(new CircleGeometry(8 * this.sphere.radius, 64), groundMaterial());
    this.ground.receiveShadow = true;
    this.sun = addLights(this.scene);
    this.scene.add(this.ground);
    this.setUp(up);
    this.paint();
    themeChanged(() => this.paint());
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
  }

  get upAxis(): Vector3 {
    return this.up;
  }

  setUp(up: Vector3): void {
    this.up = up;
    this.camera.up.copy(up);
    this.controls?.dispose();
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", () => {
      this.invalidate();
      this.moved();
    });
    this.controls.addEventListener("start", () => (this.flight = null));
    const axis = up.z ? 2 : 1;
    const low = this.all.min.getComponent(axis) - 0.004 * this.sphere.radius;
    this.ground.position.copy(this.sphere.center).setComponent(axis, low);
    this.ground.rotation.set(up.z ? 0 : -Math.PI / 2, 0, 0);
    this.placeSun();
    this.look("fit", true);
  }

  // Eye and target of a standard view. "front" looks along +y where z is up, as in Blender, and along -z where y is.
  look(view: View, at_once = false): void {
    const center = this.box.getCenter(new Vector3());
    this.setAngle(ANGLE);
    const front = this.up.z ? new Vector3(0, -1, 0) : new Vector3(0, 0, 1);
    const side = new Vector3(1, 0, 0);
    const direction =
      view === "front" ? front
      : view === "side" ? side
      : view === "top" ? this.up.clone().addScaledVector(front, 1e-3)
      : front.clone().addScaledVector(side, 0.6).addScaledVector(this.up, 0.55);
    this.fly(center.clone().addScaledVector(direction.normalize(), this.distanceToFit(direction, center)), center, at_once);
  }

  // What moves is there by now. The light comes along, as far as the points of a shadow go.
  around(box: Box3): void {
    if (box.isEmpty()) return;
    this.box = box.clone();
    const reached = box.getBoundingSphere(new Sphere());
    if (reached.center.distanceTo(this.lit.center) + reached.radius <= 1.1 * this.lit.radius) return;
    this.lit.union(reached);
    this.lit.radius = Math.min(this.lit.radius, 4 * this.sphere.radius);
    this.placeSun();
  }

  // A place of the scene's own.
  stand(place: CameraPlace, at_once = false): void {
    const target = new Vector3(...place.target);
    const way = new Vector3(...place.position).sub(target);
    this.setAngle(place.angle);
    this.fly(target.clone().addScaledVector(way, Math.max(1, MEANT_ASPECT / this.camera.aspect)), target, at_once);
  }

  private setAngle(angle: number): void {
    this.camera.fov = angle;
    this.camera.updateProjectionMatrix();
  }

  // From where, in that direction from the middle, all corners of the box are in the picture.
  private distanceToFit(direction: Vector3, middle: Vector3): number {
    const right = new Vector3().crossVectors(this.up, direction).normalize();
    const above = new Vector3().crossVectors(direction, right);
    const vertical = Math.tan((this.camera.fov * Math.PI) / 360), horizontal = vertical * this.camera.aspect;
    let distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const pick = (axis: 0 | 1 | 2) => (corner & (1 << axis) ? this.box.max : this.box.min).getComponent(axis);
      const at = new Vector3(pick(0), pick(1), pick(2)).sub(middle);
      const near = at.dot(direction);
      distance = Math.max(distance, near + Math.abs(at.dot(right)) / horizontal, near + Math.abs(at.dot(above)) / vertical);
    }
    return 1.06 * distance;
  }

  // From where a ball of this radius fills the picture.
  distance(radius: number): number {
    const half = (this.camera.fov * Math.PI) / 360;
    return radius / Math.sin(Math.min(half, Math.atan(Math.tan(half) * this.camera.aspect)));
  }

  fly(eye: Vector3, target: Vector3, at_once = false): void {
    const still = at_once || matchMedia("(prefers-reduced-motion: reduce)").matches;
    const from: [Vector3, Vector3] = [this.camera.position.clone(), this.controls.target.clone()];
    this.flight = { from, to: [eye.clone(), target.clone()], begun: still ? -Infinity : performance.now() };
    if (at_once) this.advanceFlight();
    this.invalidate();
  }

  // As another one stands.
  follow(other: Stage): void {
    this.flight = null;
    this.camera.position.copy(other.camera.position);
    this.setAngle(other.camera.fov);
    this.controls.target.copy(other.target);
    this.camera.lookAt(this.controls.target);
    this.invalidate();
  }
  // While something else is dragged, the camera is not.
  hold(on: boolean): void {
    this.controls.enabled = !on;
  }
  // Gives back what the graphics card holds.
  end(): void {
    this.controls.dispose();
    endRenderer(this.renderer);
  }

  get target(): Vector3 {
    return this.controls.target;
  }
  get isFlying(): boolean {
    return this.flight !== null;
  }

  invalidate(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame((now) => this.tick(now));
  }

  // At once, into a picture of this size; what is shown stays as it is.
  picture(width: number, height: number, eye: Vector3, target: Vector3): string {
    const kept = { position: this.camera.position.clone(), rotation: this.camera.quaternion.clone(), ratio: this.renderer.getPixelRatio() };
    this.renderer.setPixelRatio(1);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.camera.position.copy(eye);
    this.camera.lookAt(target);
    this.renderer.render(this.scene, this.camera);
    const url = this.renderer.domElement.toDataURL("image/jpeg", 0.88);
    this.camera.position.copy(kept.position);
    this.camera.quaternion.copy(kept.rotation);
    this.renderer.setPixelRatio(kept.ratio);
    this.resize();
    this.draw();
    return url;
  }

  private tick(now: number): void {
    this.scheduled = false;
    const seconds = this.last ? Math.min(0.25, (now - this.last) / 1000) : 0;
    this.advanceFlight();
    this.beforeDraw(seconds);
    this.draw();
    this.last = this.wantsMore() || this.flight ? now : 0;
    if (this.last) this.invalidate();
  }

  private draw(): void {
    this.renderer.render(this.scene, this.camera);
    this.afterDraw();
  }

  private advanceFlight(): void {
    if (!this.flight) return;
    const { from, to, begun } = this.flight;
    const part = Math.min(1, (performance.now() - begun) / FLIGHT_MS);
    const eased = part * part * (3 - 2 * part);
    this.camera.position.lerpVectors(from[0], to[0], eased);
    this.controls.target.lerpVectors(from[1], to[1], eased);
    this.controls.update();
    if (part >= 1) this.flight = null;
  }

  private placeSun(): void {
    const { radius, center } = this.lit;
    const front = this.up.z ? new Vector3(0, -1, 0) : new Vector3(0, 0, 1);
    const direction = this.up.clone().multiplyScalar(1.6).addScaledVector(front, 0.7).add(new Vector3(0.8, 0, 0)).normalize();
    this.sun.position.copy(center).addScaledVector(direction, 4 * radius);
    this.sun.target.position.copy(center);
    const shadow = this.sun.shadow;
    const reach = 1.6 * radius;
    Object.assign(shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.5 * radius, far: 9 * radius });
    shadow.camera.updateProjectionMatrix();
    shadow.mapSize.setScalar(this.slow ? 1024 : 2048);
    shadow.radius = this.slow ? 2.5 : 5;
    shadow.bias = -0.0004;
    shadow.normalBias = 0.012 * radius;
    this.camera.near = 0.01 * this.sphere.radius;
    this.camera.far = 60 * radius;
    this.camera.updateProjectionMatrix();
  }

  private paint(): void {
    this.scene.background = new Color(colour("stage"));
    (this.ground.material as ShadowMaterial).opacity = colour("scheme") === "dark" ? 0.5 : 0.22;
    this.invalidate();
  }

  private resize(): void {
    const width = Math.max(1, this.host.clientWidth), height = Math.max(1, this.host.clientHeight);
    this.renderer.setPixelRatio(Math.min(this.slow ? 1 : 2, devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }
}

// Of boxes given by corners.
export function unite(boxes: { low: number[]; high: number[] }[]): Box3 {
  const box = new Box3();
  for (const { low, high } of boxes) {
    box.expandByPoint(new Vector3(...low));
    box.expandByPoint(new Vector3(...high));
  }
  if (box.isEmpty()) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  if (box.min.equals(box.max)) box.expandByScalar(1);
  return box;
}
