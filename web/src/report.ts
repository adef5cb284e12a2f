// The report of a check: the verdict, when, which bodies, where, how deep.
import { Vector3 } from "three";
import { copyLines } from "./copies";
import type { Data, Place } from "./data";
import { button, el, grouped, short, toggle } from "./dom";
import { Heat, largestCount } from "./heat";
import { commonShortcuts, Keys } from "./keys";
import { rangeBar, rowsOf, stripOf, type Row } from "./pairs";
import { bodyTable, reportNotes } from "./report_notes";
import { themeButton } from "./theme";
import { Transport } from "./transport";
import { verdictOf } from "./verdict";
import { Viewer } from "./viewer";

const NUMBERS = 10; // a drawn contact: time, point, normal, depth, two bodies
const RATE = 24; // frames a second; reports know frames only
const MOST_PICTURES = 6;
const LABEL_GAP = 24; // pixels from a place to the words beside it

export class ReportPage {
  readonly viewer: Viewer;
  readonly rows: Row[];
  private readonly heats: Heat[];
  private readonly transport: Transport;
  private readonly label = el("div", { class: "pin", hidden: "" });
  private readonly copies = el("section", { class: "copies", "aria-live": "polite" });
  private readonly pictures = el("section", { class: "pictures" });
  private readonly table = el("tbody");
  private readonly contacts: Float32Array;
  private selected: Row | null = null;
  private place: Place | null = null;
  private heatOn = true;

  constructor(app: HTMLElement, private readonly data: Data) {
    const host = el("div", { class: "stage" }, this.label);
    const view = el("section", { class: "view", "aria-label": "The bodies" }, host);
    app.className = "report";
    this.rows = rowsOf(data);
    const verdict = verdictOf(data);
    const header = el("header", { class: `verdict ${verdict.kind}` });
    const side = el("section", { class: "side" });
    app.replaceChildren(header, view, side);
    this.viewer = new Viewer(host, data, RATE, true);
    this.contacts = data.floats("contacts");
    this.heats = this.viewer.bodies.map((body) => new Heat(body));
    this.transport = new Transport(this.viewer.clock);
    const keys = this.keys();
    view.append(this.transport.element, this.viewTools());
    header.append(...this.verdictLines(verdict), el("div", { class: "tools" }, button("Print", "Print, or keep as PDF", () => print(), "print"),
      themeButton(), button("?", "Keys (?)", () => keys.showHelp(), "icon")));
    side.append(this.pairTable(), this.copies, this.pictures, bodyTable(data), reportNotes(data));
    this.viewer.timeChanged = () => this.showContacts();
    this.viewer.stage.afterDraw = () => this.placeLabel();
    this.select(null);
    if (verdict.place) this.flyTo(verdict.place, data.document.moves ? "here first" : "here", true);
    requestAnimationFrame(() => setTimeout(() => this.takePictures(), 50));
  }

  // To a place at its time.
  flyTo(place: Place, label: string, at_once = false): void {
    const { stage, clock, marks } = this.viewer;
    this.place = place;
    clock.stop();
    clock.seek(place.time);
    this.viewer.showTime();
    const point = new Vector3(...place.point);
    marks.pointAt(point);
    this.label.textContent = this.data.document.moves ? `${label}: frame ${short(place.time)}` : label;
    this.label.hidden = false;
    const eye = this.viewer.eyeFor(place, (at_once ? 1.1 : 0.4) * this.viewer.extent());
    // At first sight all of what meets is in the picture, with the place in it.
    const aside = at_once ? this.viewer.middle().sub(point).multiplyScalar(0.75) : new Vector3();
    stage.fly(eye.add(aside), point.clone().add(aside), at_once);
  }

  select(row: Row | null): void {
    this.selected = row;
    for (const line of this.table.rows) line.setAttribute("aria-selected", String(Number(line.dataset.number) === row?.number));
    this.showHeat();
    this.transport.show(stripOf(this.data, row ? [row] : this.rows));
    this.showCopies();
    this.showContacts();
    this.viewer.stage.invalidate();
  }

  // The row after the one that is selected, or before it.
  private next(count: number): void {
    if (!this.rows.length) return;
    const at = this.selected ? this.rows.indexOf(this.selected) : count > 0 ? -1 : 0;
    const row = this.rows[(at + count + this.rows.length) % this.rows.length];
    this.choose(row, false);
    this.table.querySelector<HTMLElement>(`[data-number="${row.number}"]`)?.focus();
  }

