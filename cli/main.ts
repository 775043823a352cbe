#!/usr/bin/env node
import type { Command as Program } from 'commander';
import { type Places, packageVersion } from '../client/paths.ts';
import { Fault, faultTable, invalid } from '../client/protocol/faults.ts';
import { UsageError, ValueError } from './commands.ts';
import type { LocalCommands } from './local.ts';
import { buildProgram, type GlobalFlags, runProgram } from './program.ts';
import { type Format, writeFault, writeText } from './render.ts';
import { placesHere, type Session } from './session.ts';
import { loadTable, type TableEntry } from './table.ts';
import { leaveQuietlyOnBrokenPipe, openTerminal, rebindConsole } from './terminal.ts';
import { commandFor } from './ways-on.ts';

rebindConsole();
leaveQuietlyOnBrokenPipe();
const interrupted = interruption();
process.exitCode = await main(process.argv.slice(2));

/** A command line on its way: the flags that every command takes, once they are known, and how it ends. */
interface Line {
  readonly table: readonly TableEntry[];
  flags: GlobalFlags;
  code: number;
}

/** Runs one command line and says how it ended. What only some commands need is loaded by them. */
async function main(argv: readonly string[]): Promise<number> {
  const flags: GlobalFlags = { color: 'auto', autostart: true, ...(argv.includes('--json') ? { json: true } : {}) };
  const line: Line = { table: await loadTable(), flags, code: 0 };
  const program = await buildProgram({
    table: line.table,
    firstWord: argv[0] ?? '',
    isHelpFull: argv.includes('--help') || argv.includes('help'),
    ask: async (command, asked, given) => {
      const { runOperation } = await import('./run.ts');
      line.code = await runOperation(sessionOf(line, given), command, asked);
    },
    local: localCommandsOf(line),
  });
  try {
    refuseBrokenText(argv);
    if (argv[0] === '__complete') await printCompletions(program, line, argv.slice(1));
    else await runProgram(program, argv, given => printVersions(sessionOf(line, given)));
    return line.code;
  } catch (error) {
    return await failed(line, error, argv.find(word => !word.startsWith('-')) ?? '');
  }
}

function localCommandsOf(line: Line): LocalCommands {
  return {
    serve: async (options, given) => {
      const { serve } = await import('./serve.ts');
      await serve(sessionOf(line, given), options);
    },
    control: async (verb, given) => {
      const control = await import('./control.ts');
      await control[`${verb}Command`](sessionOf(line, given));
    },
    logs: async (options, given) => {
      const { logsCommand } = await import('./logs.ts');
      await logsCommand(sessionOf(line, given), options);
    },
    run: async detached => {
      // From here on the daemon hears the signals.
      interrupted.release();
      const { runCommand } = await import('./control.ts');
      line.code = await runCommand(detached);
    },
    configExample: async given => {
      const { exampleCommand } = await import('./control.ts');
      exampleCommand(sessionOf(line, given));
    },
    inspectDelta: async (file, given) => {
      const { inspectArtifact } = await import('./delta.ts');
      await inspectArtifact(sessionOf(line, given), file);
    },
    baseline: async ({ repo, ...asked }, given) => {
      const session = sessionOf(line, given);
      const [{ withAsk }, { writeBaseline }] = await Promise.all([import('./run.ts'), import('./gate/gate.ts')]);
      await withAsk(session, { repo, sync: true }, ask => writeBaseline(session, asked, ask));
    },
    docsCheck: async (asked, given) => {
      const session = sessionOf(line, given);
      const { checkDocsCommand } = await import('./docs/run.ts');
      line.code = await checkDocsCommand(session, asked);
    },
    docsFix: async (asked, given) => {
      const { fixDocsCommand } = await import('./docs/run.ts');
      line.code = await fixDocsCommand(sessionOf(line, given), asked);
    },
    completion: async (shell, given) => {
      const { completionScript } = await import('./completion.ts');
      writeText(sessionOf(line, given), 'script', completionScript(shell));
    },
  };
}

