// A recording: bodies in motion, touches and forces, what each frame cost.
import { Chart } from "./charts";
import type { Data } from "./data";
import { button, counted, el, grouped, short, toggle } from "./dom";
import { commonShortcuts, Keys } from "./keys";
import { LAYERS, type Layer } from "./layers";
import type { CameraPlace } from "./stage";
import { chartsOf } from "./statistics";
import { EMPTY, OverlayView } from "./overlay";
import { RecordedOverlay } from "./overlay_data";
import { OverlayPanel } from "./overlay_panel";
import { themeButton } from "./theme";
import { Transport } from "./transport";
import { Viewer } from "./viewer";

const NUMBERS = 12; // a contact: frame, point, normal, force, two bodies

// Where the contacts of each frame begin.
function starts(contacts: Float32Array, frames: number): Uint32Array {
  const begin = new Uint32Array(frames + 1);
  for (let at = 0; at < contacts.length; at += NUMBERS) ++begin[Math.min(frames - 1, Math.max(0, Math.floor(contacts[at]))) + 1];
  for (let frame = 0; frame < frames; ++frame) begin[frame + 1] += begin[frame];
  return begin;
}

// The length that the strongest of the usual forces is drawn with is a quarter of the scene.
function forceScale(contacts: Float32Array, radius: number): number {
  const strengths: number[] = [];
  for (let at = 0; at < contacts.length; at += NUMBERS * Math.ceil(contacts.length / NUMBERS / 5000))
    strengths.push(Math.hypot(contacts[at + 7], contacts[at + 8], contacts[at + 9]));
  strengths.sort((a, b) => a - b);
  return (0.25 * radius) / (strengths[Math.floor(0.98 * strengths.length)] || 1);
}

class Touches {
  private readonly contacts: Float32Array;
  private readonly begin: Uint32Array;
  private readonly scale: number;
  private readonly length: number;

  constructor(private readonly viewer: Viewer, frames: number) {
    this.contacts = viewer.data.floats("contacts");
    this.begin = starts(this.contacts, frames);
    const { radius } = viewer.stage.sphere;
    this.scale = forceScale(this.contacts, radius);
    this.length = 0.05 * radius;
  }

  // Those that were answered from the frame that is shown until the next.
  show(time: number): void {
    const frame = Math.min(this.begin.length - 2, Math.max(0, Math.floor(time + 1e-6)));
    const points: number[] = [], normals: number[] = [], forces: number[] = [];
    for (let i = this.begin[frame]; i < this.begin[frame + 1]; ++i) {
      const c = this.contacts.subarray(NUMBERS * i, NUMBERS * (i + 1));
      points.push(c[1], c[2], c[3]);
      normals.push(c[1], c[2], c[3], c[1] + this.length * c[4], c[2] + this.length * c[5], c[3] + this.length * c[6]);
      forces.push(c[1], c[2], c[3], c[1] + this.scale * c[7], c[2] + this.scale * c[8], c[3] + this.scale * c[9]);
    }
    this.viewer.marks.show(points, normals, forces);
  }
}

// What the method worked with at the time that is shown.
class RecordedWork {
  readonly panel: OverlayPanel;
  private readonly recorded: RecordedOverlay;
  readonly view: OverlayView;

