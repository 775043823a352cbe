import type { DescribedField, DescribedRoute } from './described.ts';
import type { SentBody } from './fuzz-bodies.ts';

/** Those that say which repository is meant and how: looked at by chance, as part of every route that has them. */
export const sharedFields = new Set([
  ...['repo', 'sync', 'X-SVC-Repo', 'X-Request-ID', 'If-None-Match'],
  // A body's own, whoever sends it says so.
  ...['Content-Length', 'Content-Encoding'],
]);

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
  ...[
    'a\0b',
    'a\r\nb',
    '\u001b[31m',
    'x'.repeat(129),
    'x'.repeat(1025),
    'x'.repeat(4097),
    'AAAA',
    'e30=',
    'a1'.repeat(20),
  ],
  ...[`svc:app:sym:${'0'.repeat(32)}`, `svc:none:sym:${'0'.repeat(32)}`, 'svc:app:sym:0', 'svc::sym:', '-', '--'],
];
const values: readonly unknown[] = [
  ...[...texts, null, true, false, 0, 1, -1, 1.5, 50, 1e21, [], {}, ['function'], ['klass'], [null], [[[]]]],
  ...[{ a: 1 }, { length: 1 }],
];

/** One question: the fields that it gives, and those of them that can't be right. */
export interface Case {
  readonly given: ReadonlyMap<DescribedField, unknown>;
  readonly unknown: { readonly name: string; readonly in: 'query' | 'body' } | undefined;
  readonly wrong: readonly string[];
  /** Of a route whose operation reads it by itself. */
  readonly body?: SentBody;
}

/** Every other case fits and is about what is `known` to be there, as far as that has anything for a field. */
export function caseFor(route: DescribedRoute, known: readonly string[], random: () => number): Case {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const given = new Map<DescribedField, unknown>();
  const wrong: string[] = [];
  const isTame = random() < 0.5;
  for (const field of route.fields) {
    if (unsaid.has(field.name)) continue;
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
  const counts =
    unknown !== undefined && (unknown.in === 'query' || (route.method === 'POST' && route.bodyField === undefined));
  return { given, unknown: counts ? unknown : undefined, wrong: counts ? [...wrong, unknown.name] : wrong };
}

const unsaid = new Set(['X-Request-ID', 'If-None-Match', 'Content-Length', 'Content-Encoding']);

/** The fields of one route alone, each with the value that is its turn: in the end every one has had them all. */
export function walkCase(own: readonly DescribedField[], known: readonly string[], round: number): Case {
  const given = new Map<DescribedField, unknown>();
  for (const [at, field] of own.entries()) {
    const pool = poolOf(field, known);
    given.set(field, pool[(round + 11 * at) % pool.length]);
  }
  return { given, unknown: undefined, wrong: own.filter(field => !isSound(field, given.get(field))).map(nameOf) };
}

/** After so many rounds each field has had every value. */
export function roundsOfWalk(own: readonly DescribedField[], known: readonly string[]): number {
  return own.length === 0 ? 0 : values.length + known.length;
}

function poolOf(field: DescribedField, known: readonly string[]): readonly unknown[] {
  const pool = [...known, ...field.choices, ...(field.in === 'body' ? values : texts)];
  return pool.filter(value => isWritable(field, value));
}

/** As problems name it. */
export function nameOf({ name }: DescribedField): string {
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
export function meaningOf(type: string, text: string): unknown {
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

/** As HTTP has it. */
export function written(route: DescribedRoute, { given, unknown, body: sent }: Case) {
  let path = route.path;
  const query: string[] = [];
  const headers: Record<string, string> = { ...sent?.headers };
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
    body: sent?.bytes ?? Buffer.from(body.length === 0 ? '' : `{${text}}`),
  };
}
