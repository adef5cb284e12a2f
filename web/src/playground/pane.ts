// One picture: the bodies, what a method worked with, what it found and what it missed.
import { Box3, Color, Vector3 } from "three";
import { BodyView, colourOf } from "../body_view";
import { el, grouped, short } from "../dom";
import type { Contacts, Detection, Subject } from "../engine/api";
import type { Layer } from "../layers";
import { Marks } from "../marks";
import { OverlayView, PointLayer, RegionLayer, type Overlay } from "../overlay";
import { Stage } from "../stage";
import { Surface } from "../surface";
import { colour, themeChanged } from "../theme";
import type { LiveFrame, Source } from "./source";

const NO_FACE = 0xffffffff;

function boxOf({ bodies }: Subject, which: number[]): Box3 {
  const box = new Box3();
  for (const body of which) box.union(new Box3().setFromArray(bodies[body].positions));
  return box;
}

// All but obstacles, where there are others.
function movingBodies({ bodies }: Subject): number[] {
  const numbers = bodies.map((_, body) => body);
  const free = numbers.filter((body) => bodies[body].kind !== "fixed" && bodies[body].kind !== "keyframed");
  return free.length ? free : numbers;
}

function triples(values: Float32Array): number[] {
  return Array.from(values);
}

export class Pane {
  readonly element: HTMLElement;
  readonly stage: Stage;
  readonly bodies: BodyView[]; // as they are drawn
  readonly overlay: OverlayView;
  readonly marks = new Marks();
  readonly missed = new PointLayer(6);
  readonly coarse: BodyView[]; // as methods see them: others than those drawn where a fine surface follows
  private readonly hits: RegionLayer[];
  private readonly moving: number[]; // bodies that the camera looks at
  private readonly card = el("div", { class: "card" });
  private found: Detection | null = null;

  constructor(source: Source, readonly method: string) {
    const { subject } = source;
    const host = el("div", { class: "stage" });
    this.element = el("section", { class: "pane", "aria-label": `The bodies, looked at by ${method}` }, host, this.card);
    this.moving = movingBodies(subject);
    const all = boxOf(subject, subject.bodies.map((_, body) => body));
    const up = source.frames || allHigh(all) ? new Vector3(0, 0, 1) : new Vector3(0, 1, 0);
    this.stage = new Stage(host, up, boxOf(subject, this.moving), all);
    let coloured = 0;
    const views = subject.bodies.map((body, number) => {
      const obstacle = body.kind === "fixed" || !this.moving.includes(number);
      const paint = colourOf(body.kind, obstacle, obstacle ? 0 : coloured++, body.kind === "mesh");
      const coarse = new BodyView(new Surface(body.triangles, body.positions.slice()), body, paint);
      const fine = body.dense ? new BodyView(new Surface(body.dense.triangles, body.dense.positions.slice()), body, paint) : coarse;
      for (const view of [coarse, fine]) view.mesh.frustumCulled = false;
      return { coarse, fine };
    });
    this.coarse = views.map(({ coarse }) => coarse);
    this.bodies = views.map(({ fine }) => fine);
    const red = () => new Color(colour("hit"));
    this.hits = this.coarse.map((view) => new RegionLayer(view, red));
    this.overlay = new OverlayView(this.coarse);
    this.missed.object.material.color.set(colour("pair"));
    for (const { mesh } of this.bodies) this.stage.scene.add(mesh);
    for (const layer of this.hits) this.stage.scene.add(layer.object);
    this.stage.scene.add(this.overlay.group, this.marks.group, this.missed.object);
    for (const layer of ["points", "normals", "forces"] as const) this.marks.visible(layer, false);
    this.dim();
    themeChanged(() => this.dim());
  }

  private dim(): void {
    for (const body of this.bodies) body.dim();
    this.missed.object.material.color.set(colour("pair"));
  }

  place(frame: LiveFrame): void {
    frame.positions.forEach((positions, body) => {
      const view = this.coarse[body];
      view.surface.place(positions);
      view.update();
      const dense = frame.dense[body];
      if (this.bodies[body] !== view && dense) {
        this.bodies[body].surface.place(dense);
        this.bodies[body].update();
      }
    });
    if (frame.world) this.showAnswered(frame.world.contacts);
    const box = new Box3();
    for (const body of this.moving) box.union(new Box3().setFromArray(frame.positions[body]));
    this.stage.around(box);
    this.stage.invalidate();
  }

