// What is chosen, as it stands in the address: a view can be shared by its link.
import type { Mode, Settings } from "../engine/api";
import { LAYERS, type Layer } from "../layers";

export interface Choice {
  scene: string; // empty: a file of one's own
  method: string;
  beside: string; // a second method; empty: none
  mode: Mode;
  settings: Settings; // of the method, where they are not the default
  budgetMs: number | null;
  operations: number | null;
  triangles: number | null; // of scenes whose size can be chosen
  materials: Record<string, string>; // by kind; empty: the scene's
  simulateWith: string; // empty: as the scene says
  oracle: boolean;
  layers: Layer[];
  eye: number[]; // camera and target; empty: the scene's first view
  paused: boolean;
  frame: number; // to go to before anything is shown
}

export const START: Choice = {
  scene: "demo", method: "kinetic", beside: "", mode: "safe", settings: {}, budgetMs: null, operations: null, triangles: null, materials: {},
  simulateWith: "", oracle: true, layers: ["events"], eye: [], paused: false, frame: 0,
};

const number = (text: string | null): number | null => (text !== null && text !== "" && Number.isFinite(Number(text)) ? Number(text) : null);

export function readChoice(address: string): Choice {
  const words = new URLSearchParams(address.replace(/^#/, ""));
  const choice: Choice = { ...START, settings: {}, materials: {}, layers: [...START.layers] };
  for (const key of ["scene", "method", "beside"] as const) if (words.has(key)) choice[key] = words.get(key)!;
  choice.simulateWith = words.get("simulate") ?? "";
  if (words.get("mode") === "paper") choice.mode = "paper";
  choice.budgetMs = number(words.get("budget"));
  choice.operations = number(words.get("operations"));
  choice.triangles = number(words.get("triangles"));
  choice.oracle = words.get("oracle") !== "no";
  choice.paused = words.get("paused") === "yes";
  choice.frame = Math.max(0, Math.round(number(words.get("frame")) ?? 0));
  if (words.has("layers")) choice.layers = LAYERS.filter((layer) => words.get("layers")!.split(",").includes(layer));
  const eye = (words.get("eye") ?? "").split(",").map(Number);
  if (eye.length === 6 && eye.every(Number.isFinite)) choice.eye = eye;
  for (const [key, value] of words) {
    if (key.startsWith("material.")) choice.materials[key.slice(9)] = value;
    if (key.startsWith("set.")) choice.settings[key.slice(4)] = value === "true" ? true : value === "false" ? false : Number(value);
  }
  return choice;
}

// Only what differs from the start.
export function writeChoice(choice: Choice): string {
  const words = new URLSearchParams();
  const put = (key: string, value: string | number | null, usual: string | number | null) => value !== usual && value !== null && words.set(key, String(value));
  put("scene", choice.scene, START.scene);
  put("method", choice.method, START.method);
  put("beside", choice.beside, "");
  put("mode", choice.mode, "safe");
  put("simulate", choice.simulateWith, "");
  put("budget", choice.budgetMs, null);
  put("operations", choice.operations, null);
  put("triangles", choice.triangles, null);
  put("oracle", choice.oracle ? "yes" : "no", "yes");
  put("paused", choice.paused ? "yes" : "no", "no");
  put("frame", choice.paused && choice.frame ? choice.frame : 0, 0);
  put("layers", choice.layers.join(","), START.layers.join(","));
  put("eye", choice.eye.map((x) => Number(x.toPrecision(4))).join(","), "");
  for (const [kind, name] of Object.entries(choice.materials)) if (name) words.set(`material.${kind}`, name);
  for (const [name, value] of Object.entries(choice.settings)) words.set(`set.${name}`, String(value));
  return `#${words}`;
}
