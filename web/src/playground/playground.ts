// The library, live: a scene, a method or two that look at it, and what they find.
import { Vector3 } from "three";
import { button, copyText, counted, el, grouped, short, toggle } from "../dom";
import { EngineError, type Catalogue, type Detection, type DetectorChoice, type Engine, type World } from "../engine/api";
import { Keys, type Shortcut } from "../keys";
import { LAYERS, type Layer, type LayerSwitch } from "../layers";
import { OverlayPanel } from "../overlay_panel";
import { firstPicture } from "../renderer";
import { switchTheme, themeButton } from "../theme";
import { Controls, type Change } from "./controls";
import { dragBodies, type Grip } from "./drag";
import { History } from "./history";
import { Pane } from "./pane";
import { openFiles, openScene, type LiveFrame, type Source } from "./source";
import { writeChoice, type Choice } from "./state";

export { startRenderer } from "../renderer";

const LISTED = 4000; // contacts that are drawn at most

// The library says what is wrong with a file, and mostly what to do.
function withRemedy(error: Error): Error {
  if (!/export|convert|known formats|pack/.test(error.message)) error.message += ". Export it again, as OBJ, PLY, STL or GLB";
  return error;
}

// Switches of all panes at once.
class Layers implements LayerSwitch {
  constructor(private readonly choice: Choice, private readonly panes: () => Pane[]) {}
  isOn(layer: Layer): boolean {
    return this.choice.layers.includes(layer);
  }
  turn(layer: Layer, on: boolean): void {
    this.choice.layers = LAYERS.filter((one) => (one === layer ? on : this.isOn(one)));
    for (const pane of this.panes()) pane.turn(layer, on);
  }
  get counts(): Readonly<Record<Layer, number>> {
    return this.panes()[0]?.overlay.counts ?? { boxes: 0, spheres: 0, pairs: 0, regions: 0, particles: 0, events: 0 };
  }
}

export class Playground {
  source: Source | null = null;
  panes: Pane[] = [];
  detectors: number[] = [];
  detections: Detection[] = [];
  drawnFrames = 0;
  readonly history = new History();
  readonly controls: Controls;
  private readonly views = el("div", { class: "panes" });
  private readonly words = el("span");
  private readonly banner = el("p", { class: "banner", role: "alert", hidden: "" }, this.words, button("×", "Close (Escape)", () => this.hush(), "icon"));
  private readonly facts = el("p", { class: "facts" });
  private readonly readout = el("output", { class: "time" });
  private readonly playButton = button("▶", "Run or pause (space)", () => this.setPaused(!this.choice.paused), "play icon");
  private readonly cameras = el("div", { class: "row" });
  private readonly notes = el("details", { class: "said" });
  private readonly charts = el("div", { class: "charts" });
  private readonly overlayPanel: OverlayPanel;
  private readonly keys: Keys;
  private files: File[] | null = null;
  private opened: { files: File[] | null; choice: Partial<Choice> } | null = null; // with which `source` was
  private pull: { grip: Grip; to: [number, number, number] } | null = null;
  private pulled = false;
  // One thing after the other: what changes while the library works waits for it.
  private work: Promise<void> = Promise.resolve();
  private wanted: Set<Change> = new Set();
  private looping = false;

  constructor(private readonly app: HTMLElement, private readonly engine: Engine, catalogue: Catalogue, readonly choice: Choice, private early: Promise<World> | null = null) {
    this.controls = new Controls(catalogue, choice, (what) => this.change(what), (files) => this.open(files));
    const layers = new Layers(choice, () => this.panes);
    this.overlayPanel = new OverlayPanel(layers, () => {
      this.remember();
      this.change("question");
    });
    this.keys = new Keys(this.shortcuts(), "Drag a body to pull it, with Shift to turn all instead; drag beside it to turn, with two fingers or the right button to move, scroll or pinch to come nearer.");
    this.layOut();
    this.acceptDrops();
    document.addEventListener("visibilitychange", () => this.loop());
    this.change("scene");
  }

  private shortcuts(): Shortcut[] {
    const look = (view: "fit" | "front" | "side" | "top") => () => this.panes[0]?.stage.look(view);
    return [
      { key: " ", label: "space", what: "run or pause", action: () => this.setPaused(!this.choice.paused) },
      { key: "ArrowRight", label: "→", what: "one frame on", action: () => this.stepOnce() },
      { key: "Home", label: "Home", what: "from the start", action: () => this.restart() },
      { key: "1", label: "1", what: "see all of it", action: look("fit") },
      { key: "2", label: "2", what: "from the front", action: look("front") },
      { key: "3", label: "3", what: "from the side", action: look("side") },
      { key: "4", label: "4", what: "from above", action: look("top") },
      ...this.overlayPanel.shortcuts,
      { key: "Escape", label: "Escape", what: "close a message", action: () => this.hush() },
      { key: "t", label: "T", what: "dark or light", action: switchTheme },
    ];
  }

