import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startDaemon, type TestDaemon, until } from '../support/daemon.ts';
import { gitRepository } from '../support/repository.ts';
import { type RpcReply, request, type Wire, wire } from '../support/rpc-wire.ts';
import { randomFrom } from '../support/synthetic.ts';
import { type DescribedField, type DescribedRoute, describedRoutes } from './described.ts';
import { type RawAnswer, sendRequest } from './listener.ts';

const seed = 7;
const roundsPerField = 4;
/** Those that say which repository is meant and how: looked at by chance, as part of every route that has them. */
const sharedFields = new Set(['repo', 'sync', 'X-SVC-Repo', 'X-Request-ID', 'If-None-Match']);

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

/** What a field is given: fitting or not, its schema tells. */
const texts = [
  ...['', ' ', '\t', 'alpha', 'Alpha.run', 'beta', 'a b', '.', '..', '../../etc/passwd', '/', '/absent', 'C:\\x'],
  ...['0', '1', '-1', '2', '50', '10000', '10001', '1.5', '1e3', '0x10', '05', '+5', '∞', '9007199254740993', 'NaN'],
  ...['true', 'false', 'TRUE', 'yes', 'null', 'undefined', '[]', '{}', 'head', 'full', 'dirty', 'fast', 'ultra'],
  ...['function', 'function,class', 'function,,', 'class,klass', 'queued', 'failed', 'done', 'auto', 'go', 'cobol'],
  ...[
    'accepted',
    'union',
    'app',
    'spare',
    'none',
    'acme/x',
    'UPPER',
    'index-repository',
    '__proto__',
    'constructor',
    'toString',
  ],
  ...['"', "'; DROP TABLE--", 'a AND', 'NEAR(', '*', '%', '%2e%2e', '_', '\\', '😀', '\u202eabc', '\ud800', 'ä'],
  ...['a\0b', 'a\r\nb', '\u001b[31m', 'x'.repeat(129), 'x'.repeat(1025), 'x'.repeat(4097), 'AAAA', 'e30='],
  ...[`svc:app:sym:${'0'.repeat(32)}`, `svc:none:sym:${'0'.repeat(32)}`, 'svc:app:sym:0', 'svc::sym:', '-', '--'],
];
const values: readonly unknown[] = [
  ...[...texts, null, true, false, 0, 1, -1, 1.5, 50, 1e21, [], {}, ['function'], ['klass'], [null], [[[]]]],
  ...[{ a: 1 }, { length: 1 }],
];

/** One question: the fields that it gives, and those of them that can't be right. */
interface Case {
  readonly given: ReadonlyMap<DescribedField, unknown>;
  readonly unknown: { readonly name: string; readonly in: 'query' | 'body' } | undefined;
  readonly wrong: readonly string[];
}

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
  return operationId === 'daemonRemoveRepo' && fields.get('id') === 'app';
}

test('every route takes what its description allows, refuses the rest by name, and answers as described', async t => {
  const daemon = await startDaemon(t);
  const { root } = gitRepository(t, tree);
  const spare = gitRepository(t, tree);
  await daemon.client.daemon.addRepo({ root, id: 'app' });
  await daemon.client.daemon.addRepo({ root: spare.root, id: 'spare' });
  await daemon.client.indexing.index({ repo: 'app', force: true });
  await daemon.client.federation.create({ name: 'app' });
  for (const repoId of ['app', 'spare']) await daemon.client.federation.add({ name: 'app', repoId });
  const found = await daemon.client.symbols.search({ q: 'a', repo: 'app', limit: 1 });
  const known = ['app', root, found.results[0]!.id];
  await until('HTTP listens', async () => (await daemon.client.daemon.status({})).http !== null);
  const ask = await asker(daemon);
  const line = wire(await daemon.connect());
  const routes = await describedRoutes((await ask('GET', '/openapi.json', {}, '')).body);
  const random = randomFrom(seed);
  const seen = new Map<number, number>();
  for (const route of routes) {
    // The index server is off, and says that alone.
    if (route.readsBody || route.operationId.startsWith('indexServer')) continue;
    const own = route.fields.filter(field => !sharedFields.has(field.name));
    const walks = own.length === 0 ? 0 : values.length + known.length;
    for (let round = 0; round < walks + roundsPerField * route.fields.length; round++) {
      const one = round < walks ? walkCase(own, known, round) : caseFor(route, known, random);
      if (isHarmful(route, one)) continue;
      const status = await overHttp(ask, route, one);
      seen.set(status, (seen.get(status) ?? 0) + 1);
      await overSocket(line, route, one);
    }
  }
  for (const status of [200, 304, 400, 404, 422])
    assert.ok((seen.get(status) ?? 0) > 5, `${status}: ${seen.get(status)}`);
});

