import { perSource } from '../text/per-source.ts';
import { closingOf, type Found, inCode, type Source } from '../text/source.ts';
import { addresses } from './addresses.ts';
import { below, methodIn, methodOf, type RouteForm, resourceRoutes, routesBy } from './forms.ts';
import { type Block, blocksIn, prefixAt, routesBelow } from './nested.ts';
import { receiversBy } from './receivers.ts';
import { normalPath } from './written-path.ts';

/** Laravel, Symfony, Slim; Guzzle, Laravel's client, curl. */
export function* phpRoutes(source: Source): Iterable<Found> {
  yield* addresses(source);
  yield* routesBy(source, calls);
  const blocks = blocksIn(source, groups, 'chain');
  yield* routesBelow(source, served, blocks);
  yield* resources(source, blocks);
  yield* attributes(source);
}

/** Guzzle's classes, by the names that they have in the file. */
const classesOfGuzzle = perSource(source => {
  const names = new Set(['GuzzleHttp\\Client', 'GuzzleHttp\\ClientInterface']);
  for (const match of inCode(
    source,
    /(?<![\w$\\])use\s{1,10}\\?GuzzleHttp\\(Client|ClientInterface)(?:\s{1,10}as\s{1,10}(\w{1,150}))?\s{0,5};/g,
  ))
    names.add(match[2] ?? match[1]!);
  return names;
});

/** `private Client $h`, `$h = new Client(…)`. */
const ofGuzzle = receiversBy(
  [
    /(?<![\w\\$])\\?(?<type>[A-Z][\w\\]{0,150})\s{1,5}&?\$(?<name>\w{1,60})/g,
    /\$(?:this->)?(?<name>\w{1,60})\s{0,5}=\s{0,5}new\s{1,5}\\?(?<type>[A-Z][\w\\]{0,150})/g,
  ],
  (type, source) => classesOfGuzzle(source).has(type),
);

/** What takes routes in Slim, by the names that it has in the file. */
const classesOfSlim = perSource(source => {
  const names = new Set<string>();
  for (const match of inCode(
    source,
    /(?<![\w$\\])use\s{1,10}\\?Slim\\(?:\w{1,40}\\){0,3}(App|RouteCollectorProxy(?:Interface)?)(?:\s{1,10}as\s{1,10}(\w{1,150}))?\s{0,5};/g,
  ))
    names.add(match[2] ?? match[1]!);
  return names;
});

