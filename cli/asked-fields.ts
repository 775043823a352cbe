import { gitRoot, quote } from '../client/paths.ts';
import type { Caller } from '../client/protocol/caller.ts';
import type { OperationName } from '../client/protocol/registry.ts';
import { symbolIdsIn } from '../client/protocol/symbol-fields.ts';
import { type Command, UsageError } from './commands.ts';
import type { GateAsked } from './gate/flags.ts';
import {
  fileArgument,
  folderArgument,
  folderHere,
  isPlainFolder,
  pathArgument,
  pathInTree,
  placeOf,
  refuseFolder,
  registeredAround,
  rootAround,
} from './repository.ts';
import type { Session } from './session.ts';
import { safe } from './terminal.ts';

/** What the command line said: the fields of the operation, and how its repository is to be found. */
export interface Asked {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly repo: string | undefined;
  readonly sync: boolean;
  /** Operands that are no field of the operation, by name, such as the path of `index [path]`. */
  readonly extra: Readonly<Record<string, string>>;
  /** Bounds that the answer is held against, and the operands of which several may be given. */
  readonly gate?: GateAsked & { readonly several: readonly string[] };
}

/** What an operation is asked with: files and the repository as the daemon finds them. */
export async function inputOf(
  session: Session,
  caller: Caller,
  { operation, entry }: Command,
  { fields, repo, sync, extra }: Asked,
): Promise<Record<string, unknown>> {
  if (operation === 'remote.add' && typeof fields['tokenFile'] === 'string') {
    return { ...fields, tokenFile: fileArgument(session.directory, fields['tokenFile']) };
  }
  if (operation === 'federation.add' && typeof fields['path'] === 'string') {
    return { ...fields, path: fileArgument(session.directory, fields['path']) };
  }
  if (operation === 'daemon.addRepo') return { ...fields, root: await rootAsked(session, caller, fields['root']) };
  if (operation === 'jobs.get' || operation === 'jobs.cancel') {
    return { ...fields, id: await (await import('./jobs.ts')).wholeJobId(caller, String(fields['id'])) };
  }
  if (entry.scope !== 'repository') return { ...fields };
  const placed = await placedFields(session, caller, operation, { fields, repo });
  return {
    ...placed,
    ...(await placeAsked(session, caller, { operation, fields, repo, path: extra['path'] })),
    // Only answers from the index can be behind the tree; how the index itself does is told at once.
    ...(sync && entry.faults.includes('indexStale') ? { sync: true } : {}),
  };
}

/** Fields that name files, as the daemon finds those. */
export async function placedFields(
  session: Session,
  caller: Caller,
  operation: OperationName,
  { fields, repo }: Pick<Asked, 'fields' | 'repo'>,
): Promise<Asked['fields']> {
  const inTree = pathsInTree[operation];
  const path = inTree === undefined || repo !== undefined ? undefined : fields[inTree];
  if (inTree !== undefined && typeof path === 'string') {
    if (operation === 'analysis.complexity') refuseFolder(session.directory, path);
    return { ...fields, [inTree]: await pathInTree(caller, session.directory, path) };
  }
  if (operation === 'decisions.create') return (await import('./decisions.ts')).writtenFields(session, fields);
  if (operation === 'telemetry.ingestCalls') return (await import('./calls.ts')).callsFields(session, fields);
  if (operation.startsWith('delta.')) return (await import('./delta.ts')).artifactFields(session, fields);
  if (operation === 'analysis.affected') {
    return (await import('./affected.ts')).affectedFields(session, caller, fields, repo);
  }
  const { scip } = fields;
  if (operation !== 'indexing.index' || typeof scip !== 'string') return fields;
  if (scip === '-') throw new UsageError('--scip: must be a file, which a job may read after this command has gone');
  return { ...fields, scip: pathArgument(session.directory, scip) };
}

/**
 * Fields that name a path inside the repository: where none is named, people mean it from the folder that they stand in. Those
 * that may name a module as well do so where there is no such path.
 */
const pathsInTree: { readonly [Name in OperationName]?: string } = {
  'analysis.complexity': 'path',
  'docs.file': 'path',
  'docs.stale': 'path',
  'analysis.architecture': 'targetPath',
  'ownership.get': 'path',
  'ownership.drift': 'scope',
  'hotspots.list': 'scope',
  'hotspots.coupling': 'path',
  'symbols.search': 'scope',
  'analysis.unwired': 'scope',
};

/** `repo add` without a path takes the repository that it stands in. */
async function rootAsked({ directory }: Session, caller: Caller, given: unknown): Promise<string> {
  return typeof given === 'string' ? pathArgument(directory, given) : rootAround(caller, folderHere(directory));
}

interface Place {
  readonly operation: OperationName;
  readonly fields: Asked['fields'];
  readonly repo: string | undefined;
  readonly path: string | undefined;
}

async function placeAsked(session: Session, caller: Caller, { operation, fields, repo, path }: Place) {
  const { directory } = session;
  if (repo !== undefined && path !== undefined) throw new UsageError('--repo: goes without a path');
  if (repo !== undefined) return { repo: repoArgument(directory, repo) };
  if (symbolIdsIn(fields).length > 0) return {};
  return operation === 'indexing.index' ? { repo: await repositoryToIndex(session, caller, path) } : placeOf(directory);
}

/** The repository around a folder. `index` registers what it indexes, and says so. */
async function repositoryToIndex(
  { directory, terminal }: Session,
  caller: Caller,
  path: string | undefined,
): Promise<string> {
  const folder = path === undefined ? folderHere(directory) : folderArgument(directory, path);
  const { repos } = await caller.call('daemon.listRepos', {});
  const known = registeredAround(repos, folder);
  if (known !== undefined) return known.id;
  if (path !== undefined && isPlainFolder(folder)) {
    throw new UsageError(
      `${path}: in no git repository; to index and watch it all the same: svc repo add ${quote(folder)}`,
    );
  }
  const { repo, created } = await caller.call('daemon.addRepo', { root: gitRoot(folder) ?? folder });
  if (created) terminal.err(`Registered ${safe(`${repo.id} (${repo.root})`)}\n`);
  return repo.id;
}

/** A repository as `--repo` names it: its id, or a path from where the caller stands. */
export function repoArgument(directory: string | undefined, repo: string): string {
  return looksLikePath(repo) ? pathArgument(directory, repo) : repo;
}

function looksLikePath(repo: string): boolean {
  return /^(\/|\.\.?(\/|$))/.test(repo);
}
