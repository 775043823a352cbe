import { isAbsolute } from 'node:path';
import { agreeing, amount } from '../../../client/protocol/amount.ts';
import { Fault, invalid } from '../../../client/protocol/faults.ts';
import type { Git } from '../../backends/git.ts';
import { findRepository } from '../../backends/git-repository.ts';
import type { RepositoryRecord } from '../../model/repository.ts';
import type { StoredJob } from '../../store/daemon-db.ts';
import { toldByGit } from '../commit-tree.ts';
import type { IndexEngine } from '../engine.ts';
import { withoutGit } from '../git-trouble.ts';
import type { JobContext, JobQueue } from '../queue.ts';
import type { ScipOutcome } from './join-scip.ts';
import { troubleWithSource } from './scip-source.ts';

export const scipJobType = 'ingest-scip';

/** What the job takes, as its `input` holds it; its `result` is a `ScipTold`. */
export interface ScipJobInput {
  /** Absolute. */
  readonly file: string;
  /** Full hash; undefined: the files are those of the tree or of HEAD, as far as names fit. */
  readonly commit?: string;
}

/** What callers are told of an index that was taken in. */
export type ScipTold = Omit<ScipOutcome, 'rejected' | 'examples' | 'awaited' | 'incomplete'> & {
  readonly problems: readonly string[];
};

/** The job of a repository that takes the same index in already, or else a new one. Throws what `JobQueue.add` throws. */
export function queueScipJob(jobs: Pick<JobQueue, 'addOnce'>, repo: string, input: ScipJobInput): StoredJob {
  return jobs.addOnce(scipJobType, { repo, input });
}

/**
 * A caller's words as the job takes them. Throws `invalidBody` for a file that can't be read, `resourceNotFound` for what
 * names no commit, `preconditionFailed` without git.
 */
export async function scipJobInput(
  { scip, commit }: { readonly scip: string; readonly commit: string | undefined },
  { root }: RepositoryRecord,
  git: Pick<Git, 'commitOf'>,
  signal: AbortSignal,
): Promise<ScipJobInput> {
  const trouble = isAbsolute(scip) ? troubleWithSource(scip) : 'must be an absolute path';
  if (trouble !== undefined) throw invalid('invalidBody', [{ path: 'scip', message: trouble }]);
  if (commit === undefined) return { file: scip };
  const found = findRepository(root);
  if (found.found !== 'repository') {
    if (found.found !== 'none') throw withoutGit(found, root, 'no commits');
    throw new Fault('preconditionFailed', 'The folder is in no git repository: leave the commit out', {
      details: { reason: 'no_git' },
    });
  }
  const named = await toldByGit(git.commitOf(found.repository, commit, { signal }));
  if (named !== undefined) return { file: scip, commit: named };
  const message = `commit: ${JSON.stringify(commit)} names no commit of this clone: git fetch gets what others have`;
  throw new Fault('resourceNotFound', message, { details: { reason: 'unknown_revision', revision: commit } });
}

/** The run of the job. Rejects as `IndexEngine.ingestScip` does, and where the index tells of nothing that the tree has. */
export async function indexScip(
  repo: RepositoryRecord,
  { job, signal, report }: JobContext,
  engine: Pick<IndexEngine, 'ingestScip'>,
): Promise<Readonly<Record<string, unknown>>> {
  const { file, commit } = job.input as ScipJobInput;
  const seen = commit === undefined ? ({ kind: 'tree' } as const) : ({ kind: 'commit', commit } as const);
  const onProgress = ({ phase, fraction }: { readonly phase: string; readonly fraction: number }) =>
    report(fraction, phase);
  const { outcome, published } = await engine.ingestScip(repo, { parts: [{ file }], seen }, { signal, onProgress });
  if (outcome.joined + outcome.awaited === 0) throw nothingJoined(outcome, commit);
  const { rejected, examples, awaited: _, incomplete: __, ...told } = outcome;
  const { snapshotId, evidenceId, documentsLinked, durationMs } = published;
  const problems = problemsOf(outcome, commit);
  return {
    ...({ ...told, problems } satisfies ScipTold),
    ...{ rejected, examples, snapshotId, evidenceId, durationMs, changes: { documents: documentsLinked } },
  };
}

