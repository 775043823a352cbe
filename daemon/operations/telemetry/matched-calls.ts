import type { Match } from '../../analysis/usage/match-function.ts';
import { sum } from '../../model/counts.ts';
import type { CodeGraph } from '../../model/graph.ts';
import { once } from '../../model/once.ts';
import { type MatchQuality, matchQualities, type UnmatchedReason } from '../../model/usage.ts';
import type { Catalogue } from '../../store/catalogue/columns.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import type { CallReader, StoredFunction } from '../../store/telemetry/call-reader.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { type CallsAsked, callsAt } from './calls-asked.ts';
import { type Former, type FormerNames, formerly, formerlyNamed } from './former-names.ts';
import { type FoundCandidate, functionMatcher } from './function-matcher.ts';

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
  /** Hashes of those that fit alike, where several do; of the first so many, where it is said. */
  readonly candidates: (most?: number) => readonly string[];
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
export function callsOf(of: AnalysedSnapshot): CallsOfSnapshot | undefined {
  return callsIn(of, 'own');
}

/** The same where the services asked about may be anybody's: what is known of the repository's own is kept beside. */
export function callsOfStrangers(of: AnalysedSnapshot): CallsOfSnapshot | undefined {
  return callsIn(of, 'strange');
}

function callsIn({ asked, reader, snapshot }: AnalysedSnapshot, whose: 'own' | 'strange'): CallsOfSnapshot | undefined {
  const { calls } = asked;
  if (calls === undefined) return undefined;
  const known = callsAt(calls.file);
  const place = { reader, key: asked.repo.key, seq: snapshot.seq, slot: `${calls.repoUid} ${whose}` };
  const matching = matchingIn(place, calls, known);
  return { asked: calls, reader: known, all: () => keptMatches(place, calls, matching.all), of: matching.of };
}

