import { directoryOf, join } from '../../model/paths.ts';
import { either, first } from '../options.ts';
import type { Questions, Resolver } from '../resolver.ts';
import type { Value } from '../values.ts';
import { compiledFrom, type Source, sourceOfOutput } from './built-output.ts';
import { customaryAlias } from './customary-aliases.ts';
import { dependencyNamed } from './dependencies.ts';
import { moduleFile } from './module-file.ts';
import { installedIn } from './node-manifests.ts';
import { folderEntry, packageFile, packageImport } from './node-packages.ts';
import { pathMappings, pathsInRoots } from './tsconfig.ts';

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
  const named = moduleNamed(ask, directory, specifier);
  const bare = withoutLoaders(specifier);
  const isFile = named !== undefined && named.kind !== 'external';
  return isFile || bare === specifier ? named : moduleNamed(ask, directory, bare);
}

/** What bundlers are told beside a module's name left out: of `raw!./a.txt`, `./a.svg?url` and `./a.svg#icon` the module. */
function withoutLoaders(specifier: string): string {
  return specifier.slice(specifier.lastIndexOf('!') + 1).replace(/(?<=.)[?#].*$/s, '');
}

function moduleNamed(ask: Questions, directory: string, specifier: string): Value | undefined {
  if (/^\.\.?(?:\/|$)/.test(specifier)) return fileAt(ask, directory, join(directory, specifier));
  if (specifier.startsWith('/')) return undefined;
  const imported = specifier.startsWith('#') ? packageImport(ask, directory, specifier) : undefined;
  const name = typeof imported === 'string' ? imported : specifier;
  const found =
    (typeof imported === 'object' ? imported : undefined) ??
    mapped(ask, directory, specifier) ??
    packageFile(ask, directory, name) ??
    customaryAlias(ask, directory, specifier);
  const dependency = dependencyNamed(name);
  if (found === undefined) return dependency;
  const module: Value = { kind: 'module', ...found };
  // Of a dependency that lies in the tree, what its files don't show is the dependency's still.
  return installedIn(found.path) === undefined ? module : either([module, dependency]);
}

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

function fileAt(ask: Questions, directory: string, path: string | undefined): Value | undefined {
  if (path === undefined) return undefined;
  const itself = moduleFile(ask, path);
  const source = itself === undefined ? (folderEntry(ask, path) ?? sourceOfOutput(ask, path)) : { path: itself };
  const found = source ?? (ask.exists(path) ? { path } : fileInRoots(ask, directory, path));
  return found === undefined ? undefined : { kind: 'module', ...found };
}

function fileInRoots(ask: Questions, directory: string, path: string): Source | undefined {
  const found = first(pathsInRoots(ask, directory, path), one => moduleFile(ask, one));
  return found === undefined ? undefined : { path: found };
}

const maxAmbient = 20;

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
