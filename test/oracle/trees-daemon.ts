import { Fault } from '../../client/protocol/faults.ts';
import type { CanonicalDump } from '../../daemon/jobs/dump.ts';
import { standIn as kernelStandIn } from '../fault/orders.ts';
import type { Orders } from '../fault/stand-in.ts';
import { startDaemon, type TestDaemon, temporaryHome } from '../support/daemon.ts';
import type { Cleanup, Workspace } from '../support/repository.ts';
import { type Arrivals, arrivals } from './arrivals.ts';
import { type DeltaWorktree, deltas } from './deltas.ts';
import type { EvidencedIndexes } from './evidence.ts';
import { askedFile, type Operation } from './operations.ts';
import { type StandIn, standIn } from './stand-in.ts';
import { inMemory, patiently, ready, storedWorktree, synced } from './stored.ts';

/** A work tree of a history, under the id that the daemon knows it by, and what indexes from nothing say of it. */
export interface Tree {
  readonly id: string;
  readonly workspace: Workspace;
  readonly fresh: EvidencedIndexes;
}

export type Answer =
  | {
      readonly kind: 'synced';
      readonly snapshotId: string;
      /** By each name that was asked for, the hashes of the symbols found. */
      readonly found: ReadonlyMap<string, string>;
      readonly dump: CanonicalDump;
    }
  | { readonly kind: 'stale'; readonly reason: string };

/** The daemon of a history, through all its ends. */
export interface TreesDaemon {
  /** What an operation does to the process. Throws where it says of its index what does not hold. */
  undergo(operation: Operation, tree: Tree): Promise<void>;
  /** Whether the kernel refuses something. */
  isSpoilt(): boolean;
  /** A synced answer, and the index that it spoke of. */
  published(tree: Tree): Promise<Answer>;
  /** Whether the process lives, and the end of its log: a failure that does not come again is understood by these or not at all. */
  lastWords(): string;
}

/** Names that come and go, to compare what is answered with what is stored: searches go through what each save changes. */
const askedNames = ['thing', 'a', 'b', 'tool', 'Widget', 'made', 'draw', 'below'];

/** Lines of the log. */
const told = 15;

const environment = {
  ...{ SVC_HTTP_ENABLED: 'false', SVC_INDEX_USE_INDEXERS: 'scip-typescript', SVC_INDEX_BACKGROUND_INDEXERS: 'false' },
};

export async function watchedBy(scope: Cleanup, trees: readonly Tree[]): Promise<TreesDaemon> {
  const process = await daemonProcess(scope);
  for (const { id, workspace } of trees) await process.running().client.daemon.addRepo({ root: workspace.root, id });
  await ready(process.running());
  const artifacts = deltas(scope);
  const sides = new Map(trees.map(tree => [tree, sideOf(scope, tree, process)]));
  return {
    async undergo(operation, tree) {
      const { arriving, worktree } = sides.get(tree)!;
      const { kind } = operation;
      if (kind === 'pause') await new Promise(resolve => setTimeout(resolve, operation.ms));
      if (kind === 'freeze') process.freeze();
      if (kind === 'fault') process.spoil(faults(process.running().home)[operation.of]);
      if (kind === 'mend' || kind === 'ask' || kind === 'delta' || kind === 'scip') process.mend();
      if (kind === 'thaw' || kind === 'barrier' || kind === 'ask' || kind === 'delta') process.thaw();
      if (kind === 'scip') await arriving.arrive(operation);
      if (kind === 'commit') arriving.committed();
      if (kind === 'delta') await artifacts.take(operation, worktree);
      if (kind === 'ask') await tells(process.running(), tree.id, operation.number);
      if (kind === 'restart') await process.begin(daemon => daemon.stop());
      if (kind === 'kill') await process.kill();
    },
    isSpoilt: process.isSpoilt,
    published: ({ id }) => answerOf(process.running(), id, process.isSpoilt()),
    lastWords() {
      const { home, process: child } = process.running();
      const end = child.exitCode ?? child.signalCode;
      const lines = home
        .log()
        .slice(-told)
        .map(line => JSON.stringify(line).slice(0, 500));
      return [end === null ? 'the daemon lives' : `the daemon ended with ${end}`, ...lines].join('\n');
    },
  };
}

/** What the kernel is to refuse. */
const faults = ({ places }: TestDaemon['home']): Readonly<Record<'sync' | 'room' | 'watches', Orders>> => ({
  sync: { failingSync: 'each' },
  room: { unwritable: { folder: places.data, code: 'ENOSPC' } },
  watches: { watches: 1 },
});

/** What arrives at a worktree. */
interface Side {
  readonly arriving: Arrivals;
  readonly worktree: DeltaWorktree;
}

