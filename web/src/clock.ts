// The time that is shown, between the first and the last frame that the page has.

export interface Moment {
  time: number;
  row: number; // the kept frame before it
  next: number;
  fraction: number; // of the way to the next
}

export class Clock {
  playing = false;
  speed = 1;
  private now: number;
  private readonly listeners: (() => void)[] = [];

  // `rate`: frames a second at speed 1.
  constructor(readonly times: number[], readonly rate: number) {
    this.now = times[0];
  }

  get time(): number {
    return this.now;
  }
  get first(): number {
    return this.times[0];
  }
  get last(): number {
    return this.times[this.times.length - 1];
  }
  get moves(): boolean {
    return this.times.length > 1;
  }

  moment(time = this.now): Moment {
    const { times } = this;
    let low = 0, high = times.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle;
      else high = middle;
    }
    if (times.length === 1 || time <= times[0]) return { time, row: 0, next: 0, fraction: 0 };
    const fraction = Math.min(1, (time - times[low]) / (times[high] - times[low]));
    return { time, row: low, next: high, fraction };
  }

  changed(listener: () => void): void {
    this.listeners.push(listener);
  }
  seek(time: number): void {
    this.now = Math.min(this.last, Math.max(this.first, time));
    this.tell();
  }
  // There, and stay.
  goTo(time: number): void {
    this.playing = false;
    this.seek(time);
  }
  // To kept frames before or after, from wherever between them.
  step(count: number): void {
    const { row, next, fraction } = this.moment();
    const from = count > 0 ? (fraction >= 1 ? next : row) : fraction > 0 ? next : row;
    this.playing = false;
    this.seek(this.times[Math.min(this.times.length - 1, Math.max(0, from + count))]);
  }
  toggle(): void {
    this.playing = this.moves && !this.playing;
    if (this.playing && this.now >= this.last) this.now = this.first;
    this.tell();
  }
  stop(): void {
    this.playing = false;
    this.tell();
  }
  faster(factor: number): void {
    this.speed = Math.min(8, Math.max(1 / 16, this.speed * factor));
    this.tell();
  }
  // After `seconds` of the real world; it begins again after the end.
  advance(seconds: number): void {
    if (!this.playing) return;
    const span = this.last - this.first;
    const past = this.now + seconds * this.rate * this.speed - this.first;
    this.now = this.first + (past > span ? past % span : past);
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