/** An index that says nothing of this tree is not the one that was meant. */
function nothingJoined(
  { documents, otherContent, notInTree, damaged }: ScipOutcome,
  commit: string | undefined,
): Fault {
  const told = (why: string) => new Fault('preconditionFailed', `Nothing was taken in: ${why}`);
  if (documents === 0) return told('the index tells of no file. Run the indexer again, in the folder of the project');
  if (damaged > 0) return told(`${damageWords({ damaged })[0]}. Run the indexer again`);
  if (otherContent === 0) {
    return told(
      `the repository has none of the ${amount(notInTree || documents, 'file')} that the index tells of. Is it another repository’s, or was the indexer run outside of its root?`,
    );
  }
  return told(
    `${changed(otherContent, commit)}. Name the commit that was indexed (--commit), or run the indexer again`,
  );
}

/** What can't be read of single symbols and places leaves the rest; the job's result counts it. */
function problemsOf(
  { otherContent, notInTree, awaited, incomplete, examples, damaged, rejected }: ScipOutcome,
  commit: string | undefined,
): readonly string[] {
  return [
    ...(otherContent > 0
      ? [
          `${changed(otherContent, commit)}: references there stay what they were${awaited > 0 ? ` until ${itOrThey(otherContent)}` : ''} (${named(examples.otherContent, otherContent)})`,
        ]
      : []),
    ...(incomplete > 0
      ? [
          `${amount(incomplete, 'file uses', 'files use')} what these define: references there stay what they were as well`,
        ]
      : []),
    ...(notInTree > 0
      ? [
          `${amount(notInTree, 'file')} of the index ${agreeing(notInTree, 'is', 'are')} not in the tree: ${named(examples.notInTree, notInTree)}`,
        ]
      : []),
    ...damageWords({ damaged }),
    ...Object.entries(rejected).flatMap(([reason, many]) => unreadWords(reason, many, examples.leftOut[reason]!) ?? []),
  ];
}

/** Of what is left out without harm (a place that names no symbol, a local one among those of dependencies) nothing. */
function unreadWords(reason: string, many: number, paths: readonly string[]): string | undefined {
  if (reason.startsWith('document')) {
    return `${amount(many, 'file')} of the index ${agreeing(many, 'is', 'are')} left out: ${reason} (${named(paths, many)})`;
  }
  if (!Object.hasOwn(unreadParts, reason)) return undefined;
  const [part, why] = unreadParts[reason]!;
  const where = paths.length === 0 ? '' : ` (${paths.join(', ')})`;
  return `${amount(many, part)} of the index ${agreeing(many, 'is', 'are')} left out: ${why}${where}`;
}

const unreadParts: Readonly<Record<string, readonly [part: string, why: string]>> = {
  'occurrence: range': ['place', 'a range that is none'],
  'occurrence: symbol': ['place', 'what it names is no symbol of SCIP’s'],
  'enclosing range': ['enclosing range', 'it is none'],
  symbol: ['symbol', 'none of SCIP’s, or longer than 16 KB'],
};

/** In public words what an index tells of files in places that are none. */
export function damageWords({ damaged }: Pick<ScipOutcome, 'damaged'>): readonly string[] {
  if (damaged === 0) return [];
  const files = `${amount(damaged, 'file')} of the index ${agreeing(damaged, 'is', 'are')} damaged`;
  return [`${files} (too many places or symbols that are none), and not taken in`];
}

export function named(examples: readonly string[], all: number): string {
  const more = all - examples.length;
  return `${examples.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function changed(files: number, commit: string | undefined): string {
  const many = `${amount(files, 'file')} ${agreeing(files, 'is', 'are')} not what`;
  return commit === undefined
    ? `${many} the index was made of, as far as names tell`
    : `${many} the commit ${commit.slice(0, 10)} has`;
}

function itOrThey(count: number): string {
  return agreeing(count, 'it is', 'they are');
}
