import { argumentsAt, closingOf, type Found, inCode, nextOf, type Source } from '../text/source.ts';
import { addresses } from './addresses.ts';
import { below, methodIn, methodOf, type RouteForm, routesBy } from './forms.ts';
import { normalPath, servedPath } from './written-path.ts';

/** ASP.NET's controllers and minimal APIs; functions of Azure; HttpClient, RestSharp, Flurl and Refit. */
export function* csharpRoutes(source: Source): Iterable<Found> {
  yield* addresses(source);
  if (!/Http|Map(?:Get|Post|Put|Delete|Patch|Group|Methods)\(|\[Route|RestRequest|Refit|Flurl/.test(source.text))
    return;
  yield* routesBy(source, calls);
  yield* mapped(source);
  yield* attributed(source);
  if (/\bHttpTrigger\b/.test(source.code)) yield* triggered(source);
}

const calls: readonly RouteForm[] = [
  {
    kind: 'route-call',
    pattern:
      /\.\s{0,10}(?<method>Get|Post|Put|Patch|Delete)(?:AsJson|FromJson|String|Stream|ByteArray)?(?:AsAsyncEnumerable|Async)\s{0,5}(?:<[^<>()]{0,100}(?:<[^<>()]{0,100}>)?[^<>()]{0,20}>)?\(/g,
    isRelative: true,
  },
  {
    kind: 'route-call',
    pattern: /\bnew\s{1,5}HttpRequestMessage\(/g,
    argument: 1,
    methodArgument: 0,
    isRelative: true,
  },
  { kind: 'route-call', pattern: /\bnew\s{1,5}RestRequest\(/g, methodArgument: 1, isRelative: true },
];

/** `app.MapGet("/carts/{id}", …)`, below the prefix of its group. */
function* mapped(source: Source): Iterable<Found> {
  const groups = new Map<string, string>();
  for (const match of inCode(
    source,
    /(?<!\w)(\w{1,80})\s{0,5}=\s{0,5}(\w{1,80})\s{0,20}(?:\.\s{0,5}(?!MapGroup)\w{1,60}\([^()]{0,200}\)\s{0,40}){0,5}\.\s{0,5}MapGroup\(/g,
  )) {
    const [first] = argumentsAt(source, match.index + match[0].length - 1);
    const written = first === undefined ? undefined : servedPath(source, first.from, first.to, true);
    if (written !== undefined && groups.size < 100)
      groups.set(match[1]!, below(groups.get(match[2]!) ?? '', written.path));
  }
  for (const match of inCode(
    source,
    /(?<!\w)(\w{1,80})\s{0,20}\.\s{0,5}Map(Get|Post|Put|Patch|Delete|Methods)\s{0,5}\(/g,
  )) {
    const given = argumentsAt(source, match.index + match[0].length - 1);
    const [first] = given;
    const written =
      first === undefined || given.length < 2 ? undefined : servedPath(source, first.from, first.to, true);
    if (written === undefined) continue;
    yield {
      kind: 'route',
      at: match.index,
      method: methodOf(match[2]!),
      path: below(groups.get(match[1]!) ?? '', written.path),
    };
  }
}

/** `[HttpGet("{id}")]` below `[Route("api/[controller]")]`. */
function* attributed(source: Source): Iterable<Found> {
  const controllers = controllersOf(source);
  for (const match of inCode(
    source,
    /\[\s{0,5}(?:\w{1,40}(?:\([^()\n]{0,200}\))?\s{0,5},\s{0,5}){0,4}(?:Http(Get|Post|Put|Patch|Delete|Head)|(Get|Post|Put|Patch|Delete))\b\s{0,5}(\(?)/g,
  )) {
    const [whole, aspNet, refit, isOpen] = match;
    const text =
      isOpen === ''
        ? ''
        : (/^\s{0,20}(?:template:\s{0,5})?@?"([^"\n]{0,300})"/.exec(
            source.readable.slice(match.index + whole.length, match.index + whole.length + 330),
          )?.[1] ?? '');
    const around = controllers.findLast(one => one.from < match.index && match.index < one.to);
    if (refit !== undefined && (!/\bRefit\b/.test(source.code) || text === '')) continue;
    const route = isOpen === '' || text === '' ? routeBeside(source, match.index) : text;
    // Without a template anywhere the names of class and method are the path, by a convention that is set elsewhere.
    if (route === '' && (around?.prefix ?? '') === '') continue;
    const full = /^~?\//.test(route) ? route.replace(/^~/, '') : below(around?.prefix ?? '', route);
    const path = normalPath(full.replace(/\[action\]/gi, methodNameBehind(source, match.index)));
    if (path !== undefined)
      yield {
        kind: refit === undefined ? 'route' : 'route-call',
        at: match.index,
        method: methodIn(aspNet ?? refit ?? '') ?? '',
        ...path,
      };
  }
}

/** `[Route("…")]` among the attributes of a method. */
function routeBeside(source: Source, at: number): string {
  const [, route] =
    /^(?:[^{};]{0,400}?)\[Route\(\s{0,5}"([^"\n]{0,300})"/.exec(
      source.readable.slice(at, at + 800).replace(/\b(?:public|private|internal)\b[\s\S]*$/, ''),
    ) ?? [];
  return route ?? '';
}

function methodNameBehind(source: Source, at: number): string {
  return (
    /\b(\w{1,100})\s{0,5}\(/
      .exec(source.code.slice(at, at + 1_500).replace(/^[\s\S]*?\bpublic\b/, ''))?.[1]
      ?.replace(/Async$/, '')
      .toLowerCase() ?? '{}'
  );
}

function controllersOf(
  source: Source,
): readonly { readonly from: number; readonly to: number; readonly prefix: string }[] {
  const found: { from: number; to: number; prefix: string }[] = [];
  for (const match of inCode(source, /\bclass\s{1,10}([A-Z]\w{0,150})/g)) {
    const open = nextOf(source.code, '{', match.index, 2_000);
    const to = open < 0 ? -1 : closingOf(source, open, 400_000);
    const before = source.code.slice(Math.max(0, match.index - 800), match.index);
    const from =
      Math.max(0, match.index - 800) +
      Math.max(before.lastIndexOf(';'), before.lastIndexOf('{'), before.lastIndexOf('}')) +
      1;
    const [, route] = /\bRoute\(\s{0,5}@?"([^"\n]{0,300})"/.exec(source.readable.slice(from, match.index)) ?? [];
    const name = match[1]!.replace(/Controller$/, '').toLowerCase();
    if (open >= 0)
      found.push({
        from: open,
        to: to < 0 ? source.code.length : to,
        prefix: (route ?? '').replace(/\[controller\]/gi, name),
      });
  }
  return found;
}

/**
 * Azure: `[HttpTrigger(AuthorizationLevel.Anonymous, "get", Route = "carts/{id}")]`, without a route the name of the function,
 * below the `/api` that stands before unless a setting of the host says otherwise.
 */
function* triggered(source: Source): Iterable<Found> {
  for (const match of inCode(source, /\[\s{0,5}HttpTrigger\s{0,5}\(/g)) {
    const given = argumentsAt(source, match.index + match[0].length - 1);
    const labelled = given.find(({ from, to }) => /^\s*Route\s*=/.test(source.code.slice(from, to)));
    const route =
      labelled === undefined || /=\s*null\s*$/.test(source.code.slice(labelled.from, labelled.to))
        ? functionBefore(source, match.index)
        : servedPath(
            source,
            labelled.from + source.code.slice(labelled.from, labelled.to).indexOf('=') + 1,
            labelled.to,
            true,
          )?.path;
    if (route === undefined) continue;
    const methods = given
      .filter(one => one !== labelled)
      .map(({ from, to }) => /^\s*"(\w{3,7})"\s*$/.exec(source.readable.slice(from, to))?.[1])
      .filter(method => method !== undefined)
      .map(methodOf);
    for (const method of methods.length === 0 ? [''] : new Set(methods))
      yield { kind: 'route', at: match.index, method, path: below('/api', route) };
  }
}

/** `[Function("carts")]`, `[FunctionName("carts")]` of the method whose parameter is at an offset. */
function functionBefore({ readable }: Source, at: number): string | undefined {
  const before = readable.slice(Math.max(0, at - 600), at);
  return [...before.matchAll(/\[\s{0,5}Function(?:Name)?\s{0,5}\(\s{0,5}"([\w-]{1,100})"/g)].at(-1)?.[1];
}
