// What statistics.csv tells, by frame, as charts.
import type { ChartSpec, Series } from "./charts";
import type { Data } from "./data";

const STAGES = ["predict", "detect", "respond", "commit"];
const ENERGIES = ["kinetic", "elastic", "gravitational"];

class Table {
  private readonly numbers: Float32Array;
  private readonly columns: string[];

  constructor(data: Data, private readonly frames: number) {
    this.columns = data.header.statistics ?? [];
    this.numbers = data.floats("statistics");
  }
  // Sums of these columns over the calls that ended in each frame; `latest`: of the last call alone.
  sum(wanted: (column: string) => boolean, latest: boolean, factor = 1): Float64Array {
    const { columns, numbers, frames } = this;
    const result = new Float64Array(frames + 1);
    const chosen = columns.flatMap((name, at) => (wanted(name) ? [at] : []));
    for (let row = 0; row < numbers.length; row += columns.length) {
      const frame = Math.min(frames, Math.ceil(numbers[row]));
      const value = chosen.reduce((sum, at) => sum + numbers[row + at], 0) * factor;
      result[frame] = latest ? value : result[frame] + value;
    }
    if (latest && frames > 0) result[0] = result[1];
    return result;
  }
  has(column: (name: string) => boolean): boolean {
    return this.columns.some(column);
  }
}

function aboveLeast(values: Float64Array): Float64Array {
  const least = values.reduce((low, value) => Math.min(low, value), Infinity);
  return values.map((value) => value - least);
}

export function chartsOf(data: Data, frames: number): ChartSpec[] {
  const table = new Table(data, frames);
  const charts: ChartSpec[] = [];
  if (table.has((name) => name === STAGES[0])) {
    const series = STAGES.map((name, at): Series => ({ name, colour: `series${at + 1}`, values: table.sum((column) => column === name, false, 1000) }));
    charts.push({ title: "time per frame", unit: "ms", stacked: true, series, note: "By stage, on the machine that simulated it" });
  }
  const counts = Float64Array.from(data.integers("contact_counts"));
  if (counts.length > 1)
    charts.push({ title: "contacts answered", unit: "", stacked: false, series: [{ name: "contacts", colour: "hit", values: counts }] });
  if (table.has((name) => name.endsWith(" kinetic"))) {
    const series = ENERGIES.map((name, at): Series => ({
      name, colour: `series${at + 1}`, values: aboveLeast(table.sum((column) => column.endsWith(` ${name}`), true)),
    }));
    charts.push({ title: "energy", unit: "J", stacked: false, series, note: "Of all bodies that give way, each above its least" });
  }
  if (table.has((name) => name === "penetration")) {
    const values = table.sum((name) => name === "penetration", true, 1000);
    charts.push({ title: "penetration", unit: "mm", stacked: false, series: [{ name: "deepest", colour: "hit", values }] });
  }
  // What there is nothing of needs no chart.
  return charts.filter(({ series }) => series.some(({ values }) => values.some((value) => value !== 0)));
}