/** Where functions are looked up, and what that is kept under. */
interface Place {
  readonly reader: IndexReader;
  readonly key: string;
  readonly seq: number;
  readonly slot: string;
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

/** Of each reader the last one that was asked for, by slot. */
const kept = new WeakMap<IndexReader, Map<string, Kept>>();

function keptMatches(
  { reader, key, seq, slot }: Place,
  { version }: CallsAsked,
  make: () => MatchedCalls,
): MatchedCalls {
  const ofReader = kept.get(reader) ?? new Map<string, Kept>();
  kept.set(reader, ofReader);
  const at = `${key} ${seq} ${version}`;
  const known = ofReader.get(slot);
  if (known?.at === at) return known.matched;
  const made = { at, matched: make() };
  ofReader.set(slot, made);
  return made.matched;
}

/** What a function turned out to be in a snapshot. */
interface LookedUp {
  readonly stored: StoredFunction;
  readonly match: Match<FoundCandidate>;
  /** Of the symbol; '' for none. */
  readonly hash: string;
}

interface LookedUpAt {
  readonly at: string;
  readonly matches: Map<number, LookedUp>;
}

/** Of each reader those of the last snapshot that was asked about, by slot: calls come all the time, and their functions stay. */
const lookedUp = new WeakMap<IndexReader, Map<string, LookedUpAt>>();

function matchesAt({ reader, key, seq, slot }: Place, { services }: CallsAsked): Map<number, LookedUp> {
  const ofReader = lookedUp.get(reader) ?? new Map<string, LookedUpAt>();
  lookedUp.set(reader, ofReader);
  const at = JSON.stringify([key, seq, services]);
  const known = ofReader.get(slot);
  if (known?.at === at) return known.matches;
  const made = { at, matches: new Map<number, LookedUp>() };
  ofReader.set(slot, made);
  return made.matches;
}

/** Of those that have gone, and of those that nobody is told of. */
function forgetOthers(place: Place, calls: CallsAsked, stored: readonly StoredFunction[]): void {
  const matches = matchesAt(place, calls);
  const left = new Set(stored.map(({ id }) => id));
  for (const id of matches.keys()) if (!left.has(id)) matches.delete(id);
}

interface Matching {
  all(): MatchedCalls;
  of(hash: string): ObservedSymbol | undefined;
}

function matchingIn(place: Place, calls: CallsAsked, known: CallReader): Matching {
  const { reader, key, seq } = place;
  const catalogue = reader.catalogue(key, seq);
  if (catalogue === undefined) return { all: () => ({ symbols: new Map(), unmatched: [] }), of: () => undefined };
  const ids = calls.services.map(({ id }) => id);
  const look = lookingUp(place, catalogue, calls, known);
  return {
    all: () => {
      const symbols = new Map<string, MatchedFunction[]>();
      const unmatched: UnmatchedFunction[] = [];
      const { mostOfEach } = calls;
      const stored = mostOfEach === undefined ? known.functionsOf(ids) : known.mostCalledOf(ids, mostOfEach);
      forgetOthers(place, calls, stored);
      for (const one of stored.map(look)) {
        if ('because' in one) {
          unmatched.push(one);
          continue;
        }
        const same = symbols.get(one.hash);
        if (same === undefined) symbols.set(one.hash, [one]);
        else same.push(one);
      }
      return { symbols: new Map([...symbols].map(([hash, some]) => [hash, observedSymbol(hash, some)])), unmatched };
    },
    of: hash => {
      const row = reader.symbol(key, seq, hash);
      if (row === undefined) return undefined;
      // A constructor is told by what it makes.
      const now = [row.name, ...(row.kind === 'constructor' ? row.containers.slice(-1) : [])];
      const bare = [...now, ...known.formerNames(calls.repoUid, hash)];
      const symbols = known.predecessorsOf(calls.repoUid, hash);
      const functions = known
        .functionsNamed(ids, bare, { repoUid: calls.repoUid, symbols })
        .map(look)
        .filter(one => !('because' in one) && one.hash === hash) as MatchedFunction[];
      return functions.length === 0 ? undefined : observedSymbol(hash, functions);
    },
  };
}

type Look = (stored: StoredFunction) => (MatchedFunction & { readonly hash: string }) | UnmatchedFunction;

/** Says what a function is; each is looked up once for as long as it is told to be the same. */
function lookingUp(place: Place, catalogue: Catalogue, calls: CallsAsked, known: CallReader): Look {
  const { reader, key, seq } = place;
  const nameOf = (hash: string): string | undefined => reader.symbol(key, seq, hash)?.name;
  const goneNames = once(() => known.goneNames(calls.repoUid));
  const names: FormerNames = { repoUid: calls.repoUid, known, nameOf, mayBeGone: name => goneNames().has(name) };
  const folders = new Map(calls.services.map(({ id, folder }) => [id, folder]));
  const matches = matchesAt(place, calls);
  const matcher = once(() => functionMatcher(reader, key, catalogue));
  const hashOf = (one: FoundCandidate): string => reader.rows(catalogue, [one])[0]!.hash;
  const folderOf = ({ service }: StoredFunction): string => folders.get(service) ?? '';
  const formerOf = (stored: StoredFunction): Former | undefined => {
    const was = formerly(stored, names);
    return was?.isPlaced === true ? was : (formerlyNamed(stored, folderOf(stored), matcher(), names) ?? was);
  };
  const look = (stored: StoredFunction): LookedUp => {
    const match = matcher().match(stored, folderOf(stored));
    return { stored, match, hash: match.kind === 'matched' ? hashOf(match.one) : '' };
  };
  return stored => {
    const before = matches.get(stored.id);
    const found = before !== undefined && isSameFunction(before.stored, stored) ? before : look(stored);
    matches.set(stored.id, found);
    const { match, hash } = found;
    // A name alone says less than what a function was where it is told to be.
    const isSure = match.kind === 'matched' && match.quality !== 'weak';
    const isForeign = match.kind === 'unmatched' && match.because !== 'absent' && match.because !== 'ambiguous';
    const former = isSure || isForeign ? undefined : formerOf(stored);
    if (former !== undefined && (match.kind === 'unmatched' || former.isPlaced)) return { stored, ...former };
    if (match.kind === 'matched') {
      const { quality, confidence } = match;
      return { stored, quality, confidence, isFormer: false, hash };
    }
    return { stored, because: match.because, candidates: most => match.candidates.slice(0, most).map(hashOf) };
  };
}

/** The number of one that has gone may be another's now, and a function may be told to lie elsewhere. */
function isSameFunction(before: StoredFunction, now: StoredFunction): boolean {
  return tellingOf.every(field => before[field] === now[field]);
}

const tellingOf = ['service', 'namespace', 'name', 'file', 'line'] as const;

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
