// What `pliant view --overlay` put into the page, by frame.
import type { Data } from "./data";
import type { Overlay } from "./overlay";

export interface OverlayHeader {
  method: string;
  mode: string;
  moving: boolean;
  rows: number;
  left_out: number;
  regions_without: number;
  limited: boolean;
  counters: string[];
  times: number[];
}

const GUARANTEES = ["none", "statistical", "conservative", "exact"];
const PER_ROW = 7; // boxes, spheres, lines, events, numbers of surfaces, particles, guarantee

export class RecordedOverlay {
  readonly header: OverlayHeader;
  private readonly rows: Uint32Array;
  private readonly begin: number[][]; // by kind and row
  private readonly regions: { row: number; regionOfFace: Uint32Array }[][]; // by body, ascending
  private cached: { row: number; overlay: Overlay } | null = null;

  constructor(private readonly data: Data) {
    this.header = data.header.overlay!;
    this.rows = data.integers("overlay_rows");
    const kinds = PER_ROW - 1;
    this.begin = Array.from({ length: kinds }, () => [0]);
    for (let row = 0; row < this.header.rows; ++row)
      for (let kind = 0; kind < kinds; ++kind) this.begin[kind].push(this.begin[kind][row] + this.rows[PER_ROW * row + kind]);
    this.regions = data.header.bodies.map(() => []);
    const surfaces = data.integers("overlay_surfaces");
    for (let row = 0; row < this.header.rows; ++row)
      for (let at = this.begin[4][row]; at < this.begin[4][row + 1]; at += 2 + surfaces[at + 1])
        this.regions[surfaces[at]].push({ row, regionOfFace: surfaces.subarray(at + 2, at + 2 + surfaces[at + 1]) });
  }

  // The last row that is not later; none if the page has no overlay for that time.
  rowAt(time: number): number | null {
    const { times } = this.header;
    if (!times.length || time >= times[times.length - 1] + 1) return null;
    let low = 0, high = times.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time + 1e-6) low = middle;
      else high = middle;
    }
    return low;
  }

  at(row: number): Overlay {
    if (this.cached?.row === row) return this.cached.overlay;
    const slice = (name: string, kind: number, each: number) => this.data.floats(name).subarray(each * this.begin[kind][row], each * this.begin[kind][row + 1]);
    const particles = this.data.integers("overlay_particles").subarray(2 * this.begin[5][row], 2 * this.begin[5][row + 1]);
    const byBody: number[][] = this.regions.map(() => []);
    for (let at = 0; at < particles.length; at += 2) byBody[particles[at]].push(particles[at + 1]);
    const surfaces = this.regions.flatMap((list, body) => {
      const last = list.filter((entry) => entry.row <= row).pop();
      const regionOfFace = last?.regionOfFace ?? new Uint32Array(0);
      return regionOfFace.length || byBody[body].length ? [{ body, regionOfFace, particles: Uint32Array.from(byBody[body]) }] : [];
    });
    const overlay: Overlay = {
      boxes: slice("overlay_boxes", 0, 8), spheres: slice("overlay_spheres", 1, 6), lines: slice("overlay_lines", 2, 8),
      events: slice("overlay_events", 3, 4), surfaces,
    };
    this.cached = { row, overlay };
    return overlay;
  }

  guarantee(row: number): string {
    return GUARANTEES[this.rows[PER_ROW * row + 6]];
  }
  bound(row: number): number {
    return this.data.floats("overlay_bounds")[row];
  }
  counts(row: number): [string, number][] {
    const { counters } = this.header;
    const numbers = this.data.integers("overlay_counts");
    return counters.map((name, at) => [name, numbers[counters.length * row + at]]);
  }
}
