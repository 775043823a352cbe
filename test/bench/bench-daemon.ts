import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '../../client/client.ts';
import { readDaemonRecord } from '../../client/paths.ts';
import type { SocketCaller } from '../../client/socket.ts';
import { callerIn, compiledDaemon, type Home, svc, temporaryHome, until } from '../support/daemon.ts';
import type { Cleanup } from '../support/repository.ts';

/** A daemon as users have it: started by its first client, apart from any terminal, in a home of its own. */
export interface BenchDaemon {
  readonly home: Home;
  readonly caller: SocketCaller;
  readonly client: Client;
  readonly pid: number;
  /** Base address and token of its HTTP listener. */
  readonly url: string;
  readonly token: string;
}

export async function startBenchDaemon(cleanup: Cleanup, home: Home = temporaryHome(cleanup)): Promise<BenchDaemon> {
  const caller = callerIn(home, 'may-start', compiledDaemon);
  cleanup.after(() => caller.close());
  await caller.call('system.health', {});
  await until('the listener is open', () => typeof readDaemonRecord(home.places)?.url === 'string');
  const record = readDaemonRecord(home.places)!;
  return {
    home,
    caller,
    client: createClient(caller),
    pid: record.pid,
    url: record.url!,
    token: readFileSync(record.tokenFile, 'utf8').trim(),
  };
}

export async function stopBenchDaemon({ home }: BenchDaemon): Promise<void> {
  await svc(home, ['daemon', 'stop']);
}

export interface Registered {
  readonly id: string;
  readonly root: string;
  readonly symbols: number;
  readonly files: number;
}

/** Registers a tree and waits until it is indexed, watched, and every change so far is published. */
export async function register({ client }: Pick<BenchDaemon, 'client'>, root: string): Promise<Registered> {
  const { repo } = await client.daemon.addRepo({ root: realpathSync(root) });
  await until('the tree is indexed and watched', async () => (await statusOf(client, repo.id)).isFollowed, 300_000);
  await client.symbols.search({ q: 'x', limit: 1, repo: repo.id, sync: true });
  const { symbols, files } = await statusOf(client, repo.id);
  return { id: repo.id, root: repo.root, symbols, files };
}

async function statusOf(client: Client, id: string) {
  const found = (await client.daemon.listRepos({})).repos.find(repo => repo.id === id)!;
  if (found.status === 'failed') throw new Error(`${id} could not be indexed`);
  const isFollowed = found.status === 'ready' && found.watching !== 'off';
  return { isFollowed, symbols: found.symbolCount, files: found.fileCount };
}

/** Publications of the repository as the daemon's log has them, the first index included. */
export function publicationsIn(home: Home, repo: string): readonly Publication[] {
  return home
    .log()
    .filter(({ msg, repo: of }) => msg === 'snapshot.published' && of === repo)
    .map(line => ({
      seq: Number(line['seq']),
      filesParsed: Number(line['filesParsed']),
      durationMs: Number(line['durationMs']),
    }));
}

export interface Publication {
  readonly seq: number;
  readonly filesParsed: number;
  readonly durationMs: number;
}

export interface SampledSymbol {
  readonly id: string;
  readonly name: string;
}

/** Some thousand symbols of the repository, by what searches for single letters bring. */
export async function sampleSymbols(client: Client, repo: string): Promise<readonly SampledSymbol[]> {
  const found = new Map<string, SampledSymbol>();
  for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
    const { results } = await client.symbols.search({ q: letter, limit: 400, repo });
    for (const { id, name } of results) found.set(id, { id, name });
  }
  return [...found.values()];
}

/** A copy of a git checkout that a bench may write to; it goes away with the run. */
export function cloneOf(source: string, cleanup: Cleanup): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  cleanup.after(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, 'tree');
  execFileSync('git', ['clone', '--quiet', '--local', realpathSync(source), root], { stdio: 'ignore' });
  return root;
}
