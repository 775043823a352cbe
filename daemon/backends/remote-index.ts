import { setTimeout as later } from 'node:timers/promises';
import { Fault } from '../../client/protocol/faults.ts';
import { indexSchemaVersion, indexServer } from '../../client/protocol/index-server.ts';
import { extentOf } from '../../client/protocol/json-signs.ts';
import type { OutputOf } from '../../client/protocol/operation.ts';
import { Compile, type Validator } from '../../client/protocol/schemas.ts';
import type {
  MirroredCounts,
  MirroredDeltas,
  MirroredEdge,
  MirroredFile,
  MirroredRef,
  MirroredSymbol,
} from '../model/mirrored-rows.ts';
import { type ServedRows, servedRows, strangeAnswer } from './index-server-rows.ts';
import { openFetcher } from './remote-fetch.ts';

/** One repository of an index server elsewhere. Every method rejects with a fault, and with the signal's reason. */
export interface RemoteIndex {
  meta(): Promise<RemoteMeta>;
  files(cursor?: string): Promise<RemotePage<MirroredFile>>;
  symbols(cursor?: string): Promise<RemotePage<MirroredSymbol>>;
  refs(cursor?: string): Promise<RemotePage<MirroredRef>>;
  edges(cursor?: string): Promise<RemotePage<MirroredEdge>>;
  changes(since: number, cursor?: string): Promise<RemoteChanges>;
  close(): Promise<void>;
}

export interface RemoteMeta {
  readonly syncSeq: number;
  /** Tells snapshots apart, whatever numbers they have. */
  readonly version: string;
  /** What is kept back; whoever has rows of which other parts were has others. */
  readonly shown: string;
  /** Whole: no two files have one. */
  readonly showsPaths: boolean;
  readonly commit: string;
  readonly counts: MirroredCounts;
}

export interface RemotePage<Row> {
  readonly syncSeq: number;
  readonly rows: readonly Row[];
  /** Undefined on the last page. */
  readonly next: string | undefined;
}

/** `deltas` undefined: all must be read anew. */
export interface RemoteChanges extends Omit<RemotePage<never>, 'rows'> {
  readonly deltas: MirroredDeltas | undefined;
}

export interface RemoteIndexOptions {
  /** Of the server, without `/index/repos`. */
  readonly url: string;
  readonly repo: string;
  /** Sent to that server alone. */
  readonly token: string | undefined;
  readonly signal: AbortSignal;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** So many rows are asked for at once: a page is read in a few milliseconds, and nobody else waits for longer. */
const rowsOnPage = 2000;
const deepestAnswer = 16;
/** Of what is no row: versions and cursors. */
const longestText = 4096;
/** Beyond that no page is honest: values take memory that bytes don't show. */
const mostValues = 4_000_000;

export function openRemoteIndex(options: RemoteIndexOptions): RemoteIndex {
  const { repo } = options;
  const fetcher = openFetcher({
    ...{ url: options.url, token: options.token, signal: options.signal },
    wait: options.wait ?? ((ms, signal) => later(ms, undefined, { signal }).then(() => {})),
  });
  const rows = servedRows(repo);
  const ask = async <Name extends Asked>(name: Name, query: Query): Promise<Output<Name>> => {
    const place = `/index/repos/${encodeURIComponent(repo)}/${lists[name]}`;
    const values = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) if (value !== undefined) values.append(key, `${value}`);
    return read(name, await fetcher.get(values.size === 0 ? place : `${place}?${values}`));
  };
  const list = async <Name extends Lists, Row>(
    name: Name,
    cursor: string | undefined,
    of: (data: Output<Name>['data']) => Row[],
  ): Promise<RemotePage<Row>> => {
    const answer = await ask(name, { limit: rowsOnPage, cursor });
    return { rows: of(answer.data), ...pageOf(answer) };
  };
  return {
    meta: async () => metaOf(await ask('indexServer.meta', {}), repo),
    files: cursor => list('indexServer.files', cursor, ({ files }) => files.map(rows.file)),
    symbols: cursor => list('indexServer.symbols', cursor, ({ symbols }) => symbols.map(rows.symbol)),
    refs: cursor => list('indexServer.refs', cursor, ({ refs }) => refs.map(rows.ref)),
    edges: cursor => list('indexServer.callgraph', cursor, ({ edges }) => edges.map(rows.edge)),
    changes: async (since, cursor) =>
      changesOf(await ask('indexServer.changes', { since, limit: rowsOnPage, cursor }), since, rows),
    close: fetcher.close,
  };
}

