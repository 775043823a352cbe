import { argumentsAt, closingOf, type Found, inCode, type Source } from '../text/source.ts';
import { methodIn, type RouteForm, routesBy } from './forms.ts';
import { caseRoutes, directiveRoutes } from './scala-directives.ts';
import { writtenPath } from './written-path.ts';

/** sttp; requests and routes of Akka and Pekko; http4s. */
export function* scalaRoutes(source: Source): Iterable<Found> {
  if (/\bsttp\b/.test(source.text)) yield* routesBy(source, ofSttp);
  if (/\b(?:akka|pekko)\.http\b/.test(source.text)) {
    yield* requests(source);
    if (/\bserver\.(?:Directives|_|\*|\{)/.test(source.code)) yield* directiveRoutes(source);
  }
  if (/\borg\.http4s\b/.test(source.code)) yield* caseRoutes(source);
}

/** `basicRequest.auth.bearer(token).get(uri"$base/carts/$id")`. */
const ofSttp: readonly RouteForm[] = [
  {
    kind: 'route-call',
    pattern: /\.\s{0,5}(?<method>get|post|put|patch|delete|head)\s{0,5}\((?=\s{0,20}uri")/g,
  },
  { kind: 'route-call', pattern: /\.method\s{0,5}\(/g, argument: 1, methodArgument: 0, least: 2 },
];

/** `HttpRequest(HttpMethods.POST, uri = s"$base/carts/$id")`; without a method it gets. */
function* requests(source: Source): Iterable<Found> {
  for (const match of inCode(source, /(?<![\w.])HttpRequest\s{0,5}\(/g)) {
    const open = match.index + match[0].length - 1;
    if (isServed(source.code, match.index, closingOf(source, open))) continue;
    let method = 'GET';
    let address: { readonly from: number; readonly to: number } | undefined;
    for (const { from, to } of argumentsAt(source, open)) {
      const written = source.code.slice(from, Math.min(to, from + 200));
      const [label, name] = /^\s{0,60}(\w{1,20})\s{0,5}=(?!=)/.exec(written) ?? [];
      if (name === 'uri' || (name === undefined && address === undefined && /["']/.test(written)))
        address = { from: from + (label?.length ?? 0), to };
      else if (name === 'method' || (name === undefined && /^\s{0,60}[\w.]{1,80}\s{0,60}$/.test(written)))
        method = methodIn(written) ?? (/\bGET\b/.test(written) ? 'GET' : name === undefined ? method : '');
    }
    const path = address === undefined ? undefined : writtenPath(source, address.from, address.to);
    if (path !== undefined) yield { kind: 'route-call', at: match.index, method, ...path };
  }
}

/** What a server matches requests with, and what tests hand to one's own routes. */
function isServed(code: string, at: number, end: number): boolean {
  return (
    /\bcase\s[^\n=]{0,80}$/.test(code.slice(Math.max(0, at - 90), at)) ||
    (end >= 0 && /^\s{0,20}~>/.test(code.slice(end, end + 24)))
  );
}
