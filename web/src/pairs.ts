// Pairs of bodies that meet, as lines of a table and as frames of a strip.
import type { Data, Place } from "./data";
import { el, short } from "./dom";
import type { FaceCounts } from "./heat";
import type { Strip } from "./transport";
import { pairName } from "./verdict";

export interface Row {
  number: number; // in the report
  name: string;
  tally: any;
  first: Place | null;
  worst: Place | null;
  faces: [FaceCounts, FaceCounts];
}

export function rowsOf(data: Data): Row[] {
  const rows: Row[] = data.document.pairs.map((tally: any, number: number) => ({
    number,
    name: pairName(data, tally.a, tally.b),
    tally,
    first: data.header.pairs?.[number]?.first ?? null,
    worst: data.header.pairs?.[number]?.worst ?? null,
    faces: [data.integers(`pair${number}a`), data.integers(`pair${number}b`)],
  }));
  const when = (row: Row) => row.tally.first_time ?? Infinity;
  return rows.sort((x, y) => (when(x) === when(y) ? x.number - y.number : when(x) - when(y)));
}

// All pairs together, or one.
export function stripOf(data: Data, rows: Row[]): Strip {
  const counts = new Map<number, number>(data.document.per_frame);
  const most = Math.max(1, ...counts.values());
  const all: [number, number][] = rows.flatMap(({ tally }) => tally.ranges);
  const { times } = data.header;
  const values = times.flatMap((from, row) => {
    const to = times[row + 1] ?? from;
    if (!all.some(([first, last]) => last >= from && first < Math.max(to, from + 1e-9))) return [];
    return [{ from, to, amount: Math.log1p(counts.get(from) ?? 0) / Math.log1p(most) }];
  });
  const ranges = all.map(([from, to]) => (from === to ? short(from) : `${short(from)} to ${short(to)}`));
  return { label: ranges.length ? `Frames affected: ${ranges.slice(0, 12).join(", ")}${ranges.length > 12 ? ", …" : ""}` : "No frame is affected", values };
}

export function rangeBar(ranges: [number, number][], first: number, last: number): HTMLElement {
  const bar = el("span", { class: "ranges", "aria-hidden": "true" });
  const span = Math.max(1e-9, last - first);
  for (const [from, to] of ranges) {
    const left = (100 * (from - first)) / span, right = (100 * (Math.min(last, to + 1) - first)) / span;
    bar.append(el("i", { style: `left: ${left}%; width: max(2px, ${right - left}%)` }));
  }
  return bar;
}
