// Something with bodies, live: a world that is simulated, a motion that is made, or meshes from files.
import type { Body, Engine, Meshes, Motion, SceneEntry, Subject, Vector, World, WorldFrame } from "../engine/api";
import { START, type Choice } from "./state";

export interface LiveFrame {
  time: number;
  positions: Float32Array[]; // by body
  dense: (Float32Array | null)[];
  world: WorldFrame | null;
}

export interface Source {
  readonly subject: Subject;
  readonly title: string;
  readonly frames: number; // as many as it is meant for; 0: it stands still
  readonly rate: number; // frames a second
  readonly time: number;
  readonly simulatedWith: string; // method and response; empty: nothing is simulated
  canDrag(body: number): boolean;
  next(): Promise<LiveFrame>;
  now(): Promise<LiveFrame>;
  // Takes hold of a vertex and pulls it there; null lets go.
  drag(grip: { body: number; vertex: number; from: Vector } | null, to: Vector): Promise<void>;
}

const still = (bodies: Body[], positions: Float32Array[], time: number): LiveFrame => ({ time, positions, dense: bodies.map(() => null), world: null });

class WorldSource implements Source {
  time = 0;
  constructor(private readonly engine: Engine, readonly subject: World) {}
  get title() {
    return this.subject.title;
  }
  get frames() {
    return this.subject.frames;
  }
  get rate() {
    return 1 / this.subject.frameSeconds;
  }
  get simulatedWith() {
    return `${this.subject.method}, answered by ${this.subject.response}`;
  }
  canDrag(body: number): boolean {
    return this.subject.bodies[body].gives;
  }
  async next(): Promise<LiveFrame> {
    const world = await this.engine.step(this.subject.id);
    this.time = world.report.frame;
    return { time: this.time, positions: world.positions, dense: world.dense, world };
  }
  async now(): Promise<LiveFrame> {
    const { bodies } = this.subject;
    const positions = await this.engine.positions(this.subject.id);
    // The fine surfaces follow with the first step.
    const dense = bodies.map((body) => (this.time === 0 && body.dense ? body.dense.positions : null));
    return { time: this.time, positions, dense, world: null };
  }
  drag(grip: { body: number; vertex: number } | null, to: Vector): Promise<void> {
    return this.engine.drag(this.subject.id, grip ? { body: grip.body, vertex: grip.vertex, to } : null);
  }
}

class MotionSource implements Source {
  time = 0;
  readonly rate = 30;
  readonly simulatedWith = "";
  constructor(private readonly engine: Engine, readonly subject: Motion, readonly title: string) {}
  get frames() {
    return this.subject.frames - 1;
  }
  canDrag(): boolean {
    return false;
  }
  next(): Promise<LiveFrame> {
    this.time = this.time + 1 > this.frames - 1 ? 0 : this.time + 1;
    return this.now();
  }
  async now(): Promise<LiveFrame> {
    return still(this.subject.bodies, await this.engine.positions(this.subject.id, this.time), this.time);
  }
  async drag(): Promise<void> {}
}

class MeshSource implements Source {
  readonly time = 0;
  readonly frames = 0;
  readonly rate = 30;
  readonly simulatedWith = "";
  private readonly moved: Vector[];
  constructor(private readonly engine: Engine, readonly subject: Meshes) {
    this.moved = subject.bodies.map(() => [0, 0, 0]);
  }
  get title() {
    return this.subject.bodies.map(({ name }) => name).join(", ");
  }
  // One body is turned to be looked at; several can be moved against each other.
  canDrag(): boolean {
    return this.subject.bodies.length > 1;
  }
  next(): Promise<LiveFrame> {
    return this.now();
  }
  async now(): Promise<LiveFrame> {
    return still(this.subject.bodies, await this.engine.positions(this.subject.id), 0);
  }
  private held: { body: number; start: Vector } | null = null;
  async drag(grip: { body: number; from: Vector } | null, to: Vector): Promise<void> {
    if (!grip) {
      this.held = null;
      return;
    }
    this.held ??= { body: grip.body, start: [...this.moved[grip.body]] };
    const { start, body } = this.held;
    this.moved[body] = start.map((x, axis) => x + to[axis] - grip.from[axis]) as Vector;
    await this.engine.move(this.subject.id, body, this.moved[body]);
  }
}

// The scene of a page whose address asks for nothing, before it is known what there is.
export function openEarly(engine: Engine, choice: Choice): Promise<World> | null {
  if (choice.scene !== START.scene || choice.simulateWith || Object.keys(choice.materials).length) return null;
  const world = engine.openWorld({ scene: choice.scene });
  world.catch(() => {}); // told to who waits for it
  return world;
}

// `early`: that scene, where it was opened already.
export async function openScene(engine: Engine, entry: SceneEntry, choice: Choice, early: Promise<World> | null = null): Promise<Source> {
  if (early) return new WorldSource(engine, await early);
  if (!entry.simulated) {
    const triangles = choice.triangles ?? Math.min(entry.triangles?.[1] ?? 8000, Math.max(entry.triangles?.[0] ?? 0, 8000));
    return new MotionSource(engine, await engine.openMotion({ scene: entry.name, triangles }), entry.title);
  }
  const material: Record<string, string> = {};
  if (Object.values(choice.materials).some(Boolean)) {
    // Which body takes which kind is known once the scene is open.
    const plain = await engine.openWorld({ scene: entry.name });
    for (const body of plain.bodies) if (body.material && choice.materials[body.material]) material[body.name] = choice.materials[body.material];
    await engine.close(plain.id);
  }
  return new WorldSource(engine, await engine.openWorld({ scene: entry.name, ...(choice.simulateWith ? { method: choice.simulateWith } : {}), material }));
}

export async function openFiles(engine: Engine, files: File[]): Promise<Source> {
  const given = await Promise.all(files.map(async (file) => ({ name: file.name, bytes: await file.arrayBuffer() })));
  return new MeshSource(engine, await engine.openMeshes(given));
}
