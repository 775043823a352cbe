import { perSource } from '../text/per-source.ts';
import { argumentsAt, closingOf, type Found, inCode, type Source } from '../text/source.ts';
import { addresses } from './addresses.ts';
import { below, methodOf, type RouteForm, routesBy } from './forms.ts';
import { type Block, blocksIn, chainBehind, prefixAt } from './nested.ts';
import { receiversBy } from './receivers.ts';
import { normalPath, segmentsOf, writtenPath } from './written-path.ts';

/** actix, axum, rocket, warp; reqwest and ureq. */
export function* rustRoutes(source: Source): Iterable<Found> {
  yield* addresses(source);
  if (!/reqwest|ureq|actix|axum|rocket|warp|hyper/.test(source.text)) return;
  yield* routesBy(source, calls);
  yield* attributes(source);
  yield* registered(source);
  if (/\bwarp::/.test(source.code)) yield* filters(source);
}

/** `c: &reqwest::Client`, `let c = Client::new()`. */
const ofReqwest = receiversBy(
  [
    /(?<![\w.])(?<name>[a-z_]\w{0,60})\s{0,5}:\s{0,5}&?(?:'\w{1,30}\s)?(?:mut\s)?(?<type>(?:\w{1,60}::){0,3}[A-Z]\w{0,80})/g,
    /\blet\s{1,5}(?:mut\s{1,5})?(?<name>\w{1,60})\s{0,5}=\s{0,5}(?<type>(?:\w{1,60}::){0,3}[A-Z]\w{0,80})::\w{1,40}\(/g,
  ],
  (type, source) =>
    /^reqwest::(?:blocking::)?Client$/.test(type) || (type === 'Client' && /\buse reqwest::/.test(source.code)),
);

const calls: readonly RouteForm[] = [
  {
    kind: 'route-call',
    pattern: /(?<!\w)(?<receiver>[a-z_]\w{0,60})\s{0,40}\.(?<method>get|post|put|patch|delete|head)\s{0,3}\(/g,
    receivers: ofReqwest,
  },
  { kind: 'route-call', pattern: /\b(?:reqwest|ureq|blocking)::(?<method>get|post|put|patch|delete|head)\s{0,3}\(/g },
  {
    kind: 'route-call',
    pattern:
      /(?:\b\w{0,40}client|\bhttp|\bClient::new\(\)|\bself\.\w{0,40}client)\s{0,30}\.(?<method>get|post|put|patch|delete|head)\s{0,3}\(/g,
  },
];

/** `#[get("/carts/{id}")]` of actix and rocket, below the scope that the file gives the function to. */
function* attributes(source: Source): Iterable<Found> {
  const given = prefixesGiven(source);
  for (const match of inCode(
    source,
    /#\[\s{0,5}(?:\w{1,20}::)?(get|post|put|patch|delete|head)\s{0,3}\(\s{0,10}"([^"\n]{0,300})"/g,
  )) {
    const [, name] = /\bfn\s{1,5}(\w{1,100})/.exec(source.code.slice(match.index, match.index + 800)) ?? [];
    const path = normalPath(below(given.get(name ?? '') ?? '', match[2]!));
    if (path !== undefined) yield { kind: 'route', at: match.index, method: methodOf(match[1]!), ...path };
  }
}

const scopes = /\bweb::scope\s{0,3}\(/g;

/** `web::scope("/v1").service(show)` of actix, `.mount("/v1", routes![show, add])` of rocket, by the functions' names. */
const prefixesGiven = perSource(source => {
  const found = new Map<string, string>();
  const blocks = blocksIn(source, scopes, 'chain');
  if (blocks.length > 0) {
    for (const match of inCode(source, /\.service\s{0,3}\(\s{0,20}(\w{1,100})\s{0,20}\)/g)) {
      const prefix = prefixAt(blocks, match.index);
      if (prefix !== '') found.set(match[1]!, prefix);
    }
  }
  for (const match of inCode(
    source,
    /\.mount\s{0,3}\(\s{0,20}"([^"\n]{1,200})"\s{0,5},\s{0,20}(?:rocket::)?routes!\s{0,3}\[([^\][]{1,2000})\]/g,
  )) {
    const path = normalPath(match[1]!)?.path;
    for (const name of match[2]!.split(',')) if (path !== undefined) found.set(name.trim(), path);
  }
  return found;
});

/** `.route("/carts/:id", get(one).post(add))` of axum, `web::get()` of actix, below what they are nested in. */
function* registered(source: Source): Iterable<Found> {
  const blocks = [...blocksIn(source, scopes, 'chain'), ...nestsOf(source)];
  for (const match of inCode(source, /\.route\s{0,3}\(|\bweb::resource\s{0,3}\(/g)) {
    const open = match.index + match[0].length - 1;
    const [first, second] = argumentsAt(source, open);
    const prefix = prefixAt(blocks, match.index);
    const isRoot = first !== undefined && prefix !== '' && source.readable.slice(first.from, first.to).trim() === '""';
    const written = first === undefined ? undefined : isRoot ? { path: '' } : writtenPath(source, first.from, first.to);
    if (written === undefined) continue;
    const chain = match[0].startsWith('.') ? second : chainBehind(source, open);
    const handler = chain === undefined ? '' : source.code.slice(chain.from, Math.min(chain.to, chain.from + 4_000));
    const pattern = match[0].startsWith('.')
      ? /(?<![\w])(get|post|put|patch|delete|head)(?:_service)?\s{0,3}\(/g
      : /\bweb::(get|post|put|patch|delete|head)\s{0,3}\(/g;
    const methods = [...handler.matchAll(pattern)].map(one => methodOf(one[1]!));
    for (const method of methods.length === 0 ? [''] : methods.slice(0, 8))
      yield {
        kind: 'route',
        at: match.index,
        method,
        path: prefix === '' ? written.path : below(prefix, written.path),
      };
  }
}

/** axum: what stands in `.nest("/v1", Router::new()…)`, and the variables and functions of the file that are nested by name. */
function nestsOf(source: Source): readonly Block[] {
  const found = [...blocksIn(source, /\.nest\s{0,3}\(/g, 'arguments')];
  const named = new Map<string, string>();
  for (const match of inCode(
    source,
    /\.nest\s{0,3}\(\s{0,40}"([^"\n]{1,200})"\s{0,5},\s{0,40}(\w{1,100})\s{0,5}[(),]/g,
  )) {
    const path = normalPath(match[1]!)?.path;
    if (path !== undefined) named.set(match[2]!, below(prefixAt(found, match.index), path));
  }
  if (named.size === 0) return found;
  for (const match of inCode(
    source,
    /\blet\s{1,5}(?:mut\s{1,5})?(\w{1,100})\s{0,5}(?::\s{0,5}[\w<>]{1,60}\s{0,5})?=\s{0,20}Router::(?:<\w{1,40}>::)?new\(|\bfn\s{1,5}(\w{1,100})\s{0,5}\([^{};]{0,200}->[^{};]{0,60}\bRouter\b[^{};]{0,60}\{/g,
  )) {
    const prefix = named.get(match[1] ?? match[2]!);
    const open = match.index + match[0].length - 1;
    const to = closingOf(source, open, 200_000);
    const span =
      match[1] === undefined ? { from: open, to: to < 0 ? source.code.length : to } : chainBehind(source, open);
    if (prefix !== undefined && span !== undefined && found.length < 300) found.push({ ...span, prefix });
  }
  return found;
}

/** warp: `warp::path!("carts" / u32).and(warp::get())`, `warp::path("carts").and(warp::post())`. */
function* filters(source: Source): Iterable<Found> {
  for (const match of inCode(source, /(?<![\w:])warp::(?:path!|path|get|post|put|patch|delete)\s{0,3}\(/g)) {
    const { code, readable } = source;
    if (/\.and\s{0,3}\(\s{0,40}$/.test(code.slice(Math.max(0, match.index - 60), match.index))) continue;
    const chain = chainBehind(source, match.index + match[0].length - 1);
    if (chain === undefined) continue;
    const end = code
      .slice(chain.from, Math.min(chain.to, chain.from + 2_000))
      .search(/\.\s{0,5}(?:or|map|and_then|boxed)\s{0,5}\(/);
    const text = readable.slice(match.index, end < 0 ? Math.min(chain.to, chain.from + 2_000) : chain.from + end);
    const parts = [
      ...text.matchAll(/\bwarp::path(?:!\s{0,3}\(([^()\n]{0,200})\)|\s{0,3}\(\s{0,5}("[^"\n]{0,100}")|(::param)\b)/g),
    ];
    const [, method] = /\bwarp::(get|post|put|patch|delete)\s{0,3}\(/.exec(text) ?? [];
    const isWhole = method !== undefined || /\bwarp::path(?:!|::end\b)/.test(text);
    const path = segmentsOf(parts.map(([, macro, plain]) => macro ?? plain ?? 'param').join(' / '));
    if (parts.length > 0 && isWhole && path !== undefined)
      yield { kind: 'route', at: match.index, method: methodOf(method ?? ''), path };
  }
}
