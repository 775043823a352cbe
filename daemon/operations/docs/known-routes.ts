import { hash } from 'node:crypto';
import { type RouteTable, routeTable } from '../../analysis/docs/route-table.ts';
import { mayServe, routesVersion } from '../../extract/contract-use/served-routes.ts';
import type { FileText } from '../../jobs/extract-service.ts';
import { isVendored } from '../../model/foreign.ts';
import type { GraphDocument } from '../../model/graph.ts';
import { isTestPath } from '../../model/mount.ts';
import { type KnownRoute, noRoutes, type SeenRoutes } from '../../model/routes.ts';
import type { SnapshotGraph } from '../../store/graph/snapshot-graph.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { type AnalysedSnapshot, analysed } from '../analysis/analyses.ts';
import type { Asked } from '../symbols/answers.ts';
import { isBeside } from './defined-names.ts';
import { fileBeside, readSealed, writeSealed } from './sealed-file.ts';

/** The routes that a repository's files tell of, by a digest of what each is a function of; kept in memory and beside the index. */
export interface KnownRoutes {
  /** Has those files read that nobody has read as they are, some at a time; resolves with whether there were any. */
  bring(reader: IndexReader, asked: Asked, read: ReadRoutes): Promise<boolean>;
  /** Those of a snapshot: of one that has files which nobody has read, with the others, and not whole. */
  of(snapshot: AnalysedSnapshot): RouteTable;
  /** Forgets all but what a snapshot has, and writes that down where much of it is new; `always`: where anything is. */
  keep(snapshot: AnalysedSnapshot, always: boolean): void;
  /** Forgets all. */
  clear(): void;
}

type ReadRoutes = (files: readonly FileText[]) => Promise<readonly SeenRoutes[]>;

/** Of more files of code nothing is looked for: all that a document says of routes stays open. */
const mostFiles = 50_000;
/** Characters that are read at one time, which goes in a moment. */
const together = 512 * 1024;
/** Parts that are read beside one another. */
const abreast = 3;
/** Fewer files are soon read again. */
const worthWriting = 50;