  private layOut(): void {
    const wide = matchMedia("(min-width: 900px)").matches;
    const panelButton = toggle("☰", "Scene, method, budget", wide, (on) => this.app.classList.toggle("with-panel", on));
    panelButton.className = "icon";
    const link = button("Copy link", "The address of this view: scene, method, budget, layers, camera", async () => {
      await copyText(location.href);
      link.classList.add("copied");
      setTimeout(() => link.classList.remove("copied"), 1500);
    }, "copy");
    const tools = el("div", { class: "tools" }, link, panelButton, themeButton(), button("?", "Keys (?)", () => this.keys.showHelp(), "icon"));
    const header = el("header", { class: "bar" }, el("h1", {}, "Pliant playground"), this.facts, tools);
    const touches = this.touchSwitches();
    const side = el("aside", { class: "panel", id: "panel", "aria-label": "What runs, and how" }, this.controls.element, el("h2", {}, "What it works with"), this.overlayPanel.element,
      touches, el("h2", {}, "Camera"), this.cameras, this.notes);
    const restart = button("⟲", "From the start (Home)", () => this.restart(), "icon");
    const step = button("›", "One frame on (→)", () => this.stepOnce(), "icon");
    const transport = el("div", { class: "transport" }, restart, this.playButton, step, this.readout);
    const dock = el("footer", { class: "dock" }, transport, this.charts);
    this.app.className = `replay playground${wide ? " with-panel" : ""}`;
    this.app.replaceChildren(header, this.views, side, dock, this.banner);
    this.setPaused(this.choice.paused);
  }

  // What the simulation itself answered.
  private touchSwitches(): HTMLElement {
    const layers = el("div", { class: "row touches" });
    for (const layer of ["points", "normals", "forces"] as const)
      layers.append(toggle(layer[0].toUpperCase() + layer.slice(1), `${layer} of the contacts that the simulation answers`, false, (on) => {
        for (const pane of this.panes) {
          pane.marks.visible(layer, on);
          pane.stage.invalidate();
        }
      }));
    return el("div", { class: "answered" }, el("h2", {}, "Answered contacts"), layers);
  }

  private acceptDrops(): void {
    addEventListener("dragover", (event) => {
      event.preventDefault();
      this.app.classList.add("dropping");
    });
    addEventListener("dragleave", (event) => event.relatedTarget === null && this.app.classList.remove("dropping"));
    addEventListener("drop", (event) => {
      event.preventDefault();
      this.app.classList.remove("dropping");
      if (event.dataTransfer?.files.length) this.open([...event.dataTransfer.files]);
    });
  }

  open(files: File[]): void {
    this.files = files;
    Object.assign(this.choice, { scene: "", eye: [], frame: 0 });
    if (!this.controls.method.still) this.choice.method = "bvh";
    this.change("scene");
  }

  // ---- what happens, one after the other ----

  change(what: Change): void {
    if (what === "scene" && this.choice.scene) this.files = null;
    this.wanted.add(what);
    this.remember();
    this.work = this.work.then(() => this.apply());
  }

  // Everything that was asked for until now is done, and shown.
  settled(): Promise<void> {
    return this.work;
  }

  private async apply(): Promise<void> {
    const wanted = this.wanted;
    this.wanted = new Set();
    if (!wanted.size) return;
    try {
      if (wanted.has("scene")) await this.openSource();
      else if (wanted.has("method")) await this.openPanes();
      else if (wanted.has("question")) await this.look();
      if (wanted.has("scene") || wanted.has("method")) this.hush();
    } catch (error) {
      this.complain(error);
    }
    this.loop();
  }

  private complain(error: unknown): void {
    const { message, place } = error as EngineError;
    this.say(place && !message.includes(place) ? `${place}: ${message}` : message);
    if (error instanceof EngineError && error.restarted) {
      this.source = null;
      this.change("scene");
    }
  }

  private say(words: string): void {
    this.words.textContent = words;
    this.banner.hidden = false;
  }
  private hush(): void {
    this.banner.hidden = true;
  }

  private async openSource(): Promise<void> {
    const entry = this.controls.scene;
    if (!this.files && !entry) throw new Error(`there is no scene '${this.choice.scene}': choose one from the list`);
    this.facts.textContent = "opening …";
    const before = this.source;
    let opened: Source;
    const { early } = this;
    this.early = null; // only once
    try {
      opened = this.files ? await openFiles(this.engine, this.files) : await openScene(this.engine, entry!, this.choice, early);
    } catch (error) {
      const wasFile = this.files !== null;
      if (before) this.goBack();
      throw wasFile ? withRemedy(error as Error) : error;
    }
    if (before) await this.engine.close(before.subject.id).catch(() => {});
    this.source = opened;
    const { scene, triangles, materials, simulateWith, method, settings } = this.choice;
    this.opened = { files: this.files, choice: { scene, triangles, materials, simulateWith, method, settings } };
    this.detectors = [];
    this.history.clear();
    this.drawnFrames = 0;
    this.controls.show(opened.subject.bodies);
    for (let frame = 0; frame < this.choice.frame; ++frame) await opened.next();
    this.describe();
    await this.openPanes();
  }

