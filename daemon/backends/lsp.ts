import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findProgram } from './find-program.ts';
import { type LspConnection, LspFailed, openLsp } from './lsp-connection.ts';
import { type LanguageServer, languageId } from './lsp-table.ts';
import { programEnvironment } from './program-environment.ts';

export interface LspOptions {
  /** Those that are configured and those that may be found, in the order in which they are preferred. */
  readonly servers: () => readonly LanguageServer[];
  readonly environment: NodeJS.ProcessEnv;
  /** A folder of ours; what is made in it is removed again. */
  readonly scratchFolder: string;
  readonly nowMs: () => number;
}

/** How a server answered when it was last asked. */
export interface LspHealth {
  readonly name: string;
  readonly languages: readonly string[];
  readonly available: boolean;
  readonly latencyMs: number;
  readonly version: string | undefined;
  /** Why it is not available, in public words. */
  readonly problem: string | undefined;
}

export interface LspPosition {
  /** Both 0-based; characters as UTF-16 counts them. */
  readonly line: number;
  readonly character: number;
}

export interface LspReference {
  /** Relative to the root. */
  readonly path: string;
  readonly start: LspPosition;
  readonly end: LspPosition;
}

export interface LspQuestion {
  /** Absolute: the work tree of a repository that the user trusts. */
  readonly root: string;
  /** Relative to the root. */
  readonly path: string;
  readonly language: string;
  readonly position: LspPosition;
  /** What must stand there: else the file has changed since whoever asks looked into it. */
  readonly name: string;
  readonly signal: AbortSignal;
}

export interface Lsp {
  /** Of the servers that are installed; asked anew where the last answer is older than ten minutes. */
  health(signal: AbortSignal): Promise<readonly LspHealth[]>;
  /** Where what stands at a position is used, its definition left out. Rejects with `LspFailed`, `missing` without a server. */
  references(question: LspQuestion): Promise<readonly LspReference[]>;
  close(): Promise<void>;
}

const healthAgeMs = 600_000;
const initializeMs = 15_000;
const answerMs = 20_000;
const loadingMs = 20_000;
const mostReferences = 10_000;
const mostServers = 4;
const idleMs = 300_000;
const serverBytes = 3 * 2 ** 30;
const lookEveryMs = 5000;
const mostTextBytes = 2 * 2 ** 20;

export function createLsp(options: LspOptions): Lsp {
  const running = new Map<string, RunningServer>();
  let health: { readonly atMs: number; readonly answer: Promise<readonly LspHealth[]> } | undefined;
  const probeAll = async (signal: AbortSignal): Promise<readonly LspHealth[]> => {
    const answers: LspHealth[] = [];
    // One after the other: together they would take the processor from whoever waits for an answer.
    for (const server of installed(options)) answers.push(await probe(server, options, signal));
    return answers;
  };
  const look = setInterval(() => void tidy(running, options.nowMs()), lookEveryMs);
  look.unref();
  return {
    health(signal) {
      if (health === undefined || options.nowMs() - health.atMs > healthAgeMs) {
        const asked = { atMs: options.nowMs(), answer: probeAll(signal) };
        health = asked;
        asked.answer.catch(() => {
          if (health === asked) health = undefined;
        });
      }
      return health.answer;
    },
    async references(question) {
      const server = installed(options).find(({ languages }) => languages.includes(question.language));
      if (server === undefined)
        throw new LspFailed('missing', `no language server for ${question.language} is installed`);
      const text = textOf(question);
      return ask(await serverFor(server, question, running, options), question, text);
    },
    async close() {
      clearInterval(look);
      const all = [...running.values()];
      running.clear();
      await Promise.all(all.map(stop));
    },
  };
}

interface InstalledServer extends LanguageServer {
  readonly program: string;
}

interface RunningServer {
  readonly ready: Promise<void>;
  readonly connection: LspConnection;
  readonly scratch: string;
  usedAtMs: number;
  /** One that has just been started knows the open file alone until it has read the project. */
  hasRead: boolean;
}

function installed({ servers, environment }: LspOptions): readonly InstalledServer[] {
  return servers().flatMap(server => {
    const [command = '', ...more] = server.command;
    const found = findProgram(
      { configured: command, program: command },
      { path: environment['PATH'] ?? '', packageFolders: [] },
    );
    return found === undefined ? [] : [{ ...server, program: found.program, command: [command, ...more] }];
  });
}

/** A greeting in an empty folder, which runs nobody's code. */
async function probe(server: InstalledServer, options: LspOptions, signal: AbortSignal): Promise<LspHealth> {
  const { name, languages } = server;
  const startedMs = options.nowMs();
  const scratch = scratchOf(options);
  const empty = join(scratch, 'empty');
  mkdirSync(empty);
  const connection = open(server, empty, scratch, options);
  try {
    const answer = await initialize(connection, empty, server, signal);
    const version = (answer as { readonly serverInfo?: { readonly version?: unknown } } | null)?.serverInfo?.version;
    return {
      name,
      languages,
      available: true,
      latencyMs: Math.round(options.nowMs() - startedMs),
      version: typeof version === 'string' ? version.slice(0, 100) : undefined,
      problem: undefined,
    };
  } catch (error) {
    if (!(error instanceof LspFailed)) throw error;
    return { name, languages, available: false, latencyMs: 0, version: undefined, problem: error.message };
  } finally {
    await connection.close();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function serverFor(
  server: InstalledServer,
  { root, signal }: LspQuestion,
  running: Map<string, RunningServer>,
  options: LspOptions,
): Promise<RunningServer> {
  const key = `${server.name}\0${root}`;
  const known = running.get(key);
  if (known?.connection.isOpen()) {
    known.usedAtMs = options.nowMs();
    return whenReady(known, signal);
  }
  if (known !== undefined) await stop(known);
  await makeRoom(running);
  const scratch = scratchOf(options);
  const connection = open(server, root, scratch, options);
  const ready = initialize(connection, root, server, signal).then(() => undefined);
  const started = { ready, connection, scratch, usedAtMs: options.nowMs(), hasRead: false };
  running.set(key, started);
  ready.catch(() => {
    if (running.get(key) === started) running.delete(key);
    void stop(started);
  });
  return whenReady(started, signal);
}

/** Rejects with `LspFailed`, `cancelled` where the signal fires first. */
function whenReady(server: RunningServer, signal: AbortSignal): Promise<RunningServer> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(new LspFailed('cancelled', 'the question was cancelled'));
    if (signal.aborted) return leave();
    signal.addEventListener('abort', leave, { once: true });
    const done = () => signal.removeEventListener('abort', leave);
    server.ready.then(() => resolve(server), reject).finally(done);
  });
}

