import { argumentsAt, type Found, inCode, type Source } from '../text/source.ts';
import { addresses } from './addresses.ts';
import { below, methodOf, type RouteForm, routesBy } from './forms.ts';
import { receiversBy } from './receivers.ts';
import { normalPath, writtenPath } from './written-path.ts';

/** actix, axum, rocket, warp; reqwest and ureq. */
export function* rustRoutes(source: Source): Iterable<Found> {
  yield* addresses(source);
  if (!/reqwest|ureq|actix|axum|rocket|warp|hyper/.test(source.text)) return;
  yield* routesBy(source, calls);
  yield* attributes(source);
  yield* registered(source);
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

/** `#[get("/carts/{id}")]` of actix and rocket. */
function* attributes(source: Source): Iterable<Found> {
  const [, scope] = /\bweb::scope\(\s{0,5}"([^"\n]{1,200})"/.exec(source.readable) ?? [];
  for (const match of inCode(
    source,
    /#\[\s{0,5}(?:\w{1,20}::)?(get|post|put|patch|delete|head)\s{0,3}\(\s{0,10}"([^"\n]{0,300})"/g,
  )) {
    const path = normalPath(below(scope ?? '', match[2]!));
    if (path !== undefined) yield { kind: 'route', at: match.index, method: methodOf(match[1]!), ...path };
  }
}

/** `.route("/carts/:id", get(one).post(add))` of axum, `web::get()` of actix. */
function* registered(source: Source): Iterable<Found> {
  for (const match of inCode(source, /\.route\s{0,3}\(|\bweb::resource\s{0,3}\(/g)) {
    const [first, second] = argumentsAt(source, match.index + match[0].length - 1);
    const written = first === undefined ? undefined : writtenPath(source, first.from, first.to);
    if (written === undefined) continue;
    const handler = second === undefined ? '' : source.code.slice(second.from, second.to);
    const methods = [...handler.matchAll(/(?<![\w])(get|post|put|patch|delete|head)\s{0,3}\(/g)].map(one =>
      methodOf(one[1]!),
    );
    for (const method of methods.length === 0 ? [''] : methods.slice(0, 8))
      yield { kind: 'route', at: match.index, method, ...written };
  }
}
