import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import * as zlib from 'node:zlib';
import { defaultScipLimits } from '../../daemon/extract/scip/limits.ts';
import { number, packed, run } from '../daemon/extract/scip/wire-bytes.ts';
import { documents, metadata } from '../daemon/jobs/uploads.ts';
import { compiledDaemon, startDaemon, type TestDaemon, temporaryHome } from '../support/daemon.ts';
import { type Cleanup, gitRepository } from '../support/repository.ts';
import { wire } from '../support/rpc-wire.ts';
import { scipBytes } from '../support/scip.ts';
import { type Door, doorOf, watchLoop } from './held-loop.ts';

/** Bodies that are small on the way, or quickly made, and large or slow for whoever takes them at their word. */
export interface Bomb {
  readonly what: string;
  /** Where it goes: a path of HTTP, or the socket. */
  readonly to: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytes: () => Buffer;
  /** What it may be answered: an HTTP status, or the code of an error of JSON-RPC. */
  readonly told: readonly number[];
}

/** How large they are, in bytes. */
export interface BombSizes {
  /** Of bodies of HTTP that are read whole. */
  readonly body: number;
  /** Of delta artifacts and of batches of telemetry. */
  readonly artifact: number;
  /** Of frames on the socket. */
  readonly frame: number;
  /** What compressed ones inflate to. */
  readonly inflated: number;
  /** Documents of an upload that is taken in. */
  readonly documents: number;
}

const mib = 1024 * 1024;
/** As large as the limits are that the daemon has by itself. */
export const atTheLimits: BombSizes = {
  body: mib,
  artifact: 64 * mib,
  frame: 16 * mib,
  inflated: 512 * mib,
  documents: 200_000,
};

type Cost = 'deep' | 'many' | 'one';

/** JSON that is costly: what stands in it, what makes it so, and its text. */
const json: readonly (readonly [what: string, cost: Cost, make: (bytes: number) => string])[] = [
  ['brackets, one in the other', 'deep', bytes => '['.repeat(bytes)],
  ['objects, one in the other', 'deep', bytes => '{"a":'.repeat(bytes / 5)],
  ['empty objects', 'many', bytes => filled('[', '{},', '{}]', bytes)],
  ['empty lists', 'many', bytes => filled('[', '[],', '[]]', bytes)],
  ['numbers', 'many', bytes => filled('[', '1,', '1]', bytes)],
  ['numbers beyond all bounds', 'many', bytes => filled('[', '1e999,', '0]', bytes)],
  ['empty texts', 'many', bytes => filled('[', '"",', '""]', bytes)],
  ['names of fields', 'many', bytes => fields(bytes, '}')],
  ['names of fields, one of them twice', 'many', bytes => fields(bytes, ',"k0":0}')],
  ['one number', 'one', bytes => filled('', '9', '', bytes)],
  ['one text, each sign escaped', 'one', bytes => filled('"', '\\u0041', '"', bytes)],
];

function filled(head: string, unit: string, tail: string, bytes: number): string {
  return head + unit.repeat((bytes - head.length - tail.length) / unit.length) + tail;
}

function fields(bytes: number, tail: string): string {
  const parts: string[] = [];
  for (let length = 0; length < bytes - 30; ) {
    const field = `"k${parts.length.toString(36)}":0`;
    parts.push(field);
    length += field.length + 1;
  }
  return `{${parts.join()}${tail}`;
}

const octets = { 'Content-Type': 'application/octet-stream' };
const protobuf = { 'Content-Type': 'application/x-protobuf' };
const asJson = { 'Content-Type': 'application/json' };
const upload = '/index/repos/acme%2Fbomb/upload';

