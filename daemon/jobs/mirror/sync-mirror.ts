import { Fault } from '../../../client/protocol/faults.ts';
import { strangeAnswer } from '../../backends/index-server-rows.ts';
import type { RemoteIndex, RemoteMeta, RemotePage } from '../../backends/remote-index.ts';
import type { ScipLimits } from '../../extract/scip/limits.ts';
import type { MirroredCounts, MirroredDeltas } from '../../model/mirrored-rows.ts';
import {
  changeMirror,
  type MirrorChange,
  type MirrorState,
  mirrorState,
  newMirror,
  noteState,
} from '../../store/mirror-db.ts';
import { StoreError } from '../../store/store-faults.ts';
import { endlessLists } from './endless-lists.ts';

export interface MirrorSync {
  /** Undefined where there was nothing to read. */
  readonly mode: 'full' | 'changes' | undefined;
  readonly state: MirrorState;
  readonly filesChanged: number;
}

export interface MirrorSyncOptions {
  /** With the rows of the mirror; or not there yet. */
  readonly file: string;
  /** Which server and repository. */
  readonly source: string;
  /** Reads all, whatever is there. */
  readonly isFull: boolean;
  readonly limits: Pick<ScipLimits, 'documents' | 'symbols'>;
  /** How many rows are read, of 1. */
  readonly onRead: (fraction: number) => void;
}

/** A read that another snapshot, or a page that is gone, spoilt is begun again so often. */
const tries = 5;
/** Rows that a list may have beyond what the server says of it: nobody counts on the rest of a page. */
const rowsBeside = 2000;
/** Four gigabytes of rows, and more than any repository has. */
const mostReferences = 100_000_000;

/**
 * Brings the rows of a mirror up to what the server has: by what has changed, or all of them where that is not known. They
 * are one snapshot's, before and after; whatever goes wrong, they are as they were. Rejects with faults and `StoreError`.
 */
export async function syncMirror(remote: RemoteIndex, options: MirrorSyncOptions): Promise<MirrorSync> {
  const meta = await remote.meta();
  const local = options.isFull ? undefined : readable(options, meta);
  if (local !== undefined && isSame(local, meta)) return unchanged(local, meta, options);
  const changed = local === undefined || isOlder(meta, local) ? undefined : await changes(remote, local, meta, options);
  return changed ?? (await again(() => readAll(remote, options)));
}

/** The same index may be of another commit. */
function unchanged(local: MirrorState, { commit }: RemoteMeta, { file }: MirrorSyncOptions): MirrorSync {
  const state = { ...local, commit };
  if (local.commit !== commit) noteState(file, state);
  return { mode: undefined, state, filesChanged: 0 };
}

/** What is here of what the server shows; undefined where that is another's, or damaged. */
function readable({ file, source }: MirrorSyncOptions, meta: RemoteMeta): MirrorState | undefined {
  try {
    const state = mirrorState(file);
    return state?.source === sourceOf(source, meta) ? state : undefined;
  } catch (error) {
    if (error instanceof StoreError && error.trouble === 'corrupt') return undefined;
    throw error;
  }
}

function sourceOf(source: string, { shown }: RemoteMeta): string {
  return `${source} ${shown}`;
}

function isSame({ syncSeq, version }: MirrorState, meta: RemoteMeta): boolean {
  return syncSeq === meta.syncSeq && version === meta.version;
}

/** Whether the server went back, or counts anew: then its numbers are none that the mirror knows. */
function isOlder(meta: RemoteMeta, { syncSeq, version }: MirrorState): boolean {
  return meta.syncSeq < syncSeq || (meta.syncSeq === syncSeq && version !== '');
}

async function again<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const done = await read();
      if (done !== undefined) return done;
    } catch (error) {
      if (!(error instanceof Fault && error.reason === 'cursorExpired') || attempt === tries) throw error;
    }
    if (attempt === tries) {
      throw new Fault('backendUnavailable', 'The server publishes faster than it can be read; try again later', {
        details: { reason: 'moving' },
      });
    }
  }
}

/** Undefined where a full read is needed. */
async function changes(
  remote: RemoteIndex,
  local: MirrorState,
  before: RemoteMeta,
  options: MirrorSyncOptions,
): Promise<MirrorSync | undefined> {
  const outcome = await again(async () => {
    const change = changed(options.file);
    if (change === undefined) return 'read all' as const;
    try {
      return (await changesOnce(remote, { local, before, change }, options)) ?? ('read all' as const);
    } finally {
      change.abandon();
    }
  });
  return outcome === 'read all' ? undefined : outcome;
}

function changed(file: string): MirrorChange | undefined {
  try {
    return changeMirror(file);
  } catch (error) {
    if (error instanceof StoreError && error.trouble === 'corrupt') return undefined;
    throw error;
  }
}

interface Changing {
  readonly local: MirrorState;
  /** What the server said before it was asked for changes. */
  readonly before: RemoteMeta;
  readonly change: MirrorChange;
}

async function changesOnce(
  remote: RemoteIndex,
  { local, before, change }: Changing,
  options: MirrorSyncOptions,
): Promise<MirrorSync | undefined> {
  const paths = new Set<string>();
  // What goes was here, and what comes is there: more is no change but another index.
  const most = rowsIn(change.counts()) + rowsIn(before.counts) + rowsBeside;
  let { syncSeq } = local;
  let meta: RemoteMeta;
  for (let round = 1; ; round++) {
    const reached = await applyChanges(remote, syncSeq, { change, paths, most });
    if (reached === undefined) return undefined;
    syncSeq = reached;
    meta = await remote.meta();
    if (meta.syncSeq === syncSeq || round === tries) break;
  }
  const isKnown = meta.syncSeq === syncSeq;
  // A server that counts anew has changes since any number.
  if (sourceOf(options.source, meta) !== local.source) return undefined;
  const counts = change.counts();
  refuseTooMany(counts, options);
  if (isKnown && !isAlike(counts, meta.counts)) return undefined;
  const { commit } = meta;
  const state = { source: local.source, syncSeq, version: isKnown ? meta.version : '', commit };
  return change.commit(state, meta.showsPaths) ? { mode: 'changes', state, filesChanged: paths.size } : undefined;
}