  constructor(private readonly viewer: Viewer) {
    this.recorded = new RecordedOverlay(viewer.data);
    this.view = new OverlayView(viewer.bodies);
    viewer.stage.scene.add(this.view.group);
    this.panel = new OverlayPanel(this.view, () => viewer.stage.invalidate());
    this.panel.offer(this.layers());
  }
  get header() {
    return this.recorded.header;
  }
  // Those of which some frame has something.
  private layers(): Set<Layer> {
    const { data } = this.viewer;
    const names: Record<Layer, number> = {
      boxes: data.floats("overlay_boxes").length, spheres: data.floats("overlay_spheres").length, pairs: data.floats("overlay_lines").length,
      events: data.floats("overlay_events").length, regions: data.integers("overlay_surfaces").length, particles: data.integers("overlay_particles").length,
    };
    return new Set(LAYERS.filter((layer) => names[layer] > 0));
  }
  show(time: number): void {
    const row = this.recorded.rowAt(time);
    this.view.show(row === null ? EMPTY : this.recorded.at(row), this.header.moving ? time : Infinity);
    if (row === null) this.panel.say("Not in this page for that time.", []);
    else {
      const bound = this.recorded.bound(row);
      const sure = this.recorded.guarantee(row) + (bound > 0 ? `, within ${short(bound, 3)}` : "");
      this.panel.say(`${this.header.method}${this.header.mode === "paper" ? " as published" : ""}: ${sure}`, this.recorded.counts(row));
    }
  }
}

function workNotes(work: RecordedWork | null, frames: number): string[] {
  if (!work) return [];
  const { method, moving, rows, times, left_out, regions_without } = work.header;
  const said = [`What ${method} works with was made anew from the frames of this page${moving ? ", as if bodies went straight from each to the next" : ""}: it need not be what the run saw.`];
  if (left_out) said.push(`${grouped(left_out)} boxes, spheres, pairs and events are left out.`);
  if (regions_without) said.push(`Of ${grouped(regions_without)} frames the regions are left out.`);
  if (rows < frames) said.push(`Only up to frame ${short(times[rows - 1])}.`);
  return said;
}

function bodyList(viewer: Viewer): HTMLElement {
  const list = el("ul", { class: "bodies" });
  for (const view of viewer.bodies) {
    const box = el("input", { type: "checkbox" });
    box.checked = true;
    box.addEventListener("change", () => {
      view.mesh.visible = box.checked;
      viewer.stage.invalidate();
    });
    const swatch = el("i", { class: "swatch", style: `background: #${view.mesh.material.color.getHexString()}` });
    const label = el("label", {}, box, swatch, el("span", {}, view.body.name));
    list.append(el("li", {}, label, el("small", {}, `${view.body.kind} · ${counted(view.header.triangles, "triangle", "triangles")}`)));
  }
  return list;
}

// What one must know before one trusts what one sees.
function caveats(data: Data): string[] {
  const run = data.document;
  const said: string[] = [];
  const { frames, times } = data.header;
  if (times.length < frames) said.push(`${grouped(times.length)} of ${grouped(frames)} frames are in this page, which would be too large with all: between them bodies are drawn on straight lines.`);
  if (run.outcome !== "done") said.push(`The run did not finish (${run.outcome}): ${run.message}`);
  for (const { body, frame, what, remedy } of run.warnings ?? [])
    said.push(`${body ? `${body}, ` : ""}frame ${short(frame)}: ${what}${remedy ? ` (${remedy})` : ""}`);
  if (run.replayed) said.push("A motion that was made, not simulated: bodies may go through each other.");
  return said;
}

function camerasOf(data: Data): CameraPlace[] {
  return data.document.cameras ?? [];
}

