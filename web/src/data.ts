// What `pliant` put into the page: a header, a document (run.json or a report), and one block of numbers.

import type { OverlayHeader } from "./overlay_data";

export interface BodyHeader {
  name: string;
  kind: string;
  vertices: number;
  triangles: number;
  low: [number, number, number];
  high: [number, number, number];
  rows: number;
  indices_at: number;
  positions_at: number;
}

export interface Place {
  time: number;
  depth: number;
  point: [number, number, number];
  normal: [number, number, number];
}

export interface PageHeader {
  schema: string;
  title: string;
  up: "y" | "z" | null;
  frames: number; // there were; `times` are of those that are kept
  times: number[];
  bodies: BodyHeader[];
  arrays: Record<string, { type: "f32" | "u32"; at: number; count: number }>;
  statistics?: string[]; // columns, of a recording
  overlay?: OverlayHeader; // of a recording: what a method worked with
  pairs?: { first: Place | null; worst: Place | null }[]; // of a report, in its order
  parts?: [string, number, number][][]; // by body: name, first triangle, how many
}

export class Data {
  constructor(
    readonly header: PageHeader,
    readonly document: any,
    private readonly block: ArrayBuffer,
  ) {}

  floats(name: string): Float32Array {
    const place = this.header.arrays[name];
    return place ? new Float32Array(this.block, place.at, place.count) : new Float32Array(0);
  }
  integers(name: string): Uint32Array {
    const place = this.header.arrays[name];
    return place ? new Uint32Array(this.block, place.at, place.count) : new Uint32Array(0);
  }
  triangles(body: BodyHeader): Uint32Array {
    return new Uint32Array(this.block, body.indices_at, 3 * body.triangles);
  }
  // Steps of 1/65535 of the body's box, row after row.
  steps(body: BodyHeader): Uint16Array {
    return new Uint16Array(this.block, body.positions_at, 3 * body.vertices * body.rows);
  }
}

function decode(text: string): Uint8Array {
  const native = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array }).fromBase64;
  if (native) return native.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// The elements are taken out of the page one by one, so that text and numbers are not both in memory.
function takeBlock(): ArrayBuffer {
  const chunks: Uint8Array[] = [];
  for (const element of document.querySelectorAll("script.pliant-block")) {
    chunks.push(decode(element.textContent ?? ""));
    element.remove();
  }
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all.buffer;
}

// Nothing if this is the page as it was built, without data.
export function readData(): Data | null {
  const header = document.getElementById("pliant-page");
  const about = document.getElementById("pliant-document");
  if (!header || !about) return null;
  return new Data(JSON.parse(header.textContent ?? ""), JSON.parse(about.textContent ?? ""), takeBlock());
}
