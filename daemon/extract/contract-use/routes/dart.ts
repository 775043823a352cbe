import type { Found, Source } from '../text/source.ts';
import { type RouteForm, routesBy } from './forms.ts';

/** package:http, dio, retrofit; shelf_router. */
export function* dartRoutes(source: Source): Iterable<Found> {
  if (/package:(?:http|dio|retrofit|shelf|chopper)/.test(source.text)) yield* routesBy(source, forms);
}

const forms: readonly RouteForm[] = [
  {
    kind: 'route-call',
    pattern:
      /(?<!\w)(?:_?http|_?dio|\w{0,40}[cC]lient)\.(?<method>get|post|put|patch|delete|head)(?:<[^<>()]{0,80}>)?\s{0,3}\(/g,
  },
  { kind: 'route-call', pattern: /@(?<method>GET|POST|PUT|PATCH|DELETE)\s{0,3}\(/g },
  {
    kind: 'route',
    pattern: /(?<!\w)(?:router|app)\s{0,10}\.{1,2}(?<method>get|post|put|patch|delete|all)\s{0,3}\(/g,
    least: 2,
  },
  { kind: 'route', pattern: /@Route\.(?<method>get|post|put|patch|delete|all)\s{0,3}\(/g },
];
