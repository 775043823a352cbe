/** Calls of one batch, by function, as they are counted together. */

export interface GatheredFunction {
  readonly service: string;
  /** What its resource calls its repository; '' where nothing is said. */
  readonly repository: string;
  readonly caller: string;
  readonly namespace: string;
  readonly name: string;
  readonly file: string;
  /** The name that a definition of it would bear; '' for none. */
  readonly bare: string;
  /** By line, 0 where nothing is said. */
  readonly lines: ReadonlyMap<number, readonly GatheredPoint[]>;
  /** One process has the name at several lines of the file: these are several functions. */
  readonly isSeveral: boolean;
}

/** What a point has in common with many others of its batch. */
export interface PointMoment {
  readonly counts: 'calls' | 'failed calls' | 'errors';
  readonly isSameItem: boolean;
  readonly metric: string;
  /** Since the epoch. */
  readonly day: number;
  readonly timeUs: number;
  /** When what it counts began; 0 where nothing is said. */
  readonly startUs: number;
  /** The process that counted. */
  readonly source: string;
}

/** All points of a batch are in memory until they are counted: each holds little by itself. */
export class GatheredPoint implements PointMoment {
  readonly value: number;
  /** Tells cumulative series of the process apart; undefined of a count since the point before. */
  readonly series: number | undefined;
  readonly #moment: PointMoment;

  constructor(moment: PointMoment, value: number, series: number | undefined) {
    this.#moment = moment;
    this.value = value;
    this.series = series;
  }

  get counts(): PointMoment['counts'] {
    return this.#moment.counts;
  }

  get isSameItem(): boolean {
    return this.#moment.isSameItem;
  }

  get metric(): string {
    return this.#moment.metric;
  }

  get day(): number {
    return this.#moment.day;
  }

  get timeUs(): number {
    return this.#moment.timeUs;
  }

  get startUs(): number {
    return this.#moment.startUs;
  }

  get source(): string {
    return this.#moment.source;
  }
}