export function bombs({ body, artifact, frame, inflated, documents: most }: BombSizes): readonly Bomb[] {
  const zeros = (): Buffer => Buffer.alloc(inflated);
  let small: Buffer | undefined;
  const gzipped = (): Buffer => {
    small ??= zlib.gzipSync(zeros(), { level: 1 });
    return small;
  };
  const coded = (coding: string) => ({ 'Content-Encoding': coding });
  const zstd = (zlib as { readonly zstdCompressSync?: (bytes: Buffer) => Buffer }).zstdCompressSync;
  const unread = Buffer.concat([scipBytes({ metadata, documents }), Buffer.from([0x7a, 0x80, 0x80, 0x80, 0x80, 0x01])]);
  return [
    ...json.flatMap(([what, cost, make]): Bomb[] => {
      const posted = (to: string, told: Readonly<Record<Cost, readonly number[]>>, text: () => string): Bomb => ({
        ...{ what, to, headers: asJson, told: told[cost], bytes: () => Buffer.from(text()) },
      });
      const sent = (name: string, told: Readonly<Record<Cost, number>>, text: () => string): Bomb => ({
        ...{ what: name, to: 'the socket', told: [told[cost]], bytes: () => Buffer.from(`${text()}\n`) },
      });
      const read = { deep: [400], many: [413], one: [422] };
      return [
        posted('/index', read, () => make(body)),
        posted('/federations/app/sync', read, () => `{"repoIds":${make(body - 20)}}`),
        posted('/delta/validate', { deep: [400], many: [200, 413], one: [200] }, () => make(artifact)),
        posted('/api/v1/ingest/json', { deep: [400], many: [400, 413, 422], one: [422] }, () => make(artifact)),
        posted('/v1/metrics', { deep: [400], many: [400, 413], one: [400] }, () => make(artifact)),
        sent(what, { deep: -32602, many: -32003, one: -32602 }, () => {
          return `{"jsonrpc":"2.0","id":1,"method":"symbols.search","params":{"q":${make(frame - 80)}}}`;
        }),
        sent(`${what}, as a batch`, { deep: -32602, many: -32003, one: -32700 }, () => make(frame - 1)),
      ];
    }),
    ...['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip'].map(
      (coding): Bomb => ({
        what: `compressed by ${coding}`,
        to: '/index',
        headers: { ...asJson, ...coded(coding) },
        bytes: () => gzipped().subarray(0, mib),
        told: [415],
      }),
    ),
    { what: 'gzip', to: '/v1/metrics', headers: { ...protobuf, ...coded('gzip') }, bytes: gzipped, told: [413] },
    {
      what: 'gzip in gzip',
      to: '/v1/metrics',
      headers: { ...protobuf, ...coded('gzip') },
      bytes: () => zlib.gzipSync(gzipped()),
      told: [400],
    },
    {
      what: 'deflate',
      to: '/v1/metrics',
      headers: { ...protobuf, ...coded('deflate') },
      bytes: () => zlib.deflateSync(zeros(), { level: 1 }),
      told: [413],
    },
    {
      what: 'brotli',
      to: '/v1/metrics',
      headers: { ...protobuf, ...coded('br') },
      bytes: () => zlib.brotliCompressSync(Buffer.alloc(10 * mib)),
      told: [415],
    },
    { what: 'gzip', to: '/api/v1/ingest/json', headers: { ...asJson, ...coded('gzip') }, bytes: gzipped, told: [413] },
    {
      what: 'empty messages',
      to: '/v1/metrics',
      headers: protobuf,
      bytes: () => Buffer.alloc(10_000_000, '0a00', 'hex'),
      told: [200],
    },
    {
      what: 'calls of a few functions',
      to: '/api/v1/ingest/json',
      headers: asJson,
      bytes: () => callsOf(artifact, 100),
      told: [200],
    },
    {
      what: 'calls of a function each',
      to: '/api/v1/ingest/json',
      headers: asJson,
      bytes: () => callsOf(artifact, Infinity),
      told: [artifact > 8 * mib ? 413 : 200],
    },
    {
      what: 'calls of fifty thousand functions',
      to: '/api/v1/ingest/json',
      headers: asJson,
      bytes: () => callsOf(Math.min(artifact, 4.7 * mib), Infinity),
      told: [200],
    },
    {
      what: 'points of a few functions',
      to: '/v1/metrics',
      headers: asJson,
      bytes: () => pointsOf(artifact),
      told: [200],
    },
    { what: 'gzip of nothing', to: upload, headers: { ...octets, ...coded('gzip') }, bytes: gzipped, told: [400] },
    {
      what: 'gzip of an unknown field without end',
      to: upload,
      headers: { ...octets, ...coded('gzip') },
      bytes: () => zlib.gzipSync(Buffer.concat([unread, zeros()]), { level: 1 }),
      told: [400],
    },
    {
      what: 'gzip in gzip',
      to: upload,
      headers: { ...octets, ...coded('gzip') },
      bytes: () => zlib.gzipSync(gzipped()),
      told: [400],
    },
    { what: 'gzip that is not called so', to: upload, headers: octets, bytes: gzipped, told: [400] },
    {
      what: 'brotli',
      to: upload,
      headers: { ...octets, ...coded('br') },
      bytes: () => zlib.brotliCompressSync(Buffer.alloc(10 * mib)),
      told: [415],
    },
    {
      what: 'zstd',
      to: upload,
      headers: { ...octets, ...coded('zstd') },
      bytes: zstd === undefined ? () => Buffer.from('28b52ffd', 'hex') : () => zstd(zeros()),
      told: [zstd === undefined ? 415 : 400],
    },
    {
      what: 'five million empty documents',
      to: upload,
      headers: octets,
      bytes: () => Buffer.concat([scipBytes({ metadata }), Buffer.alloc(10_000_000, '1200', 'hex')]),
      told: [413],
    },
    {
      what: 'too many small documents',
      to: upload,
      headers: { ...octets, ...coded('gzip') },
      bytes: () => zlib.gzipSync(smallDocuments(defaultScipLimits.documents + 1)),
      told: [413],
    },
    {
      what: 'small documents, as many as may be',
      to: upload,
      headers: { ...octets, ...coded('gzip') },
      bytes: () => zlib.gzipSync(smallDocuments(most)),
      told: [200],
    },
    {
      what: 'documents of ten thousand symbols',
      to: upload,
      headers: octets,
      bytes: () => Buffer.from(scipBytes({ metadata, documents: [large(0), large(1)] })),
      told: [200],
    },
    {
      what: 'a document of one text',
      to: upload,
      headers: octets,
      bytes: () =>
        Buffer.from(scipBytes({ metadata, documents: [{ relativePath: 'a.ts', text: 'x'.repeat(40 * mib) }] })),
      told: [413],
    },
    {
      what: 'groups, one in the other',
      to: upload,
      headers: octets,
      bytes: () => Buffer.concat([scipBytes({ metadata }), Buffer.alloc(10 * mib, 0x4b)]),
      told: [413],
    },
  ];
}