function sideOf(scope: Cleanup, { id, workspace, fresh }: Tree, process: DaemonProcess): Side {
  const { running, kill } = process;
  const upToDate = async () => (await synced(running(), { repo: id, q: askedNames[0]! })).snapshotId;
  const arriving = arrivals(scope, workspace, process.indexer, fresh, {
    async index(input) {
      process.thaw();
      // What is not forced goes by the index as it is: that must be one of this tree.
      if (input.force !== true) await upToDate();
      const answer = await running().client.indexing.index({ repo: id, ...input });
      return 'scip' in answer ? (answer.scip?.joined ?? 0) : 0;
    },
    kill,
  });
  const stored = () => storedWorktree(running().home.places, id);
  return { arriving, worktree: { id, client: () => running().client, synced: upToDate, stored, kill } };
}

interface DaemonProcess {
  readonly indexer: StandIn;
  running(): TestDaemon;
  freeze(): void;
  thaw(): void;
  /** Has the kernel refuse from now on what the orders say, until it is mended; whoever starts begins well. */
  spoil(orders: Orders): void;
  mend(): void;
  isSpoilt(): boolean;
  /** Has it end, and starts another. */
  begin(end: (daemon: TestDaemon) => Promise<unknown>): Promise<void>;
  kill(): Promise<void>;
}

async function daemonProcess(scope: Cleanup): Promise<DaemonProcess> {
  const kernel = kernelStandIn(scope, {});
  const home = temporaryHome(scope, { ...environment, ...kernel.env }, inMemory);
  const indexer = standIn(scope);
  home.configure(`[index.indexers.scip-typescript]\npath = "${indexer.program}"\n`);
  let running = await startDaemon(scope, home);
  let isFrozen = false;
  let isSpoilt = false;
  const mend = () => {
    if (isSpoilt) kernel.give({});
    isSpoilt = false;
  };
  const thaw = () => {
    if (isFrozen) running.process.kill('SIGCONT');
    isFrozen = false;
  };
  const begin = async (end: (daemon: TestDaemon) => Promise<unknown>) => {
    thaw();
    await end(running);
    mend();
    await running.caller.close();
    running = await startDaemon(scope, home);
  };
  return {
    indexer,
    running: () => running,
    freeze() {
      isFrozen = running.process.kill('SIGSTOP');
    },
    thaw,
    spoil(orders) {
      kernel.give(orders);
      isSpoilt = true;
    },
    mend,
    isSpoilt: () => isSpoilt,
    begin,
    kill: () =>
      begin(daemon => {
        daemon.process.kill('SIGKILL');
        return daemon.ended;
      }),
  };
}

/** Throws where a daemon does not tell of a function that has just been written, or still tells of the one before it. */
async function tells(daemon: TestDaemon, repo: string, number: number): Promise<void> {
  const { results } = await synced(daemon, { repo, q: 'asked' });
  const found = results.filter(({ name }) => /^asked\d+$/.test(name));
  const names = found.map(({ name }) => name).join(' ');
  if (names !== `asked${number}`) throw new Error(`asked${number} is defined, found was: ${names}`);
  const { references } = await daemon.client.symbols.refs({ repo, id: found[0]!.id });
  const places = references.map(({ location: { file, line } }) => `${file}:${line}`).join(' ');
  if (places !== `${askedFile}:2`) throw new Error(`asked${number} is used in ${askedFile}:2, found was: ${places}`);
}

async function answerOf(daemon: TestDaemon, repo: string, isSpoilt: boolean): Promise<Answer> {
  try {
    const asked = { repo, q: askedNames[0]! };
    const { snapshotId } = await (isSpoilt ? hastilySynced(daemon, asked) : synced(daemon, asked));
    const found = new Map<string, string>();
    for (const asked of askedNames) {
      const { results } = await patiently(`a search for ${asked}`, () =>
        daemon.client.symbols.search({ repo, q: asked, limit: 1000 }),
      );
      const hashes = results.filter(({ name }) => name === asked).map(symbol => symbol.id.slice(-32));
      found.set(asked, distinct(hashes));
    }
    return { kind: 'synced', snapshotId, found, dump: storedWorktree(daemon.home.places, repo) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.reason === 'indexStale') return { kind: 'stale', reason: String(error.extras.details?.['reason']) };
    if (isSpoilt && isOfTheDevice.has(error.reason)) return { kind: 'stale', reason: error.reason };
    throw error;
  }
}

/** What may be told while no write reaches the device. */
const isOfTheDevice: ReadonlySet<string> = new Set(['storageFailed', 'notReady', 'timeout']);

/** A synced search that waits no longer than it takes to find out that nothing can be stored. */
async function hastilySynced({ caller }: TestDaemon, asked: { readonly repo: string; readonly q: string }) {
  const input = { ...asked, sync: true, limit: 1000, deadlineMs: 5000 };
  return (await caller.call('symbols.search', input)) as { readonly snapshotId: string };
}

export function distinct(hashes: readonly string[]): string {
  return [...new Set(hashes)].sort().join(' ');
}