/** The text of the file that is asked about. */
function textOf({ root, path, position, name }: LspQuestion): string {
  let text = '';
  try {
    text = readFileSync(join(root, path), 'utf8').slice(0, mostTextBytes);
  } catch {}
  const line = text.split('\n')[position.line] ?? '';
  if (line.startsWith(name, position.character)) return text;
  throw new LspFailed('refused', `${path} has changed since it was indexed: ask again in a moment`);
}

async function ask(server: RunningServer, question: LspQuestion, text: string): Promise<readonly LspReference[]> {
  const { connection } = server;
  const { root, path, language, position, signal } = question;
  const uri = pathToFileURL(join(root, path)).href;
  connection.tell('textDocument/didOpen', {
    textDocument: { uri, languageId: languageId(language, path), version: 1, text },
  });
  try {
    if (!server.hasRead) await connection.untilQuiet({ beginsMs: 500, mostMs: loadingMs, signal });
    server.hasRead ||= !signal.aborted;
    const params = { textDocument: { uri }, position, context: { includeDeclaration: false } };
    const answer = await connection.ask('textDocument/references', params, { timeoutMs: answerMs, signal });
    return (Array.isArray(answer) ? answer : []).slice(0, mostReferences).flatMap(one => referenceOf(one, root));
  } finally {
    connection.tell('textDocument/didClose', { textDocument: { uri } });
  }
}

/** Whatever lies outside the root, or is no location, is left out. */
function referenceOf(location: unknown, root: string): readonly LspReference[] {
  const { uri, range } = (location ?? {}) as {
    readonly uri?: unknown;
    readonly range?: { start?: unknown; end?: unknown };
  };
  const start = positionOf(range?.start);
  const end = positionOf(range?.end);
  if (typeof uri !== 'string' || start === undefined || end === undefined) return [];
  try {
    const path = fileURLToPath(uri);
    return path.startsWith(`${root}/`) ? [{ path: path.slice(root.length + 1), start, end }] : [];
  } catch {
    return [];
  }
}

function positionOf(value: unknown): LspPosition | undefined {
  const { line, character } = (value ?? {}) as { readonly line?: unknown; readonly character?: unknown };
  const isCount = (one: unknown): one is number => Number.isSafeInteger(one) && (one as number) >= 0;
  return isCount(line) && isCount(character) ? { line, character } : undefined;
}

async function initialize(
  connection: LspConnection,
  folder: string,
  { options = {} }: LanguageServer,
  signal: AbortSignal,
): Promise<unknown> {
  const rootUri = pathToFileURL(folder).href;
  const answer = await connection.ask(
    'initialize',
    {
      processId: process.pid,
      clientInfo: { name: 'svc' },
      rootUri,
      rootPath: folder,
      initializationOptions: options,
      workspaceFolders: [{ uri: rootUri, name: 'root' }],
      capabilities: {
        general: { positionEncodings: ['utf-16'] },
        workspace: { configuration: true, workspaceFolders: true },
        textDocument: { references: {}, synchronization: {} },
        window: { workDoneProgress: true },
      },
    },
    { timeoutMs: initializeMs, signal },
  );
  connection.tell('initialized', {});
  return answer;
}

function open(server: InstalledServer, cwd: string, scratch: string, { environment }: LspOptions): LspConnection {
  const env = programEnvironment({ from: environment, trusted: true, scratch, memoryBytes: serverBytes });
  return openLsp(server.name, { program: server.program, arguments: server.command.slice(1), cwd, env });
}

function scratchOf({ scratchFolder }: LspOptions): string {
  mkdirSync(scratchFolder, { recursive: true, mode: 0o700 });
  return mkdtempSync(join(scratchFolder, 'lsp-'));
}

/** The one that has not been asked for longest goes. */
async function makeRoom(running: Map<string, RunningServer>): Promise<void> {
  if (running.size < mostServers) return;
  const [key, oldest] = [...running].sort(([, a], [, b]) => a.usedAtMs - b.usedAtMs)[0]!;
  running.delete(key);
  await stop(oldest);
}

async function tidy(running: Map<string, RunningServer>, nowMs: number): Promise<void> {
  for (const [key, server] of running) {
    const isIdle = nowMs - server.usedAtMs > idleMs;
    if (!isIdle && server.connection.isOpen() && server.connection.memoryBytes() <= serverBytes) continue;
    running.delete(key);
    await stop(server);
  }
}

async function stop({ connection, scratch }: RunningServer): Promise<void> {
  await connection.close();
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
}