type Lists = `indexServer.${'files' | 'symbols' | 'refs' | 'callgraph'}`;
type Asked = Lists | 'indexServer.meta' | 'indexServer.changes';
const lists = {
  'indexServer.meta': 'meta',
  'indexServer.files': 'files',
  'indexServer.symbols': 'symbols',
  'indexServer.refs': 'refs',
  'indexServer.callgraph': 'callgraph',
  'indexServer.changes': 'changes',
} as const satisfies Readonly<Record<Asked, string>>;
type Output<Name extends Asked> = OutputOf<(typeof indexServer)[Name]>;
type Query = Readonly<Record<string, string | number | undefined>>;

/** What the operation's own schema says of an answer. Throws the fault of `strangeAnswer`. */
function read<Name extends Asked>(name: Name, bytes: Buffer): Output<Name> {
  const { depth, values } = extentOf(bytes, { depth: deepestAnswer, values: mostValues });
  if (depth > deepestAnswer) throw strangeAnswer('it is nested too deep');
  if (values > mostValues) throw strangeAnswer('it has too many values');
  let answer: unknown;
  try {
    answer = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw strangeAnswer('it is no JSON');
  }
  if (validatorOf(name).Check(answer)) return answer as Output<Name>;
  const [first] = validatorOf(name).Errors(answer);
  throw strangeAnswer(
    `${name.slice(name.indexOf('.') + 1)}${first?.instancePath ?? ''} ${first?.message ?? ''}`.trim(),
  );
}

const validators = new Map<Asked, Validator>();

function validatorOf(name: Asked): Validator {
  const validator = validators.get(name) ?? (Compile(openly(indexServer[name].output)) as unknown as Validator);
  validators.set(name, validator);
  return validator;
}

/** The schema without its word on fields that it does not know: a later server may tell more. */
function openly<Schema extends object>(schema: Schema): Schema {
  return JSON.parse(
    JSON.stringify(schema, (name, value: unknown) => (name === 'additionalProperties' ? undefined : value)),
  ) as Schema;
}

function metaOf({ data }: Output<'indexServer.meta'>, repo: string): RemoteMeta {
  if (data.id !== repo) throw strangeAnswer('it is of another repository');
  if (data.schema_version !== indexSchemaVersion) {
    const message = `The server tells indexes in version ${data.schema_version} of its lists, and this svc knows version ${indexSchemaVersion}`;
    throw new Fault('preconditionFailed', message, { details: { reason: 'schema_version' } });
  }
  if (data.index_version.length > longestText) throw strangeAnswer('a version without end');
  const { files, symbols, refs, call_edges: edges } = data.stats;
  return {
    ...{ syncSeq: data.sync_seq, version: data.index_version },
    shown: [...Object.values(data.privacy), data.capabilities.redaction].map(Number).join(''),
    showsPaths: data.privacy.paths_exposed && !data.capabilities.redaction,
    commit: /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i.test(data.commit) ? data.commit : '',
    counts: { files, symbols, refs, edges },
  };
}

function pageOf({ meta }: Pick<Output<Lists>, 'meta'>): Omit<RemotePage<never>, 'rows'> {
  const { sync_seq: syncSeq, cursor, has_more: hasMore } = meta;
  if (syncSeq === undefined || hasMore === undefined) throw strangeAnswer('a page without its place');
  if (hasMore && cursor === undefined) throw strangeAnswer('a page without a way to the next');
  if (cursor !== undefined && cursor.length > longestText) throw strangeAnswer('a cursor without end');
  return { syncSeq, next: hasMore ? cursor : undefined };
}

function changesOf({ data, meta }: Output<'indexServer.changes'>, since: number, rows: ServedRows): RemoteChanges {
  if (data.since !== since) throw strangeAnswer('changes since something else');
  return { ...pageOf({ meta }), deltas: data.full_read ? undefined : rows.deltas(data.deltas) };
}