/** Every other case fits and is about what is `known` to be there, as far as that has anything for a field. */
function caseFor(route: DescribedRoute, known: readonly string[], random: () => number): Case {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const given = new Map<DescribedField, unknown>();
  const wrong: string[] = [];
  const isTame = random() < 0.5;
  for (const field of route.fields) {
    if (field.name === 'X-Request-ID' || field.name === 'If-None-Match') continue;
    // What two places say of one field is another test's.
    if ([...given.keys()].some(other => nameOf(other) === nameOf(field))) continue;
    const isLeftOut = field.in !== 'path' && random() < (field.required ? 0.05 : 0.6);
    if (isLeftOut) {
      if (field.required) wrong.push(field.name);
      continue;
    }
    const pool = poolOf(field, known);
    const sound = pool.filter(value => isSound(field, value));
    const there = sound.filter(value => known.includes(value as string));
    const value = isTame ? pick(there.length > 0 ? there : sound) : pick(random() < 0.5 ? sound : pool);
    given.set(field, value);
    if (!isSound(field, value)) wrong.push(nameOf(field));
  }
  const isExtended = !isTame && random() < 0.2;
  const unknown = isExtended
    ? { name: pick(['limt', 'x', '__proto__', 'toString', 'rapos']), in: pick(['query', 'body'] as const) }
    : undefined;
  const counts = unknown !== undefined && (unknown.in === 'query' || route.method === 'POST');
  return { given, unknown: counts ? unknown : undefined, wrong: counts ? [...wrong, unknown.name] : wrong };
}

/** The fields of one route alone, each with the value that is its turn: in the end every one has had them all. */
function walkCase(own: readonly DescribedField[], known: readonly string[], round: number): Case {
  const given = new Map<DescribedField, unknown>();
  for (const [at, field] of own.entries()) {
    const pool = poolOf(field, known);
    given.set(field, pool[(round + 11 * at) % pool.length]);
  }
  return { given, unknown: undefined, wrong: own.filter(field => !isSound(field, given.get(field))).map(nameOf) };
}

function poolOf(field: DescribedField, known: readonly string[]): readonly unknown[] {
  const pool = [...known, ...field.choices, ...(field.in === 'body' ? values : texts)];
  return pool.filter(value => isWritable(field, value));
}

/** As problems name it. */
function nameOf({ name }: DescribedField): string {
  return name === 'X-SVC-Repo' ? 'repo' : name;
}

/** Whether a request can carry a value in this place at all. */
function isWritable(field: DescribedField, value: unknown): boolean {
  if (field.in === 'body') return true;
  const text = value as string;
  if (/\p{Surrogate}/u.test(text)) return false;
  if (field.in === 'path') return text !== '';
  return field.in === 'query' || /^[\x21-\x7e]+$/.test(text);
}

function isSound({ in: place, type, fits }: DescribedField, value: unknown): boolean {
  if (typeof value === 'string' && value.includes('\0')) return false;
  if (place === 'body') return fits(value);
  return (place !== 'path' || Buffer.byteLength(value as string) <= 4096) && fits(meaningOf(type, value as string));
}

/** What a text stands for where text is all there is. */
function meaningOf(type: string, text: string): unknown {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(Number(text)) && String(Number(text)) === text ? Number(text) : text;
    case 'number':
      return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text;
    case 'array':
      return text.split(',');
    default:
      return text;
  }
}

type Ask = (
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  body: string,
) => Promise<RawAnswer>;

async function asker({ client, record }: TestDaemon): Promise<Ask> {
  const port = (await client.daemon.status({})).http!.port;
  const Authorization = `Bearer ${readFileSync(record.tokenFile, 'utf8').trim()}`;
  return (method, target, headers, body) =>
    sendRequest({ port } as Parameters<typeof sendRequest>[0], method, target, { Authorization, ...headers }, body);
}

