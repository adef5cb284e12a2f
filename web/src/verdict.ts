// What a check found, in a sentence.
import type { Data, Place } from "./data";
import { counted, short } from "./dom";

export interface Verdict {
  kind: "clean" | "collides" | "unknown";
  sentence: string; // where it goes on with a place, without it
  where: string;
  place: Place | null;
  basis: string;
}

export function pairName(data: Data, a: number, b: number): string {
  const { bodies } = data.header;
  return a === b ? `${bodies[a].name} with itself` : `${bodies[a].name} with ${bodies[b].name}`;
}

function placeOf(contact: any): Place | null {
  return contact?.point ? { time: contact.time, depth: contact.depth, point: contact.point, normal: contact.normal } : null;
}

function basisOf(report: any): string {
  const parts = [`${counted(report.contact_count, "contact", "contacts")}`];
  if (report.continued_count) parts[0] += ` (${counted(report.continued_count, "continues one before", "continue ones before")})`;
  if (report.from_start_count) parts.push(`${counted(report.from_start_count, "belongs", "belong")} to what met at the start`);
  if (report.excused_count) parts.push(`${counted(report.excused_count, "is excused", "are excused")}`);
  if (report.possible_count) parts.push(`${counted(report.possible_count, "is", "are")} undecided`);
  if (report.moves) parts.push(`${counted(report.frames, "frame", "frames")}${report.continuous ? " and all the time between them" : ", not between them"}`);
  parts.push(`method ${report.method}, ${report.guarantee}`);
  if (!report.complete) parts.push(`not finished (${report.stopped_by})`);
  return parts.join(" · ");
}

export function verdictOf(data: Data): Verdict {
  const report = data.document;
  const basis = basisOf(report);
  if (report.verdict === "clean") return { kind: "clean", sentence: "Clean: nothing collides.", where: "", place: null, basis };
  if (report.verdict !== "collides")
    return { kind: "unknown", sentence: "Not known: no collision was found, but there may be one.", where: "", place: null, basis };
  const contact = report.first_new ?? report.first;
  const where = pairName(data, Math.min(contact.a.body, contact.b.body), Math.max(contact.a.body, contact.b.body));
  const place = placeOf(contact);
  if (!report.moves) return { kind: "collides", sentence: `Collides: ${where},`, where, place, basis };
  const what = report.first_new ? "First new collision" : "Collides from the start on";
  return { kind: "collides", sentence: `${what}: frame ${short(contact.time)}, ${where},`, where, place, basis };
}
