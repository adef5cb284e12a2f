// Play, pause, step, scrub, speed; and the strip that says in which frames something happens.
import type { Clock } from "./clock";
import { button, el, short } from "./dom";
import { colour, themeChanged } from "./theme";

// By frame: 0 nothing, 1 the most there is.
export interface Strip {
  label: string;
  values: { from: number; to: number; amount: number }[];
}

export class Transport {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly readout = el("output", { class: "time" });
  private readonly play: HTMLButtonElement;
  private readonly speed: HTMLButtonElement;
  private readonly canvas = el("canvas", { class: "strip", role: "img" });
  private strip: Strip | null = null;

  constructor(private readonly clock: Clock) {
    this.slider = el("input", {
      type: "range", class: "slider", "aria-label": "Time", min: String(clock.first), max: String(clock.last), step: "any",
    });
    this.slider.addEventListener("input", () => {
      const wanted = Number(this.slider.value);  // before the slider follows the clock again
      clock.stop();
      clock.seek(wanted);
    });
    this.play = button("▶", "Play or pause (space)", () => clock.toggle(), "play icon");
    this.speed = button("1×", "Speed: click for slower, then from the fastest again ([ and ])", () => this.nextSpeed(), "speed");
    this.canvas.hidden = true;
    const back = button("‹", "One frame back (←)", () => clock.step(-1), "icon");
    const on = button("›", "One frame on (→)", () => clock.step(1), "icon");
    this.element = el("div", { class: "transport" }, back, this.play, on, el("div", { class: "track" }, this.canvas, this.slider), this.readout, this.speed);
    if (!clock.moves) this.element.hidden = true;
    clock.changed(() => this.follow());
    themeChanged(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    this.follow();
  }

  show(strip: Strip): void {
    this.strip = strip;
    this.canvas.hidden = strip.values.length === 0;
    this.canvas.setAttribute("aria-label", strip.label);
    this.canvas.title = strip.label;
    this.draw();
  }

  private nextSpeed(): void {
    const slower = this.clock.speed / 2;
    this.clock.faster((slower < 1 / 16 ? 4 : slower) / this.clock.speed);
  }

  private follow(): void {
    const { clock } = this;
    this.slider.value = String(clock.time);
    this.readout.textContent = `${short(Math.round(clock.time * 1000) / 1000, 7)}`;
    this.readout.title = `frame ${clock.time} of ${clock.first} to ${clock.last}`;
    this.play.textContent = clock.playing ? "❚❚" : "▶";
    this.speed.textContent = clock.speed >= 1 ? `${clock.speed}×` : `1/${1 / clock.speed}×`;
  }

  private draw(): void {
    if (!this.strip || this.canvas.hidden) return;
    const ratio = devicePixelRatio, width = (this.canvas.width = this.canvas.clientWidth * ratio);
    const height = (this.canvas.height = this.canvas.clientHeight * ratio);
    const context = this.canvas.getContext("2d")!;
    const { first, last } = this.clock;
    const x = (time: number) => ((time - first) / Math.max(1e-9, last - first)) * width;
    context.fillStyle = colour("hit");
    for (const { from, to, amount } of this.strip.values) {
      const left = Math.max(0, x(from));
      context.globalAlpha = 0.35 + 0.65 * amount;
      context.fillRect(left, 0, Math.max(2 * ratio, Math.min(width, x(to)) - left), height);
    }
  }
}
