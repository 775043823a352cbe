import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type LspConnection, LspFailed } from './lsp-connection.ts';
import { available, createLspHealths, type LspHealth, type LspHealths, unavailable } from './lsp-health.ts';
import { type InstalledServer, initialize, installed, type LspOptions, open, serverBytes, stop } from './lsp-start.ts';
import { languageId } from './lsp-table.ts';

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
  /** Who leaves before it is over says nothing of the server. */
  readonly signal: AbortSignal;
  /** How long an answer is waited for. */
  readonly longestMs: number;
}

export interface Lsp {
  /** As `LspHealths.read` tells. */
  health(longestMs: number): Promise<readonly LspHealth[]>;
  /**
   * Where what stands at a position is used, its definition left out. The first question about a tree starts the server,
   * which goes on reading it when nobody waits any more. Rejects with `LspFailed`, `missing` without a server, `late` when
   * the time is over.
   */
  references(question: LspQuestion): Promise<readonly LspReference[]>;
  /** Ends at once what runs in a tree that the user trusts no more. */
  endIn(root: string): void;
  close(): Promise<void>;
}

const startMs = 60_000;
const answerMs = 20_000;
const loadingMs = 300_000;
const mostReferences = 10_000;
const mostServers = 4;
const idleMs = 300_000;
const lookEveryMs = 5000;
const mostTextBytes = 2 * 2 ** 20;
/** Of what a server does for itself, whoever may ask. */
const nobody = new AbortController().signal;

export function createLsp(options: LspOptions): Lsp {
  const servers: Servers = { running: new Map(), leaving: new Set() };
  const { running } = servers;
  const healths = createLspHealths(options);
  const look = setInterval(() => tidy(servers, options.nowMs()), lookEveryMs);
  look.unref();
  return {
    health: healths.read,
    async references(question) {
      const server = installed(options).find(({ languages }) => languages.includes(question.language));
      if (server === undefined)
        throw new LspFailed('missing', `no language server for ${question.language} is installed`);
      const text = textOf(question);
      const timeIsUp = AbortSignal.timeout(question.longestMs);
      const signal = AbortSignal.any([question.signal, timeIsUp]);
      let asked: RunningServer | undefined;
      try {
        asked = await serverFor(server, { ...question, signal }, servers, options, healths.heard);
        const found = await ask(asked, { ...question, signal }, text);
        if (asked.health !== undefined) healths.heard(asked.health);
        return found;
      } catch (error) {
        if (!(error instanceof LspFailed)) throw error;
        const isLate = error.reason === 'cancelled' && timeIsUp.aborted && !question.signal.aborted;
        const failure = isLate ? new LspFailed('late', error.message) : error;
        const shown = shownBy(failure, server, asked);
        // One that was closed to make room did nothing wrong.
        if (shown !== undefined && (asked === undefined || [...running.values()].includes(asked))) healths.heard(shown);
        throw failure;
      }
    },
    endIn(root) {
      for (const [key, server] of running) {
        if (!key.endsWith(`\0${root}`)) continue;
        server.connection.end(
          new LspFailed('ended', `${server.name} was ended: the repository is not trusted any more`),
        );
        sendOff(servers, key);
      }
    },
    async close() {
      clearInterval(look);
      healths.close();
      for (const key of running.keys()) sendOff(servers, key);
      await Promise.all(servers.leaving);
    },
  };
}

/** What a failed question shows of a server: nothing where it answered, is at work, or nobody waited for long. */
function shownBy(
  { reason, message }: LspFailed,
  server: InstalledServer,
  asked: RunningServer | undefined,
): LspHealth | undefined {
  switch (reason) {
    case 'late':
      if (asked === undefined) return unavailable(server, `${message}: ask again in a moment`, true);
      return asked.hasRead ? whenAsked(server, message) : undefined;
    case 'ended':
    case 'timeout':
    case 'too_large':
      return asked === undefined ? undefined : whenAsked(server, message);
    case 'missing':
    case 'refused':
    case 'cancelled':
      return undefined;
  }
}

function whenAsked(server: InstalledServer, message: string): LspHealth {
  return unavailable(server, `${message}, when it was last asked about a repository`);
}

interface RunningServer {
  readonly name: string;
  readonly ready: Promise<void>;
  readonly connection: LspConnection;
  readonly scratch: string;
  /** As it answered its greeting; undefined until then. */
  health: LspHealth | undefined;
  usedAtMs: number;
  /** One that has just been started knows the open file alone until it has read the project. */
  read: Promise<void> | undefined;
  hasRead: boolean;
  /** By URI, how many questions have a file open. */
  readonly open: Map<string, number>;
}

