import type { Found, Source } from '../text/source.ts';
import { below, methodOf, type RouteForm, resourceRoutes, routesBy } from './forms.ts';
import { normalPath } from './written-path.ts';

/** Phoenix and Plug; HTTPoison, Req, Tesla. */
export function* elixirRoutes(source: Source): Iterable<Found> {
  yield* routesBy(source, calls);
  if (/Router\b/.test(source.code)) yield* served(source);
}

const calls: readonly RouteForm[] = [
  {
    kind: 'route-call',
    pattern: /\b(?:HTTPoison|Req|Tesla|Mojito)\.(?<method>get|post|put|patch|delete|head)!?\s{0,3}\(/g,
  },
  { kind: 'route-call', pattern: /\bFinch\.build\s{0,3}\(/g, argument: 1, methodArgument: 0 },
];

/** Lines such as `get "/carts/:id", CartController, :show`, below the scopes around them. */
function* served({ code, readable }: Source): Iterable<Found> {
  const scopes: { readonly indent: number; readonly prefix: string }[] = [];
  let count = 0;
  for (const match of readable.matchAll(
    /^([ \t]{0,100})(get|post|put|patch|delete|head|options|scope|resources|forward)[ (]{1,3}"([^"\n]{0,300})"([^\n]{0,300})/gm,
  )) {
    const [, indent, word, text, rest] = match;
    const at = match.index + indent!.length;
    if (code.charCodeAt(at) !== readable.charCodeAt(at) || ++count > 2_000) continue;
    while (scopes.length > 0 && scopes.at(-1)!.indent >= indent!.length) scopes.pop();
    const path = normalPath(below(scopes.at(-1)?.prefix ?? '', text!))?.path;
    if (path === undefined || word === 'forward') continue;
    if (word === 'scope') {
      if (scopes.length < 50) scopes.push({ indent: indent!.length, prefix: path });
    } else if (word === 'resources') {
      yield* resourceRoutes(at, path, rest!);
    } else yield { kind: 'route', at, method: methodOf(word!), path };
  }
}
