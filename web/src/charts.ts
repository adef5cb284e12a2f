// Small charts under the timeline, in step with it.
import { el, short } from "./dom";
import { colour, themeChanged } from "./theme";

export interface Series {
  name: string;
  colour: string; // of the theme
  values: Float64Array; // by frame, from 0; NaN where there is none
}
// What a chart is in step with: a clock, or the last frames of something live.
export interface Timeline {
  readonly first: number;
  readonly last: number;
  readonly time: number;
  changed(listener: () => void): void;
  goTo?(time: number): void; // none: it cannot be dragged
}
export interface ChartSpec {
  title: string;
  unit: string;
  stacked: boolean;
  series: Series[];
  note?: string;
}

const PAD = 3;

export class Chart {
  readonly element: HTMLElement;
  private readonly canvas = el("canvas", { role: "img" });
  private readonly value = el("span", { class: "value" });

  constructor(private readonly spec: ChartSpec, private readonly timeline: Timeline) {
    const legend = el("span", { class: "legend" });
    if (spec.series.length > 1)
      for (const series of spec.series) legend.append(el("span", { style: `--key: var(--${series.colour})` }, series.name));
    const heading = el("figcaption", {}, el("b", {}, spec.title), legend, this.value);
    if (spec.note) heading.title = spec.note;
    this.element = el("figure", { class: "chart" }, heading, this.canvas);
    this.canvas.setAttribute("aria-label", `${spec.title}, by frame`);
    this.canvas.addEventListener("pointerdown", (event) => this.scrub(event));
    this.canvas.addEventListener("pointermove", (event) => event.buttons && this.scrub(event));
    timeline.changed(() => this.draw());
    themeChanged(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  // What the legend says of the frame that is shown.
  get text(): string {
    return this.value.textContent ?? "";
  }

  private largest(): number {
    const { series, stacked } = this.spec;
    let most = 0;
    for (let f = 0; f < series[0].values.length; ++f) {
      const values = series.map((one) => one.values[f]);
      const top = stacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values.filter((value) => value === value));
      if (top > most) most = top;
    }
    return most || 1;
  }

  private scrub(event: PointerEvent): void {
    const { first, last } = this.timeline;
    const part = event.offsetX / Math.max(1, this.canvas.clientWidth);
    this.timeline.goTo?.(Math.round(first + part * (last - first)));
  }

  private draw(): void {
    const ratio = devicePixelRatio, width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const context = this.canvas.getContext("2d")!;
    context.scale(ratio, ratio);
    const { first, last, time } = this.timeline;
    const most = this.largest();
    const x = (frame: number) => ((frame - first) / Math.max(1e-9, last - first)) * width;
    const y = (value: number) => height - PAD - (value / most) * (height - 2 * PAD);
    const { series, stacked } = this.spec;
    const floor = new Float64Array(series[0].values.length);
    for (const one of series) {
      const top = stacked ? floor.map((below, f) => below + one.values[f]) : one.values;
      this.trace(context, stacked ? floor : null, top, one.colour, x, y);
      if (stacked) floor.set(top);
    }
    context.fillStyle = colour("text");
    context.fillRect(x(time) - 0.75, 0, 1.5, height);
    this.tell(Math.min(series[0].values.length - 1, Math.round(time)));
  }

  private trace(
    context: CanvasRenderingContext2D, floor: Float64Array | null, top: Float64Array, name: string, x: (frame: number) => number,
    y: (value: number) => number,
  ): void {
    context.beginPath();
    const there = (f: number) => top[f] === top[f];
    for (let f = 0; f < top.length; ++f) if (there(f)) context.lineTo(x(f), y(top[f]));
    if (floor) {
      for (let f = top.length - 1; f >= 0; --f) if (there(f)) context.lineTo(x(f), y(floor[f]));
      context.fillStyle = colour(name);
      context.fill();
    } else {
      context.strokeStyle = colour(name);
      context.lineWidth = 1.6;
      context.stroke();
    }
  }

  private tell(frame: number): void {
    const { series, stacked, unit } = this.spec;
    const values = series.map((one) => one.values[frame]);
    const shown = stacked || values.length === 1 ? [values.reduce((sum, value) => sum + value, 0)] : values;
    this.value.textContent = shown.map((value) => (value === value ? short(value, 3) : "–")).join(" · ") + (unit ? ` ${unit}` : "");
  }
}