  private choose(row: Row, worst: boolean): void {
    this.select(row);
    const place = worst ? (row.worst ?? row.first) : row.first;
    if (place) this.flyTo(place, worst && row.worst ? "deepest" : "first");
  }

  private keys(): Keys {
    return new Keys([
      ...commonShortcuts(this.viewer),
      { key: "n", label: "N", what: "next pair of bodies", action: () => this.next(1) },
      { key: "p", label: "P", what: "pair before", action: () => this.next(-1) },
      { key: "h", label: "H", what: "heat map", action: () => document.querySelector<HTMLButtonElement>(".heat-button")?.click() },
    ]);
  }

  private verdictLines(verdict: ReturnType<typeof verdictOf>): HTMLElement[] {
    const sentence = el("h1", {}, verdict.sentence);
    const { place } = verdict;
    if (place) {
      sentence.append(" ", button("here", "Fly there", () => {
        this.select(null);
        this.flyTo(place, this.data.document.moves ? "here first" : "here");
      }, "link"), ".");
    }
    return [el("div", { class: "words" }, el("p", { class: "what" }, this.data.header.title), sentence, el("p", { class: "basis" }, verdict.basis))];
  }

  private viewTools(): HTMLElement {
    const { stage } = this.viewer;
    const heat = toggle("Heat", "Faces by how often they take part in contacts (H)", true, (on) => {
      this.heatOn = on;
      this.showHeat();
      stage.invalidate();
    });
    heat.className = "heat-button";
    const bar = el("div", { class: "row viewtools" }, heat, el("span", { class: "ramp", title: "few contacts to many" }, "few", el("i"), "many"));
    for (const view of ["fit", "front", "side", "top"] as const)
      bar.append(button(view[0].toUpperCase() + view.slice(1), `Camera: ${view}`, () => stage.look(view)));
    return bar;
  }

  private pairTable(): HTMLElement {
    const { moves, pairs } = this.data.document;
    if (!pairs.length) return el("p", { class: "none" }, "No pair of bodies meets.");
    const has_depth = pairs.some((pair: any) => pair.penetration !== null);
    const heads = ["Bodies", ...(moves ? ["First", "Frames affected"] : []), "Contacts", "Deepest", ...(moves ? ["Longest curve"] : []), ...(has_depth ? ["Penetration"] : [])];
    const head = el("tr");
    for (const text of heads) head.append(el("th", { scope: "col" }, text));
    for (const row of this.rows) this.table.append(this.pairLine(row, heads));
    return el("table", { class: "pairs" }, el("caption", {}, "Bodies that meet: choose a line to fly to the first place, or its deepest"), el("thead", {}, head), this.table);
  }