export function knownRoutes(indexFile: string, key: string): KnownRoutes {
  const file = fileBeside(indexFile, key, 'routes');
  let known: Known | undefined;
  const all = (): Known => {
    known ??= readStored(file);
    return known;
  };
  const byKey = (): Known['byKey'] => all().byKey;
  const keys = new WeakMap<GraphDocument, string>();
  const keyOf = (document: GraphDocument, { reader, snapshot }: AnalysedSnapshot): string => {
    const content = (): string => reader.contentHash(document.document, snapshot.seq) ?? '';
    const found = keys.get(document) ?? hash('sha256', `${document.path}\0${content()}`).slice(0, 32);
    keys.set(document, found);
    return found;
  };
  let listed: { readonly graph: SnapshotGraph; readonly seq: number; readonly files: readonly GraphDocument[] };
  const filesIn = ({ graph, snapshot: { seq } }: AnalysedSnapshot): readonly GraphDocument[] => {
    if (listed?.graph !== graph || listed.seq !== seq) listed = { graph, seq, files: filesOf(graph) };
    return listed.files;
  };
  let table: { readonly seq: number; readonly revision: number; readonly told: RouteTable } | undefined;
  let newest = 0;
  let unwritten = 0;
  let revision = 0;
  return {
    bring: async (reader, asked, read) => {
      const left = analysed(reader, asked, of => filesIn(of).filter(one => !byKey().has(keyOf(one, of))));
      let at = 0;
      const readOn = async (): Promise<void> => {
        while (at < left.length) {
          const part = analysed(reader, asked, of => textsFrom(of, left, at));
          at += part.length;
          const told = await read(part.map(one => one.file));
          for (const [index, { document }] of part.entries()) {
            byKey().set(keys.get(document)!, told[index] ?? noRoutes);
          }
          unwritten += part.length;
          revision++;
        }
      };
      await Promise.all(Array.from({ length: abreast }, readOn));
      return left.length > 0;
    },
    of: of => {
      const { seq } = of.snapshot;
      if (table?.seq === seq && table.revision === revision) return table.told;
      const files = filesIn(of);
      const isRead = files.every(one => byKey().has(keyOf(one, of)));
      const seen = (one: GraphDocument): SeenRoutes | undefined => byKey().get(keyOf(one, of));
      if (isRead && seq >= newest) {
        newest = seq;
        noteGone(
          all(),
          files.flatMap(one => seen(one)?.routes ?? []),
        );
      }
      const told = tableOf(of.graph, files, { isRead, seen, gone: all().gone.values() });
      table = { seq, revision, told };
      return told;
    },
    keep: (of, always) => {
      if (unwritten === 0 || (unwritten < worthWriting && !always)) return;
      const used = new Set(filesIn(of).map(one => keyOf(one, of)));
      for (const one of byKey().keys()) if (!used.has(one)) byKey().delete(one);
      unwritten = 0;
      writeStored(file, all());
    },
    clear: () => {
      byKey().clear();
      revision++;
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

/** The next of some documents, with their texts: so many that they are read at one time. */
function textsFrom({ reader, asked, snapshot }: AnalysedSnapshot, documents: readonly GraphDocument[], from: number) {
  const found: { readonly document: GraphDocument; readonly file: FileText }[] = [];
  for (let left = together; from + found.length < documents.length && left > 0; ) {
    const document = documents[from + found.length]!;
    const text = reader.text(asked.repo.key, snapshot.seq, document.path) ?? '';
    found.push({ document, file: { path: document.path, text } });
    left -= text.length;
  }
  return found;
}

function tableOf(
  graph: SnapshotGraph,
  files: readonly GraphDocument[],
  {
    isRead,
    seen,
    gone,
  }: {
    readonly isRead: boolean;
    readonly seen: (document: GraphDocument) => SeenRoutes | undefined;
    readonly gone: Iterable<KnownRoute>;
  },
): RouteTable {
  const told = files.flatMap(document => {
    const { routes, mounts } = seen(document) ?? noRoutes;
    return routes.length + mounts.length === 0 ? [] : [{ path: document.path, routes, mounts }];
  });
  const isWhole = isRead && !graph.unread().some(path => isOwn(path) && mayServeUnread(path));
  return routeTable(told, isWhole, [...gone]);
}

const mostGone = 2000;

/** Remembers of routes that are served no more that they were. */
function noteGone(known: Known, routes: readonly KnownRoute[]): void {
  const now = new Map(routes.map(one => [`${one.method} ${one.path}`, one]));
  for (const [key, one] of known.served) if (!now.has(key)) known.gone.set(key, one);
  for (const key of now.keys()) known.gone.delete(key);
  for (const key of known.gone.keys()) {
    if (known.gone.size <= mostGone) break;
    known.gone.delete(key);
  }
  known.served = now;
}

/** Code that nobody reads here, in languages that servers are written in. */
function mayServeUnread(path: string): boolean {
  return /\.(?:scala|sc|ex|exs|erl|swift)$|(?:^|\/)conf\/(?:[\w.-]{1,60}\.)?routes$/.test(path);
}

interface Known {
  readonly byKey: Map<string, SeenRoutes>;
  /** By method and path: those of the newest snapshot that was looked at, and those of earlier ones that are there no more. */
  served: ReadonlyMap<string, KnownRoute>;
  readonly gone: Map<string, KnownRoute>;
}

interface Stored {
  readonly version: number;
  readonly files: readonly (readonly [key: string, seen: SeenRoutes])[];
  /** Of those that tell nothing. */
  readonly silent: readonly string[];
  readonly gone: readonly KnownRoute[];
}

function readStored(file: string): Known {
  const stored = readSealed(file) as Stored | undefined;
  if (stored?.version !== routesVersion) return { byKey: new Map(), served: new Map(), gone: new Map() };
  const byMethod = (routes: readonly KnownRoute[]) => new Map(routes.map(one => [`${one.method} ${one.path}`, one]));
  return {
    byKey: new Map([...stored.files, ...stored.silent.map(key => [key, noRoutes] as const)]),
    served: byMethod(stored.files.flatMap(([, { routes }]) => routes)),
    gone: byMethod(stored.gone),
  };
}

function writeStored(file: string, { byKey, gone }: Known): void {
  const files: (readonly [string, SeenRoutes])[] = [];
  const silent: string[] = [];
  for (const [key, one] of byKey) {
    if (one.routes.length + one.mounts.length === 0) silent.push(key);
    else files.push([key, one]);
  }
  writeSealed(file, { version: routesVersion, files, silent, gone: [...gone.values()] } satisfies Stored);
}