  // What could not be opened was never chosen.
  private goBack(): void {
    this.files = this.opened!.files;
    Object.assign(this.choice, this.opened!.choice);
    this.choice.frame = Math.floor(this.source!.time);
    this.controls.show(this.source!.subject.bodies);
    this.describe();
    this.remember();
  }

  private describe(): void {
    const { subject, title, simulatedWith } = this.source!;
    const triangles = subject.bodies.reduce((sum, body) => sum + body.triangles.length / 3, 0);
    this.facts.textContent = `${title} · ${grouped(triangles)} triangles${simulatedWith ? ` · simulated with ${simulatedWith}` : ""}`;
    const { notes } = subject;
    this.notes.hidden = notes.length === 0;
    this.notes.open = this.files !== null; // about files of one's own all is worth knowing
    this.notes.replaceChildren(el("summary", {}, `${counted(notes.length, "note", "notes")}, in the words of the command`), el("ul", { class: "notes" }, ...notes.map((note) => el("li", {}, note))));
  }

  private async openPanes(): Promise<void> {
    const source = this.source!;
    for (const id of this.detectors) await this.engine.close(id).catch(() => {});
    this.detectors = [];
    const { method, beside, mode, settings, eye } = this.choice;
    // As published, methods look at different bodies only: so do they, and what they are compared with.
    const self = mode !== "paper";
    const choices = [{ method, mode, settings, self }, ...(beside ? [{ method: beside, mode: "safe" as const, self }] : [])];
    // The first time there is something to see before anything is searched; later what was there stays until that is known to go.
    const isFirst = this.panes.length === 0;
    if (!isFirst) await this.openDetectors(source, choices);
    const stand = this.panes[0] && this.panes[0].element.isConnected && this.shownSource === source ? this.panes[0].stage : null;
    const panes = choices.map((choice) => new Pane(source, choice.mode === "paper" ? `${choice.method}, as published` : choice.method));
    for (const pane of panes) this.prepare(pane, source);
    this.views.replaceChildren(...panes.map(({ element }) => element));
    for (const pane of panes) {
      if (stand) pane.stage.follow(stand);
      else this.standFirst(pane, eye);
    }
    for (const pane of this.panes) pane.end();
    this.panes = panes;
    this.shownSource = source;
    this.linkCameras();
    this.offerCameras();
    this.buildCharts();
    const frame = await source.now();
    for (const pane of panes) pane.place(frame);
    if (isFirst) {
      await firstPicture(panes[0].stage.renderer);
      await this.openDetectors(source, choices);
    }
    await this.look();
    this.readout.textContent = `frame ${short(source.time)}`;
  }
  private shownSource: Source | null = null;

  private async openDetectors(source: Source, choices: DetectorChoice[]): Promise<void> {
    for (const choice of choices) this.detectors.push((await this.engine.openDetector(source.subject.id, choice)).id);
  }

  private prepare(pane: Pane, source: Source): void {
    for (const layer of this.choice.layers) pane.overlay.turn(layer, true);
    dragBodies(pane.stage, pane.bodies, pane.coarse, {
      canDrag: (body) => source.canDrag(body),
      pull: (grip, to) => this.pullBody(grip, to),
    });
  }

  private standFirst(pane: Pane, eye: number[]): void {
    const [camera] = this.controls.scene?.cameras ?? [];
    if (camera) pane.stage.stand(camera, true);
    if (eye.length) pane.stage.fly(new Vector3(...eye.slice(0, 3)), new Vector3(...eye.slice(3)), true);
  }

  private linkCameras(): void {
    let following = false;
    for (const pane of this.panes)
      pane.stage.moved = () => {
        if (following) return;
        following = true;
        for (const other of this.panes) if (other !== pane) other.stage.follow(pane.stage);
        following = false;
        this.rememberEye(pane);
      };
  }

  private offerCameras(): void {
    const { stage } = this.panes[0];
    const own = (this.controls.scene?.cameras ?? []).map((camera) => button(camera.name, `Camera of the scene: ${camera.name}`, () => stage.stand(camera), "preset"));
    const usual = (["fit", "front", "side", "top"] as const).map((view) => button(view[0].toUpperCase() + view.slice(1), `Camera: ${view}`, () => stage.look(view)));
    this.cameras.replaceChildren(...own, ...usual);
  }