function panel(viewer: Viewer, data: Data, work: RecordedWork | null): HTMLElement {
  const { marks, stage } = viewer;
  const layer = (label: string, name: "points" | "normals" | "forces", on: boolean, key: string) => {
    marks.visible(name, on);
    return toggle(label, `${label} of contacts (${key})`, on, (now) => {
      marks.visible(name, now);
      stage.invalidate();
    });
  };
  const layers = el("div", { class: "row layers touches" }, layer("Points", "points", true, "C"), layer("Normals", "normals", false, "N"), layer("Forces", "forces", false, "F"));
  const views = el("div", { class: "row" });
  for (const camera of camerasOf(data)) views.append(button(camera.name, `Camera of the scene: ${camera.name}`, () => stage.stand(camera), "preset"));
  for (const view of ["fit", "front", "side", "top"] as const)
    views.append(button(view[0].toUpperCase() + view.slice(1), `Camera: ${view}`, () => stage.look(view)));
  const notes = el("ul", { class: "notes" });
  for (const text of [...caveats(data), ...workNotes(work, data.header.frames)]) notes.append(el("li", {}, text));
  const drawn = data.floats("contacts").length / NUMBERS;
  const all = data.integers("contact_counts").reduce((sum, count) => sum + count, 0);
  const contacts = drawn < all ? `Of each frame the strongest are drawn: ${grouped(drawn)} of ${grouped(all)} contacts.` : "";
  return el("aside", { class: "panel", id: "panel", "aria-label": "What is shown" },
    el("h2", {}, "Bodies"), bodyList(viewer), el("h2", {}, "Contacts"), layers, contacts ? el("small", {}, contacts) : null,
    work ? el("h2", {}, "Method") : null, work?.panel.element, el("h2", {}, "Camera"), views,
    notes.childElementCount ? el("h2", {}, "Note") : null, notes.childElementCount ? notes : null);
}

function facts(data: Data): string {
  const run = data.document;
  const triangles = data.header.bodies.reduce((sum, body) => sum + body.triangles, 0);
  const seconds = short(run.checkpoint.frame * run.frame_seconds, 3);
  return `${counted(data.header.bodies.length, "body", "bodies")}, ${counted(triangles, "triangle", "triangles")}, ${grouped(run.checkpoint.frame)} frames (${seconds} s)`;
}

export function showReplay(app: HTMLElement, data: Data): Viewer {
  const canvasHost = el("div", { class: "stage" });
  const run = data.document;
  const frames = Math.ceil(data.header.times[data.header.times.length - 1]);
  const header = el("header", { class: "bar" }, el("h1", {}, data.header.title), el("p", { class: "facts" }, facts(data)));
  const footer = el("footer", { class: "dock" });
  app.className = "replay";
  app.replaceChildren(header, canvasHost, footer);
  const viewer = new Viewer(canvasHost, data, 1 / run.frame_seconds, false);
  const [camera] = camerasOf(data);
  if (camera) viewer.stage.stand(camera, true);
  const work = data.header.overlay ? new RecordedWork(viewer) : null;
  const side = panel(viewer, data, work);
  const showPanel = (on: boolean) => app.classList.toggle("with-panel", on);
  const wide = matchMedia("(min-width: 900px)").matches;
  const panelButton = toggle("☰", "Bodies, contacts, camera (B)", wide, showPanel);
  panelButton.className = "icon";
  showPanel(wide);
  app.insertBefore(side, footer);
  const touches = new Touches(viewer, Math.max(1, frames));
  viewer.timeChanged = () => {
    touches.show(viewer.clock.time);
    work?.show(viewer.clock.time);
  };
  viewer.overlay = work?.view ?? null;
  const transport = new Transport(viewer.clock);
  const charts = el("div", { class: "charts" });
  for (const spec of chartsOf(data, frames)) charts.append(new Chart(spec, viewer.clock).element);
  footer.append(transport.element, charts);
  const press = (selector: string) => () => side.querySelector<HTMLButtonElement>(selector)?.click();
  const keys = new Keys([
    ...commonShortcuts(viewer),
    { key: "c", label: "C", what: "points of contacts", action: press(".touches button:nth-child(1)") },
    { key: "n", label: "N", what: "normals", action: press(".touches button:nth-child(2)") },
    { key: "f", label: "F", what: "forces", action: press(".touches button:nth-child(3)") },
    ...(work?.panel.shortcuts ?? []),
    { key: "b", label: "B", what: "bodies, contacts, camera", action: () => panelButton.click() },
  ]);
  header.append(el("div", { class: "tools" }, panelButton, themeButton(), button("?", "Keys (?)", () => keys.showHelp(), "icon")));
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) viewer.clock.toggle();
  return viewer;
}
