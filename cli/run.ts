import { gitRoot, quote } from '../client/paths.ts';
import type { Caller, CallOptions, Progress } from '../client/protocol/caller.ts';
import { Fault, invalid, type Problem } from '../client/protocol/faults.ts';
import type { OperationName } from '../client/protocol/registry.ts';
import { symbolIdsIn } from '../client/protocol/symbol-fields.ts';
import { pause } from '../client/start.ts';
import { type Command, tableFormat, UsageError } from './commands.ts';
import type { GateAsked } from './gate/flags.ts';
import type { Ask } from './gate/measure.ts';
import { progressLine } from './progress.ts';
import { writeAnswer } from './render.ts';
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
  withAdvice,
} from './repository.ts';
import { openCaller, openSocket, type Session } from './session.ts';
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

/** Asks one operation, writes its answer, and resolves with the exit code. Rejects with `Fault`. */
export async function runOperation(here: Session, command: Command, given: Asked): Promise<number> {
  const { gate } = given;
  if (gate !== undefined) {
    if (gate.format !== undefined) refuseTwoFormats(here, 'format', gate.format);
    const { gateFunctions, gateSymbols } = await import('./gate/gate.ts');
    return withAsk(here, given, async (ask, caller) =>
      command.entry.cli?.gate === 'symbols'
        ? gateSymbols(here, gate, await placedFields(here, caller, command.operation, given), ask)
        : gateFunctions(here, gate, gate.several, ask),
    );
  }
  const { session, asked } = inAskedFormat(here, command, given);
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
    const answer = await answerOf(caller, command, input, options, asked.sync).catch(async error => {
      progress.clear();
      if (hasStoppedWaiting(error)) await tellOfJob(session, caller, command.operation, input);
      throw error;
    });
    progress.clear();
    await write(session, command.operation, asked.fields, answer);
    return hasFindings(command.operation, input, answer) ? findings : 0;
  } catch (error) {
    const told = session.format === 'json' ? error : inFlags(error, command);
    throw isAskedHere(command, asked) ? withAdvice(told, session.directory) : told;
  } finally {
    progress.clear();
    await caller.close();
  }
}

/** An error that names fields, in the words of the command line. */
function inFlags(error: unknown, { flags }: Command): unknown {
  if (!(error instanceof Fault) || (error.reason !== 'invalidParameter' && error.reason !== 'invalidBody'))
    return error;
  const problems = error.extras.details?.['problems'] as readonly Problem[] | undefined;
  const shown = problems?.map(({ path, message }) => {
    const flag = flags.find(({ field }) => field === path.replace(/\[\d+\]$/, ''));
    return { path: flag === undefined ? path : `--${flag.name}`, message };
  });
  return shown === undefined ? error : invalid(error.reason, shown);
}

/** `--format json` is `--json`, and a table what people are shown anyway; anything else is asked for and written as it comes. */
function inAskedFormat(session: Session, { entry }: Command, asked: Asked): { session: Session; asked: Asked } {
  const { formats } = entry;
  if (formats === undefined) return { session, asked };
  const { [formats.field]: format, ...fields } = asked.fields;
  if (format === undefined) return { session, asked };
  if (format !== session.format) refuseTwoFormats(session, formats.field, String(format));
  switch (format) {
    case tableFormat:
      return { session, asked: { ...asked, fields } };
    case 'json':
      return { session: { ...session, format: 'json' }, asked: { ...asked, fields } };
    default:
      return { session: { ...session, format: 'verbatim' }, asked };
  }
}

function refuseTwoFormats({ format }: Session, flag: string, asked: string): void {
  if (format !== 'human') throw new UsageError(`--${flag} ${asked} and --${format} exclude each other`);
}

