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
type Output = Omit<OutputOf<(typeof ownership)['ownership.drift']>, 'commit' | 'historyIsCut'>;

/**
 * The files of a scope that are written by others than CODEOWNERS names, as far as is known by now. `prefix` as for `ownershipAnswer`.
 * Throws `invalidParameter` for a scope in which nothing lies.
 */
export function driftAnswer(of: AnalysedSnapshot, state: OwnershipState, prefix: string, input: Input): Output {
  const { asked, snapshot } = of;
  const all = measuredFiles(of, state, prefix);
  const scope = scopeIn(
    all.map(({ path }) => path),
    input.scope,
  );
  const files = scope === undefined ? all : all.filter(({ path }) => isInScope(path, scope));
  const drifted = files.filter(({ score = 0 }) => score > 0 && score >= input.threshold).sort(worstFirst);
  const count = (status: MeasuredFile['status']): number => files.filter(one => one.status === status).length;
  return {
    driftedFiles: drifted.slice(0, input.limit).map(file => told(file, state, prefix, asked.now / 1000)),
    total: drifted.length,
    scope: scope ?? '@root',
    codeowners: state.codeowners.path ?? null,
    counts: {
      files: files.length,
      measured: count('measured'),
      undeclared: count('undeclared'),
      unresolvable: count('unresolvable'),
      pending: count('pending'),
    },
    unresolvedOwners: [...new Set(files.flatMap(({ unresolved }) => unresolved))].sort(),
    truncated: drifted.length > input.limit,
    snapshotId: snapshot.snapshotId,
    completeness: completeness(snapshot, asked, 0),
    timestamp: new Date(asked.now).toISOString(),
  };
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

/** All files of the snapshot that was asked about last, for as long as nothing else is known of them. */
const kept = new WeakMap<OwnershipState, { readonly madeOf: string; readonly files: readonly MeasuredFile[] }>();

function measuredFiles(of: AnalysedSnapshot, state: OwnershipState, prefix: string): readonly MeasuredFile[] {
  const madeOf = JSON.stringify([of.asked.repo.key, of.snapshot.seq, of.snapshot.snapshotId, prefix]);
  const known = kept.get(state);
  if (known?.madeOf === madeOf) return known.files;
  const declared = state.codeowners.declared();
  const named = new Map<Declared, Named>();
  const files = allFiles(of, '').map(path => {
    const owners = declared.ofFile(`${prefix}${path}`);
    const who = named.get(owners) ?? namedBy(owners, state.people);
    named.set(owners, who);
    return measured(path, who, state, prefix);
  });
  kept.set(state, { madeOf, files });
  return files;
}

function measured(path: string, named: Named, state: OwnershipState, prefix: string): MeasuredFile {
  const nothing = { path, score: undefined, unresolved: [] };
  switch (named.kind) {
    case 'nobody':
      return { ...nothing, status: 'undeclared' };
    case 'unresolvable':
      return { ...nothing, status: 'unresolvable', unresolved: named.owners };
    case 'people': {
      const lines = state.linesOf(`${prefix}${path}`);
      if (lines === 'pending') return { ...nothing, status: 'pending' };
      const score = lines === 'none' ? undefined : driftScore(named.identities, lines.weights);
      return { ...nothing, status: score === undefined ? 'blank' : 'measured', score };
    }
  }
}

function worstFirst(one: MeasuredFile, other: MeasuredFile): number {
  return (other.score ?? 0) - (one.score ?? 0) || (one.path < other.path ? -1 : 1);
}

function told({ path, score = 0 }: MeasuredFile, state: OwnershipState, prefix: string, now: number) {
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
