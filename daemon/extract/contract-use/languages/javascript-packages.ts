import { lastOf, withoutLast } from '../service-names.ts';
import { argumentsAt, closingOf, type Found, inCode, nextOf, type Source } from '../text/source.ts';
import { constantsIn, importsIn, lastString } from './javascript-imports.ts';
import { packagesBeside } from './nest-options.ts';

/** A variable that holds a package that was loaded when the program ran, or something in it. */
interface Loaded {
  /** From the package's root: `shop.v1`, '' for the root. */
  readonly path: string;
  readonly file: string | undefined;
}

/**
 * Packages that are loaded from `.proto` files when a program of Node runs: the loading, what is made of services in them, and what
 * serves them.
 */
export function* loadedPackages(source: Source): Iterable<Found> {
  const constants = constantsIn(source);
  const loaded = [...loads(source, constants)];
  yield* loaded;
  if (!/loadPackageDefinition|\bgrpc\.load\(|loadObject|[pP]roto/.test(source.code)) return;
  const { variables, loads: more } = variablesOf(source, constants, loaded);
  yield* more;
  yield* made(source, variables);
  yield* served(source, variables);
}

function* loads(source: Source, constants: ReadonlyMap<string, string>): Iterable<Found> {
  // It is given folders before the files.
  const isOfK6 = importsIn(source).some(({ module }) => /^k6\/(?:net|experimental)\/grpc$/.test(module));
  for (const match of inCode(
    source,
    /(?<!\w)(?:loadSync|load|loadProtoFile|loadFileDescriptorSetFromBuffer|protoPath|caller|Mali)\s{0,5}[(:]/g,
  )) {
    const from = match.index + match[0].length;
    const isField = match[0].endsWith(':');
    const given = isField ? [] : argumentsAt(source, from - 1);
    const to = isField
      ? fieldEnd(source.code, from)
      : (given[isOfK6 ? given.length - 1 : match[0].startsWith('caller') ? 1 : 0]?.to ?? from);
    const packages = isField && match[0].startsWith('protoPath') ? packagesBeside(source, match.index) : {};
    const files = protosIn(source.readable.slice(from, to), constants);
    for (const file of files) yield { kind: 'load', at: match.index, file, ...packages };
    if (files.length === 0 && Object.keys(packages).length > 0) yield { kind: 'load', at: match.index, ...packages };
  }
}

/** Strings that end in `.proto`, and constants that hold such. */
function protosIn(expression: string, constants: ReadonlyMap<string, string>): readonly string[] {
  const found = new Set<string>();
  for (const match of expression.matchAll(/["'`]([^"'`\n]{1,300}\.proto)["'`]|(?<![\w$.])([A-Za-z_$][\w$]{0,150})/g)) {
    const file = match[1] ?? constants.get(match[2]!);
    if (file?.endsWith('.proto') === true) found.add(file);
  }
  const last =
    found.size > 1 && /\b(?:join|resolve)\(/.test(expression) && !expression.includes('[')
      ? lastString(expression)
      : undefined;
  return last === undefined ? [...found].slice(0, 20) : [last];
}

function fieldEnd(code: string, from: number): number {
  let depth = 0;
  const most = Math.min(code.length, from + 600);
  for (let i = from; i < most; i++) {
    const one = code[i]!;
    if ('([{'.includes(one)) depth++;
    else if (')]}'.includes(one) && --depth < 0) return i;
    else if (one === ',' && depth === 0) return i;
  }
  return most;
}

/** By name, without `this.`: what was loaded into a variable, step by step until nothing is added. */
function variablesOf(
  source: Source,
  constants: ReadonlyMap<string, string>,
  loaded: readonly Found[],
): { readonly variables: ReadonlyMap<string, Loaded>; readonly loads: readonly Found[] } {
  const more: Found[] = [];
  const variables = new Map<string, Loaded>();
  const loaders = new Map<string, Loaded>();
  const files = loaded.flatMap(({ file }) => (file === undefined ? [] : [file]));
  const onlyFile = new Set(files).size === 1 ? files[0] : undefined;
  for (const match of inCode(source, /(?<![\w$])(?:loadPackageDefinition|grpc\.load|loadObject)\s{0,5}\(/g)) {
    take(source, match, { path: '', file: onlyFile }, variables, loaders);
  }
  // Functions that load, called with what they load.
  for (const [name, { path }] of [...loaders].slice(0, 20)) {
    for (const match of inCode(source, /(?<![\w$])([\w$]{1,150})\s{0,5}\(/g)) {
      if (match[1] !== name || /\bfunction\s+$/.test(source.code.slice(Math.max(0, match.index - 12), match.index)))
        continue;
      const [first] = argumentsAt(source, match.index + match[0].length - 1);
      const [file] = first === undefined ? [] : protosIn(source.readable.slice(first.from, first.to), constants);
      take(source, match, { path, file: file ?? onlyFile }, variables, undefined);
      if (file !== undefined) more.push({ kind: 'load', at: match.index, file });
    }
  }
  for (let round = 0; round < 4; round++) if (!renamed(source, variables)) break;
  return { variables, loads: more };
}

/** Binds what a call gives, with the names behind it, to what stands before it: a variable, names in braces, or a function that returns it. */
function take(
  source: Source,
  match: RegExpExecArray,
  loaded: Loaded,
  variables: Map<string, Loaded>,
  loaders: Map<string, Loaded> | undefined,
): void {
  const { code, readable } = source;
  const open = match.index + match[0].length - 1;
  const end = closingOf(source, open);
  if (end < 0) return;
  const path = [loaded.path, chainAfter(readable, end)].filter(part => part !== '').join('.');
  const before = code.slice(Math.max(0, match.index - 400), match.index);
  bind(before, { path, file: loaded.file }, variables);
  if (loaders === undefined) return;
  const around = functionAround(source, match.index);
  if (around === undefined) return;
  if (/(?:\breturn|=>)\s{0,10}(?:[\w$.]{1,100}\.)?[(\s]{0,5}(?:await\s)?$/.test(before))
    loaders.set(around.name, { path, file: undefined });
  for (const returned of code
    .slice(around.from, around.to)
    .matchAll(/\breturn\s{1,10}([\w$]{1,150})((?:\.[\w$]{1,150}){0,10})/g)) {
    const held = variables.get(returned[1]!);
    if (held !== undefined)
      loaders.set(around.name, {
        path: [held.path, returned[2]!.slice(1)].filter(one => one !== '').join('.'),
        file: undefined,
      });
  }
}

/** `.shop.v1` and `['shop']` behind an expression, also behind a cast: `(… as any).shop`. */
function chainAfter(readable: string, from: number): string {
  const rest = readable.slice(from, from + 400);
  const cast = /^(?:\s{0,10}as\s{1,10}[\w.<>[\]{}:, ]{1,120}?(?=[);\n]))?[\s)!]{0,20}/.exec(rest)?.[0] ?? '';
  const chain =
    /^(?:\s{0,40}[?!]?\.\s{0,5}[\w$]{1,150}(?![\w$]|\s{0,5}\()|\[["'][\w.$]{1,200}["']\]){1,12}/.exec(
      rest.slice(cast.length),
    )?.[0] ?? '';
  return chain
    .replace(/\[["']/g, '.')
    .replace(/["']\]/g, '')
    .replace(/[\s?!]/g, '')
    .replace(/^\./, '');
}

function bind(before: string, loaded: Loaded, variables: Map<string, Loaded>): void {
  const [, braced, name] =
    /(?:\{([^{}]{1,300})\}|(?:this\.)?([\w$]{1,150}))\s{0,10}!?(?::\s{0,5}[\w.<>[\], ]{1,100})?\s{0,5}=\s{0,40}(?:<[\w.]{1,60}>\s{0,5})?[(\s]{0,6}(?:await\s{1,5})?(?:[\w$]{1,100}\.){0,3}[(\s]{0,4}$/.exec(
      before,
    ) ?? [];
  if (name !== undefined && variables.size < 500) variables.set(name, loaded);
  for (const one of braced?.split(',') ?? []) {
    const [, member, alias] = /^\s*([\w$]{1,150})(?:\s*:\s*([\w$]{1,150}))?\s*$/.exec(one) ?? [];
    if (member !== undefined)
      variables.set(alias ?? member, {
        path: loaded.path === '' ? member : `${loaded.path}.${member}`,
        file: loaded.file,
      });
  }
}

/** The nearest function around an offset that has a name. */
function functionAround(
  source: Source,
  at: number,
): { readonly name: string; readonly from: number; readonly to: number } | undefined {
  const { code } = source;
  const least = Math.max(0, at - 3_000);
  const pattern =
    /\bfunction\s{1,10}([\w$]{1,150})\s{0,5}\(|(?:const|let|var)\s{1,10}([\w$]{1,150})\s{0,5}=\s{0,10}(?:async\s{1,5})?(?:function\b|\([^()]{0,200}\)(?:\s{0,5}:\s{0,5}[\w.<>]{1,80})?\s{0,5}=>|[\w$]{1,80}\s{0,5}=>)/g;
  let found: { name: string; from: number; to: number } | undefined;
  for (const match of code.slice(least, at).matchAll(pattern)) {
    const from = least + match.index;
    const open = nextOf(code, '{', from + match[0].length - 1, 1_000);
    const isArrow =
      match[0].endsWith('>') && /^\s*[^\s{]/.test(code.slice(from + match[0].length, from + match[0].length + 50));
    const to = isArrow ? endOfStatement(code, from) : open < 0 ? -1 : closingOf(source, bodyOf(source, from) ?? open);
    if (to > at) found = { name: (match[1] ?? match[2])!, from, to };
  }
  return found;
}

/** Where the body of a function opens, behind its parameters. */
function bodyOf(source: Source, from: number): number | undefined {
  const open = nextOf(source.code, '(', from, 300);
  const end = open < 0 ? -1 : closingOf(source, open, 2_000);
  const body = end < 0 ? -1 : nextOf(source.code, '{', end, 300);
  return body < 0 ? undefined : body;
}

function endOfStatement(code: string, from: number): number {
  const end = nextOf(code, ';', from, 1_000);
  return end < 0 ? Math.min(code.length, from + 1_000) : end + 1;
}

/** Variables that are set to others, or to something in them; whether any was new. */
function renamed(source: Source, variables: Map<string, Loaded>): boolean {
  const before = variables.size;
  const pattern =
    /(?:\{([^{}]{1,300})\}|(?<![\w$])([\w$]{1,150}))\s{0,10}!?(?::\s{0,5}[\w.<>[\], ]{1,100}?\s{0,5})?=\s{0,20}[(]?(?:this\.)?([\w$]{1,150})(?![\w$(])/g;
  for (const match of inCode(source, pattern)) {
    const held = variables.get(match[3]!);
    const name = match[2];
    if (held === undefined || (name !== undefined && variables.has(name))) continue;
    const chain = chainAfter(source.readable, match.index + match[0].length);
    const path = [held.path, chain].filter(part => part !== '').join('.');
    bind(`${match[1] === undefined ? name! : `{${match[1]}}`} = `, { path, file: held.file }, variables);
  }
  return variables.size > before;
}

/** `new proto.shop.CartService(address, credentials)`. */
function* made(source: Source, variables: ReadonlyMap<string, Loaded>): Iterable<Found> {
  for (const match of inCode(source, /(?<![\w$])new\s{1,10}\(?(?:this\.)?([\w$]{1,150})/g)) {
    const held = variables.get(match[1]!);
    if (held === undefined) continue;
    const end = match.index + match[0].length;
    const path = [held.path, newChain(source.readable, end)].filter(part => part !== '').join('.');
    if (path !== '' && /^[A-Z]/.test(lastOf(path))) yield { kind: 'client', at: match.index, ...named(path, held) };
  }
}

/** As `chainAfter`, the last name of which is called. */
function newChain(readable: string, from: number): string {
  const chain =
    /^(?:\s{0,40}[?!]?\.\s{0,5}[\w$]{1,150}|\[["'][\w.$]{1,200}["']\]){0,12}/.exec(
      readable.slice(from, from + 400),
    )?.[0] ?? '';
  return chain
    .replace(/\[["']/g, '.')
    .replace(/["']\]/g, '')
    .replace(/[\s?!]/g, '')
    .replace(/^\./, '');
}

function named(path: string, { file }: Loaded): Pick<Found, 'service' | 'from' | 'fullName' | 'file'> {
  const from = withoutLast(path);
  return {
    service: lastOf(path),
    ...(from === '' ? {} : { from }),
    fullName: path,
    ...(file === undefined ? {} : { file }),
  };
}

/** `server.addService(proto.shop.CartService.service, …)`. */
function* served(source: Source, variables: ReadonlyMap<string, Loaded>): Iterable<Found> {
  for (const match of inCode(
    source,
    /\.(?:addService|addProtoService)\s{0,5}\(\s{0,40}\(?(?:this\.)?([\w$]{1,150})/g,
  )) {
    const held = variables.get(match[1]!);
    const written = newChain(source.readable, match.index + match[0].length);
    if (held === undefined || (held.path === '' && !written.includes('.'))) continue;
    const path = [held.path, written]
      .filter(part => part !== '')
      .join('.')
      .replace(/\.(?:service|def)$/, '');
    yield { kind: 'server', at: match.index + 1, ...named(path, held) };
  }
}