/** As many calls as there is room for, of so many functions in turn. */
function callsOf(bytes: number, functions: number): Buffer {
  const call = (at: number) =>
    `{"service_name":"s","function_name":"f${at % functions}","file_path":"src/some/where/below.ts","call_count":3}`;
  return listed('{"calls":[', call, ']}', bytes);
}

/** As many data points. */
function pointsOf(bytes: number): Buffer {
  const point = (at: number) =>
    `{"attributes":[{"key":"code.function.name","value":{"stringValue":"some.where.below.f${at % 100}"}}],"timeUnixNano":"${Date.now()}000000","asInt":"3"}`;
  const sum = '{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"calls","sum":{"aggregationTemporality":1,';
  return listed(`${sum}"isMonotonic":true,"dataPoints":[`, point, ']}}]}]}]}', bytes);
}

function listed(head: string, unit: (at: number) => string, tail: string, bytes: number): Buffer {
  const units = Array.from({ length: Math.floor(bytes / (unit(9_999_999).length + 1)) }, (_, at) => unit(at));
  return Buffer.from(head + units.join() + tail);
}

/** So many, each of which defines something. */
function smallDocuments(count: number): Uint8Array {
  const documents = Array.from({ length: count }, (_, at) => {
    const occurrence = run(2, packed(1, 0, 0, 1), run(2, `ts npm p 1 Symbol${at}#`), number(3, 1));
    return run(2, run(1, `src/${at}.ts`), occurrence);
  });
  return Buffer.concat([scipBytes({ metadata }), ...documents]);
}

