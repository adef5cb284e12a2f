// Switches for what a method worked with, with its colours, and what it counted.
import { el, grouped, toggle } from "./dom";
import type { Shortcut } from "./keys";
import { LAYER_COLOURS, LAYER_WORDS, LAYERS, type Layer, type LayerSwitch } from "./layers";

export const LAYER_KEYS: Record<Layer, string> = { boxes: "x", spheres: "s", pairs: "o", regions: "r", particles: "p", events: "e" };

export class OverlayPanel {
  readonly element: HTMLElement;
  private readonly buttons = new Map<Layer, HTMLButtonElement>();
  private readonly said = el("p", { class: "said" });
  private readonly counters = el("dl", { class: "counters" });

  constructor(private readonly view: LayerSwitch, changed: () => void, readonly keyed = true) {
    const layers = el("div", { class: "row layers" });
    for (const layer of LAYERS) {
      const key = keyed ? ` (${LAYER_KEYS[layer].toUpperCase()})` : "";
      const made = toggle(layer[0].toUpperCase() + layer.slice(1), `${LAYER_WORDS[layer]}${key}`, view.isOn(layer), (on) => {
        view.turn(layer, on);
        changed();
      });
      made.classList.add("layer");
      made.dataset.layer = layer;
      made.style.setProperty("--key", `var(--${LAYER_COLOURS[layer]})`);
      this.buttons.set(layer, made);
      layers.append(made);
    }
    const more = el("details", { class: "counted" }, el("summary", {}, "What it counted"), this.counters);
    this.element = el("section", { class: "overlay" }, layers, this.said, more);
  }

  // A method has some of the layers only.
  offer(layers: ReadonlySet<Layer>): void {
    for (const [layer, made] of this.buttons) made.hidden = !layers.has(layer);
  }
  press(layer: Layer): void {
    const made = this.buttons.get(layer)!;
    if (!made.hidden) made.click();
  }
  set(layer: Layer, on: boolean): void {
    if (this.view.isOn(layer) !== on) this.buttons.get(layer)!.click();
  }
  say(words: string, counters: [string, number][]): void {
    this.said.textContent = words;
    this.counters.replaceChildren(...counters.flatMap(([name, count]) => [el("dt", {}, name.replaceAll("_", " ")), el("dd", {}, grouped(count))]));
    for (const [layer, made] of this.buttons) made.title = `${this.view.counts[layer]} – ${LAYER_WORDS[layer]}${this.keyed ? ` (${LAYER_KEYS[layer].toUpperCase()})` : ""}`;
  }
  get shortcuts(): Shortcut[] {
    return LAYERS.filter((layer) => !this.buttons.get(layer)!.hidden)
      .map((layer) => ({ key: LAYER_KEYS[layer], label: LAYER_KEYS[layer].toUpperCase(), what: `${layer} of the method`, action: () => this.press(layer) }));
  }
}
