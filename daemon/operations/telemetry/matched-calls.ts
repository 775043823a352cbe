import type { Match } from '../../analysis/usage/match-function.ts';
import { sum } from '../../model/counts.ts';
import type { CodeGraph } from '../../model/graph.ts';
import { type MatchQuality, matchQualities, type UnmatchedReason } from '../../model/usage.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import type { CallReader, StoredFunction } from '../../store/telemetry/call-reader.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { type CallsAsked, callsAt } from './calls-asked.ts';
import { type FoundCandidate, type FunctionMatcher, functionMatcher } from './function-matcher.ts';

/** A function that was observed, and which symbol it is. */
export interface MatchedFunction {
  readonly stored: StoredFunction;
  readonly quality: MatchQuality;
  /** 0 to 1. */
  readonly confidence: number;
  /** It bears what the symbol was called before, or lies where that was. */
  readonly isFormer: boolean;
}

/** What production tells of one symbol, under whatever names. */
export interface ObservedSymbol {
  /** 32 hex digits. */
  readonly hash: string;
  /** The surest first. */
  readonly functions: readonly MatchedFunction[];
  /** Of all days that are kept. */
  readonly calls: number;
  readonly errors: number;
  /** The last day with a call; 0 for none. */
  readonly called: number;
}

export interface UnmatchedFunction {
  readonly stored: StoredFunction;
  readonly because: UnmatchedReason;
  /** Hashes, where several fit alike. */
  readonly candidates: () => readonly string[];
}

export interface MatchedCalls {
  /** By hash. */
  readonly symbols: ReadonlyMap<string, ObservedSymbol>;
  readonly unmatched: readonly UnmatchedFunction[];
}

/** What is known of calls, of what an answer is about. */
export interface CallsOfSnapshot {
  readonly asked: CallsAsked;
  readonly reader: CallReader;
  /** All of the repository’s; made once for each snapshot and whatever is counted. */
  all(): MatchedCalls;
  /** Of one symbol; undefined where nothing was reported. */
  of(hash: string): ObservedSymbol | undefined;
}

/** Undefined where nothing of the repository was ever reported. */
export function callsOf({ asked, reader, snapshot }: AnalysedSnapshot): CallsOfSnapshot | undefined {
  const { calls } = asked;
  if (calls === undefined) return undefined;
  const known = callsAt(calls.file);
  const matching = matchingIn(reader, asked.repo.key, snapshot.seq, calls, known);
  return {
    asked: calls,
    reader: known,
    all: () => keptMatches(reader, `${asked.repo.key} ${snapshot.seq}`, calls, () => matching.all()),
    of: hash => matching.of(hash),
  };
}

/** Symbols that were observed, by their numbers in a graph of the snapshot. */
export function observedIn(
  graph: Pick<CodeGraph, 'numberOf'>,
  calls: CallsOfSnapshot,
): ReadonlyMap<number, ObservedSymbol> {
  const found = new Map<number, ObservedSymbol>();
  for (const [hash, one] of calls.all().symbols) {
    const symbol = graph.numberOf(hash);
    if (symbol !== undefined) found.set(symbol, one);
  }
  return found;
}

interface Kept {
  readonly at: string;
  readonly matched: MatchedCalls;
}

/** Of each reader the last one that was asked for, by repository. */
const kept = new WeakMap<IndexReader, Map<string, Kept>>();

function keptMatches(reader: IndexReader, place: string, calls: CallsAsked, make: () => MatchedCalls): MatchedCalls {
  const ofReader = kept.get(reader) ?? new Map<string, Kept>();
  kept.set(reader, ofReader);
  const at = `${place} ${calls.version}`;
  const known = ofReader.get(calls.repoUid);
  if (known?.at === at) return known.matched;
  const made = { at, matched: make() };
  ofReader.set(calls.repoUid, made);
  return made.matched;
}

/** What a function turned out to be in a snapshot. */
interface LookedUp {
  readonly line: number;
  readonly match: Match<FoundCandidate>;
  /** Of the symbol; '' for none. */
  readonly hash: string;
}

interface LookedUpAt {
  readonly at: string;
  readonly matches: Map<number, LookedUp>;
}

/** Of each reader those of the last snapshot that was asked about, by repository: calls come all the time, and their functions stay. */
const lookedUp = new WeakMap<IndexReader, Map<string, LookedUpAt>>();

