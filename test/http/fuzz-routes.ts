import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { operationNames } from '../../client/protocol/registry.ts';
import { symbolId } from '../../daemon/model/identity.ts';
import { hashOf } from '../daemon/jobs/uploads.ts';
import { type Door, doorOf } from '../fault/held-loop.ts';
import { startDaemon, type TestDaemon, temporaryHome } from '../support/daemon.ts';
import { decoded } from '../support/otlp.ts';
import { gitRepository } from '../support/repository.ts';
import { type RpcReply, request, type Wire, wire } from '../support/rpc-wire.ts';
import { randomFrom } from '../support/synthetic.ts';
import { type DescribedRoute, describedRoutes, type Fits } from './described.ts';
import { bodiesFor } from './fuzz-bodies.ts';
import { type Case, caseFor, meaningOf, nameOf, roundsOfWalk, sharedFields, walkCase, written } from './fuzz-cases.ts';
import { type RawAnswer, sendRaw } from './listener.ts';

const roundsPerField = 4;
/** In bytes, as the configuration has it where nobody says otherwise. */
const longestUrl = 8192;

const tree = `
  -- src/a.ts --
  export class Alpha {
    run(): number {
      return beta();
    }
  }
  export function beta(): number {
    return 1;
  }
  -- b.py --
  def alpha():
      return 1`;

/** Where a value that fits its schema may still be refused: what it names is not there, or does not go with the rest. */
const judgedLater = new Set([
  'repo',
  'cursor',
  'scope',
  'language',
  'scip',
  'commit',
  'root',
  'id',
  'clear',
  'from',
  'to',
  'path',
  'targetPath',
  'moduleId',
  'files',
  'base',
  'head',
  'title',
  'consequences',
  'affectedModules',
]);
/** Of which HTTP wants an id, and the socket takes a name as well. */
const symbolFields = new Set(['from', 'to']);
/** What would end the run, or a thing that it needs. */
function isHarmful({ operationId }: DescribedRoute, { given, wrong }: Case): boolean {
  if (wrong.length > 0) return false;
  if (operationId === 'daemonStop' || operationId === 'daemonEvents') return true;
  const fields = new Map([...given].map(([{ name }, value]) => [name, value]));
  if (operationId === 'indexServerDelete') return fields.get('repo') === 'acme/x';
  return operationId === 'daemonRemoveRepo' && ['app', 'acme/x'].includes(fields.get('id') as string);
}

/**
 * Asks every route of the API's description, the index server's with keys among them, over HTTP and over the socket: with each
 * value in each field, or one of `every` of them, then by chance. It takes what its description allows, refuses the rest by
 * name, and answers as described.
 */
export async function fuzzRoutes(context: TestContext, seed: number, every = 1): Promise<void> {
  context.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const { daemon, known, credentials, ask } = await fuzzed(context);
  const line = wire(await daemon.connect());
  const routes = await describedRoutes((await ask('GET', '/openapi.json', {}, noBytes)).body);
  const isCoreFault = routes.find(({ path }) => path === '/search')!.answers.get(400)!;
  const seen = new Map<number, number>();
  for (const route of routes) {
    const isServed = route.path.startsWith('/index/repos');
    for (const [round, one] of [...casesOf(route, known, random, every)].entries()) {
      if (isHarmful(route, one)) continue;
      const credential = isServed ? credentials[Math.max(0, (round % 5) - 1)]! : full;
      const label = `seed ${seed}: ${one.body?.what ?? ''}`;
      const status = await overHttp(ask, route, one, credential, label);
      seen.set(status, (seen.get(status) ?? 0) + 1);
      await overSocket(line, route, one, isCoreFault, label);
    }
  }
  for (const status of [200, 304, 400, 401, 403, 404, 415, 422])
    assert.ok((seen.get(status) ?? 0) > 5, `${status}: ${seen.get(status)}`);
  assert.equal(daemon.process.exitCode, null);
}

const noBytes = Buffer.alloc(0);

function* casesOf(
  route: DescribedRoute,
  known: readonly string[],
  random: () => number,
  every: number,
): Generator<Case> {
  const own = route.fields.filter(field => !sharedFields.has(field.name));
  const bodies = route.bodyField === undefined ? [] : bodiesFor(route.operationId, random);
  const withBody = (one: Case, at: number): Case =>
    bodies.length === 0 ? one : { ...one, body: bodies[at % bodies.length]! };
  for (const [at] of bodies.entries()) yield withBody(plainCase(route, known), at);
  for (let round = 0; round < roundsOfWalk(own, known); round += every)
    yield withBody(walkCase(own, known, round), round);
  for (let round = 0; round < (roundsPerField * route.fields.length) / every; round++)
    yield withBody(caseFor(route, known, random), Math.floor(random() * 1e6));
}

