import { quote } from '../../../client/paths.ts';
import { agreeing, amount } from '../../../client/protocol/amount.ts';
import type { LanguageQuality, MeasuredLanguage } from '../../analysis/language-quality.ts';
import { type KnownIndexer, wordsFor } from '../../jobs/scip/plan-precise.ts';
import { remedies } from '../doctor/indexer-checks.ts';

/** What is known of one language of a repository beside its counts. */
export interface LanguageState {
  readonly language: string;
  /** The repository's. */
  readonly id: string;
  readonly measured: MeasuredLanguage;
  readonly verdict: LanguageQuality;
  /** Files of which an indexer spoke when other files, or the configuration, were not what they are. */
  readonly seenOtherwise: number;
  /** Files that somebody else wrote, or a program, by their paths. */
  readonly foreign: number;
  readonly indexers: readonly KnownIndexer[];
  /** What of its packages isn't there, as far as that is known. */
  readonly packages: readonly Issue[];
}

/** What answers lack, and the command that betters it. */
export interface Issue {
  readonly issue: string;
  readonly remedy?: string;
}

/** Everything that is known to be wrong with what is said of a language: nothing that doesn't hold for this repository. */
export function issuesOf(state: LanguageState): readonly Issue[] {
  return [...gaps(state), ...ofFiles(state), ...ofIndexers(state), ...state.packages];
}

function gaps({ measured, verdict }: LanguageState): readonly Issue[] {
  const { references, confident, calls, resolvedCalls } = measured;
  const found: Issue[] = [];
  const open = references - confident;
  const nowhere = calls - resolvedCalls;
  if (verdict.refAccuracy < worthTelling && references > 0) {
    found.push({
      issue: `${open} of ${amount(references, 'reference')} ${agreeing(open, 'is', 'are')} not resolved with confidence`,
    });
  }
  if (verdict.callResolution < worthTelling && calls > 0) {
    found.push({ issue: `${nowhere} of ${amount(calls, 'call site')} ${agreeing(nowhere, 'leads', 'lead')} nowhere` });
  }
  return found;
}

/** Some are open in any repository. */
const worthTelling = 0.95;

function ofFiles({ id, measured, foreign }: LanguageState): readonly Issue[] {
  const { files, partial, unread } = measured;
  const remedy = `svc doctor --repo ${quote(id)}`;
  return [
    ...(partial === 0
      ? []
      : [
          {
            issue: `${partial} of ${amount(files, 'file')} ${agreeing(partial, 'was', 'were')} read only in part, where the syntax is broken or the parser lacks it`,
            remedy,
          },
        ]),
    ...(unread === 0
      ? []
      : [{ issue: `${amount(unread, 'more file was', 'more files were')} passed over or could not be read`, remedy }]),
    ...(foreign === 0
      ? []
      : [
          {
            issue: `${foreign} of ${amount(files, 'file')}, by their paths generated or copies of other people’s code, ${agreeing(foreign, 'counts', 'count')} here as well`,
          },
        ]),
  ];
}

function ofIndexers({ id, language, measured, seenOtherwise, indexers }: LanguageState): readonly Issue[] {
  const again = `svc index --repo ${quote(id)}`;
  const { files, precise } = measured;
  const found = indexers
    .filter(({ indexer }) => indexer.languages.includes(language))
    .flatMap(one => ofIndexer(one, id));
  const isRunnable = indexers.some(({ indexer, not }) => not === undefined && indexer.languages.includes(language));
  if (precise === 0) {
    return isRunnable ? [...found, { issue: 'no indexer has run over it yet', remedy: again }] : found;
  }
  return [
    ...found,
    ...(precise === files
      ? []
      : [{ issue: `indexers said nothing of ${files - precise} of ${amount(files, 'file')}` }]),
    ...(seenOtherwise === 0
      ? []
      : [
          {
            issue: `indexers spoke of ${amount(seenOtherwise, 'file')} before other files or the configuration changed`,
            remedy: again,
          },
        ]),
  ];
}

function ofIndexer(one: KnownIndexer, id: string): readonly Issue[] {
  if (one.not === undefined) {
    return one.trouble === undefined
      ? []
      : [{ issue: `${one.indexer.name}, at its last run: ${one.trouble}`, remedy: 'svc daemon logs' }];
  }
  const [remedy] = remedies(one, id);
  return [{ issue: wordsFor(one), ...(remedy === undefined ? {} : { remedy: remedy.command }) }];
}
