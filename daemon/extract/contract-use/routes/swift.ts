import { argumentsAt, type Found, inCode, type Source } from '../text/source.ts';
import { methodOf, type RouteForm, routesBy } from './forms.ts';
import { normalPath, withHoles } from './written-path.ts';

/** URLs that are made of strings, Alamofire; Vapor. */
export function* swiftRoutes(source: Source): Iterable<Found> {
  yield* routesBy(source, calls);
  if (/\bimport\s{1,5}Vapor\b/.test(source.code)) yield* ofVapor(source);
}

const calls: readonly RouteForm[] = [
  { kind: 'route-call', pattern: /\bAF\.request\s{0,3}\(/g, methodArgument: 1, method: 'GET' },
];

/** `app.get("carts", ":id") { … }`. */
function* ofVapor(source: Source): Iterable<Found> {
  for (const match of inCode(
    source,
    /(?<!\w)(?:app|routes?|router|\w{0,40}[gG]roup\w{0,10})\.(get|post|put|patch|delete)\s{0,3}\(/g,
  )) {
    const given = argumentsAt(source, match.index + match[0].length - 1);
    const parts = given.map(
      ({ from, to }) => /^\s{0,20}"([^"\n]{1,200})"\s{0,20}$/.exec(source.readable.slice(from, to))?.[1],
    );
    const segments = parts.filter(part => part !== undefined);
    const path = normalPath(withHoles(`/${segments.join('/')}`));
    if (segments.length > 0 && path !== undefined)
      yield { kind: 'route', at: match.index, method: methodOf(match[1]!), ...path };
  }
}
