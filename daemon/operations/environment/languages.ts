import { amount } from '../../../client/protocol/amount.ts';
import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { type MeasuredLanguage, qualityOf, together } from '../../analysis/language-quality.ts';
import type { KnownIndexer } from '../../jobs/scip/plan-precise.ts';
import { isCode } from '../../model/families.ts';
import { contextIn } from '../../store/inputs.ts';
import type { LanguageCounts, SnapshotCounts } from '../../store/publication.ts';
import { type Issue, issuesOf, type LanguageState } from './language-issues.ts';

type LanguagesReply = OutputOf<Operations['environment.languages']>;

/** What is said of the languages of a snapshot. */
export interface MeasuredSnapshot {
  /** The repository's. */
  readonly id: string;
  readonly counts: SnapshotCounts;
  /** Those that know one of its languages. */
  readonly indexers: readonly KnownIndexer[];
  /** By language, what of its packages isn't there. */
  readonly missing: ReadonlyMap<string, readonly Issue[]>;
}

/** The languages with their verdicts, that with the most files first. Configuration is none. */
export function measuredLanguages(
  snapshot: MeasuredSnapshot,
): Omit<LanguagesReply, 'timestamp' | 'snapshotId' | 'completeness'> & { readonly unsure: number } {
  const { counts } = snapshot;
  const states = Object.keys(counts.languages)
    .filter(isCode)
    .map(language => stateOf(language, snapshot));
  states.sort((a, b) => b.measured.files - a.measured.files || (a.language < b.language ? -1 : 1));
  const all = together(states.map(({ measured }) => measured));
  return {
    primaryLanguage: states[0]?.language ?? '',
    overallQuality: qualityOf(all).quality,
    totalSymbols: counts.symbols,
    totalRefs: all.references,
    totalCallEdges: all.callEdges,
    summary: states.length === 0 ? 'No source is indexed' : states.map(sentence).join('; '),
    languages: Object.fromEntries(states.map(state => [state.language, viewOf(state, counts)])),
    unsure: all.references - all.confident,
  };
}

function stateOf(language: string, { id, counts, indexers, missing }: MeasuredSnapshot): LanguageState {
  const one = counts.languages[language]!;
  const measured = measuredOf(one, counts.unread[language] ?? 0);
  return {
    ...{ language, id, measured, verdict: qualityOf(measured), indexers },
    foreign: one.foreign,
    seenOtherwise: seenOtherwise(one.contexts, contextIn(counts.inputs, language)),
    packages: missing.get(language) ?? [],
  };
}

function measuredOf(counts: LanguageCounts, unread: number): MeasuredLanguage {
  const { files, precise, partial, references, confident, calls, resolvedCalls, callEdges } = counts;
  return { files, precise, partial, unread, references, confident, calls, resolvedCalls, callEdges };
}

function seenOtherwise(contexts: LanguageCounts['contexts'], now: string): number {
  return Object.entries(contexts).reduce((sum, [context, files]) => sum + (context === now ? 0 : files), 0);
}

function viewOf(state: LanguageState, counts: SnapshotCounts): LanguagesReply['languages'][string] {
  const { language, measured, verdict } = state;
  const issues = issuesOf(state);
  return {
    displayName: nameOf(language),
    ...verdict,
    symbolCount: counts.languages[language]!.symbols,
    refCount: measured.references,
    callSiteCount: measured.calls,
    callEdgeCount: measured.callEdges,
    fileCount: measured.files,
    preciseFileCount: measured.precise,
    knownIssues: issues.map(({ issue }) => issue),
    recommendations: [...new Set(issues.flatMap(({ remedy }) => remedy ?? []))],
  };
}

function sentence({ language, measured, verdict }: LanguageState): string {
  const { files, references, calls } = measured;
  const shares = [
    ...(references === 0 ? [] : [`${percent(verdict.refAccuracy)} of references`]),
    ...(calls === 0 ? [] : [`${percent(verdict.callResolution)} of calls`]),
  ];
  const resolved = shares.length === 0 ? 'no references' : `${shares.join(' and ')} resolved`;
  return `${nameOf(language)}: ${amount(files, 'file')}, ${resolved} (${verdict.tierName})`;
}

/** Whole, downwards: 100 % is all of them. */
function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

function nameOf(language: string): string {
  return displayNames[language] ?? language;
}

const displayNames: Readonly<Record<string, string>> = {
  typescript: 'TypeScript',
  javascript: 'JavaScript',
  python: 'Python',
  go: 'Go',
  rust: 'Rust',
  java: 'Java',
  kotlin: 'Kotlin',
  c: 'C',
  cpp: 'C++',
  dart: 'Dart',
  ruby: 'Ruby',
  csharp: 'C#',
  php: 'PHP',
};
