import { createHash } from 'node:crypto';
import type { DeltaArtifact, DeltaLists, DeltaStats } from '../../../client/protocol/delta.ts';
import { Fault, invalid, type Problem } from '../../../client/protocol/faults.ts';
import { repeatedMember, twice } from '../../../client/protocol/json-members.ts';
import { extentOf } from '../../../client/protocol/json-signs.ts';
import { type RepoPath, repoPath } from '../../model/paths.ts';
import { isRead, shapedArtifact } from './artifact-shape.ts';

/** Why an artifact is refused, by what a caller is told it by. */
export interface DeltaProblem extends Problem {
  /** `unchecked`: nothing speaks against it, but what does so elsewhere keeps it from being looked at. */
  readonly reason: 'invalid' | 'wrong_base' | 'tree_differs' | 'extractor_version' | 'unchecked';
}

export interface ReadArtifact {
  /** Undefined where nothing of it can be read; what is `unread` is empty. */
  readonly artifact: DeltaArtifact | undefined;
  /** What its shape keeps from being read, as `isRead` takes it. */
  readonly unread: ReadonlySet<string>;
  /** Of its text. */
  readonly digest: string;
  readonly problems: readonly DeltaProblem[];
}

/** Of more nobody is told, and none are looked for: an artifact can have one in each of its rows. */
export const mostProblems = 1000;

/** An artifact of 64 MiB that is rows from end to end has fewer. */
const mostValues = 3_000_000;

/**
 * What can be said of an artifact by itself: its shape, that it counts what it lists, and that its paths are names inside
 * a repository. They are labels and are never opened as they stand. Throws 400 for what is no JSON.
 */
export async function readArtifact(bytes: Uint8Array, mostDepth: number): Promise<ReadArtifact> {
  const digest = createHash('sha256').update(bytes).digest('hex');
  const value = parsed(bytes, mostDepth);
  const { artifact, unread, problems } = await shapedArtifact(value);
  const repeated = repeatedMember(bytes, value);
  const found = problems.map(({ path, message }) => problem(path, message));
  if (repeated !== undefined) found.push({ reason: 'invalid', ...twice(repeated) });
  if (artifact !== undefined) {
    found.push(...countProblems(artifact, unread), ...pathProblems(artifact), ...factProblems(artifact, unread));
  }
  return { artifact, unread, digest, problems: found };
}

function parsed(bytes: Uint8Array, mostDepth: number): unknown {
  const refused = (message: string) => invalid('invalidParameter', [{ path: 'body', message }]);
  const { depth, values } = extentOf(bytes, { depth: mostDepth, values: mostValues });
  if (depth > mostDepth) throw refused(`is nested deeper than ${mostDepth} levels`);
  if (values > mostValues) {
    throw new Fault('tooLarge', `The artifact holds more than ${mostValues} values`, {
      details: { limit: mostValues },
    });
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw refused('is not JSON');
  }
}

function problem(path: string, message: string): DeltaProblem {
  return { reason: 'invalid', path, message };
}

/** How many rows an artifact's lists have, as `stats` must say. */
export function countsOf({ symbols, refs, callgraph }: DeltaLists): DeltaStats {
  return {
    symbolsAdded: symbols.added.length,
    symbolsModified: symbols.modified.length,
    symbolsDeleted: symbols.deleted.length,
    refsAdded: refs.added.length,
    refsDeleted: refs.deleted.length,
    callEdgesAdded: callgraph.added.length,
    callEdgesDeleted: callgraph.deleted.length,
  };
}

/** The list that each count is of. */
const countedLists: Readonly<Record<keyof DeltaStats, string>> = {
  symbolsAdded: 'symbols.added',
  symbolsModified: 'symbols.modified',
  symbolsDeleted: 'symbols.deleted',
  refsAdded: 'refs.added',
  refsDeleted: 'refs.deleted',
  callEdgesAdded: 'callgraph.added',
  callEdgesDeleted: 'callgraph.deleted',
};

function countProblems({ deltas, stats }: DeltaArtifact, unread: ReadonlySet<string>): readonly DeltaProblem[] {
  const counts = countsOf(deltas);
  return (Object.keys(counts) as (keyof DeltaStats)[]).flatMap(name => {
    const told = stats[name];
    const path = `stats.${name}`;
    const isKnown = isRead(unread, path) && isRead(unread, `deltas.${countedLists[name]}`);
    if (!isKnown || told === counts[name]) return [];
    return [
      problem(path, `statistics count mismatch: says ${told}, and deltas.${countedLists[name]} has ${counts[name]}`),
    ];
  });
}

/** Paths of the files that an artifact names, each once. */
export function namedPaths({ deltas: { files } }: DeltaArtifact): readonly RepoPath[] {
  return [...[...files.added, ...files.modified].map(file => file.path), ...files.deleted] as RepoPath[];
}

/** Those that can be looked for: names inside a repository, and none of git's own. */
export function isPathInside(path: string): path is RepoPath {
  return repoPath(path) !== undefined && !/(?:^|\/)\.git(?:\/|$)/i.test(path) && !/\p{Surrogate}/u.test(path);
}

function pathProblems(artifact: DeltaArtifact): readonly DeltaProblem[] {
  const seen = new Set<string>();
  const problems: DeltaProblem[] = [];
  for (const path of namedPaths(artifact)) {
    if (problems.length >= mostProblems) break;
    const at = `deltas.files: ${JSON.stringify(path.slice(0, 200))}`;
    if (!isPathInside(path)) problems.push(problem(at, 'is no path inside a repository, as src/a.ts is'));
    else if (seen.has(path)) problems.push(problem(at, 'is named twice'));
    seen.add(path);
  }
  return problems;
}

function factProblems(artifact: DeltaArtifact, unread: ReadonlySet<string>): readonly DeltaProblem[] {
  const { deltas, facts = {} } = artifact;
  const { files } = deltas;
  if (!isRead(unread, 'deltas.files.added') || !isRead(unread, 'deltas.files.modified')) return [];
  const named = new Set<string>([...files.added, ...files.modified].map(file => file.hash));
  return Object.keys(facts).flatMap(hash =>
    named.has(hash) && hash !== ''
      ? []
      : [problem(`facts.${hash.slice(0, 64)}`, 'are of a content that no file is said to have')],
  );
}
