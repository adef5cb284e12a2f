// What a page can ask of the library in the browser.
//
// The library runs in a worker (engine.ts starts it), one thread, so a page stays alive while it computes. Every call is answered by a
// promise, in the order of the calls. What goes wrong is an EngineError with the library's own words (what, where, what to do), and leaves
// everything that is open as it was; only after one with `restarted` everything that was open is gone.
//
// Things that are open have numbers. A *subject* is something with bodies that are somewhere: a world (simulated), a motion (a scene that is
// replayed, at any time), or meshes (still). A *detector* looks at a subject. Closing a subject closes its detectors.
//
// Bodies are numbered from 0, in the order of `Subject.bodies`. Lengths are those of the scene (metres) or file. Times of contacts are in
// frames. Arrays in answers are the page's own: they were transferred, nothing of the engine refers to them.

/** Thrown by every call that the library refuses. */
export class EngineError extends Error {
  override name = "EngineError";
  constructor(
    message: string, // one or two sentences for people: problem, then remedy
    readonly place = "", // file, line or key, where there is one: "my.toml:12: friction"
    readonly restarted = false, // the module broke (out of memory, a defect) and was started anew: nothing is open any more
  ) {
    super(message);
  }
}

export interface Engine {
  /** Scenes, methods, materials: what the other calls can be given. Asked once; the same for the life of the module. */
  catalogue(): Promise<Catalogue>;

  /** Builds a world, ready for its first step: nothing has moved yet. Scenes that are replayed are worlds too, whose bodies follow. */
  openWorld(choice: WorldChoice): Promise<World>;
  /** One frame, or as much of one as the budget allows; `FrameReport.frame` says how far the world is then. */
  step(world: number, options?: StepOptions): Promise<WorldFrame>;
  /** Pulls a vertex towards a point at every step from now on, softly and with its surroundings, until `null` is given. Bodies that do not
   *  give way (fixed, keyframed) are refused. Nothing passes through anything because of it: pulling is a change of velocity. */
  drag(world: number, pull: Pull | null): Promise<void>;
  /** All that changes in the world, as one number in hexadecimal: equal states, equal bits, on every machine. */
  stateHash(world: number): Promise<string>;

  /** A motion that is made, not simulated: scenes of the catalogue with `simulated: false`. Any time can be asked for, in any order. */
  openMotion(choice: MotionChoice): Promise<Motion>;

  /** Meshes from files in memory (OBJ, PLY, STL, OFF, GLB, VTK ...), recognised by content, else by the name's extension. Not transferred. */
  openMeshes(files: MeshFile[]): Promise<Meshes>;
  /** Moves bodies of `Meshes` from where their files have them, by this much; replaces earlier moves. */
  move(meshes: number, body: number, by: Vector): Promise<void>;

  /** Positions now (worlds, meshes), or at a time in frames (motions): of each body, in the order of its vertices. */
  positions(subject: number, time?: number): Promise<Float32Array[]>;

  /** A method over a subject. Detectors of one subject know nothing of each other: two methods side by side are two detectors. */
  openDetector(subject: number, choice: DetectorChoice): Promise<Detector>;
  detect(detector: number, question?: Question): Promise<Detection>;

  /** Of a subject or a detector. */
  close(id: number): Promise<void>;
  /** Ends the worker. Calls that wait are refused. */
  end(): void;
}

export type Vector = [number, number, number];

// ---- what there is ----

export interface Catalogue {
  version: string;
  scenes: SceneEntry[]; // by name
  methods: MethodEntry[]; // in the order in which `pliant methods` lists them
  responses: string[]; // proof, penalty, pull-back
  materials: Record<MaterialKind, MaterialEntry[]>;
}

export interface SceneEntry {
  name: string;
  title: string;
  simulated: boolean; // false: bodies follow a motion that is made, whatever they meet (openMotion, or openWorld)
  bodies: number;
  frames: number; // as many as the scene is meant for; a world goes on as long as it is asked to
  triangles: [number, number] | null; // of all bodies together, from least to most, where that can be chosen
  text: string; // the scene's TOML: something to start from
  method: string; // "auto" or a name
  mode: Mode;
  response: string;
  cameras: CameraEntry[]; // from where it is worth looking at, the first one first; may be none
}

export interface CameraEntry {
  name: string;
  position: Vector;
  target: Vector;
  angle: number; // of view, from the lower to the upper edge of the picture, degrees
}

export type Mode = "safe" | "paper";

/** As MethodInfo of the library. */
export interface MethodEntry {
  name: string;
  answers: string; // one line
  guarantee: string; // of a complete run, in words
  paper: string; // where the method comes from
  still: boolean; // it finds intersections at one instant
  moving: boolean; // it finds contacts over an interval
  hasPaperMode: boolean;
  settings: SettingEntry[];
}

