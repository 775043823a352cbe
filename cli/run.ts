import type { Caller, CallOptions } from '../client/protocol/caller.ts';
import { Fault, invalid, type Problem } from '../client/protocol/faults.ts';
import type { OperationName } from '../client/protocol/registry.ts';
import { symbolIdsIn } from '../client/protocol/symbol-fields.ts';
import { type Asked, inputOf, placedFields, repoArgument } from './asked-fields.ts';
import { type Command, tableFormat, UsageError } from './commands.ts';
import { answerOf } from './first-index.ts';
import type { Ask } from './gate/measure.ts';
import { isAwaited, tellOfJob } from './job-that-goes-on.ts';
import { progressLine } from './progress.ts';
import { writeAnswer } from './render.ts';
import { placeOf, withAdvice } from './repository.ts';
import { openCaller, openSocket, type Session } from './session.ts';

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
  if (shown === undefined) return error;
  const { message, extras } = invalid(error.reason, shown);
  return new Fault(error.reason, message, { ...error.extras, details: { ...error.extras.details, ...extras.details } });
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
  const place = repo === undefined ? placeOf(session.directory) : { repo: repoArgument(session.directory, repo) };
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
