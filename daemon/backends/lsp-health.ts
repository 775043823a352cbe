import { LspFailed } from './lsp-connection.ts';
import { type InstalledServer, initialize, installedServer, type LspOptions, open, stop } from './lsp-start.ts';
import type { LanguageServer } from './lsp-table.ts';

/** How a server answered when it was last asked. */
export interface LspHealth {
  readonly name: string;
  readonly languages: readonly string[];
  readonly available: boolean;
  /** Whether the user has written it down. */
  readonly isConfigured: boolean;
  /** It was greeted and has not answered so far. */
  readonly isPending: boolean;
  readonly latencyMs: number;
  readonly version: string | undefined;
  /** Why it is not available and what helps, in public words. */
  readonly problem: string | undefined;
}

export interface LspHealths {
  /**
   * Of each server that is installed or configured, as it answered last; asked anew where that is older than ten minutes
   * or the configuration names others. Those that have not answered are waited for until `longestMs` after they were asked:
   * whoever comes later doesn't wait again for one that is silent.
   */
  read(longestMs: number): Promise<readonly LspHealth[]>;
  /** What a question about a tree has shown, which counts for more than a greeting: for as long as one would be remembered. */
  heard(health: LspHealth): void;
  close(): void;
}

/** One greeting for each server. */
interface Round {
  readonly servers: string;
  readonly atMs: number;
  readonly answers: Map<string, LspHealth>;
  readonly ended: Promise<void>;
  readonly stop: AbortController;
}

const healthAgeMs = 600_000;
const greetingMs = 15_000;
const patienceMs = 1000;

export function createLspHealths(options: LspOptions): LspHealths {
  let round: Round | undefined;
  const heard = new Map<string, { readonly health: LspHealth; readonly atMs: number }>();
  const lately = (name: string): LspHealth | undefined => {
    const said = heard.get(name);
    return said === undefined || options.nowMs() - said.atMs > healthAgeMs ? undefined : said.health;
  };
  return {
    async read(longestMs) {
      const servers = options.servers();
      const named = JSON.stringify(servers);
      if (round !== undefined && round.servers !== named) heard.clear();
      if (round?.servers !== named || options.nowMs() - round.atMs > healthAgeMs) {
        round?.stop.abort();
        round = begin(servers, named, options);
      }
      const { answers, ended, atMs } = round;
      await atMost(ended, Math.max(0, atMs + longestMs - options.nowMs()));
      return servers.flatMap(server => lately(server.name) ?? answers.get(server.name) ?? unanswered(server, options));
    },
    heard(health) {
      heard.set(health.name, { health, atMs: options.nowMs() });
    },
    close: () => round?.stop.abort(),
  };
}

function begin(servers: readonly LanguageServer[], named: string, options: LspOptions): Round {
  const stop = new AbortController();
  const answers = new Map<string, LspHealth>();
  const greetAll = async (): Promise<void> => {
    const greetings: Promise<void>[] = [];
    for (const server of servers) {
      const installed = installedServer(server, options);
      if (installed === undefined) continue;
      const greeting = greet(installed, options, stop.signal)
        .catch(error => unasked(server, error))
        .then(answer => void answers.set(server.name, answer));
      greeting.catch(() => {});
      greetings.push(greeting);
      // One after the other, for together they would take the processor from whoever waits for an answer; but a silent one
      // holds up nobody.
      await atMost(greeting, patienceMs);
      if (stop.signal.aborted) return;
    }
    await Promise.all(greetings);
  };
  const ended = greetAll();
  // What fails here is told to whoever asks, and to nobody else.
  ended.catch(() => {});
  return { servers: named, atMs: options.nowMs(), answers, ended, stop };
}

function unanswered(server: LanguageServer, options: LspOptions): readonly LspHealth[] {
  const isInstalled = installedServer(server, options) !== undefined;
  if (!isInstalled && server.isConfigured !== true) return [];
  const { name, command } = server;
  const problem = isInstalled
    ? `${name} has not answered its greeting yet: ask again in a moment`
    : `${name} is configured and missing: there is no program ${command[0] ?? ''}; install it, or correct lsp.servers.${name}`;
  return [unavailable(server, problem, isInstalled)];
}

/** `answer`: what it said to its greeting. */
export function available(
  { name, languages, isConfigured = false }: LanguageServer,
  answer: unknown,
  ms: number,
): LspHealth {
  const said = (answer as { readonly serverInfo?: { readonly version?: unknown } } | null)?.serverInfo?.version;
  const version = typeof said === 'string' ? said.slice(0, 100) : undefined;
  const latencyMs = Math.round(ms);
  return { name, languages, isConfigured, isPending: false, available: true, latencyMs, version, problem: undefined };
}

export function unavailable(
  { name, languages, isConfigured = false }: LanguageServer,
  problem: string,
  isPending = false,
): LspHealth {
  return { name, languages, isConfigured, isPending, available: false, latencyMs: 0, version: undefined, problem };
}

/** A greeting in an empty folder, which runs nobody's code. */
async function greet(server: InstalledServer, options: LspOptions, signal: AbortSignal): Promise<LspHealth> {
  const startedMs = options.nowMs();
  const opened = open(server, options);
  const { connection, cwd } = opened;
  try {
    const answer = await initialize(connection, cwd, server, { timeoutMs: greetingMs, signal });
    return available(server, answer, options.nowMs() - startedMs);
  } catch (error) {
    if (!(error instanceof LspFailed)) throw error;
    if (error.reason !== 'ended') return unavailable(server, error.message);
    // Of nobody's files: there were none to read.
    const said = await connection.lastWords();
    const remedy = server.install === undefined ? '' : `; is it installed whole? ${server.install}`;
    return unavailable(server, `${error.message}${said === '' ? '' : `: ${said}`}${remedy}`);
  } finally {
    await stop(opened);
  }
}

/** The system kept us from greeting it: a full disk, or no more files may be open. */
function unasked(server: LanguageServer, error: unknown): LspHealth {
  if (!(error instanceof Error && 'code' in error)) throw error;
  return unavailable(server, `${server.name} can’t be asked here (${error.code})`);
}

async function atMost(ended: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([ended, late]).finally(() => clearTimeout(timer));
}