/** `$app = AppFactory::create()` of Slim, `RouteCollectorProxy $g`, and what is given to a function of a group. */
const ofSlim = receiversBy(
  [
    /\$(?<name>\w{1,60})\s{0,5}=\s{0,5}(?:new\s{1,5})?\\?(?<type>[A-Z][\w\\]{0,150}(?:::\w{1,60})?)\s{0,5}\(/g,
    /(?<![\w\\$])\\?(?<type>[A-Z][\w\\]{0,150})\s{1,5}&?\$(?<name>\w{1,60})/g,
    /->(?<type>group)\s{0,5}\(\s{0,20}["'][^"'\n]{0,200}["']\s{0,5},\s{0,20}(?:static\s{1,5})?(?:function|fn)\s{0,5}\(\s{0,20}\$(?<name>\w{1,60})/g,
  ],
  (type, source) =>
    classesOfSlim(source).has(type) ||
    (/\bSlim\\/.test(source.code) && /^(?:group|Slim\\App|(?:[\w\\]+\\)?AppFactory::create\w*)$/.test(type)),
);

/** `Route::prefix('v1')->group(…)`, `Route::group(['prefix' => 'v1'], …)`, `$app->group('/v1', …)`. */
const groups =
  /(?:(?:\bRoute::|->)prefix\s{0,3}\(|\$\w{1,40}->group\s{0,3}\((?=\s{0,20}["'])|(?:\bRoute::|\$\w{1,40}->)group\s{0,3}\((?=\s{0,20}\[(?:[^\][]|\[[^\][]{0,100}\]){0,200}?["']prefix["']\s{0,5}=>\s{0,5}["'](?<path>[^"'\n]{1,200})["']))/g;

const served: readonly RouteForm[] = [
  {
    kind: 'route',
    pattern:
      /\bRoute::(?:(?!prefix)\w{1,30}\([^()]{0,200}\)\s{0,40}->\s{0,5}){0,5}(?<method>get|post|put|patch|delete|options|any)\s{0,3}\(/g,
    isRelative: true,
    allowsEmpty: true,
    least: 2,
  },
  {
    kind: 'route',
    pattern: /\bRoute::match\s{0,3}\(/g,
    argument: 1,
    methodList: /^\s*\[/,
    isRelative: true,
    least: 3,
  },
  {
    kind: 'route',
    pattern: /\$(?:app|group|router|r|route)->(?<method>get|post|put|patch|delete|options|any)\s{0,3}\(/g,
    least: 2,
  },
  {
    kind: 'route',
    pattern: /\$(?<receiver>\w{1,60})->(?<method>get|post|put|patch|delete|options|any)\s{0,3}\(/g,
    receivers: ofSlim,
    allowsEmpty: true,
    least: 2,
  },
  { kind: 'route', pattern: /\$(?:app|group|router|r|route)->map\s{0,3}\(/g, argument: 1, methodArgument: 0, least: 3 },
];

/** Laravel: `Route::apiResource('orders.lines', LineController::class)->only(['index'])`. */
function* resources(source: Source, blocks: readonly Block[]): Iterable<Found> {
  for (const match of inCode(
    source,
    /(?:\bRoute::|->)(?:apiResource|resource)\s{0,3}\(\s{0,20}["']([\w./{}-]{1,200})["']\s{0,5},/g,
  )) {
    if (!/\bRoute::/.test(source.code)) return;
    const at = match.index + (match[0].startsWith('-') ? 2 : 0);
    const end = closingOf(source, source.code.indexOf('(', match.index), 1_000);
    const rest = source.readable.slice(match.index, end < 0 ? match.index : end + 200).replace(/;[\s\S]*$/, '');
    const path = normalPath(below(prefixAt(blocks, match.index), match[1]!.replaceAll('.', '/{}/')))?.path;
    if (path !== undefined) yield* resourceRoutes(at, path, rest);
  }
}

const calls: readonly RouteForm[] = [
  {
    kind: 'route-call',
    pattern: /\bHttp::(?:\w{1,30}\([^()]{0,200}\)->){0,5}(?<method>get|post|put|patch|delete|head)\s{0,3}\(/g,
  },
  { kind: 'route-call', pattern: /->request\s{0,3}\(/g, argument: 1, methodArgument: 0, isRelative: true, least: 2 },
  {
    kind: 'route-call',
    pattern:
      /\$(?:this->)?\w{0,30}(?:[cC]lient|[hH]ttp|[gG]uzzle)\w{0,10}->(?<method>get|post|put|patch|delete|head)(?:Async)?\s{0,3}\(/g,
  },
  {
    kind: 'route-call',
    pattern: /\$(?:this->)?(?<receiver>\w{1,60})->(?<method>get|post|put|patch|delete|head)(?:Async)?\s{0,3}\(/g,
    receivers: ofGuzzle,
  },
  { kind: 'route-call', pattern: /\bcurl_init\s{0,3}\(/g },
  { kind: 'route-call', pattern: /\bnew\s{1,5}Request\s{0,3}\(/g, argument: 1, methodArgument: 0, least: 2 },
];

/** `#[Route('/carts/{id}', methods: ['GET'])]`, below the one of the class. */
function* attributes(source: Source): Iterable<Found> {
  let prefix = '';
  for (const match of inCode(
    source,
    /#\[\s{0,5}(?:\w{1,60}\\){0,6}(Route|Get|Post|Put|Patch|Delete)\s{0,3}\(([^\n]{1,600})/g,
  )) {
    const [, name, rest] = match;
    const [, path] = /^\s{0,10}(?:path:\s{0,5})?["']([^"'\n]{0,300})["']/.exec(rest!) ?? [];
    const after = source.code.slice(match.index, match.index + 800);
    const isOfClass =
      /^[^\n]{0,600}\n(?:\s{0,40}#\[[^\n]{0,300}\n){0,6}\s{0,40}(?:final\s{1,5}|abstract\s{1,5}|readonly\s{1,5}){0,3}class\b/.test(
        after,
      );
    if (isOfClass) prefix = path ?? '';
    const written = path === undefined || isOfClass ? undefined : normalPath(below(prefix, path));
    const [, methods] = /\bmethods:\s{0,5}\[?([^\])\n]{1,100})/.exec(rest!) ?? [];
    const method = name === 'Route' ? (methodIn(methods ?? '') ?? '') : methodOf(name!);
    if (written !== undefined) yield { kind: 'route', at: match.index, method, ...written };
  }
}
