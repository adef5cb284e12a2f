// What a report says besides: the bodies that were checked, and what to know before one trusts it.
import type { Data } from "./data";
import { el, grouped } from "./dom";

export function bodyTable(data: Data): HTMLElement {
  const body = el("tbody");
  for (const { name, vertices, triangles, defects } of data.document.bodies) {
    const bad = Object.entries(defects).map(([kind, count]) => `${grouped(count as number)} ${kind.replaceAll("_", " ")}`);
    body.append(el("tr", {}, el("td", {}, name), el("td", {}, grouped(vertices)), el("td", {}, grouped(triangles)), el("td", {}, bad.join(", ") || "none")));
  }
  const head = el("tr");
  for (const text of ["Body", "Vertices", "Triangles", "Defects of the mesh"]) head.append(el("th", { scope: "col" }, text));
  return el("details", { open: "" }, el("summary", {}, "Bodies"), el("table", { class: "plain" }, el("thead", {}, head), body));
}

export function reportNotes(data: Data): HTMLElement {
  const list = el("ul", { class: "notes" });
  for (const text of data.document.notes) list.append(el("li", {}, text));
  const { frames, times } = data.header;
  if (times.length < frames) list.append(el("li", {}, `${grouped(times.length)} of ${grouped(frames)} frames are in this page, which would be too large with all. All of them were checked, and all numbers are of all of them.`));
  list.append(el("li", {}, "Deepest: the shortest way to part two triangles that cross at a frame, in the units of the files. Heat: in how many contacts a face takes part, by itself, a corner or an edge."));
  return list;
}
