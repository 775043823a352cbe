import { Fault } from '../../../client/protocol/faults.ts';
import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { type CoChange, coChangesOf, tellingCommits } from '../../analysis/history/co-changes.ts';
import { rounded } from '../../model/rounded.ts';
import { askedPath } from '../analysis/asked-path.ts';
import { fileRemedies } from '../finding.ts';
import { isInScope } from '../scope.ts';
import { completeness } from '../symbols/answers.ts';
import type { HistoricalSnapshot } from './historical.ts';
import { historyTold, isoTime } from './told.ts';

type Input = InputOf<Operations['hotspots.coupling']>;
type Output = OutputOf<Operations['hotspots.coupling']>;

const secondsOfDay = 86_400;

/** What usually changes together with a file or folder. Throws the faults of a path that names nothing. */
export function couplingAnswer(of: HistoricalSnapshot, input: Input): Output {
  const { past, asked } = of;
  const path = askedPath(input.path, {
    field: 'path',
    refusal: 'invalidParameter',
    isHere: one => past.tree.has(of.fromTop(one)),
  });
  const files = filesAt(of, path);
  const oldest = Math.floor(asked.now / 1000) - input.days * secondsOfDay;
  const { commits, leftOut, others } = coChangesOf(past.history, files, oldest);
  const close = others
    .filter(({ together }) => together >= input.minTogether && together / commits >= input.minStrength)
    .flatMap(one => fromRoot(of, one, oldest) ?? []);
  close.sort((a, b) => b.together - a.together || b.reverse - a.reverse || (a.path < b.path ? -1 : 1));
  return {
    path,
    commits,
    commitsLeftOut: leftOut,
    couplings: close.slice(0, input.limit).map(one => ({
      path: one.path,
      together: one.together,
      strength: rounded(one.together / commits, 4),
      reverse: rounded(one.reverse, 4),
      lastTogether: isoTime(past.history.commit(one.last).committedAt),
    })),
    total: close.length,
    days: input.days,
    ...historyTold(of),
    snapshotId: of.snapshot.snapshotId,
    completeness: completeness(of.snapshot, asked, 0),
    timestamp: new Date(asked.now).toISOString(),
  };
}

/** What is gone, or lies outside the repository's root, changes with nothing any more. */
function fromRoot(of: HistoricalSnapshot, one: CoChange, oldest: number) {
  const path = of.fromRoot(one.path);
  return path === undefined || !of.past.tree.has(one.path)
    ? undefined
    : { ...one, path, reverse: one.together / tellingCommits(of.past.history, one.file, oldest) };
}

/** The file at a path, or those below it, by their numbers in the history; none of those that were never committed. */
function filesAt(of: HistoricalSnapshot, path: string): readonly number[] {
  const { past, reader, asked, snapshot } = of;
  const top = of.fromTop(path);
  const scope = top === '' ? undefined : top.replace(/\/$/, '');
  const paths = past.tree.has(top) ? [top] : [...past.tree.keys()].filter(one => isInScope(one, scope));
  if (paths.length > 0) return paths.flatMap(one => past.history.fileOf(one) ?? []);
  const { key } = asked.repo;
  const isHere =
    reader.file(key, snapshot.seq, path) !== undefined || reader.filesBelow(key, snapshot.seq, path, 1).length > 0;
  if (isHere) return [];
  throw new Fault('fileNotFound', 'The repository has nothing at that path, or ignores it', {
    details: { path },
    suggestedFixes: fileRemedies(asked.repo.id, asked.dirtyFiles > 0),
  });
}
