import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DaemonEvent } from '../client/protocol/caller.ts';
import { Fault } from '../client/protocol/faults.ts';
import type { CallInputOf } from '../client/protocol/operation.ts';
import type { Operations } from '../client/protocol/registry.ts';
import type { SocketCaller } from '../client/socket.ts';
import { pause } from '../client/start.ts';
import { UsageError } from './commands.ts';
import type { ServeAsked } from './local.ts';
import { progressLine } from './progress.ts';
import { writeTold } from './render.ts';
import { folderHere, rootAround } from './repository.ts';
import { openSocket, type Session } from './session.ts';
import { sizeOf } from './views/view.ts';

/**
 * Serves the repository that the caller stands in over HTTP until interrupted. The daemon opens the listener, the running one
 * or one that is started for it, and closes it when this connection ends. A daemon that crashed or is restarted passes the
 * listener on; one that was stopped ends the serving with it, as does a configuration that lets it stand no more.
 */
export async function serve(session: Session, asked: ServeAsked): Promise<void> {
  const { port, host } = asked;
  if (host === '') throw new UsageError('--host: must name a host');
  const folder = folderHere(session.directory);
  const index = indexAsked(session, asked, folder);
  let chosen = port;
  let isFirst = true;
  let isOver = false;
  while (!session.signal.aborted) {
    const caller = openSocket(session);
    try {
      const turn = await serveOnce(session, caller, { folder, host, port: chosen, index, isFirst });
      chosen = turn.port;
      isOver = turn.wasStopped && !(await caller.hasSuccessor());
    } finally {
      await caller.close();
    }
    if (session.signal.aborted) return;
    if (isOver) {
      session.terminal.err('svc: the daemon was stopped, and the listener closed with it\n');
      return;
    }
    session.terminal.err('svc: the daemon went away; opening the listener again\n');
    isFirst = false;
    await pause(reopenMs);
  }
}

const reopenMs = 500;

interface Turn {
  readonly folder: string;
  readonly host: string;
  readonly port: number;
  readonly index: IndexAsked;
  readonly isFirst: boolean;
}

/** The fields of `daemon.openListener` that say what index server is wanted. */
type IndexAsked = Pick<
  CallInputOf<Operations['daemon.openListener']>,
  'indexServer' | 'indexConfig' | 'indexVariables'
>;

/** The daemon reads the file; of the environment here it is given what the file names, and nothing else. */
function indexAsked({ env }: Session, { indexServer, indexConfig }: ServeAsked, folder: string): IndexAsked {
  if (indexConfig === undefined) return { indexServer };
  const file = resolve(folder, indexConfig);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--index-config: ${indexConfig} can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const named = [...text.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].map(match => match[1]!);
  const set = named.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]!] as const]));
  return { indexServer, indexConfig: file, indexVariables: Object.fromEntries(set) };
}

interface TurnEnded {
  readonly port: number;
  /** The daemon was told to leave. */
  readonly wasStopped: boolean;
}

/** One connection's worth: returns when the daemon or the user ends it. */
async function serveOnce(session: Session, caller: SocketCaller, turn: Turn): Promise<TurnEnded> {
  const { signal, terminal } = session;
  const root = await rootAround(caller, turn.folder);
  const { repo, jobId, created } = await caller.call('daemon.addRepo', { root }, { signal });
  let end = () => {};
  let wasStopped = false;
  let listening: number | undefined;
  let lost: unknown;
  const over = new Promise<void>(resolve => {
    end = resolve;
  });
  signal.addEventListener('abort', end, { once: true });
  const indexing = watchIndexing(session, repo.id, jobId);
  await caller.subscribe(event => {
    if (event.type === 'daemon.draining') wasStopped = event.body['exitCode'] === 0;
    else if (event.type === 'listener.failed' && event.body['port'] === listening) {
      lost = event.body['message'];
      end();
    } else indexing.hear(event);
  }, end);
  const { url, port, indexServer, notServed } = await caller
    .call('daemon.openListener', { host: turn.host, port: turn.port, repo: repo.id, ...turn.index }, { signal })
    .catch(async (refusal: unknown) => {
      // What can't be served is not left behind, registered.
      if (created) await caller.call('daemon.removeRepo', { id: repo.id });
      throw refusal;
    });
  listening = port;
  if (turn.isFirst) {
    terminal.err(`Serving ${repo.id} (${repo.root})\n`);
    terminal.err(`Token: svc daemon token      Example: ${example(url)}\n`);
    if (indexServer) terminal.err(`Index server: ${url}/index/repos      Keys: svc token create\n`);
    for (const { id, why } of notServed) terminal.err(`svc: ${id} can’t be served: ${why}\n`);
    writeTold(
      session,
      { url, repo: repo.id, root: repo.root, ...(indexServer ? { indexServer: `${url}/index/repos` } : {}) },
      url,
    );
  }
  if (repo.status === 'ready') terminal.err(`Ready: ${sizeOf(repo)}\n`);
  if (!signal.aborted) await over;
  indexing.stop();
  signal.removeEventListener('abort', end);
  if (lost !== undefined)
    throw new Fault('misconfigured', `A change of the configuration closed the listener: ${lost}`);
  return { port, wasStopped };
}

function example(url: string): string {
  return `curl -H "Authorization: Bearer $(svc daemon token)" ${url}/status`;
}

interface IndexingWatch {
  hear(event: DaemonEvent): void;
  stop(): void;
}

/** Shows the first index as it grows, from the daemon's events. */
function watchIndexing({ terminal }: Session, repo: string, jobId: string | null): IndexingWatch {
  const progress = progressLine(terminal);
  let isReady = false;
  const hear = ({ type, body }: DaemonEvent): void => {
    if (isReady || (body['repo'] !== repo && body['jobId'] !== jobId && body['id'] !== jobId)) return;
    if (type === 'job.changed' && typeof body['message'] === 'string') {
      progress.show({ message: body['message'], ...fractionOf(body['progress']) });
    }
    if (type === 'job.changed' && body['status'] === 'failed') {
      progress.clear();
      terminal.err(`Indexing failed: svc job ${jobId ?? ''}\n`);
    }
    if (type !== 'snapshot.published') return;
    isReady = true;
    progress.clear();
    terminal.err(`Ready: ${sizeOf(body as Parameters<typeof sizeOf>[0])}\n`);
  };
  return { hear, stop: progress.clear };
}

function fractionOf(percent: unknown): { fraction?: number } {
  return typeof percent === 'number' ? { fraction: percent / 100 } : {};
}
