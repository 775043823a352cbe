import { dayOf } from '../../model/usage.ts';

/** Where a cumulative series stands. Times are microseconds. */
export interface Standing {
  /** When it began to count; 0 where nothing is said. */
  readonly start: number;
  readonly at: number;
  readonly value: number;
}

/** As it is stored: `told` in microseconds, `seen` the last day of it, `states` four numbers for each series. */
export interface SeriesRow {
  readonly metric: number;
  readonly told: number;
  readonly seen: number;
  readonly states: Uint8Array;
}

/** Of each series: twice its number, one more if its first point said that it began with it; start, at and value. */
const width = 4;
/** More than one counter has unless somebody counts by user or request: further ones stand apart, or all would be written with each. */
const mostTogether = 500;
/** So many rows for those of a function that stand apart. */
const roomsApart = 256;

/** Which of these rows a series is in. Whoever goes through many does so by these. */
export function roomOf(series: number): number {
  return series % roomsApart;
}

/** What stands for the row in place of its function, whose number is above 0. */
export function roomNumber(id: number, series: number): number {
  return -1 - (id * roomsApart + roomOf(series));
}

/**
 * What one process counts of one function: the metric that counts its calls, and until when it told of them; and where each
 * cumulative series stands. Series that began to count at some `start` are told apart by that as well, but for such whose first
 * point said that they began with it.
 */
export class FunctionSeries {
  /** Where a series may stand that is not here. */
  before: FunctionSeries | undefined;
  #metric: number;
  #told: number;
  #states: number[];
  #isChanged = false;
  readonly #apart: ((series: number) => FunctionSeries) | undefined;

  /** `apart`: where a series stands that has no room here; undefined where there is room for all. */
  constructor(
    stored: Pick<SeriesRow, 'metric' | 'told' | 'states'> | undefined,
    apart: ((series: number) => FunctionSeries) | undefined,
  ) {
    this.#metric = stored?.metric ?? 0;
    this.#told = stored?.told ?? 0;
    this.#states = stored === undefined ? [] : numbersOf(stored.states);
    this.#apart = apart;
  }

  /** The number of the metric that counts its calls; 0 for none yet. */
  get metric(): number {
    return this.#metric;
  }

  /** Until when that has told of them, in microseconds. */
  get told(): number {
    return this.#told;
  }

  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** How much it is, stored: series, but one at least. */
  get weight(): number {
    return Math.max(1, this.#states.length / width);
  }

  countedBy(metric: number, told: number): void {
    this.#metric = metric;
    this.#told = told;
    this.#isChanged = true;
  }

  /**
   * Goes on with a series and says where it stood; undefined of one that is new. `late`: it has gone further already. `start`: undefined
   * where a point says no more of it than that it begins.
   */
  goOn(series: number, start: number | undefined, now: Standing): Standing | 'late' | undefined {
    const place = this.#placeOf(series, start);
    if (place !== undefined) return place.of.#moved(place.at, now);
    const home = this.#roomApart(series) ?? this;
    home.#add(2 * series + (start === undefined ? 1 : 0), now);
    return undefined;
  }

  /** Without series that were silent for so many days until the last of them was heard of. */
  row(keptDays: number): SeriesRow {
    const times = this.#states.filter((_, at) => at % width === 2);
    const seen = dayOf(times.reduce((latest, time) => Math.max(latest, time), this.#told) / 1000);
    // Of one that was full some stand apart, and are not looked for there once it is not.
    if (!this.#isFull && times.some(time => dayOf(time / 1000) < seen - keptDays)) {
      this.#states = this.#states.filter((_, at) => dayOf(times[Math.floor(at / width)]! / 1000) >= seen - keptDays);
    }
    return { metric: this.#metric, told: this.#told, seen, states: bytesOf(this.#states) };
  }

  get #isFull(): boolean {
    return this.#apart !== undefined && this.#states.length >= mostTogether * width;
  }

  #roomApart(series: number): FunctionSeries | undefined {
    return this.#isFull ? this.#apart?.(series) : undefined;
  }

  #placeOf(series: number, start: number | undefined): Place | undefined {
    const at = this.#indexOf(series, start);
    if (at >= 0) return { of: this, at };
    for (const other of [this.#roomApart(series), this.before]) {
      const place = other === undefined ? undefined : other.#placeOf(series, start);
      if (place !== undefined) return place;
    }
    return undefined;
  }

  /** One that began with its first point goes on with whatever says no more, and with what says that it began then. */
  #indexOf(series: number, start: number | undefined): number {
    const states = this.#states;
    let open = -1;
    for (let at = 0; at < states.length; at += width) {
      if (start !== undefined && states[at] === 2 * series && states[at + 1] === start) return at;
      if (states[at] === 2 * series + 1 && (start === undefined || states[at + 1] === start)) open = at;
    }
    return open;
  }

  #moved(at: number, now: Standing): Standing | 'late' {
    const [start, time, value] = this.#states.slice(at + 1, at + width) as [number, number, number];
    // Whoever counted further since the same start is ahead, whatever the clock was at the time.
    const isAhead = now.start !== 0 && now.start === start && now.value > value;
    if (now.at < time && !isAhead) return 'late';
    this.#put(at, now);
    return { start, at: time, value };
  }

  #add(number: number, now: Standing): void {
    const at = this.#states.length;
    this.#states[at] = number;
    this.#put(at, now);
  }

  #put(at: number, { start, at: time, value }: Standing): void {
    this.#states[at + 1] = start;
    this.#states[at + 2] = time;
    this.#states[at + 3] = value;
    this.#isChanged = true;
  }
}

interface Place {
  readonly of: FunctionSeries;
  readonly at: number;
}

/** Numbers as this machine has them in memory. */
function bytesOf(numbers: readonly number[]): Uint8Array {
  return new Uint8Array(Float64Array.from(numbers).buffer);
}

function numbersOf(bytes: Uint8Array): number[] {
  const numbers = new Float64Array(bytes.length / Float64Array.BYTES_PER_ELEMENT);
  new Uint8Array(numbers.buffer).set(bytes);
  return Array.from(numbers);
}
