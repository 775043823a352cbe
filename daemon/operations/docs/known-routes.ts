import { hash } from 'node:crypto';
import { type RouteTable, routeTable } from '../../analysis/docs/route-table.ts';
import { mayServe, routesVersion } from '../../extract/contract-use/served-routes.ts';
import type { FileText } from '../../jobs/extract-service.ts';
import { isVendored } from '../../model/foreign.ts';
import type { GraphDocument } from '../../model/graph.ts';
import { isTestPath } from '../../model/mount.ts';
import { noRoutes, type SeenRoutes } from '../../model/routes.ts';
import type { SnapshotGraph } from '../../store/graph/snapshot-graph.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { type AnalysedSnapshot, analysed } from '../analysis/analyses.ts';
import type { Asked } from '../symbols/answers.ts';
import { isBeside } from './defined-names.ts';
import { fileBeside, readSealed, writeSealed } from './sealed-file.ts';

/** The routes that a repository's files tell of, by a digest of what each is a function of; kept in memory and beside the index. */
export interface KnownRoutes {
  /** Has those files read that nobody has read as they are, some at a time; what none of the snapshot has is forgotten. */
  bring(
    reader: IndexReader,
    asked: Asked,
    read: (files: readonly FileText[]) => Promise<readonly SeenRoutes[]>,
  ): Promise<void>;
  /** Those of a snapshot that `bring` was told of; of one that came since, with the files that are the same, and not whole. */
  of(snapshot: AnalysedSnapshot): RouteTable;
  /** Forgets all. */
  clear(): void;
}

/** Of more files of code nothing is looked for: all that a document says of routes stays open. */
const mostFiles = 50_000;
/** Characters that are read at one time, which goes in a moment. */
const together = 512 * 1024;

export function knownRoutes(indexFile: string, key: string): KnownRoutes {
  const file = fileBeside(indexFile, key, 'routes');
  let byKey: Map<string, SeenRoutes> | undefined;
  let keys = new WeakMap<GraphDocument, string>();
  let table: { readonly seq: number; readonly told: RouteTable } | undefined;
  return {
    bring: async (reader, asked, read) => {
      const left = analysed(reader, asked, ({ graph }) => filesOf(graph).filter(one => !keys.has(one)));
      if (left.length === 0) return;
      byKey ??= readStored(file);
      let isNew = false;
      for (let at = 0; at < left.length; ) {
        const batch = analysed(reader, asked, of => unreadFrom(of, left, at, byKey!));
        const told = batch.files.length === 0 ? [] : await read(batch.files.map(one => one.file));
        for (const [index, { key: one }] of batch.files.entries()) byKey.set(one, told[index] ?? noRoutes);
        for (const [document, one] of batch.keys) keys.set(document, one);
        isNew ||= batch.files.length > 0;
        at = batch.end;
      }
      if (!isNew) return;
      const used = analysed(reader, asked, of => new Set(filesOf(of.graph).flatMap(one => keys.get(one) ?? [])));
      for (const one of byKey.keys()) if (!used.has(one)) byKey.delete(one);
      writeStored(file, byKey);
    },
    of: ({ graph, snapshot }) => {
      if (table?.seq === snapshot.seq) return table.told;
      const files = filesOf(graph);
      const isRead = files.every(one => keys.has(one));
      const told = tableOf(graph, files, isRead, one => byKey?.get(keys.get(one) ?? ''));
      if (isRead) table = { seq: snapshot.seq, told };
      return told;
    },
    clear: () => {
      byKey = new Map();
      keys = new WeakMap();
      table = undefined;
    },
  };
}

/** Files of code and OpenAPI documents that are the repository's own, and what it serves. */
function filesOf(graph: SnapshotGraph): readonly GraphDocument[] {
  const files = graph.documents().filter(({ path, isTest }) => !isTest && mayServe(path) && isOwn(path));
  return files.length > mostFiles ? [] : files;
}

function isOwn(path: string): boolean {
  return !isTestPath(path) && !isVendored(path) && !isBeside(path);
}

interface Batch {
  readonly files: readonly { readonly key: string; readonly file: FileText }[];
  readonly keys: readonly (readonly [document: GraphDocument, key: string])[];
  readonly end: number;
}

/** The next documents, with the texts of those whose routes are not known. */
function unreadFrom(
  { reader, asked, snapshot }: AnalysedSnapshot,
  documents: readonly GraphDocument[],
  from: number,
  known: ReadonlyMap<string, SeenRoutes>,
): Batch {
  const files: Batch['files'][number][] = [];
  const keys: Batch['keys'][number][] = [];
  let end = from;
  for (let left = together; end < documents.length && left > 0; end++) {
    const document = documents[end]!;
    const text = reader.text(asked.repo.key, snapshot.seq, document.path) ?? '';
    const key = hash('sha256', `${document.path}\0${text}`).slice(0, 32);
    keys.push([document, key]);
    left -= text.length;
    if (!known.has(key)) files.push({ key, file: { path: document.path, text } });
  }
  return { files, keys, end };
}

function tableOf(
  graph: SnapshotGraph,
  files: readonly GraphDocument[],
  isRead: boolean,
  seenIn: (document: GraphDocument) => SeenRoutes | undefined,
): RouteTable {
  const seen = files.flatMap(document => {
    const { routes, mounts } = seenIn(document) ?? noRoutes;
    return routes.length + mounts.length === 0 ? [] : [{ path: document.path, routes, mounts }];
  });
  return routeTable(seen, isRead && !graph.unread().some(path => isOwn(path) && mayServeUnread(path)));
}

/** Code that nobody reads here, in languages that servers are written in. */
function mayServeUnread(path: string): boolean {
  return /\.(?:scala|sc|ex|exs|erl|swift)$|(?:^|\/)conf\/(?:[\w.-]{1,60}\.)?routes$/.test(path);
}

interface Stored {
  readonly version: number;
  readonly files: readonly (readonly [key: string, seen: SeenRoutes])[];
  /** Of those that tell nothing. */
  readonly silent: readonly string[];
}

function readStored(file: string): Map<string, SeenRoutes> {
  const stored = readSealed(file) as Stored | undefined;
  if (stored?.version !== routesVersion) return new Map();
  return new Map([...stored.files, ...stored.silent.map(key => [key, noRoutes] as const)]);
}

function writeStored(file: string, byKey: ReadonlyMap<string, SeenRoutes>): void {
  const files: (readonly [string, SeenRoutes])[] = [];
  const silent: string[] = [];
  for (const [key, one] of byKey) {
    if (one.routes.length + one.mounts.length === 0) silent.push(key);
    else files.push([key, one]);
  }
  writeSealed(file, { version: routesVersion, files, silent } satisfies Stored);
}
