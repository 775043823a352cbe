import type { Lexis } from './text/lexis.ts';
import type { Literals } from './text/literals.ts';
import type { Found, Source } from './text/source.ts';

/** How the files of a language are looked through. */
export interface Reader {
  readonly lexis: Lexis;
  /** Of a file without any of these nothing is asked, unless its place tells. */
  readonly marks: Literals;
  readonly places?: RegExp;
  /** What each looks for is independent of the others. */
  readonly detectors: readonly Detector[];
}

export type Detector = (source: Source) => Iterable<Found>;