/** Nothing but what has to be there, and is. */
function plainCase({ fields }: DescribedRoute, known: readonly string[]): Case {
  const needed = fields.filter(({ required }) => required);
  const hosted = known.at(-2)!;
  const repo = fields.filter(({ in: place, name }) => place === 'query' && name === 'repo');
  return {
    given: new Map([...needed.map(field => [field, hosted] as const), ...repo.map(field => [field, 'app'] as const)]),
    unknown: undefined,
    wrong: [],
  };
}

/** How somebody shows who they are, and what they may do on the index server. */
interface Credential {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly may: 'everything' | 'read' | 'nothing';
}

/** The daemon's own token. */
const full: Credential = { headers: {}, may: 'everything' };

async function fuzzed(context: TestContext) {
  const home = temporaryHome(context);
  home.configure('[index_server]\nenabled = true\n');
  const daemon = await startDaemon(context, home);
  const { root } = gitRepository(context, tree);
  const spare = gitRepository(context, tree);
  const { client } = daemon;
  await client.daemon.addRepo({ root, id: 'app' });
  await client.daemon.addRepo({ root: spare.root, id: 'spare' });
  await client.indexing.index({ repo: 'app', force: true });
  await client.federation.create({ name: 'app' });
  for (const repoId of ['app', 'spare']) await client.federation.add({ name: 'app', repoId });
  const found = await client.symbols.search({ q: 'a', repo: 'app', limit: 1 });
  const ask = askerAt(await doorOf(daemon));
  const [sound] = bodiesFor('indexServerUpload', () => 0);
  const uploaded = await ask('POST', `/index/repos/acme%2Fx/upload`, sound!.headers, sound!.bytes);
  assert.equal(uploaded.status, 200, uploaded.body);
  const held = symbolId('acme/x', hashOf('src/lib.ts', 'helper().'));
  const known = ['app', root, found.results[0]!.id, 'acme/x', held];
  return { daemon, known, ask, credentials: [full, ...(await keysOf(daemon)), nobody] };
}

const nobody: Credential = { headers: { Authorization: undefined }, may: 'nothing' };

async function keysOf({ client }: TestDaemon): Promise<readonly Credential[]> {
  const key = async (scope: 'admin' | 'read', may: Credential['may']): Promise<Credential> => {
    const { token } = await client.token.create({ name: scope, scopes: [scope] });
    return { headers: { Authorization: `Bearer ${token}` }, may };
  };
  return [await key('admin', 'everything'), await key('read', 'read')];
}

type Ask = (
  method: string,
  target: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: Buffer,
) => Promise<RawAnswer>;

function askerAt({ url, token }: Door): Ask {
  const { port } = new URL(url);
  return (method, target, headers, body) => {
    const all: Record<string, string | undefined> = {
      Host: `127.0.0.1:${port}`,
      Authorization: `Bearer ${token}`,
      Connection: 'close',
      ...(body.length === 0 ? {} : { 'Content-Type': 'application/json' }),
      ...(body.length === 0 && method !== 'POST' ? {} : { 'Content-Length': String(body.length) }),
      ...headers,
    };
    const lines = Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}: ${value}\r\n`],
    );
    const head = `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
    return sendRaw(Number(port), Buffer.concat([Buffer.from(head), body]));
  };
}

async function overHttp(ask: Ask, route: DescribedRoute, one: Case, by: Credential, seed: string): Promise<number> {
  const { target, headers, body } = written(route, one);
  const sent = { ...headers, ...by.headers };
  const label = `${seed} ${route.method} ${target.slice(0, 200)} ${JSON.stringify(body.toString('latin1', 0, 200))} ${JSON.stringify(sent).slice(0, 200)}`;
  const answer = await ask(route.method, target, sent, body);
  const isDescribed = route.answers.has(answer.status);
  assert.ok(isDescribed && answer.status < 500, `${label}: ${answer.status} ${answer.body}`);
  const told = toldIn(answer);
  const fits = route.answers.get(answer.status);
  if (fits !== undefined && !isOtherForm(answer.headers['content-type']))
    assert.ok(fits(told), `${label}: ${answer.status} ${answer.body}`);
  if (!mayAsk(by, route)) {
    assert.equal(answer.status, by.may === 'nothing' ? 401 : 403, label);
    return answer.status;
  }
  if (Buffer.byteLength(target) > longestUrl) {
    assert.equal(answer.status, 414, label);
    return answer.status;
  }
  judge(label, one, answer.status, told);
  const etag = answer.headers['etag'];
  if (answer.status !== 200 || etag === undefined) return answer.status;
  const again = await ask(route.method, target, { ...sent, 'If-None-Match': etag }, body);
  assert.deepEqual([again.status, again.body], [304, ''], label);
  return 304;
}

function toldIn({ headers, status, body, bytes }: RawAnswer): unknown {
  switch (headers['content-type']) {
    case 'application/json':
      return JSON.parse(body);
    case 'application/x-protobuf':
      return decoded(status === 200 ? 'ExportMetricsServiceResponse' : 'Status', bytes);
    default:
      return undefined;
  }
}

