import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { ownership } from '../../../client/protocol/ownership.ts';
import type { Declared } from '../../analysis/ownership/declared-owners.ts';
import { driftScore, type Named, namedBy, toldDrift } from '../../analysis/ownership/drift.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { isInScope, scopeIn } from '../scope.ts';
import { completeness } from '../symbols/answers.ts';
import { allFiles } from './asked-files.ts';
import type { OwnershipState } from './ownership-state.ts';

type Input = InputOf<(typeof ownership)['ownership.drift']>;
type Output = Omit<OutputOf<(typeof ownership)['ownership.drift']>, 'commit' | 'historyIsCut' | 'warnings'>;

/**
 * The files of a scope that are written by others than CODEOWNERS names, as far as is known by now. `prefix` as for `ownershipAnswer`.
 * Throws `invalidParameter` for a scope in which nothing lies.
 */
export function driftAnswer(of: AnalysedSnapshot, state: OwnershipState, prefix: string, input: Input): Output {
  const { asked, snapshot } = of;
  const all = measuredFiles(of, state, prefix);
  const scope = scopeIn(all.paths, input.scope);
  const { files, drifted, counts, unresolved } = scope === undefined ? all : filesIn(all, scope);
  const total = countFrom(drifted, input.threshold);
  return {
    driftedFiles: drifted
      .slice(0, Math.min(total, input.limit))
      .map(file => told(file, state, prefix, asked.now / 1000)),
    total,
    scope: scope ?? '@root',
    codeowners: state.codeowners.path ?? null,
    counts: {
      files: files.length,
      measured: counts.measured,
      undeclared: counts.undeclared,
      unresolvable: counts.unresolvable,
      pending: counts.pending,
    },
    unresolvedOwners: [...unresolved],
    truncated: total > input.limit,
    snapshotId: snapshot.snapshotId,
    completeness: completeness(snapshot, asked, 0),
    timestamp: new Date(asked.now).toISOString(),
  };
}

interface Measured {
  readonly files: readonly MeasuredFile[];
  /** Those that were measured, the worst first, then by path. */
  readonly drifted: readonly DriftedFile[];
  readonly counts: Readonly<Record<MeasuredFile['status'], number>>;
  readonly unresolved: readonly string[];
}

function filesIn({ files, drifted }: Measured, scope: string): Measured {
  const inside = files.filter(({ path }) => isInScope(path, scope));
  return {
    files: inside,
    drifted: drifted.filter(({ path }) => isInScope(path, scope)),
    counts: countsOf(inside),
    unresolved: unresolvedIn(inside),
  };
}

function countsOf(files: readonly MeasuredFile[]): Measured['counts'] {
  const counts = { measured: 0, undeclared: 0, unresolvable: 0, pending: 0, blank: 0 };
  for (const { status } of files) counts[status]++;
  return counts;
}

function unresolvedIn(files: readonly MeasuredFile[]): readonly string[] {
  const owners = new Set<string>();
  for (const { unresolved } of files) for (const owner of unresolved) owners.add(owner);
  return [...owners].sort();
}

/** How many have at least a score; the highest stand first. */
function countFrom(drifted: readonly DriftedFile[], threshold: number): number {
  let [from, to] = [0, drifted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (drifted[middle]!.score >= threshold) from = middle + 1;
    else to = middle;
  }
  return from;
}

interface MeasuredFile {
  /** From the root that is indexed. */
  readonly path: string;
  /** `blank`: nothing in it is by anybody. */
  readonly status: 'measured' | 'undeclared' | 'unresolvable' | 'pending' | 'blank';
  /** Of a measured one. */
  readonly score: number | undefined;
  readonly unresolved: readonly string[];
}

interface DriftedFile {
  readonly path: string;
  readonly score: number;
}

interface AllMeasured extends Measured {
  readonly madeOf: string;
  readonly paths: readonly string[];
}

/** Of the snapshot that was asked about last, for as long as nothing else is known of its files. */
const kept = new WeakMap<OwnershipState, AllMeasured>();

function measuredFiles(of: AnalysedSnapshot, state: OwnershipState, prefix: string): AllMeasured {
  const madeOf = JSON.stringify([of.asked.repo.key, of.snapshot.seq, of.snapshot.snapshotId, prefix]);
  const known = kept.get(state);
  if (known?.madeOf === madeOf) return known;
  const declared = state.codeowners.declared();
  const named = new Map<Declared, Named>();
  const paths = allFiles(of, '');
  const files = paths.map(path => {
    const owners = declared.ofFile(`${prefix}${path}`);
    const who = named.get(owners) ?? namedBy(owners, state.people);
    named.set(owners, who);
    return measured(path, who, state, prefix);
  });
  const drifted = files.flatMap(({ path, score }) => (score === undefined ? [] : [{ path, score }]));
  drifted.sort((one, other) => other.score - one.score || (one.path < other.path ? -1 : 1));
  const made = { madeOf, paths, files, drifted, counts: countsOf(files), unresolved: unresolvedIn(files) };
  kept.set(state, made);
  return made;
}

function measured(path: string, named: Named, state: OwnershipState, prefix: string): MeasuredFile {
  const nothing = { path, score: undefined, unresolved: [] };
  switch (named.kind) {
    case 'nobody':
      return { ...nothing, status: 'undeclared' };
    case 'unresolvable': {
      const lines = state.linesOf(`${prefix}${path}`);
      if (lines === 'pending' && named.identities.size > 0) return { ...nothing, status: 'pending' };
      // Whoever else is meant: all of it is by those who are known.
      const isTheirs = typeof lines !== 'string' && driftScore(named.identities, lines.weights) === 0;
      if (isTheirs) return { ...nothing, status: 'measured', score: 0, unresolved: named.owners };
      return { ...nothing, status: 'unresolvable', unresolved: named.owners };
    }
    case 'people': {
      const lines = state.linesOf(`${prefix}${path}`);
      if (lines === 'pending') return { ...nothing, status: 'pending' };
      const score = lines === 'none' ? undefined : driftScore(named.identities, lines.weights);
      return { ...nothing, status: score === undefined ? 'blank' : 'measured', score };
    }
  }
}

function told({ path, score }: DriftedFile, state: OwnershipState, prefix: string, now: number) {
  const { codeowners, people, isAuthor } = state;
  const declared = codeowners.declared().ofFile(`${prefix}${path}`);
  const lines = state.linesOf(`${prefix}${path}`);
  if (declared.kind !== 'owned' || typeof lines === 'string') throw new Error(`${path} was measured`);
  const drift = toldDrift({
    ...{ declared, codeowners: codeowners.path ?? '', people, isAuthor, now },
    weights: lines.weights,
  });
  const { declaredOwner, actualOwners, recommendation } = drift;
  return { path, declaredOwner, actualOwners: [...actualOwners], driftScore: score, recommendation };
}