interface Servers {
  /** By name and root. */
  readonly running: Map<string, RunningServer>;
  /** Those that have been told to go, which takes a moment. */
  readonly leaving: Set<Promise<void>>;
}

/** Nothing is waited for before a server has its place: who asks meanwhile would start another. */
function serverFor(
  server: InstalledServer,
  { root, signal }: Pick<LspQuestion, 'root' | 'signal'>,
  servers: Servers,
  options: LspOptions,
  heard: LspHealths['heard'],
): Promise<RunningServer> {
  const { running } = servers;
  const key = `${server.name}\0${root}`;
  const known = running.get(key);
  if (known?.connection.isOpen()) {
    known.usedAtMs = options.nowMs();
    return whenReady(known, signal);
  }
  sendOff(servers, key);
  if (running.size >= mostServers) sendOff(servers, longestUnasked(running));
  const { connection, scratch } = open(server, options, root);
  const startedMs = options.nowMs();
  const greeted = initialize(connection, root, server, { timeoutMs: startMs, signal: nobody });
  const started: RunningServer = {
    ...{ name: server.name, connection, scratch, usedAtMs: startedMs, open: new Map() },
    ...{ health: undefined, read: undefined, hasRead: false },
    ready: greeted.then(answer => {
      started.health = available(server, answer, options.nowMs() - startedMs);
      heard(started.health);
    }),
  };
  running.set(key, started);
  started.ready.catch((error: unknown) => {
    // Else it has been sent off already.
    if (running.get(key) !== started) return;
    sendOff(servers, key);
    if (error instanceof LspFailed) heard(whenAsked(server, error.message));
  });
  return whenReady(started, signal);
}

async function whenReady(server: RunningServer, signal: AbortSignal): Promise<RunningServer> {
  await unless(signal, server.ready, `${server.name} is still starting`);
  return server;
}

/** Rejects with `LspFailed`, `cancelled` where the signal fires first. */
function unless<T>(signal: AbortSignal, work: Promise<T>, otherwise: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(new LspFailed('cancelled', otherwise));
    if (signal.aborted) return leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
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
  const { connection, name } = server;
  const { root, path, language, position, signal } = question;
  const uri = pathToFileURL(join(root, path)).href;
  const close = openFile(server, { uri, languageId: languageId(language, path), version: 1, text });
  server.read ??= connection.untilQuiet({ beginsMs: 500, mostMs: loadingMs, signal: nobody });
  try {
    await unless(signal, server.read, `${name} is still reading the project`);
    server.hasRead = true;
    const params = { textDocument: { uri }, position, context: { includeDeclaration: false } };
    const answer = await connection.ask('textDocument/references', params, { timeoutMs: answerMs, signal });
    return (Array.isArray(answer) ? answer : []).slice(0, mostReferences).flatMap(one => referenceOf(one, root));
  } finally {
    // Servers that lose their last file forget the project that they were reading for it.
    void server.read.then(close);
  }
}

interface OpenedFile {
  readonly uri: string;
  readonly languageId: string;
  readonly version: number;
  readonly text: string;
}

/** A file is opened by the first who asks about it, and closed after the last by what is returned. */
function openFile({ connection, open: files }: RunningServer, textDocument: OpenedFile): () => void {
  const { uri } = textDocument;
  const others = files.get(uri) ?? 0;
  files.set(uri, others + 1);
  if (others === 0) connection.tell('textDocument/didOpen', { textDocument });
  return () => {
    const left = files.get(uri)! - 1;
    if (left > 0) return void files.set(uri, left);
    files.delete(uri);
    connection.tell('textDocument/didClose', { textDocument: { uri } });
  };
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

function longestUnasked(running: ReadonlyMap<string, RunningServer>): string {
  return [...running].sort(([, a], [, b]) => a.usedAtMs - b.usedAtMs)[0]![0];
}

function tidy(servers: Servers, nowMs: number): void {
  for (const [key, server] of servers.running) {
    const isIdle = nowMs - server.usedAtMs > idleMs;
    if (isIdle || !server.connection.isOpen() || server.connection.memoryBytes() > serverBytes) sendOff(servers, key);
  }
}

/** Its place is free at once. */
function sendOff({ running, leaving }: Servers, key: string): void {
  const server = running.get(key);
  if (server === undefined) return;
  running.delete(key);
  const left = stop(server).finally(() => leaving.delete(left));
  leaving.add(left);
}
