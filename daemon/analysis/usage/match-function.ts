import type { SymbolKind } from '../../model/symbol.ts';
import type { MatchQuality, UnmatchedReason } from '../../model/usage.ts';
import { compareFits, type FileFit, fileFit, type ObservedFile } from './observed-file.ts';

/** A definition that bears the name of an observed function. */
export interface Candidate {
  /** Its number: several definitions of one are one. */
  readonly symbol: number;
  readonly path: string;
  readonly kind: SymbolKind;
  readonly isTest: boolean;
}

/** What is asked of candidates where it decides. */
export interface CandidateQuestions<One> {
  /** Whether the words before the observed name lead to it. */
  isNamed(one: One): boolean;
  /** Whether the repository has the file that is named, whole path or part of it, whatever that defines. */
  isFileHere(): boolean;
  /** Whether a line, from 1, lies in it. */
  holds(one: One, line: number): boolean;
}

export interface ObservedPlace {
  readonly file: ObservedFile | undefined;
  /** 0 where nothing is said. */
  readonly line: number;
  readonly isQualified: boolean;
  /** Folder of the repository in which the service’s code lies; '' for all of it. */
  readonly folder: string;
}

export type Match<One> =
  | { readonly kind: 'matched'; readonly one: One; readonly quality: MatchQuality; readonly confidence: number }
  | { readonly kind: 'unmatched'; readonly because: UnmatchedReason; readonly candidates: readonly One[] };

/** How sure each way is. */
const confidences = { exact: 0.95, strong: 0.85, namespace: 0.6, unique: 0.5 } as const;

/**
 * Which definition an observed function is: exact by file, name, and line or namespace (0.95); strong by file and name (0.85);
 * weak by namespace and name, or by a name that is unique (0.6, 0.5). Where several fit alike it is none of them. Of a file at the
 * root of the repository, of which but the name can be the same, line or namespace make it strong.
 */
export function matchFunction<One extends Candidate>(
  place: ObservedPlace,
  named: readonly One[],
  questions: CandidateQuestions<One>,
): Match<One> {
  const { file, isQualified, folder } = place;
  const isForeign = file !== undefined && file.least > 0;
  const candidates = likely(named, folder);
  if (candidates.length === 0) return unmatched(isForeign ? 'foreign' : 'absent');
  const fitting = file === undefined ? [] : bestOf(candidates, file);
  if (isForeign && fitting.length === 0) return unmatched('foreign');
  const { extent } = fitting[0]?.fit ?? {};
  const byFile = extent === undefined || extent === 'name' ? undefined : matchInFile(place, fitting, extent, questions);
  if (byFile !== undefined) return byFile;
  // What is in another file is something else.
  if (extent !== 'root' && file !== undefined && questions.isFileHere()) return unmatched('absent');
  const inSpace = isQualified ? distinct(candidates.filter(questions.isNamed)) : [];
  const left = inSpace.length > 0 ? inSpace : distinct(candidates);
  if (left.length > 1) return ambiguous(left);
  const isPlaced = inSpace.length > 0 || extent !== undefined;
  return matched(left[0]!, 'weak', isPlaced ? confidences.namespace : confidences.unique);
}

/** Undefined where the file alone says too little. */
function matchInFile<One extends Candidate>(
  { line, isQualified }: ObservedPlace,
  fitting: readonly Fitting<One>[],
  extent: FileFit['extent'],
  { isNamed, holds }: CandidateQuestions<One>,
): Match<One> | undefined {
  const inSpace = isQualified ? fitting.filter(({ one }) => isNamed(one)) : [];
  const rest = inSpace.length > 0 ? inSpace : fitting;
  const atLine = line > 0 ? rest.filter(({ one, fit }) => fit.isSource && holds(one, line)) : [];
  const isTold = atLine.length > 0 || inSpace.length > 0;
  if (extent === 'root' && !isTold) return undefined;
  const [only, ...others] = distinct((atLine.length > 0 ? atLine : rest).map(({ one }) => one));
  if (only === undefined || others.length > 0) return ambiguous(distinct(rest.map(({ one }) => one)));
  const quality = isTold && extent !== 'root' ? 'exact' : 'strong';
  return matched(only, quality, confidences[quality]);
}

const callable: ReadonlySet<SymbolKind> = new Set(['function', 'method', 'constructor']);
/** What may hold a function, or is called by what it makes. */
const perhapsCalled: ReadonlySet<SymbolKind> = new Set([
  ...(['class', 'struct', 'variable', 'constant', 'property', 'field', 'object', 'macro'] as const),
]);

/** Functions where any bear the name, outside of tests where any do, in the service’s folder where any lie there. */
function likely<One extends Candidate>(named: readonly One[], folder: string): readonly One[] {
  const preferring = (all: readonly One[], isMeant: (one: One) => boolean): readonly One[] => {
    const meant = all.filter(isMeant);
    return meant.length > 0 ? meant : all;
  };
  const known = named.filter(({ kind }) => callable.has(kind) || perhapsCalled.has(kind));
  const running = preferring(
    preferring(known, ({ kind }) => callable.has(kind)),
    ({ isTest }) => !isTest,
  );
  return folder === '' ? running : preferring(running, ({ path }) => path.startsWith(`${folder}/`));
}

interface Fitting<One> {
  readonly one: One;
  readonly fit: FileFit;
}

function bestOf<One extends Candidate>(candidates: readonly One[], file: ObservedFile): readonly Fitting<One>[] {
  const fitting = candidates.flatMap((one): Fitting<One>[] => {
    const fit = fileFit(file, one.path);
    return fit === undefined ? [] : [{ one, fit }];
  });
  fitting.sort((a, b) => compareFits(a.fit, b.fit));
  return fitting.filter(({ fit }) => compareFits(fit, fitting[0]!.fit) === 0);
}

function distinct<One extends Candidate>(all: readonly One[]): readonly One[] {
  return [...new Map(all.map(one => [one.symbol, one])).values()];
}

function matched<One>(one: One, quality: MatchQuality, confidence: number): Match<One> {
  return { kind: 'matched', one, quality, confidence };
}

function ambiguous<One>(candidates: readonly One[]): Match<One> {
  return { kind: 'unmatched', because: 'ambiguous', candidates };
}

function unmatched<One>(because: UnmatchedReason): Match<One> {
  return { kind: 'unmatched', because, candidates: [] };
}