async function printCompletions(program: Program, line: Line, words: readonly string[]): Promise<void> {
  const [{ complete }, { openSocket }, { placeOf }] = await Promise.all([
    import('./completion.ts'),
    import('./session.ts'),
    import('./repository.ts'),
  ]);
  const session = sessionOf(line, line.flags);
  const caller = openSocket(session, 'never');
  const asking = { caller, place: placeOf(session.directory) };
  for (const word of await complete(program, line.table, words[0] === '--' ? words.slice(1) : words, asking)) {
    session.terminal.out(`${word}\n`);
  }
  await caller.close();
}

/** Node.js hands on bytes that are no UTF-8 as U+FFFD: what was meant can't be known any more. */
function refuseBrokenText(argv: readonly string[]): void {
  const broken = argv.find(word => word.includes('\ufffd'));
  if (broken !== undefined) throw new UsageError(`${JSON.stringify(broken)} is not UTF-8`);
}

async function printVersions(session: Session): Promise<void> {
  const { versionCommand } = await import('./control.ts');
  await versionCommand(session);
}

/** What a command works with. How a later failure is told is known from here on. */
function sessionOf(line: Line, flags: GlobalFlags): Session {
  line.flags = flags;
  const { env } = process;
  if (flags.json === true && flags.plain === true) throw new UsageError('--json and --plain exclude each other');
  let places: Places | undefined;
  return {
    env,
    table: line.table,
    directory: currentDirectory(),
    version: packageVersion(env),
    terminal: openTerminal({ env, color: flags.color }),
    format: formatOf(flags),
    signal: interrupted.signal,
    timeoutMs: flags.timeout === undefined ? undefined : Math.ceil(flags.timeout * 1000),
    mayStart: flags.autostart,
    /** Found out when first needed: help and completion work without a home. */
    get places() {
      places ??= placesHere(env);
      return places;
    },
  };
}

function formatOf(flags: GlobalFlags): Format {
  return flags.json === true ? 'json' : flags.plain === true ? 'plain' : 'human';
}

/** The folder may have been deleted under us. */
function currentDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

async function failed({ flags, table }: Line, error: unknown, verb: string): Promise<number> {
  const isUsage = error instanceof UsageError;
  if (isUsage && error.message === '' && flags.json !== true) return faultTable.invalidParameter.exit;
  const fault = isUsage ? await usageFault(error, formatOf(flags)) : asFault(error);
  if (fault.reason === 'cancelled' && interrupted.signal.aborted) return interrupted.code();
  const terminal = openTerminal({ env: process.env, color: flags.color });
  writeFault(terminal, formatOf(flags), fault, query => commandFor(table, query, verb));
  return fault.row.exit;
}

/** To a program a wrong value is told as HTTP tells it. */
async function usageFault(error: UsageError, format: Format): Promise<Fault> {
  if (!(error instanceof ValueError) || format !== 'json') {
    // A secret in a wrong place is not said again: what commands say may be kept.
    const message = error.message.replace(/\bsvc_sk_\w+/g, 'svc_sk_…');
    return new Fault('invalidParameter', message || 'A command is missing');
  }
  // Loaded here: what knows the words takes longer to load than a query takes.
  const { expectation } = await import('../client/protocol/expectation.ts');
  const { path, schema } = error.place;
  return invalid('invalidParameter', [{ path, message: expectation({ ...schema }, error.text) }]);
}

function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return new Fault('operationFailed', 'svc itself failed', { cause: error });
}

/** The first SIGINT or SIGTERM cancels what is under way, on the server too; the second one ends this process at once. */
function interruption(): { readonly signal: AbortSignal; code(): number; release(): void } {
  const controller = new AbortController();
  let code = 130;
  const hear = (name: NodeJS.Signals) => {
    const ending = name === 'SIGINT' ? 130 : 143;
    if (controller.signal.aborted) process.exit(ending);
    code = ending;
    controller.abort();
  };
  const names = ['SIGINT', 'SIGTERM'] as const;
  for (const name of names) process.on(name, hear);
  return {
    signal: controller.signal,
    code: () => code,
    release: () => {
      for (const name of names) process.off(name, hear);
    },
  };
}
