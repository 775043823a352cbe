import { type Found, inCode, type Source } from '../text/source.ts';
import { below, methodOf, type RouteForm, routesBy } from './forms.ts';
import { blocksIn, nestedRoutes, prefixAt, routesBelow, routesMounted } from './nested.ts';
import { receiversBy } from './receivers.ts';
import { normalPath, withHoles } from './written-path.ts';

/** Routes that are no annotations: of Ktor, Javalin, Spark, Vert.x, http4k, and functions of Spring. */
export function* jvmFunctions(source: Source): Iterable<Found> {
  const { text, code } = source;
  if (/ktor|javalin/.test(text)) {
    yield* nestedRoutes(
      source,
      /(?<![\w.])route\s{0,5}\(/g,
      /(?<![\w.])(?<method>get|post|put|patch|delete|head|options)\s{0,5}(?:<[^<>]{0,80}>\s{0,5})?\(/g,
    );
    yield* routesBy(source, [{ kind: 'route', pattern: /\bapp\.(?<method>get|post|put|patch|delete)\(/g, least: 2 }]);
  }
  if (/\bio\.(?:vertx\.ext\.web|javalin)\b/.test(code)) yield* routesMounted(source, ofRouters, mountsOfVertx);
  if (/\bspark\.Spark\b/.test(code)) yield* routesBelow(source, ofSpark, blocksIn(source, pathsOfSpark, 'arguments'));
  if (/\b(?:reactive\.function\.server|servlet\.function)\b/.test(code))
    yield* routesBelow(source, ofSpring, blocksIn(source, pathsOfSpring, 'arguments'));
  if (/\borg\.http4k\b/.test(code)) yield* ofHttp4k(source);
}

/** `Router r = Router.router(vertx)`, `val app = Javalin.create()`. */
const routers = receiversBy(
  [
    /(?<![\w.])(?<name>[a-z_]\w{0,60})\s{0,5}:\s{0,5}(?<type>[A-Z]\w{0,80})/g,
    /\b(?:val|var)\s{1,5}(?<name>\w{1,60})\s{0,5}=\s{0,5}(?<type>[A-Z]\w{0,80})\s{0,5}[({<.]/g,
    /(?<![\w.])(?<type>[A-Z]\w{0,80})(?:<[^<>]{0,80}>)?\s{1,5}(?<name>[a-z_]\w{0,60})\s{0,5}[;,=)]/g,
  ],
  (type, { code }) =>
    (type === 'Router' && /\bio\.vertx\.ext\.web\b/.test(code)) || (type === 'Javalin' && /\bio\.javalin\b/.test(code)),
);

const ofRouters: readonly RouteForm[] = [
  {
    kind: 'route',
    pattern:
      /(?<![\w.])(?<receiver>[a-z_]\w{0,60})\s{0,20}\.\s{0,5}(?<method>get|post|put|patch|delete|head|options)\(/g,
    receivers: routers,
  },
  {
    kind: 'route',
    pattern: /(?<![\w.])(?:this\.)?(?<receiver>[a-z_]\w{0,60})\s{0,20}\.\s{0,5}route\(/g,
    argument: 1,
    methodArgument: 0,
    least: 2,
    receivers: routers,
  },
];

/** `r.route("/v1/*").subRouter(sub)`, `r.mountSubRouter("/v1", sub)`. */
const mountsOfVertx =
  /\.(?:mountSubRouter\(\s{0,20}"(?=[^"\n]{1,200}"\s{0,5},)|route\(\s{0,20}"(?=[^"\n]{1,200}"\s{0,5}\)\s{0,40}\.\s{0,5}subRouter))(?<path>\/[^"*\n]{0,200})\*?"\s{0,5}(?:,|\)\s{0,40}\.\s{0,5}subRouter\()\s{0,20}(?<name>\w{1,60})\s{0,10}\)/g;

const ofSpark: readonly RouteForm[] = [
  {
    kind: 'route',
    pattern: /(?<![\w.])(?:Spark\.)?(?<method>get|post|put|patch|delete|head|options)\s{0,5}\(/g,
    least: 2,
  },
];

/** `path("/v1", () -> { … })`. */
const pathsOfSpark = /(?<![\w.])(?:Spark\.)?path\s{0,5}\((?=\s{0,20}"[^"\n]{0,200}"\s{0,10},)/g;

/** `route(GET("/carts/{id}"), h)`, `route().GET("/carts", h)`. */
const ofSpring: readonly RouteForm[] = [
  { kind: 'route', pattern: /(?<![\w@])(?<method>GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s{0,5}\(/g },
];

/** `.path("/v1", b -> b.GET(…))`, `nest(path("/v1"), route(…))`, `"/v1".nest { … }` of Kotlin. */
const pathsOfSpring =
  /(?:\.\s{0,5}path\s{0,5}\((?=\s{0,20}"[^"\n]{0,200}"\s{0,10},)|(?<!\w)nest\s{0,5}\((?=\s{0,20}(?:RequestPredicates\.)?path\()|"(?<path>\/[^"\n]{0,200})"\)?\s{0,5}\.\s{0,5}nest\s{0,5}\{)/g;

/** `"/carts/{id}" bind GET to { … }`, below `"/v1" bind routes(…)`. */
function* ofHttp4k(source: Source): Iterable<Found> {
  const blocks = blocksIn(source, /"(?<path>\/?[\w{][^"\n]{0,200})"\s{1,20}bind\s{1,20}routes\s{0,5}\(/g, 'arguments');
  for (const match of inCode(
    source,
    /"(\/?(?:[\w{][^"\n]{0,200})?)"\s{1,20}bind(?:Contract)?\s{1,20}(?:Method\.)?(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b/g,
  )) {
    const path = normalPath(withHoles(below(prefixAt(blocks, match.index), match[1]!)))?.path;
    if (path !== undefined) yield { kind: 'route', at: match.index, method: methodOf(match[2]!), path };
  }
}