function large(at: number) {
  const symbols = Array.from({ length: 10_000 }, (_, line) => `ts npm p 1 src/\`${at}.ts\`/Symbol${line}#`);
  return {
    relativePath: `src/${at}.ts`,
    occurrences: symbols.map((symbol, line) => ({ range: [line, 0, 6], symbol, symbolRoles: 1 })),
    symbols: symbols.map(symbol => ({ symbol, documentation: ['One of many'] })),
  };
}

const mostGrownMb = 200;
const mostHeldMs = 250;

/** Sends them all to a daemon, one after the other, each of its sizes; it answers what it should, and goes on. */
export async function explodeAll(context: Cleanup, sizes: BombSizes): Promise<void> {
  const { daemon, door } = await fusedDaemon(context);
  const all = bombs(sizes);
  // What a first request of a kind has it load and keep is no bomb's.
  for (const to of new Set(all.map(one => one.to))) await explode(daemon, door, { ...all.find(one => one.to === to)! });
  for (const bomb of all) {
    const bytes = bomb.bytes();
    const label = `${bomb.to}: ${bomb.what}`;
    const watch = await watchLoop(daemon.process.pid!, door);
    const told = await explode(daemon, door, { ...bomb, bytes: () => bytes });
    const { answers, longestHeldMs, grownMb } = await watch.end();
    assert.ok(bomb.told.includes(told), `${label}: ${told}`);
    assert.ok(answers > 0 && longestHeldMs < mostHeldMs, `${label}: held for ${longestHeldMs} ms`);
    assert.ok(grownMb < mostGrownMb, `${label}: took ${grownMb} MB`);
  }
  assert.equal(daemon.process.exitCode, null);
}

/** A daemon as users have it, with a repository, a federation and an index server. */
export async function fusedDaemon(context: Cleanup): Promise<{ readonly daemon: TestDaemon; readonly door: Door }> {
  const home = temporaryHome(context);
  home.configure('[index_server]\nenabled = true\n');
  const daemon = await startDaemon(context, home, [], compiledDaemon);
  const { root } = gitRepository(context, '-- a.ts --\nexport const a = 1;\n');
  await daemon.client.daemon.addRepo({ root, id: 'app' });
  await daemon.client.indexing.index({ repo: 'app', force: true });
  await daemon.client.federation.create({ name: 'app' });
  return { daemon, door: await doorOf(daemon) };
}

/** Sends one and tells what it was answered. */
export async function explode(daemon: TestDaemon, { url, token }: Door, bomb: Bomb): Promise<number> {
  return bomb.to === 'the socket' ? overSocket(daemon, bomb.bytes()) : overHttp(url + bomb.to, token, bomb);
}

async function overHttp(url: string, token: string, { headers, bytes }: Bomb): Promise<number> {
  const body = bytes();
  const asked: ClientRequest = request(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Length': body.length, Connection: 'close', ...headers },
  });
  // Refused in the midst of its body, it is told why all the same.
  asked.on('error', () => {});
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.on('error', () => {}).resume();
  await once(answer, 'close');
  return answer.statusCode!;
}

async function overSocket(daemon: TestDaemon, bytes: Buffer): Promise<number> {
  const line = wire(await daemon.connect());
  line.raw(bytes);
  const told = await line.next();
  line.socket.destroy();
  const [reply] = [told].flat();
  return reply?.error?.code ?? 0;
}
