import { directoryOf, join } from '../../model/paths.ts';
import { either, first } from '../options.ts';
import type { Questions, Resolver } from '../resolver.ts';
import type { Value } from '../values.ts';
import { compiledFrom, type Source, sourceOfOutput } from './built-output.ts';
import { moduleFile } from './module-file.ts';
import { folderEntry, installedIn, packageFile, packageImport } from './node-packages.ts';
import { pathMappings } from './tsconfig.ts';

/** Modules as TypeScript and its bundlers find them, without a disk: only what the manifest lists exists. */
export const typescriptResolver: Resolver = {
  module(ask, from, { specifier }) {
    const directory = directoryOf(from.path);
    return ask.onceOfPlaces(`${directory}\0${specifier}`, () => resolveModule(ask, directory, specifier));
  },
  namesMayClash: true,
  ambient: ambientFiles,
  free(_ask, from, name) {
    if (name === 'exports') return { kind: 'module', path: from.path };
    return globals.has(name) ? { kind: 'external', manager: 'std', package: 'javascript', name } : undefined;
  },
};

function resolveModule(ask: Questions, directory: string, specifier: string): Value | undefined {
  if (/^\.\.?(?:\/|$)/.test(specifier)) return fileAt(ask, join(directory, specifier));
  if (specifier.startsWith('/')) return undefined;
  if (specifier.startsWith('node:')) return external('node', specifier.slice(5));
  const found =
    (specifier.startsWith('#') ? packageImport(ask, directory, specifier) : undefined) ??
    mapped(ask, directory, specifier) ??
    packageFile(ask, directory, specifier);
  const dependency = isAlias.test(specifier) ? undefined : dependencyNamed(specifier);
  if (found === undefined) return dependency;
  const module: Value = { kind: 'module', ...found };
  // Of a dependency that lies in the tree, what its files don't show is the dependency's still.
  return installedIn(found.path) === undefined ? module : either([module, dependency]);
}

/** Names that no registry would take: `@/x`, `~/x`, `#x`. What they stand for some configuration says, or none that is read. */
const isAlias = /^(?:@(?:\/|$)|[~#])/;

/** Declaration files by convention lie above those that use them, or in a folder of the package for types. */
function ambientFiles(ask: Questions, directory: string): readonly string[] {
  const found: string[] = [];
  for (let at = directory; ; at = directoryOf(at)) {
    const folder = at === '' ? '' : `${at}/`;
    const isPackage = ask.exists(`${folder}package.json`);
    for (const place of isPackage ? [at, `${folder}types`, `${folder}typings`] : [at]) {
      found.push(...ask.filesIn(place).filter(path => /\.d\.[cm]?ts$/.test(path)));
    }
    if (at === '' || found.length >= maxAmbient) return found.slice(0, maxAmbient);
  }
}

function mapped(ask: Questions, directory: string, specifier: string): Source | undefined {
  const paths = pathMappings(ask, directory, specifier);
  const found = first(paths, path => moduleFile(ask, path)) ?? first(paths, path => compiledFrom(ask, path));
  return found === undefined ? undefined : { path: found };
}

function fileAt(ask: Questions, path: string | undefined): Value | undefined {
  if (path === undefined) return undefined;
  const itself = moduleFile(ask, path);
  const source = itself === undefined ? (folderEntry(ask, path) ?? sourceOfOutput(ask, path)) : { path: itself };
  // A text, a picture: what loads it is the bundler's matter.
  const found = source ?? (ask.exists(path) ? { path } : undefined);
  return found === undefined ? undefined : { kind: 'module', ...found };
}

const maxAmbient = 20;

function dependencyNamed(specifier: string): Value {
  if (builtins.has(specifier)) return external('node', specifier);
  return external('npm', specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'));
}

function external(manager: string, name: string): Value {
  return { kind: 'external', manager, package: name, name: '' };
}

/** Modules of Node.js that are named without `node:` as well: it looks for no package of their name. */
const builtins: ReadonlySet<string> = new Set(
  `assert assert/strict async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns
  dns/promises domain events fs fs/promises http http2 https inspector inspector/promises module net os path path/posix
  path/win32 perf_hooks process punycode querystring readline readline/promises repl stream stream/consumers
  stream/promises stream/web string_decoder sys timers timers/promises tls trace_events tty url util util/types v8 vm wasi
  worker_threads zlib`.split(/\s+/),
);

const globals: ReadonlySet<string> = new Set(
  `Array ReadonlyArray Set ReadonlySet WeakSet Map ReadonlyMap WeakMap WeakRef Promise PromiseLike Awaited Record Partial
  Required Readonly Pick Omit Exclude Extract NonNullable ReturnType Parameters ConstructorParameters InstanceType NoInfer
  ThisType Uppercase Lowercase Capitalize Uncapitalize Iterable Iterator IterableIterator AsyncIterable AsyncIterator
  AsyncIterableIterator Generator AsyncGenerator ArrayLike tuple String Number Boolean Symbol BigInt Object Function RegExp
  Date Math JSON Error TypeError RangeError SyntaxError EvalError ReferenceError URIError AggregateError Reflect Proxy Intl
  ArrayBuffer SharedArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array
  Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array Atomics globalThis NaN Infinity parseInt parseFloat
  isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI console process Buffer setTimeout clearTimeout
  setInterval clearInterval setImmediate clearImmediate queueMicrotask structuredClone fetch URL URLSearchParams Headers
  Request Response AbortController AbortSignal Event EventTarget TextEncoder TextDecoder performance crypto window document
  navigator location history localStorage sessionStorage HTMLElement Element Node NodeListOf require module
  __dirname __filename arguments NodeJS never`.split(/\s+/),
);
