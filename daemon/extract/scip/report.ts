import type { OccurrencesInText } from './in-utf16.ts';

/** Whatever of an index was not taken in, and why. The index as a whole is good all the same. */
export interface ScipReport {
  /** How often each reason held. */
  readonly counts: ReadonlyMap<ScipRejection, number>;
  /** The first ones, and the first of each reason, for people. */
  readonly samples: readonly ScipRejectionSample[];
}

/** The first word says what was left out. */
export type ScipRejection =
  | 'document: path'
  | 'document: position encoding'
  | 'occurrence: range'
  | 'occurrence: no symbol'
  | 'occurrence: symbol'
  | 'enclosing range'
  | 'symbol'
  | 'external symbol: local'
  | 'metadata: again';

export interface ScipRejectionSample {
  readonly reason: ScipRejection;
  /** The document's, as far as it is known and of a sensible length; '' outside of one. */
  readonly path: string;
  readonly detail: string;
}

const mostSamples = 100;
const leastSamplesEach = 3;
const sampleLength = 200;

export class ScipRejections implements ScipReport {
  readonly counts = new Map<ScipRejection, number>();
  readonly samples: ScipRejectionSample[] = [];

  add(reason: ScipRejection, path: string, detail: () => string, times = 1): void {
    const before = this.counts.get(reason) ?? 0;
    this.counts.set(reason, before + times);
    if (this.samples.length >= mostSamples && before >= leastSamplesEach) return;
    this.samples.push({ reason, path: path.slice(0, sampleLength), detail: detail().slice(0, sampleLength) });
  }

  addBeyond({ beyond }: Pick<OccurrencesInText, 'beyond'>, path: string): void {
    if (beyond > 0) this.add('occurrence: range', path, () => `${beyond} where the text has no character`, beyond);
  }
}