async function overHttp(ask: Ask, route: DescribedRoute, one: Case): Promise<number> {
  const { target, headers, body } = written(route, one);
  const label = `${route.method} ${target.slice(0, 200)} ${body.slice(0, 200)} ${JSON.stringify(headers).slice(0, 200)}`;
  const answer = await ask(route.method, target, headers, body);
  const isDescribed = route.answers.has(answer.status);
  assert.ok(isDescribed && answer.status < 500, `${label}: ${answer.status} ${answer.body}`);
  const told: unknown = answer.headers['content-type'] === 'application/json' ? JSON.parse(answer.body) : undefined;
  const fits = route.answers.get(answer.status);
  if (fits !== undefined && !isOtherForm(answer.headers['content-type']))
    assert.ok(fits(told), `${label}: ${answer.body}`);
  judge(label, one, answer.status, told);
  const etag = answer.headers['etag'];
  if (answer.status !== 200 || etag === undefined) return answer.status;
  const again = await ask(route.method, target, { ...headers, 'If-None-Match': etag }, body);
  assert.deepEqual([again.status, again.body], [304, ''], label);
  return 304;
}

/** Of an answer that may be had in several forms one that is no JSON. */
function isOtherForm(type: string | undefined): boolean {
  return /^(?:image\/svg\+xml|text\/(?:markdown|vnd\.(?:graphviz|mermaid)));/.test(type ?? '');
}

/** Every wrong field is named, and none is refused that fits. */
function judge(label: string, { wrong, given }: Case, status: number, told: unknown): void {
  const problems = (told as { details?: { problems?: { path: string }[] } } | undefined)?.details?.problems ?? [];
  const named = new Set(problems.map(({ path }) => path.replace(/[[.].*$/, '')));
  const message = `${label}: ${status} ${JSON.stringify(told)?.slice(0, 500)}`;
  if (wrong.length === 0) {
    if (status === 400 || status === 422)
      assert.ok(named.size > 0 && [...named].every(name => judgedLater.has(name)), message);
    return;
  }
  const inBody = new Set([...given.keys()].filter(field => field.in === 'body').map(({ name }) => name));
  for (const name of wrong) assert.ok(named.has(name) || named.has(name.replace(/\[.*$/, '')), message);
  const isBodyAlone = [...named].every(name => inBody.has(name));
  assert.ok(status === 400 || status === 422, message);
  if (isBodyAlone) assert.equal(status, 422, message);
}

function written(route: DescribedRoute, { given, unknown }: Case) {
  let path = route.path;
  const query: string[] = [];
  const headers: Record<string, string> = {};
  const body: [string, unknown][] = [];
  for (const [field, value] of given) {
    switch (field.in) {
      case 'path':
        path = path.replace(`{${field.name}}`, encodeURIComponent(value as string));
        break;
      case 'query':
        query.push(`${field.name}=${encodeURIComponent(value as string)}`);
        break;
      case 'header':
        headers[field.name] = value as string;
        break;
      case 'body':
        body.push([field.name, value]);
    }
  }
  if (unknown?.in === 'query') query.push(`${unknown.name}=1`);
  if (unknown?.in === 'body') body.push([unknown.name, 1]);
  const text = body.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join();
  return {
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers,
    body: body.length === 0 ? '' : `{${text}}`,
  };
}

/** The same question by its method's name: what HTTP's own rules say does not hold there, all else does. */
async function overSocket(line: Wire, route: DescribedRoute, one: Case): Promise<void> {
  const method = route.operationId.replace(/[A-Z]/, letter => `.${letter.toLowerCase()}`);
  const fields = [...one.given]
    .filter(([field]) => field.in !== 'header')
    .map(([{ in: place, name, type }, value]) => [name, place === 'body' ? value : meaningOf(type, value as string)]);
  if (one.unknown !== undefined) fields.push([one.unknown.name, 1]);
  const params = `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;
  const label = `${method} ${params.slice(0, 300)}`;
  line.raw(`${JSON.stringify(request('q', method, 0)).replace(/0\}$/, `${params}}`)}\n`);
  const { result, error } = (await line.next()) as RpcReply;
  const shown = `${label}: ${JSON.stringify(error ?? result)?.slice(0, 500)}`;
  const freer = new Set(route.fields.filter(field => field.in === 'path').map(({ name }) => name));
  const wrong = one.wrong.filter(name => !freer.has(name) && !symbolFields.has(name));
  if (error === undefined) {
    assert.deepEqual(wrong, [], shown);
    const format = fields.find(([name]) => name === 'format')?.[1] ?? 'json';
    const fits = format === 'json' ? route.answers.get(200) : undefined;
    assert.ok(fits?.(result) ?? typeof result === 'string', shown);
    return;
  }
  assert.ok([-32001, -32002, -32004, -32602].includes(error.code), shown);
  if (wrong.length > 0) assert.equal(error.code, -32602, shown);
  const { reason, retryAfterSeconds, ...body } = error.data!;
  assert.ok(reason !== undefined && route.answers.get(400)!(body), `${shown} ${retryAfterSeconds}`);
}