/** What a slider or a switch needs. */
export interface SettingEntry {
  name: string;
  type: "flag" | "whole" | "real";
  unit: string; // "": none
  effect: string; // one line
  standard: number | boolean; // the default
  least: number; // of numbers; both ends are allowed
  most: number; // often far beyond what makes sense: a slider may want a logarithmic scale, or an end of its own
}
export type Settings = Record<string, number | boolean>;

export type MaterialKind = "elastic" | "cloth" | "pressure"; // of fem, cloth and pressure bodies
export interface MaterialEntry {
  name: string;
  values: Record<string, number>; // in SI units, by the names that scenes use
}

// ---- what is open ----

export interface Subject {
  id: number;
  name: string;
  bodies: Body[];
  notes: string[]; // for people: stand-ins that are used, what files were read with reservations
}

export interface Body {
  name: string;
  kind: string; // fem, pressure, cloth, rigid, keyframed, fixed; "mesh" of meshes
  material: MaterialKind | null; // which presets it takes
  gives: boolean; // it can be dragged
  vertices: number;
  triangles: Uint32Array; // three corners each
  positions: Float32Array; // three coordinates each, as it is when it is opened
  dense: Surface | null; // the fine surface that follows the body, to be drawn in its place (WorldFrame.dense)
}
export interface Surface {
  triangles: Uint32Array;
  positions: Float32Array;
}

export interface WorldChoice {
  scene?: string; // of the catalogue; or
  text?: string; // TOML of one's own
  method?: string; // in place of the scene's: "auto", or one that fits the response (moving for proof, still for the others)
  mode?: Mode;
  response?: string;
  settings?: Settings; // of the method
  material?: Record<string, string>; // by the name of a body, or "*" for all that take it: the name of a preset
  searchMs?: number; // for each search for contacts alone
  triangles?: number; // where it can be chosen
}

export interface World extends Subject {
  kind: "world";
  title: string;
  simulated: boolean;
  frames: number;
  frameSeconds: number; // of the world's time
  method: string;
  mode: Mode;
  response: string;
  separation: number; // kept between surfaces
  unproved: { a: number; b: number; response: string }[]; // pairs that no proof keeps apart
}

export interface MotionChoice {
  scene: string; // one with `simulated: false`
  triangles?: number; // of all bodies together
  frames?: number;
  bodies?: number; // of n-bodies
  seed?: number;
  stored?: boolean; // all frames in memory from the start, for measurements that must not pay for making them
}
export interface Motion extends Subject {
  kind: "motion";
  frames: number; // times from 0 to frames - 1
}

export interface MeshFile {
  name: string;
  bytes: ArrayBuffer | Uint8Array;
}
export interface Meshes extends Subject {
  kind: "meshes";
  defects: Defects[]; // by body
}
/** How many there are of each; all of them are ordinary, and checked all the same. */
export interface Defects {
  closed: boolean;
  manifold: boolean;
  boundaryEdges: number;
  nonManifoldEdges: number;
  duplicateFaces: number;
  degenerateFaces: number;
  unreferencedVertices: number;
}

// ---- worlds, frame by frame ----

export interface Pull {
  body: number;
  vertex: number; // of the body's surface (Body.triangles, not those of `dense`)
  to: Vector;
  radius?: number; // of what is pulled along, in lengths of the scene; default: a tenth of the body's size
}

export interface StepOptions {
  budgetMs?: number; // ends within a frame when it is spent; the next call goes on there
  contacts?: boolean; // default true; false: counted, not listed
  hash?: boolean; // default false
}

export interface WorldFrame {
  report: FrameReport;
  positions: Float32Array[]; // by body
  dense: (Float32Array | null)[]; // by body: of the surface to draw, where the body has one
  contacts: Contacts; // that were answered in this call; `force` is what acted on a
  energies: Energy[]; // by body, at the end
  asleep: boolean[]; // by body
  hash?: string;
}

export interface FrameReport {
  outcome: "done" | "out of budget" | "diverged" | "pinched";
  message: string; // unless done: what happened, to which bodies, and what to do
  bodies: number[]; // those named in it
  frame: number; // where the world is, a whole number when the frame is done
  pieces: number; // linear pieces of motion, each proved free of contacts where that is the response
  impacts: number;
  searches: number;
  zones: number; // moved rigidly
  halvings: number; // of steps that could not be kept free
  invertedElements: number;
  method: string; // in use: what "auto" has chosen, as soon as it has
  milliseconds: { predict: number; detect: number; respond: number; commit: number };
  unproved: { searches: number; counters: Record<string, number> }; // of pairs that are answered without a proof
}

export interface Energy {
  kinetic: number; // J
  elastic: number;
  gravitational: number; // against the origin
}

// ---- contacts ----

