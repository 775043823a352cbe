import type { Found, Source } from '../text/source.ts';
import { type RouteForm, routesBy } from './forms.ts';
import { routesMounted } from './nested.ts';
import { receiversBy } from './receivers.ts';

/** package:http, dio, retrofit; shelf_router. */
export function* dartRoutes(source: Source): Iterable<Found> {
  if (/package:(?:http|dio|retrofit|shelf|chopper)/.test(source.text)) yield* routesBy(source, forms);
  if (/package:shelf_router\b/.test(source.text)) yield* routesMounted(source, ofShelf, mounts);
}

const declarations = [
  /(?<![\w.])(?<type>(?:\w{1,40}\.)?[A-Z]\w{0,80})(?:<[^<>]{0,80}>)?\??\s{1,5}(?<name>[a-z_]\w{0,60})\s{0,5}[;,=)}]/g,
  /\b(?:final|var)\s{1,5}(?<name>\w{1,60})\s{0,5}=\s{0,5}(?<type>(?:\w{1,40}\.)?[A-Z]\w{0,80})\s{0,3}[(.]/g,
];

/** `final Dio d;`, `http.Client c`, `final d = Dio()`. */
const ofDartAndDio = receiversBy(declarations, type =>
  /^(?:\w+\.)?(?:Dio|Client|RetryClient|IOClient|BrowserClient)$/.test(type),
);

const forms: readonly RouteForm[] = [
  {
    kind: 'route-call',
    pattern:
      /(?<!\w)(?<receiver>[a-z_]\w{0,60})[?!]?\.(?<method>get|post|put|patch|delete|head)(?:<[^<>()]{0,80}>)?\s{0,3}\(/g,
    receivers: ofDartAndDio,
  },
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

/** `final r = Router()`, `Router r`. */
const routers = receiversBy(declarations, type => /^(?:\w+\.)?Router$/.test(type));

/** `r.mount('/v1', sub.call)`. */
const mounts =
  /\.mount\s{0,3}\(\s{0,20}["'](?<path>\/[^"'\n]{1,200})["']\s{0,5},\s{0,20}(?<name>[a-z_]\w{0,60})(?:\.call)?\s{0,5},?\s{0,20}\)/g;

const ofShelf: readonly RouteForm[] = [
  {
    kind: 'route',
    pattern:
      /(?<![\w.])(?<receiver>[a-z_]\w{0,60})\s{0,10}\.{1,2}(?<method>get|post|put|patch|delete|head|all)\s{0,3}\(/g,
    least: 2,
    receivers: routers,
  },
  {
    kind: 'route',
    pattern: /(?<![\w.])(?<receiver>[a-z_]\w{0,60})\s{0,10}\.{1,2}add\s{0,3}\(/g,
    argument: 1,
    methodArgument: 0,
    least: 3,
    receivers: routers,
  },
  // What is called on one object after another.
  { kind: 'route', pattern: /(?<=[)\s])\.\.(?<method>get|post|put|patch|delete|head|all)\s{0,3}\(/g, least: 2 },
];