  private pairLine(row: Row, heads: string[]): HTMLElement {
    const { tally } = row;
    const { clock } = this.viewer;
    const note = tally.inside ? " (one lies inside the other)" : tally.excused === tally.contacts && tally.contacts ? " (excused: from the start)" : "";
    const cells: Record<string, () => (Node | string)[]> = {
      Bodies: () => [row.name + note],
      First: () => [tally.first_time === null ? "–" : `frame ${short(tally.first_time)}`],
      "Frames affected": () => [grouped(tally.frames_affected), rangeBar(tally.ranges, clock.first, clock.last)],
      Contacts: () => [grouped(tally.contacts)],
      Deepest: () => [row.worst ? this.worstLink(row, row.worst) : "–"],
      "Longest curve": () => [tally.longest_curve ? `${short(tally.longest_curve, 3)} at ${short(tally.longest_curve_time)}` : "–"],
      Penetration: () => [tally.penetration === null ? "–" : short(tally.penetration, 3)],
    };
    const line = el("tr", { tabindex: "0", "data-number": String(row.number), "aria-selected": "false" });
    for (const head of heads) line.append(el("td", { "data-head": head }, ...cells[head]()));
    line.addEventListener("click", () => this.choose(row, false));
    line.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.target !== line) return;
      event.preventDefault();
      this.choose(row, false);
    });
    return line;
  }

  private worstLink(row: Row, worst: Place): HTMLElement {
    const text = short(worst.depth, 3) + (this.data.document.moves ? ` at ${short(worst.time)}` : "");
    const link = button(text, "Fly to the deepest place", () => {}, "link");
    link.addEventListener("click", (event) => {
      event.stopPropagation();
      this.choose(row, true);
    });
    return link;
  }

  private showHeat(): void {
    const rows = this.heatOn ? (this.selected ? [this.selected] : this.rows) : [];
    const most = largestCount(this.rows.flatMap((row) => row.faces));
    this.heats.forEach((heat, body) => {
      const lists = rows.flatMap(({ tally, faces }) => [...(tally.a === body ? [faces[0]] : []), ...(tally.b === body ? [faces[1]] : [])]);
      heat.show(lists, most);
    });
  }

  // Those from the frame that is shown until the next.
  private showContacts(): void {
    const { row, next, fraction } = this.viewer.clock.moment();
    const { times } = this.viewer.clock;
    const from = fraction >= 1 ? times[next] : times[row], to = fraction >= 1 ? Infinity : times[Math.max(next, row + 1)] ?? Infinity;
    const points: number[] = [];
    for (let at = 0; at < this.contacts.length; at += NUMBERS) {
      const time = this.contacts[at];
      if (time < from || time >= to) continue;
      const { selected } = this;
      if (selected && (this.contacts[at + 8] !== selected.tally.a || this.contacts[at + 9] !== selected.tally.b)) continue;
      points.push(this.contacts[at + 1], this.contacts[at + 2], this.contacts[at + 3]);
    }
    this.viewer.marks.show(points, [], []);
    const shown = this.place !== null && this.place.time >= from - 1e-6 && this.place.time < to + 1e-6;
    this.viewer.marks.pointAt(shown ? new Vector3(...this.place!.point) : null);
    this.label.hidden = !shown;
  }

  private placeLabel(): void {
    if (!this.place || this.label.hidden) return;
    const { stage } = this.viewer;
    const at = new Vector3(...this.place.point).project(stage.camera);
    const x = ((at.x + 1) / 2) * stage.host.clientWidth, y = ((1 - at.y) / 2) * stage.host.clientHeight;
    // Below to the right, as far as the picture goes.
    const most = stage.host.clientWidth - this.label.offsetWidth - 4;
    this.label.style.transform = `translate(${Math.round(Math.max(4, Math.min(x + LABEL_GAP, most)))}px, ${Math.round(y + LABEL_GAP)}px)`;
  }

  private showCopies(): void {
    this.copies.replaceChildren(...(this.selected ? copyLines(this.data, this.selected) : []));
  }

  // One of each pair, the deepest first; one at a time, so that the page stays quick.
  private takePictures(): void {
    const places = this.rows
      .flatMap((row) => (row.worst ?? row.first ? [{ row, place: (row.worst ?? row.first)!, deepest: row.worst !== null }] : []))
      .sort((x, y) => y.place.depth - x.place.depth)
      .slice(0, MOST_PICTURES);
    if (!places.length) return;
    this.pictures.append(el("h2", {}, "Worst places"));
    const grid = el("div", { class: "grid" });
    this.pictures.append(grid);
    const take = () => {
      const next = places.shift();
      if (!next) {
        document.documentElement.dataset.pictures = "done";
        return;
      }
      grid.append(this.still(next.row, next.place, next.deepest));
      setTimeout(take, 20);
    };
    take();
  }

  private still(row: Row, place: Place, deepest: boolean): HTMLElement {
    const { stage, clock, marks } = this.viewer;
    const kept = { place: this.place, time: clock.time, hidden: this.label.hidden };
    this.place = place;
    clock.seek(place.time);
    this.viewer.showTime();
    const point = new Vector3(...place.point);
    marks.pointAt(point);
    const url = stage.picture(480, 340, this.viewer.eyeFor(place, 0.35 * this.viewer.extent()), point);
    this.place = kept.place;
    clock.seek(kept.time);
    this.viewer.showTime();
    const words = `${row.name}${this.data.document.moves ? `, frame ${short(place.time)}` : ""}${deepest ? `: ${short(place.depth, 3)} deep` : ""}`;
    const picture = el("img", { src: url, alt: words, width: "480", height: "340" });
    const link = el("button", { type: "button", class: "picture", title: "Fly there" }, picture);
    link.addEventListener("click", () => this.choose(row, deepest));
    return el("figure", {}, link, el("figcaption", {}, words));
  }
}