  private buildCharts(): void {
    const names = this.panes.map(({ method }) => method);
    const lines = (what: string) => names.map((name, at) => this.history.line(`${what} ${at}`, name, `series${at + 1}`));
    const charts = [this.history.chart({ title: "search", unit: "ms", stacked: false, series: lines("ms") })];
    const exact = this.choice.oracle ? [this.history.line("truth", "exact", "series4")] : [];
    charts.push(this.history.chart({ title: "contacts", unit: "", stacked: false, series: [...lines("contacts"), ...exact] }));
    charts.push(this.history.chart({ title: "recall", unit: "", stacked: false, series: lines("recall") }));
    if (this.source!.simulatedWith) {
      const stages = ["predict", "detect", "respond", "commit"].map((name, at) => this.history.line(name, name, `series${at + 1}`));
      charts.push(this.history.chart({ title: "simulation", unit: "ms", stacked: true, series: stages }));
    }
    this.charts.replaceChildren(...charts);
  }

  // ---- frames ----

  private async look(): Promise<void> {
    if (!this.source || !this.detectors.length) return;
    const { budgetMs, operations, oracle, layers } = this.choice;
    const question = {
      time: this.source.time, ...(budgetMs === null ? {} : { budgetMs }), ...(operations === null ? {} : { operations }), oracle,
      overlay: layers.some((layer) => layer !== "events"), limit: LISTED,
    };
    const found = await Promise.all(this.detectors.map((id) => this.engine.detect(id, question)));
    this.detections = found;
    this.panes.forEach((pane, at) => pane.show(found[at]));
    const [first] = found;
    const bound = first.bound > 0 ? `, within ${short(first.bound, 3)}` : "";
    this.overlayPanel.say(`${this.panes[0].method}: ${first.guarantee}${bound}`, Object.entries(first.counters));
  }

  private record(frame: LiveFrame): void {
    const numbers: Record<string, number> = { ...frame.world?.report.milliseconds };
    this.detections.forEach((found, at) => {
      numbers[`ms ${at}`] = found.milliseconds;
      numbers[`contacts ${at}`] = found.contacts.count;
      if (found.oracle) numbers[`recall ${at}`] = found.oracle.recall;
      if (found.oracle && at === 0) numbers.truth = found.oracle.contacts;
    });
    this.history.push(numbers);
  }

  private async advance(): Promise<void> {
    const source = this.source!;
    if (this.pull) await source.drag(this.pull.grip, this.pull.to);
    else if (this.pulled) await source.drag(null, [0, 0, 0]);
    this.pulled = this.pull !== null;
    const frame = await source.next();
    for (const pane of this.panes) pane.place(frame);
    await this.look();
    this.record(frame);
    ++this.drawnFrames;
    this.choice.frame = Math.floor(source.time);
    this.readout.textContent = `frame ${short(source.time)}`;
    const report = frame.world?.report;
    if (report && report.outcome !== "done") {
      this.say(`${report.outcome}: ${report.message}`);
      this.setPaused(true);
    }
  }

  private get runs(): boolean {
    return !this.choice.paused && !document.hidden && this.source !== null && this.panes.length > 0 && (this.source.frames > 0 || this.pull !== null || this.pulled);
  }

  // No faster than the scene's own time.
  private loop(): void {
    if (this.looping || !this.runs) return;
    this.looping = true;
    const round = async (): Promise<void> => {
      if (!this.runs) {
        this.looping = false;
        this.remember();
        return;
      }
      const begun = performance.now();
      this.work = this.work.then(() => (this.runs ? this.advance() : undefined)).catch((error) => {
        this.complain(error);
        this.setPaused(true);
      });
      await this.work;
      const rest = 1000 / (this.source?.rate ?? 30) - (performance.now() - begun);
      setTimeout(round, Math.max(0, rest));
    };
    void round();
  }

  setPaused(on: boolean): void {
    this.choice.paused = on;
    this.playButton.textContent = on ? "▶" : "❚❚";
    this.playButton.setAttribute("aria-pressed", String(!on));
    this.remember();
    this.loop();
  }
  stepOnce(): void {
    this.setPaused(true);
    this.work = this.work.then(() => (this.source ? this.advance() : undefined)).catch((error) => this.complain(error));
  }
  restart(): void {
    this.choice.frame = 0;
    this.change("scene");
  }

  private pullBody(grip: Grip | null, to: [number, number, number]): void {
    this.pull = grip ? { grip, to } : null;
    this.loop();
  }

  // ---- the address ----

  private rememberEye({ stage }: Pane): void {
    this.choice.eye = [...stage.camera.position.toArray(), ...stage.target.toArray()];
    this.remember();
  }
  private timer = 0;
  private remember(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      const address = writeChoice(this.choice);
      history.replaceState(null, "", address === "#" ? location.pathname : address);
    }, 150);
  }
}
