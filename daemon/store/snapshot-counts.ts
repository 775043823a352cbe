import type { SkipReason } from '../model/document.ts';
import { isCode, languageOf } from '../model/families.ts';
import { isGenerated, isVendored } from '../model/foreign.ts';
import { Inputs } from './inputs.ts';
import type { LinkBody } from './link-body.ts';
import type { LanguageCounts, SnapshotCounts } from './publication.ts';
import type { Resolution } from './resolution.ts';

export const noCounts: SnapshotCounts = {
  symbols: 0,
  references: 0,
  files: 0,
  documents: 0,
  skipped: 0,
  failed: 0,
  partial: 0,
  precise: 0,
  languages: {},
  unread: {},
  inputs: {},
};

type Numbers = Omit<LanguageCounts, 'contexts'>;

const zero: Numbers = {
  files: 0,
  symbols: 0,
  references: 0,
  precise: 0,
  partial: 0,
  foreign: 0,
  confident: 0,
  calls: 0,
  resolvedCalls: 0,
  uses: 0,
  callEdges: 0,
};
const counted = Object.keys(zero) as readonly (keyof Numbers)[];

/** Counts of one snapshot on the way to the next. */
export interface CountKeeper {
  entry(entry: CountedEntry, sign: 1 | -1): void;
  document(document: CountedDocument, sign: 1 | -1): void;
  /** How the references of a document of a language are settled, which may change without the document. */
  resolution(language: string, resolution: Resolution, sign: 1 | -1): void;
  /** Symbols that the files of a language define, each counted in one language. */
  symbols(language: string, difference: number): void;
  result(): SnapshotCounts;
}

interface CountedEntry {
  readonly path: string;
  readonly dialect: string;
  readonly hash: string;
  readonly skip: string;
}
interface CountedDocument {
  readonly path: string;
  readonly language: string;
  readonly links: Pick<LinkBody, 'isPartial'>;
  /** Where an indexer saw it beside the syntax, what else that saw: see `Inputs`. */
  readonly context: string | undefined;
  /** An indexer says where its references point. */
  readonly isPrecise: boolean;
}

/** Reasons that tell of a failure; the others of a choice. */
export const failures: ReadonlySet<string> = new Set<SkipReason>([
  'unreadable',
  'parse_timeout',
  'parser_trap',
  'parser_stuck',
  'quarantined',
]);

export function countFrom(before: SnapshotCounts): CountKeeper {
  const counts = { ...before };
  const inputs = new Inputs(before.inputs);
  const languages = new Map<string, GrowingCounts>();
  for (const [language, one] of Object.entries(before.languages)) languages.set(language, growing(one));
  const unread = new Map(Object.entries(before.unread));
  const ofLanguage = (language: string): GrowingCounts => {
    const one = languages.get(language) ?? growing({ ...zero, contexts: {} });
    languages.set(language, one);
    return one;
  };
  return {
    entry: (entry, sign) => {
      const { dialect, skip } = entry;
      inputs.count(entry, sign);
      counts.files += sign;
      const isFailure = failures.has(skip);
      const isSkipped = !isFailure && skip !== '' && dialect !== '';
      if (isFailure) counts.failed += sign;
      if (isSkipped) counts.skipped += sign;
      if ((isFailure || isSkipped) && isCode(dialect)) addTo(unread, languageOf(dialect), sign);
    },
    document: ({ path, language, links, context, isPrecise }, sign) => {
      const precise = isPrecise ? 1 : 0;
      counts.documents += sign;
      counts.precise += sign * precise;
      if (links.isPartial) counts.partial += sign;
      const one = ofLanguage(language);
      if (context !== undefined) addTo(one.contexts, context, sign);
      add(one.numbers, sign, {
        ...{ files: 1, precise },
        partial: links.isPartial ? 1 : 0,
        foreign: isVendored(path) || isGenerated(path) ? 1 : 0,
      });
    },
    resolution: (language, resolution, sign) => {
      counts.references += sign * resolution.references;
      add(ofLanguage(language).numbers, sign, resolution);
    },
    symbols: (language, difference) => {
      counts.symbols += difference;
      ofLanguage(language).numbers.symbols += difference;
    },
    result: () => ({
      ...counts,
      inputs: inputs.digests(),
      unread: present(unread),
      languages: sorted(
        [...languages]
          .filter(([, { numbers }]) => numbers.files > 0)
          .map(([language, { numbers, contexts }]) => [language, { ...numbers, contexts: present(contexts) }]),
      ),
    }),
  };
}

interface GrowingCounts {
  readonly numbers: { -readonly [Name in keyof Numbers]: number };
  readonly contexts: Map<string, number>;
}

function growing({ contexts, ...numbers }: LanguageCounts): GrowingCounts {
  return { numbers: { ...numbers }, contexts: new Map(Object.entries(contexts)) };
}

function add(to: GrowingCounts['numbers'], sign: 1 | -1, more: Partial<Numbers>): void {
  for (const name of counted) to[name] += sign * (more[name] ?? 0);
}

function addTo(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function present(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return sorted([...counts].filter(([, count]) => count > 0));
}

function sorted<Value>(entries: readonly (readonly [string, Value])[]): Readonly<Record<string, Value>> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