interface Applied {
  readonly change: MirrorChange;
  /** Takes the paths of what changed. */
  readonly paths: Set<string>;
  /** More rows are not worth applying. */
  readonly most: number;
}

/** Applies what changed since a snapshot. The number of the one that was reached; undefined where a full read is needed. */
async function applyChanges(
  remote: RemoteIndex,
  since: number,
  { change, paths, most }: Applied,
): Promise<number | undefined> {
  const look = endlessLists();
  let cursor: string | undefined;
  let reached: number | undefined;
  for (let rows = 0; ; ) {
    const { deltas, syncSeq, next } = await remote.changes(since, cursor);
    if (deltas === undefined) return undefined;
    if (reached !== undefined && syncSeq !== reached) throw strangeAnswer('pages of one list are of two snapshots');
    reached = syncSeq;
    const told = rowsOf(deltas);
    look(told, next);
    rows += told;
    if (rows > most || !change.apply(deltas)) return undefined;
    for (const path of pathsIn(deltas)) paths.add(path);
    if (next === undefined) return reached;
    cursor = next;
  }
}

function pathsIn({ files, symbols, refs, edges }: MirroredDeltas): readonly string[] {
  const rows = [files.added, files.modified, symbols.added, symbols.modified];
  const others = [refs.added, refs.deleted, edges.added, edges.deleted];
  return [...files.deleted, ...[...rows, ...others].flat().map(({ path }) => path)];
}

function rowsOf({ files, symbols, refs, edges }: MirroredDeltas): number {
  return [files, symbols, refs, edges].flatMap(list => Object.values(list)).reduce((sum, rows) => sum + rows.length, 0);
}

function rowsIn(counts: MirroredCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

const lists = ['files', 'symbols', 'refs', 'edges'] as const;
type List = (typeof lists)[number];

function isAlike(one: MirroredCounts, other: MirroredCounts): boolean {
  return lists.every(list => one[list] === other[list]);
}

/** Undefined where the server published something between the first pages of the lists. */
async function readAll(remote: RemoteIndex, options: MirrorSyncOptions): Promise<MirrorSync | undefined> {
  const before = await remote.meta();
  refuseTooMany(before.counts, options);
  // All of them first: each goes on over the snapshot that it begins with, however long that takes.
  const first = {
    files: await remote.files(),
    symbols: await remote.symbols(),
    refs: await remote.refs(),
    edges: await remote.edges(),
  };
  const { syncSeq } = first.files;
  if (Object.values(first).some(page => page.syncSeq !== syncSeq)) return undefined;
  const meta = before.syncSeq === syncSeq ? before : await remote.meta();
  if (meta.syncSeq !== syncSeq) return undefined;
  const fill = newMirror(options.file);
  try {
    const told = countedRows(meta.counts, options);
    const take = <Row>(list: List, rows: readonly Row[]): void => {
      told(list, rows.length);
      fill.add({ [list]: rows });
    };
    await readList(first.files, remote.files, rows => take('files', rows));
    await readList(first.symbols, remote.symbols, rows => take('symbols', rows));
    await readList(first.refs, remote.refs, rows => take('refs', rows));
    await readList(first.edges, remote.edges, rows => take('edges', rows));
    const { version, commit } = meta;
    const state = { source: sourceOf(options.source, meta), syncSeq, version, commit };
    const { files } = fill.counts();
    if (!fill.finish(state, meta.showsPaths)) throw strangeAnswer('its lists do not belong together');
    return { mode: 'full', state, filesChanged: files };
  } finally {
    fill.abandon();
  }
}

async function readList<Row>(
  first: RemotePage<Row>,
  pageAt: (cursor: string) => Promise<RemotePage<Row>>,
  take: (rows: readonly Row[]) => void,
): Promise<void> {
  const look = endlessLists();
  for (let page = first; ; page = await pageAt(page.next)) {
    if (page.syncSeq !== first.syncSeq) throw strangeAnswer('pages of one list are of two snapshots');
    look(page.rows.length, page.next);
    take(page.rows);
    if (page.next === undefined) return;
  }
}

/** Counts rows as they come, tells how far that is, and refuses what is over the limits, or over what the server said. */
function countedRows(expected: MirroredCounts, options: MirrorSyncOptions): (list: List, rows: number) => void {
  const all = rowsIn(expected);
  const counts = { files: 0, symbols: 0, refs: 0, edges: 0 };
  return (list, rows) => {
    counts[list] += rows;
    refuseTooMany(counts, options);
    if (counts[list] > expected[list] + rowsBeside) throw strangeAnswer(`more ${list} than its meta says there are`);
    options.onRead(Math.min(1, rowsIn(counts) / Math.max(1, all)));
  };
}

function refuseTooMany({ files, symbols, refs, edges }: MirroredCounts, { limits }: MirrorSyncOptions): void {
  const over = (
    [
      [files, limits.documents, 'files (limits.scip_documents)'],
      [symbols, limits.symbols, 'symbols (limits.scip_symbols)'],
      [Math.max(refs, edges), mostReferences, 'references'],
    ] as const
  ).find(([count, limit]) => count > limit);
  if (over === undefined) return;
  const [, limit, what] = over;
  throw new Fault('tooLarge', `The index has more than ${limit} ${what}`, { details: { limit } });
}
