// The last frames of what is measured, as charts.
import { Chart, type ChartSpec, type Series, type Timeline } from "../charts";

const LENGTH = 240;

export class History implements Timeline {
  readonly first = 0;
  readonly last = LENGTH - 1;
  readonly time = LENGTH - 1;
  private readonly listeners: (() => void)[] = [];
  private readonly series = new Map<string, Float64Array>();

  changed(listener: () => void): void {
    this.listeners.push(listener);
  }
  line(name: string, label: string, colour: string): Series {
    let values = this.series.get(name);
    if (!values) this.series.set(name, (values = new Float64Array(LENGTH).fill(NaN)));
    return { name: label, colour, values };
  }
  // What was not measured leaves a gap.
  push(numbers: Record<string, number>): void {
    for (const [name, values] of this.series) {
      values.copyWithin(0, 1);
      values[LENGTH - 1] = numbers[name] ?? NaN;
    }
    for (const listener of this.listeners) listener();
  }
  get latest(): Record<string, number> {
    return Object.fromEntries([...this.series].map(([name, values]) => [name, values[LENGTH - 1]]));
  }
  clear(): void {
    for (const values of this.series.values()) values.fill(NaN);
  }
  chart(spec: ChartSpec): HTMLElement {
    return new Chart(spec, this).element;
  }
}