/** Contacts side by side, ordered by (time, a, b). Of three numbers each: point, normal, force. */
export interface Contacts {
  count: number; // of all; the arrays may hold fewer
  listed: number; // how many the arrays hold: at most `Question.limit`, of worlds at most 20,000
  time: Float64Array; // in frames
  point: Float32Array;
  normal: Float32Array; // unit; moves a away from b; zero where no direction is better than another
  depth: Float32Array;
  kind: Uint8Array; // into contactKinds
  relation: Uint8Array; // into relations
  initial: Uint8Array; // 1: they met already at the start
  bodyA: Uint32Array;
  featureA: Uint32Array; // vertex, edge, face or region, as `kind` says
  bodyB: Uint32Array;
  featureB: Uint32Array;
  faceA: Uint32Array; // a face that the feature belongs to, for colouring; none: 0xffffffff (regions)
  faceB: Uint32Array;
  force: Float32Array | null; // N, on a; of worlds only
}
export const contactKinds = ["triangle-triangle", "vertex-face", "edge-edge", "edge-face", "region-region"] as const;
export const relations = ["none", "touching", "crossing", "coplanar", "possible", "near"] as const;

// ---- detectors ----

export interface DetectorChoice {
  method: string;
  mode?: Mode;
  settings?: Settings;
  moving?: boolean; // ask it about steps, not about instants; default: instants, where the method can
  self?: boolean; // bodies with themselves; default true
  minSeparation?: number; // moving methods only
}
export interface Detector {
  id: number;
  subject: number;
  method: string;
  moving: boolean; // what it is asked about: steps, or instants
}

export interface Question {
  /** Motions only: the instant of a still method; a moving one looks at [time, time + 1]. Worlds are looked at as they are, by moving
   *  methods from the start to the end of the last frame; meshes as they are, by moving methods from where they were at the last question. */
  time?: number;
  budgetMs?: number; // both may be given: whichever is spent first. Browsers' clocks have steps of 5 to 100 microseconds
  operations?: number; // the same answer on every machine
  /** How finely methods look that end with regions (anytime, sphere-tree): no two points of a pair farther apart than this. */
  size?: number;
  limit?: number; // contacts and regions that are listed at most; default 20,000. All are counted
  oracle?: boolean; // also the answer of an exact method, and what this one missed
  division?: boolean; // also how the method divides surfaces
  overlay?: boolean; // also what the method worked with, to be drawn
  hash?: boolean; // also Detection.hash
}

export interface Detection {
  guarantee: "exact" | "conservative" | "statistical" | "none";
  complete: boolean;
  stoppedBy: "none" | "deadline" | "operations" | "cancelled" | "memory" | "sink";
  bound: number; // the features of every contact come within this length of each other
  milliseconds: number;
  contacts: Contacts; // without regions: those are below
  regions: Regions;
  counters: Record<string, number>; // of work done, and sizes: kinetic methods count events and open pairs here
  division: (Division | null)[] | null; // by body; null: not asked for
  overlay: Overlay | null; // null: not asked for
  oracle: Oracle | null;
  hash?: string; // of all bits of all contacts, in hexadecimal: equal answers, equal bits, on every machine
}

/** What a method worked with, some hundred of each; as pages of recordings have it. */
export interface Overlay {
  boxes: Float32Array; // 8 each: body, 1 if it overlaps a box of another body, least x y z, most x y z
  spheres: Float32Array; // 6 each: body, 1 if the method has no smaller ones, centre, radius
  lines: Float32Array; // 8 each: two bodies, two ends: pairs that were, or are still, to be looked at
  surfaces: { body: number; regionOfFace: Uint32Array; particles: Uint32Array }[]; // 0xffffffff: a face in no region
  leftOut: number; // boxes, spheres and lines beyond the limits
}

/** What is not resolved: pairs of parts of surfaces that may or may not meet. Side by side, two spheres each (x y z radius). */
export interface Regions {
  count: number;
  listed: number;
  bodyA: Uint32Array;
  bodyB: Uint32Array;
  sphereA: Float32Array; // holds its part of the surface
  sphereB: Float32Array;
  bound: Float32Array; // no two points of the pair are farther apart; NaN where the method does not say
  leaf: Uint8Array; // 1: found to overlap, and the method has no smaller ones; 0: left over, perhaps far apart
}

/** How a method divides a surface (particles, subdivided-boxes; others: null). */
export interface Division {
  regionOfFace: Uint32Array;
  boxes: Float32Array; // by region: least x y z, most x y z, as the body is now
  particles: Uint32Array; // vertices, one per region; empty where the method has none
}

export interface Oracle {
  method: string; // bvh, or swept-bvh for moving methods: exact, and tested against brute force
  contacts: number;
  milliseconds: number;
  found: number; // of its contacts: listed as contacts, or inside a pair of regions
  recall: number; // found / contacts; 1 if there are none
  extra: number; // contacts that the oracle does not have
  missed: Contacts; // up to `limit`
}