function mayAsk({ may }: Credential, { method, operationId }: DescribedRoute): boolean {
  const isRead = method === 'GET' || operationId === 'indexServerBatchGet';
  return may === 'everything' || (may === 'read' && isRead);
}

/** Of an answer that may be had in several forms one that is no JSON. */
function isOtherForm(type: string | undefined): boolean {
  return /^(?:image\/svg\+xml;|text\/(?:markdown|vnd\.(?:graphviz|mermaid));|application\/x-protobuf$)/.test(
    type ?? '',
  );
}

/** Every wrong field is named, and none is refused that fits. */
function judge(label: string, { wrong, given, body }: Case, status: number, told: unknown): void {
  const named = namesIn(told);
  const message = `${label}: ${status} ${JSON.stringify(told)?.slice(0, 500)}, wrong: ${wrong}`;
  if (wrong.length === 0) {
    if (body !== undefined) judgeBody(message, body.isTaken, status);
    else if (status === 400 || status === 422)
      assert.ok(named.size > 0 && [...named].every(name => judgedLater.has(name)), message);
    return;
  }
  const inBody = new Set([...given.keys()].filter(field => field.in === 'body').map(({ name }) => name));
  // What is held against a body's type or coding comes before its fields.
  if (body !== undefined && status === 415) return;
  for (const name of wrong) assert.ok(named.has(name) || named.has(name.replace(/\[.*$/, '')), message);
  const isBodyAlone = [...named].every(name => inBody.has(name));
  assert.ok(status === 400 || status === 422, message);
  if (isBodyAlone) assert.equal(status, 422, message);
}

/** Where it is for is asked for before it is looked at. */
function judgeBody(message: string, isTaken: 'yes' | 'no' | 'perhaps', status: number): void {
  const isElsewhere = status === 403 || status === 404;
  if (isTaken === 'no') assert.ok([400, 412, 413, 415, 422].includes(status) || isElsewhere, message);
  if (isTaken === 'yes') assert.ok([200, 400, 412].includes(status) || isElsewhere, message);
}

/** What is held against which field: told apart, or in the words of whose errors have no details. */
function namesIn(told: unknown): ReadonlySet<string> {
  const { details, error, message } = (told ?? {}) as {
    readonly details?: { readonly problems?: readonly { readonly path: string }[] };
    readonly error?: string | { readonly code: string; readonly message: string };
    readonly message?: string;
  };
  const paths = details?.problems?.map(({ path }) => path);
  const words = typeof error === 'object' ? error.message : message;
  const inWords = (words ?? '').split('; ').flatMap(part => /^([^\s:]+): /.exec(part)?.[1] ?? []);
  const isCursor = typeof error === 'object' && error.code === 'invalid_cursor';
  return new Set([...(paths ?? inWords), ...(isCursor ? ['cursor'] : [])].map(path => path.replace(/[[.].*$/, '')));
}

const methods = new Map(
  operationNames.map(name => [name.replace(/\.(.)/, (_, first: string) => first.toUpperCase()), name]),
);

/** The same question by its method's name: what HTTP's own rules say does not hold there, all else does. */
async function overSocket(
  line: Wire,
  route: DescribedRoute,
  one: Case,
  isCoreFault: Fits,
  seed: string,
): Promise<void> {
  const method = methods.get(route.operationId)!;
  const fields = [...one.given]
    .filter(([field]) => field.in !== 'header')
    .map(([{ in: place, name, type }, value]) => [name, place === 'body' ? value : meaningOf(type, value as string)]);
  if (one.unknown !== undefined) fields.push([one.unknown.name, 1]);
  if (one.body !== undefined) fields.push([route.bodyField!, one.body.bytes.toString('latin1')]);
  const params = `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;
  const label = `${seed} ${method} ${params.slice(0, 300)}`;
  line.raw(`${JSON.stringify(request('q', method, 0)).replace(/0\}$/, () => `${params}}`)}\n`);
  const { result, error } = (await line.next()) as RpcReply;
  const shown = `${label}: ${JSON.stringify(error ?? result)?.slice(0, 500)}`;
  const freer = new Set([...one.given.keys()].filter(field => field.in !== 'query' && field.in !== 'body').map(nameOf));
  const wrong = one.wrong.filter(name => !freer.has(name) && !symbolFields.has(name));
  if (error === undefined) {
    assert.deepEqual(wrong, [], shown);
    const format = fields.find(([name]) => name === 'format')?.[1] ?? 'json';
    const fits = format === 'json' ? route.answers.get(200) : undefined;
    assert.ok(fits?.(result) ?? typeof result === 'string', shown);
    return;
  }
  assert.ok([-32001, -32002, -32003, -32004, -32602].includes(error.code), shown);
  if (wrong.length > 0) assert.equal(error.code, -32602, shown);
  const { reason, retryAfterSeconds, ...body } = error.data!;
  assert.ok(reason !== undefined && isCoreFault(body), `${shown} ${retryAfterSeconds}`);
}
