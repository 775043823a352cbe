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

export interface GatheredPoint {
  readonly counts: 'calls' | 'failed calls' | 'errors';
  readonly metric: string;
  readonly value: number;
  /** Since the epoch. */
  readonly day: number;
  readonly timeUs: number;
  /** When what it counts began; 0 where nothing is said. */
  readonly startUs: number;
  /** The process that counted. */
  readonly source: string;
  /** Tells cumulative series of the process apart; undefined of a count since the point before. */
  readonly series: number | undefined;
}
