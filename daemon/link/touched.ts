import type { MountedDocument } from '../model/document.ts';
import type { QuestionKey } from '../model/question.ts';
import { handedKey, handersKey, isAboutPlaces, touchedOffers, touchedQuestions } from './questions.ts';
import { surfaceOf } from './surface.ts';

/** One document before and after; undefined where its path is absent or was not parsed. */
export interface DocumentChange {
  readonly path: string;
  readonly before: MountedDocument | undefined;
  readonly after: MountedDocument | undefined;
  /** The file itself came or went. */
  readonly cameOrWent: boolean;
}

/** Gathers what changes touch. */
export interface Touched {
  add(change: DocumentChange): void;
  /** Every question whose answer may differ, once all changes were added. */
  questions(): ReadonlySet<QuestionKey>;
}

/** What is known of the links that were made before. */
export interface Asked {
  /** Paths of the documents that asked one of the questions. */
  askersOf(questions: Iterable<QuestionKey>): Iterable<string>;
  /** A document as it is now; undefined where there is none. */
  document(path: string): MountedDocument | undefined;
}

/**
 * Questions about what lies behind a barrel name the barrel alone, so a change below goes up to everybody who hands the
 * changed file on: who that is, they asked about when they were linked. Where what they import may be another file now,
 * all that is behind them may be.
 */
export function gatherTouched(asked: Asked): Touched {
  const direct = new Set<QuestionKey>();
  const offers = new Map<string, Set<string>>();
  const offer = (path: string, names: Iterable<string>): void => {
    const known = offers.get(path) ?? new Set();
    offers.set(path, known);
    for (const name of names) known.add(name);
  };
  return {
    add({ path, before, after, cameOrWent }) {
      for (const question of touchedQuestions(before, after, cameOrWent ? path : undefined)) direct.add(question);
      if (before?.facts !== after?.facts) offer(path, touchedOffers(before, after));
    },
    questions() {
      const places = [...direct].filter(isAboutPlaces);
      for (const path of places.length === 0 ? [] : asked.askersOf(places)) {
        const document = asked.document(path);
        if (document !== undefined && surfaceOf(document.facts).wholesale.length > 0) offer(path, ['*']);
      }
      return new Set([...direct, ...behindBarrels(offers, asked)]);
    },
  };
}

/** What offers touch of the documents themselves and of all that hand them on, at whatever distance. */
function behindBarrels(offers: ReadonlyMap<string, ReadonlySet<string>>, asked: Asked): Set<QuestionKey> {
  const touched = new Set<QuestionKey>();
  const pending = [...offers].map(([path, names]) => ({ path, names: [...names], isBelow: false }));
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    const { path, isBelow } = one;
    // What a file begins to export itself was asked of the file.
    const news = one.names.filter(name => (isBelow || name === '*') && !touched.has(handedKey(path, name)));
    for (const name of news) touched.add(handedKey(path, name));
    const names = isBelow ? news : one.names;
    if (names.length === 0) continue;
    for (const hander of asked.askersOf([handersKey(path)])) pending.push({ path: hander, names, isBelow: true });
  }
  return touched;
}
