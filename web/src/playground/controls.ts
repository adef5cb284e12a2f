// What one can choose, made from what the library says there is.
import { button, checkbox, el, select, short, slider } from "../dom";
import type { Body, Catalogue, MaterialKind, MethodEntry, SceneEntry, SettingEntry, Settings } from "../engine/api";
import type { Choice } from "./state";

// Which part has to be opened anew.
export type Change = "scene" | "method" | "question" | "view";

const STEPS = 100;

// Budgets from 10 microseconds to 100 milliseconds; the last place is none.
export const budgetAt = (at: number): number | null => (at >= STEPS ? null : 0.01 * 10 ** ((4 * at) / (STEPS - 1)));
export const placeOfBudget = (ms: number | null): number => (ms === null ? STEPS : Math.min(STEPS - 1, Math.max(0, Math.round(((STEPS - 1) * Math.log10(ms / 0.01)) / 4))));
const budgetWords = (at: number) => {
  const ms = budgetAt(at);
  return ms === null ? "none" : ms < 1 ? `${short(1000 * ms, 2)} µs` : `${short(ms, 2)} ms`;
};
const operationsAt = (at: number): number | null => (at >= STEPS ? null : Math.round(10 * 10 ** ((6 * at) / (STEPS - 1))));
const placeOfOperations = (count: number | null): number => (count === null ? STEPS : Math.min(STEPS - 1, Math.max(0, Math.round(((STEPS - 1) * Math.log10(count / 10)) / 6))));

// A range of a setting that makes sense: a factor of 16 around its default where the ends are far away.
export class Scale {
  private readonly low: number;
  private readonly high: number;
  private readonly logarithmic: boolean;

  constructor(private readonly setting: SettingEntry) {
    const usual = Number(setting.standard);
    const wide = setting.most - setting.least > 64 * Math.max(1, Math.abs(usual));
    this.low = wide && usual > 0 ? Math.max(setting.least, usual / 16) : setting.least;
    this.high = wide ? Math.min(setting.most, usual > 0 ? 16 * usual : setting.type === "whole" ? setting.least + 1000 : setting.least + 1) : setting.most;
    this.logarithmic = this.low > 0 && this.high / this.low > 20;
  }
  get steps(): number {
    return this.setting.type === "whole" && this.high - this.low <= 200 && !this.logarithmic ? this.high - this.low : STEPS;
  }
  value(at: number): number {
    const part = at / this.steps;
    const value = this.logarithmic ? this.low * (this.high / this.low) ** part : this.low + part * (this.high - this.low);
    return this.setting.type === "whole" ? Math.round(value) : Number(value.toPrecision(4));
  }
  place(value: number): number {
    const part = this.logarithmic ? Math.log(value / this.low) / Math.log(this.high / this.low) : (value - this.low) / (this.high - this.low);
    return Math.round(Math.min(1, Math.max(0, part)) * this.steps);
  }
}

export function settingField(setting: SettingEntry, chosen: Settings, changed: () => void): HTMLElement {
  const set = (value: number | boolean) => {
    if (value === setting.standard) delete chosen[setting.name];
    else chosen[setting.name] = value;
    changed();
  };
  const label = setting.name.replaceAll("_", " ");
  const now = chosen[setting.name] ?? setting.standard;
  let field: HTMLElement;
  if (setting.type === "flag") field = checkbox(label, Boolean(now), set);
  else {
    const scale = new Scale(setting);
    const words = (at: number) => `${scale.value(at)}${setting.unit ? ` ${setting.unit}` : ""}${scale.value(at) === setting.standard ? " (usual)" : ""}`;
    field = slider(label, scale.steps, scale.place(Number(now)), words, (at) => set(scale.value(at)));
  }
  field.title = setting.effect;
  field.dataset.setting = setting.name;
  return field;
}

const MATERIAL_WORDS: Record<MaterialKind, string> = { elastic: "Flesh", cloth: "Cloth", pressure: "Gas" };

export class Controls {
  readonly element = el("div", { class: "controls" });
  private bodies: Body[] = [];

  constructor(private readonly catalogue: Catalogue, private readonly choice: Choice, private readonly changed: (what: Change) => void,
    private readonly openFiles: (files: File[]) => void) {
    this.build();
  }

  get scene(): SceneEntry | undefined {
    return this.catalogue.scenes.find(({ name }) => name === this.choice.scene);
  }
  get method(): MethodEntry {
    return this.catalogue.methods.find(({ name }) => name === this.choice.method) ?? this.catalogue.methods[0];
  }

  // Of what is open now: which materials there are to choose.
  show(bodies: Body[]): void {
    this.bodies = bodies;
    this.build();
  }

  private build(): void {
    const open = new Set([...this.element.querySelectorAll("details[open]")].map((one) => (one as HTMLElement).dataset.part));
    const parts = [this.sceneFields(), this.methodFields(), this.budgetFields()];
    this.element.replaceChildren(...parts.flat());
    for (const details of this.element.querySelectorAll("details")) if (open.has(details.dataset.part)) details.open = true;
  }