/** What asks several questions about one repository: the first waits for what was written before, if it is asked to. */
export async function withAsk<T>(
  session: Session,
  { repo, sync }: Pick<Asked, 'repo' | 'sync'>,
  work: (ask: Ask, caller: Caller) => Promise<T>,
): Promise<T> {
  const caller = await openCaller(session);
  const progress = progressLine(session.terminal);
  const { signal, timeoutMs } = session;
  const options = { signal, onProgress: progress.show, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  const place =
    repo === undefined
      ? placeOf(session.directory)
      : { repo: looksLikePath(repo) ? pathArgument(session.directory, repo) : repo };
  /** The question that waited for everything written before; all others come after it. */
  let synced = sync ? undefined : Promise.resolve<unknown>(undefined);
  const ask = async (operation: OperationName, fields: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const asked = (more: { readonly sync?: true }) =>
      answerOf(caller, { operation }, { ...fields, ...place, ...more }, options, sync);
    const mayBeBehind = session.table.some(({ name, faults }) => name === operation && faults.includes('indexStale'));
    if (!mayBeBehind) return asked({});
    if (synced === undefined) {
      synced = asked({ sync: true });
      return synced;
    }
    await synced.catch(() => {});
    return asked({});
  };
  try {
    return await work(ask as Ask, caller);
  } catch (error) {
    throw repo === undefined ? withAdvice(error, session.directory) : error;
  } finally {
    progress.clear();
    await caller.close();
  }
}

async function write(
  session: Session,
  operation: OperationName,
  given: Asked['fields'],
  answer: unknown,
): Promise<void> {
  if (!operation.startsWith('delta.')) writeAnswer(session.terminal, session.format, operation, answer);
  else (await import('./delta.ts')).writeDeltaAnswer(session, operation, given, answer);
}

function hasStoppedWaiting(error: unknown): boolean {
  return error instanceof Fault && (error.reason === 'cancelled' || error.reason === 'timeout');
}

/** Others may wait for the same job, so it does not end with the one who asked: that is said, and how to end it. */
async function tellOfJob(
  { terminal }: Session,
  caller: Caller,
  operation: OperationName,
  input: Record<string, unknown>,
): Promise<void> {
  const goesOn = (what: string, id: string) =>
    terminal.err(`svc: ${what} goes on without you; to end it: svc job cancel ${id}\n`);
  try {
    const meant = jobsOf[operation];
    if (meant !== undefined) {
      const id = await jobFor(caller, String(input['repo']), type => meant.types.test(type));
      if (id !== undefined) goesOn(meant.what, id);
    } else if (isAwaited(operation, input)) {
      const { id, status, type } = await caller.call('jobs.get', { id: String(input['id']) }, soon);
      if (status === 'queued' || status === 'running') goesOn(type, id);
    }
  } catch {
    // The wait ended on purpose; that it can't be told of is no fault of its own.
  }
}

const soon: CallOptions = { timeoutMs: 1000 };

/** The jobs that operations begin. */
const jobsOf: Partial<Record<OperationName, { readonly what: string; readonly types: RegExp }>> = {
  'indexing.index': { what: 'indexing', types: /^(?:index-repository|ingest-scip|index-precise)$/ },
  'refresh.run': { what: 'the refresh', types: /^refresh-/ },
  'docs.index': { what: 'reading documents', types: /^index-docs$/ },
};

async function jobFor(caller: Caller, repo: string, isMeant: (type: string) => boolean): Promise<string | undefined> {
  const { repos } = await caller.call('daemon.listRepos', {}, soon);
  const id = repos.some(one => one.id === repo) ? repo : registeredAround(repos, repo)?.id;
  const [running, queued] = await Promise.all([
    caller.call('jobs.list', { status: 'running' }, soon),
    caller.call('jobs.list', { status: 'queued' }, soon),
  ]);
  return [...running.jobs, ...queued.jobs].find(one => one.repo === id && isMeant(one.type))?.id;
}

function isAwaited(operation: OperationName, input: Record<string, unknown>): boolean {
  return operation === 'jobs.get' && input['wait'] === true;
}

/** The repository meant is the one around the caller. */
function isAskedHere({ entry }: Command, { repo, fields }: Asked): boolean {
  return entry.scope === 'repository' && repo === undefined && symbolIdsIn(fields).length === 0;
}

/** Exit code of an answer that tells of something wrong. */
const findings = 1;

function hasFindings(operation: OperationName, input: Record<string, unknown>, answer: unknown): boolean {
  switch (operation) {
    case 'jobs.get':
      return isAwaited(operation, input) && (answer as { readonly status: string }).status !== 'completed';
    case 'system.doctor':
      return (answer as { readonly summary: { readonly failed: number } }).summary.failed > 0;
    case 'remote.sync':
      return (answer as { readonly results: readonly { readonly status: string }[] }).results.some(
        ({ status }) => status === 'failed',
      );
    case 'federation.sync':
      return (answer as { readonly summary: { readonly failed: number } }).summary.failed > 0;
    case 'contracts.diff':
      return (answer as { readonly summary: { readonly breaking: number } }).summary.breaking > 0;
    case 'delta.validate':
      return !(answer as { readonly valid: boolean }).valid;
    default:
      return false;
  }
}

async function inputOf(
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
async function placedFields(
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
  if (repo !== undefined) return { repo: looksLikePath(repo) ? pathArgument(directory, repo) : repo };
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

function looksLikePath(repo: string): boolean {
  return /^(\/|\.\.?(\/|$))/.test(repo);
}

/** How often a first index under way is asked for again. */
const lookAgainMs = 150;

/** The answer; where the repository is being indexed for the first time, the one that comes after that. */
async function answerOf(
  caller: Caller,
  { operation }: Pick<Command, 'operation'>,
  input: Record<string, unknown>,
  options: CallOptions,
  mayWait: boolean,
): Promise<unknown> {
  const endsAtMs = performance.now() + (options.timeoutMs ?? Number.POSITIVE_INFINITY);
  let notReady: unknown;
  for (;;) {
    try {
      const leftMs = Math.max(1, Math.ceil(endsAtMs - performance.now()));
      return await call(
        caller,
        operation,
        input,
        Number.isFinite(leftMs) ? { ...options, timeoutMs: leftMs } : options,
      );
    } catch (error) {
      // Where time ends in the midst of asking again, why there is no answer is known all the same.
      if (notReady !== undefined && error instanceof Fault && error.reason === 'timeout') throw notReady;
      const progress = mayWait ? firstIndexOf(error) : undefined;
      if (progress === undefined || performance.now() + lookAgainMs > endsAtMs) throw error;
      notReady = error;
      options.onProgress?.(progress);
      await pause(lookAgainMs);
      if (options.signal?.aborted) throw new Fault('cancelled', 'Cancelled');
    }
  }
}

/** How far the first index is, where that is why there is no answer. */
function firstIndexOf(error: unknown): Progress | undefined {
  if (!(error instanceof Fault) || error.reason !== 'notReady') return undefined;
  const progress = error.extras.details?.['progress'] as { phase: string; fraction: number } | undefined;
  return progress === undefined ? undefined : { message: progress.phase, fraction: progress.fraction };
}

/** The table says which fields an operation takes, and the daemon checks them again: types end at the command line. */
function call(caller: Caller, name: OperationName, input: Record<string, unknown>, options: CallOptions) {
  return (caller.call as (name: OperationName, input: unknown, options: CallOptions) => Promise<unknown>)(
    name,
    input,
    options,
  );
}
