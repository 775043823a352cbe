import type { Caller, CallOptions } from '../client/protocol/caller.ts';
import { Fault } from '../client/protocol/faults.ts';
import type { OperationName } from '../client/protocol/registry.ts';
import type { Command } from './commands.ts';
import { progressLine } from './progress.ts';
import { writeAnswer } from './render.ts';
import { pathArgument, repositoryAt, rootAround } from './repository.ts';
import { type ClosableCaller, openCaller, openSocket, type Session } from './session.ts';

/** What the command line said: the fields of the operation, and how its repository is to be found. */
export interface Asked {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly repo: string | undefined;
  readonly sync: boolean;
  /** Operands that are no field of the operation, by name, such as the path of `index [path]`. */
  readonly extra: Readonly<Record<string, string>>;
}

/** Asks one operation and writes its answer. Rejects with `Fault`. */
export async function runOperation(session: Session, command: Command, asked: Asked): Promise<void> {
  // Asking a daemon how it is must not bring one to life.
  const caller = command.operation === 'daemon.status' ? openSocket(session, 'never') : await openCaller(session);
  const progress = progressLine(session.terminal);
  const { signal, timeoutMs } = session;
  const options: CallOptions = {
    signal,
    onProgress: progress.show,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
  try {
    const input = await inputOf(session, caller, command, asked);
    const answer = await call(caller, command.operation, input, options);
    progress.clear();
    writeAnswer(session.terminal, session.format, command.operation, answer);
  } finally {
    progress.clear();
    await close(caller);
  }
}

/** A daemon that hangs must not hold the terminal: goodbye is said, and not waited for. */
async function close(caller: ClosableCaller): Promise<void> {
  await caller.close();
}

async function inputOf(
  session: Session,
  caller: Caller,
  { operation, entry }: Command,
  { fields, repo, sync, extra }: Asked,
): Promise<Record<string, unknown>> {
  if (operation === 'daemon.addRepo') return { ...fields, root: rootArgument(session, fields['root']) };
  if (entry.scope !== 'repository') return { ...fields };
  const named =
    operation === 'indexing.index' && repo === undefined
      ? await registered(session, caller, extra['path'])
      : (repo ?? (isSymbolId(fields['id']) ? undefined : await repositoryAt(caller, session.directory)));
  return {
    ...fields,
    ...(named === undefined ? {} : { repo: named }),
    // Only answers from the index can be behind the tree; how the index itself does is told at once.
    ...(sync && entry.faults.includes('indexStale') ? { sync: true } : {}),
  };
}

/** `repo add` without a path takes the repository that it stands in. */
function rootArgument({ directory }: Session, given: unknown): string {
  if (typeof given === 'string') return pathArgument(directory, given);
  if (directory === undefined) throw new Fault('fileNotFound', 'The current folder no longer exists: give a path');
  return rootAround(directory);
}

/** `index` registers what it indexes. */
async function registered(session: Session, caller: Caller, path: string | undefined): Promise<string> {
  const known = path === undefined ? await knownAt(caller, session.directory) : undefined;
  if (known !== undefined) return known;
  const { repo } = await caller.call('daemon.addRepo', { root: rootArgument(session, path) });
  return repo.id;
}

async function knownAt(caller: Caller, directory: string | undefined): Promise<string | undefined> {
  try {
    return await repositoryAt(caller, directory);
  } catch (error) {
    if (error instanceof Fault && error.reason === 'resourceNotFound') return undefined;
    throw error;
  }
}

/** A symbol id names its own repository. */
function isSymbolId(id: unknown): boolean {
  return typeof id === 'string' && id.startsWith('svc:');
}

/** The table says which fields an operation takes, and the daemon checks them again: types end at the command line. */
function call(caller: Caller, name: OperationName, input: Record<string, unknown>, options: CallOptions) {
  return (caller.call as (name: OperationName, input: unknown, options: CallOptions) => Promise<unknown>)(
    name,
    input,
    options,
  );
}