  private sceneFields(): HTMLElement[] {
    const { choice, catalogue } = this;
    const group = (simulated: boolean) => catalogue.scenes.filter((scene) => scene.simulated === simulated);
    const list = el("select", { id: "scene" });
    for (const [label, scenes] of [["Simulated", group(true)], ["Motions that are made", group(false)]] as const) {
      const options = el("optgroup", { label });
      for (const { name, title } of scenes) options.append(el("option", { value: name, title }, name));
      list.append(options);
    }
    if (!choice.scene) list.prepend(el("option", { value: "" }, "a file of your own"));
    list.value = choice.scene;
    list.addEventListener("change", () => {
      Object.assign(choice, { scene: list.value, triangles: null, materials: {}, eye: [], frame: 0, simulateWith: "" });
      this.changed("scene");
    });
    const input = el("input", { type: "file", multiple: "", accept: ".obj,.ply,.stl,.off,.glb,.gltf,.vtk,.vtu,.msh,.mesh", class: "offscreen", "aria-label": "A mesh of your own", tabindex: "-1" });
    input.addEventListener("change", () => input.files?.length && this.openFiles([...input.files]));
    const own = button("Open a mesh …", "OBJ, PLY, STL, GLB …: it stays in your browser; or drop it anywhere on the page", () => input.click());
    const fields: HTMLElement[] = [el("label", { class: "field" }, el("span", {}, "Scene"), list), el("p", { class: "said" }, this.scene?.title ?? ""), el("div", { class: "row" }, own, input)];
    const { triangles } = this.scene ?? {};
    if (triangles) {
      const [least, most] = [triangles[0], Math.min(triangles[1], 60000)];
      const count = (at: number) => Math.round((least * (most / least) ** (at / STEPS)) / 100) * 100;
      const place = Math.round((STEPS * Math.log((choice.triangles ?? Math.max(least, 8000)) / least)) / Math.log(most / least));
      fields.push(slider("Triangles", STEPS, place, (at) => String(count(at)), (at) => {
        choice.triangles = count(at);
        this.changed("scene");
      }));
    }
    fields.push(...this.materialFields());
    return fields;
  }

  private materialFields(): HTMLElement[] {
    const { choice, catalogue } = this;
    if (!this.scene?.simulated) return [];
    const kinds = [...new Set(this.bodies.flatMap(({ material }) => (material ? [material] : [])))];
    const fields: HTMLElement[] = kinds.map((kind) => select(`${MATERIAL_WORDS[kind]} of`, [["", "the scene's own"], ...catalogue.materials[kind].map(({ name }): [string, string] => [name, name])],
      choice.materials[kind] ?? "", (name) => {
        choice.materials = { ...choice.materials, [kind]: name };
        this.changed("scene");
      }));
    for (const [at, kind] of kinds.entries()) fields[at].dataset.material = kind;
    const moving = catalogue.methods.filter((method) => method.moving && method.name !== "brute-force");
    const proved = this.scene.response === "proof";
    if (proved)
      fields.push(select("Simulated with", [["", `the scene's own (${this.scene.method})`], ...moving.map(({ name }): [string, string] => [name, name])], choice.simulateWith, (name) => {
        choice.simulateWith = name;
        this.changed("scene");
      }));
    return fields;
  }

  private methodFields(): HTMLElement[] {
    const { choice, catalogue } = this;
    const names = catalogue.methods.map(({ name, still }): [string, string] => [name, still ? name : `${name} (in motion)`]);
    const choose = select("Looked at by", names, this.method.name, (name) => {
      Object.assign(choice, { method: name, settings: {}, mode: "safe" });
      this.build();
      this.changed("method");
    });
    choose.dataset.field = "method";
    const beside = select("Beside it", [["", "nothing"], ...names], choice.beside, (name) => {
      choice.beside = name;
      this.changed("method");
    });
    beside.dataset.field = "beside";
    const mode = checkbox("as published (paper mode)", choice.mode === "paper", (on) => {
      choice.mode = on ? "paper" : "safe";
      this.changed("method");
    });
    mode.dataset.field = "mode";
    const { settings, answers, paper } = this.method;
    const own = settings.length ? el("details", { "data-part": "settings" }, el("summary", {}, `Settings of ${this.method.name}`),
      ...settings.map((setting) => settingField(setting, choice.settings, () => this.changed("method")))) : null;
    return [el("h2", {}, "Method"), choose, el("p", { class: "said" }, `${answers}${paper ? ` (${paper})` : ""}`), ...(this.method.hasPaperMode ? [mode] : []), ...(own ? [own] : []), beside];
  }

  private budgetFields(): HTMLElement[] {
    const { choice } = this;
    const time = slider("Time for each search", STEPS, placeOfBudget(choice.budgetMs), budgetWords, (at) => {
      choice.budgetMs = budgetAt(at);
      this.changed("question");
    });
    time.dataset.field = "budget";
    time.title = "Clocks of browsers have steps of 5 to 100 microseconds";
    const operations = slider("Operations for each search", STEPS, placeOfOperations(choice.operations), (at) => String(operationsAt(at) ?? "none"), (at) => {
      choice.operations = operationsAt(at);
      this.changed("question");
    });
    operations.dataset.field = "operations";
    operations.title = "The same answer on every machine";
    const oracle = checkbox("compare with an exact method", choice.oracle, (on) => {
      choice.oracle = on;
      this.changed("question");
    });
    oracle.dataset.field = "oracle";
    return [el("h2", {}, "Budget"), time, operations, oracle];
  }
}