  // Contacts that the simulation answered.
  private showAnswered({ point, normal, force, listed }: Contacts): void {
    const { radius } = this.stage.sphere;
    const lines = (along: Float32Array | null, scale: number) => {
      const numbers: number[] = [];
      if (along)
        for (let i = 0; i < listed; ++i) {
          for (let axis = 0; axis < 3; ++axis) numbers.push(point[3 * i + axis]);
          for (let axis = 0; axis < 3; ++axis) numbers.push(point[3 * i + axis] + scale * along[3 * i + axis]);
        }
      return numbers;
    };
    let strongest = 0;
    if (force) for (let i = 0; i < listed; ++i) strongest = Math.max(strongest, Math.hypot(force[3 * i], force[3 * i + 1], force[3 * i + 2]));
    this.marks.show(triples(point), lines(normal, 0.05 * radius), lines(force, (0.25 * radius) / (strongest || 1)));
  }

  show(detection: Detection): void {
    this.found = detection;
    const { contacts, overlay, oracle } = detection;
    const events = new Float32Array(4 * contacts.listed);
    for (let i = 0; i < contacts.listed; ++i) events.set([contacts.time[i], contacts.point[3 * i], contacts.point[3 * i + 1], contacts.point[3 * i + 2]], 4 * i);
    const drawn: Overlay = overlay ? { ...overlay, events } : { boxes: new Float32Array(0), spheres: new Float32Array(0), lines: new Float32Array(0), events, surfaces: [] };
    this.overlay.show(drawn);
    this.showHits();
    this.missed.set(oracle && this.overlay.isOn("events") ? triples(oracle.missed.point) : []);
    this.describe(detection);
    this.stage.invalidate();
  }

  turn(layer: Layer, on: boolean): void {
    this.overlay.turn(layer, on);
    if (this.found) this.show(this.found);
  }

  // Faces that take part in contacts, in the colour of contacts.
  private showHits(): void {
    const { contacts } = this.found!;
    const marked = this.coarse.map((view) => new Uint32Array(view.surface.triangles.length / 3).fill(NO_FACE));
    if (this.overlay.isOn("events"))
      for (let i = 0; i < contacts.listed; ++i) {
        if (contacts.faceA[i] !== NO_FACE) marked[contacts.bodyA[i]][contacts.faceA[i]] = 0;
        if (contacts.faceB[i] !== NO_FACE) marked[contacts.bodyB[i]][contacts.faceB[i]] = 0;
      }
    this.hits.forEach((layer, body) => {
      layer.paint(marked[body]);
      layer.follow();
    });
  }

  private describe({ guarantee, complete, contacts, regions, bound, milliseconds, oracle, stoppedBy }: Detection): void {
    const lines = [
      el("b", {}, this.method),
      el("span", { class: "sure", "data-guarantee": guarantee }, guarantee + (complete ? "" : `, stopped by ${stoppedBy}`)),
      el("span", {}, `${grouped(contacts.count)} contact${contacts.count === 1 ? "" : "s"}` + (regions.count ? `, ${grouped(regions.count)} pairs of regions open` : "")),
      el("span", {}, bound > 0 ? `nothing farther off than ${short(bound, 3)}` : ""),
      el("span", {}, `${short(milliseconds, 3)} ms`),
      oracle ? el("span", { class: "recall" }, `${oracle.contacts ? `recall ${short(oracle.recall, 4)} of ${grouped(oracle.contacts)}` : "there is nothing to find"} (${oracle.method}: ${short(oracle.milliseconds, 3)} ms)`) : null,
    ];
    this.card.replaceChildren(...lines.filter((line): line is HTMLElement => Boolean(line?.textContent)));
  }

  end(): void {
    this.stage.end();
    this.element.remove();
  }
}

// Scenes have z up; files of which nothing is known the longer of y and z.
function allHigh(box: Box3): boolean {
  const size = box.getSize(new Vector3());
  return size.z >= size.y;
}
