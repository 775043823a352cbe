import type { SkipReason } from '../model/document.ts';
import { Inputs } from './inputs.ts';
import type { LinkBody } from './link-body.ts';
import type { PreciseBody } from './precise-body.ts';
import type { LanguageCounts, SnapshotCounts } from './publication.ts';

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
  inputs: {},
};

/** Counts of one snapshot on the way to the next. */
export interface CountKeeper {
  entry(entry: CountedEntry, sign: 1 | -1): void;
  document(language: string, links: CountedLinks, precise: CountedPrecise | undefined, sign: 1 | -1): void;
  symbols(difference: number): void;
  result(): SnapshotCounts;
}

interface CountedEntry {
  readonly path: string;
  readonly dialect: string;
  readonly hash: string;
  readonly skip: string;
}
type CountedLinks = Pick<LinkBody, 'definitionCount' | 'referenceCount' | 'isPartial'>;
type CountedPrecise = Pick<PreciseBody, 'extraCount'>;

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
  const languages = new Map<string, LanguageCounts>(Object.entries(before.languages));
  return {
    entry: (entry, sign) => {
      const { dialect, skip } = entry;
      inputs.count(entry, sign);
      counts.files += sign;
      if (failures.has(skip)) counts.failed += sign;
      else if (skip !== '' && dialect !== '') counts.skipped += sign;
    },
    document: (language, { definitionCount, referenceCount, isPartial }, precise, sign) => {
      const references = referenceCount + (precise?.extraCount ?? 0);
      const isPrecise = precise === undefined ? 0 : 1;
      counts.documents += sign;
      counts.references += sign * references;
      counts.precise += sign * isPrecise;
      if (isPartial) counts.partial += sign;
      const one = languages.get(language) ?? { files: 0, symbols: 0, references: 0, precise: 0 };
      languages.set(language, {
        files: one.files + sign,
        symbols: one.symbols + sign * definitionCount,
        references: one.references + sign * references,
        precise: one.precise + sign * isPrecise,
      });
    },
    symbols: difference => {
      counts.symbols += difference;
    },
    result: () => ({
      ...counts,
      inputs: inputs.digests(),
      languages: Object.fromEntries(
        [...languages].filter(([, one]) => one.files > 0).sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    }),
  };
}