function matchesAt(reader: IndexReader, { repoUid, services }: CallsAsked, place: string): Map<number, LookedUp> {
  const ofReader = lookedUp.get(reader) ?? new Map<string, LookedUpAt>();
  lookedUp.set(reader, ofReader);
  const at = JSON.stringify([place, services]);
  const known = ofReader.get(repoUid);
  if (known?.at === at) return known.matches;
  const made = { at, matches: new Map<number, LookedUp>() };
  ofReader.set(repoUid, made);
  return made.matches;
}

function matchingIn(reader: IndexReader, key: string, seq: number, calls: CallsAsked, known: CallReader) {
  const catalogue = reader.catalogue(key, seq);
  const folders = new Map(calls.services.map(({ id, folder }) => [id, folder]));
  const ids = [...folders.keys()];
  let matcher: FunctionMatcher | undefined;
  const matches = matchesAt(reader, calls, `${key} ${seq}`);
  const hashOf = (one: FoundCandidate): string => reader.rows(catalogue!, [one])[0]!.hash;
  const look = (stored: StoredFunction): LookedUp => {
    matcher ??= functionMatcher(reader, key, catalogue!);
    const match = matcher.match(stored, folders.get(stored.service) ?? '');
    return { line: stored.line, match, hash: match.kind === 'matched' ? hashOf(match.one) : '' };
  };
  const matched = (stored: StoredFunction): (MatchedFunction & { readonly hash: string }) | UnmatchedFunction => {
    const before = matches.get(stored.id);
    const found = before?.line === stored.line ? before : look(stored);
    matches.set(stored.id, found);
    const { match, hash } = found;
    if (match.kind === 'matched') {
      const { quality, confidence } = match;
      return { stored, quality, confidence, isFormer: false, hash };
    }
    const former = formerly(stored, known, calls.repoUid);
    if (former !== undefined && reader.symbol(key, seq, former.hash) !== undefined) return { stored, ...former };
    return { stored, because: match.because, candidates: () => match.candidates.map(hashOf) };
  };
  return {
    all: (): MatchedCalls => {
      if (catalogue === undefined) return { symbols: new Map(), unmatched: [] };
      const functions = known.functionsOf(ids).map(matched);
      const bySymbol = new Map<string, MatchedFunction[]>();
      const unmatched: UnmatchedFunction[] = [];
      for (const one of functions) {
        if ('because' in one) unmatched.push(one);
        else bySymbol.set(one.hash, [...(bySymbol.get(one.hash) ?? []), one]);
      }
      return { symbols: new Map([...bySymbol].map(([hash, some]) => [hash, observedSymbol(hash, some)])), unmatched };
    },
    of: (hash: string): ObservedSymbol | undefined => {
      const row = catalogue && reader.symbol(key, seq, hash);
      if (row === undefined) return undefined;
      // A constructor is told by what it makes.
      const bare = [row.name, ...(row.kind === 'constructor' ? row.containers.slice(-1) : [])];
      const symbols = known.predecessorsOf(calls.repoUid, hash);
      const functions = known
        .functionsNamed(ids, bare, { repoUid: calls.repoUid, symbols })
        .map(matched)
        .filter(one => !('because' in one) && one.hash === hash) as MatchedFunction[];
      return functions.length === 0 ? undefined : observedSymbol(hash, functions);
    },
  };
}

/** What it was when it was last looked at, or what has taken the place of that. */
function formerly({ was }: StoredFunction, known: CallReader, repoUid: string) {
  if (was?.repoUid !== repoUid) return undefined;
  const hash = known.successorOf(repoUid, was.symbol);
  return { hash, quality: was.quality, confidence: formerConfidence[was.quality], isFormer: true };
}

const formerConfidence: Readonly<Record<MatchQuality, number>> = { exact: 0.95, strong: 0.85, weak: 0.5 };

function observedSymbol(hash: string, functions: readonly MatchedFunction[]): ObservedSymbol {
  const sorted = [...functions].sort(
    (a, b) => matchQualities.indexOf(a.quality) - matchQualities.indexOf(b.quality) || b.confidence - a.confidence,
  );
  return {
    hash,
    functions: sorted,
    calls: sorted.reduce((total, { stored }) => sum(total, stored.calls), 0),
    errors: sorted.reduce((total, { stored }) => sum(total, stored.errors), 0),
    called: Math.max(0, ...sorted.map(({ stored }) => stored.called)),
  };
}
