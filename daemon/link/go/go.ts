import type { MountedDocument, ScopeKey } from '../../model/document.ts';
import { directoryOf, join } from '../../model/paths.ts';
import { instantiated } from '../inferred.ts';
import type { Questions, Resolver } from '../resolver.ts';
import type { Value } from '../values.ts';
import { isRecordName } from './records.ts';

/**
 * Go packages: a directory and a package clause. Modules are found by the path that their go.mod declares, wherever they
 * lie (so go.work needs no reading), unless the importing module replaces one by a folder. `vendor` is never looked at.
 */
export const goResolver: Resolver = {
  module: (ask, from, one) => inRepository(ask, from, one.specifier) ?? outside(ask, from, one.specifier),
  importTarget(ask, from, index) {
    const { specifier } = from.facts.imports[index]!;
    const found = inRepository(ask, from, specifier);
    if (found !== undefined) return found;
    // What a module of ours lacks is generated or gone.
    const isOurs = requiredFor(ask, from, specifier) === undefined && ofModule(ask, from, specifier) !== undefined;
    return isOurs ? undefined : outside(ask, from, specifier);
  },
  free(ask, from, name) {
    if (predeclared.has(name) || isRecordName(name)) return { kind: 'external', manager: 'std', package: 'go', name };
    return packageCalled(ask, from, name);
  },
  overload: instantiated,
};

/** An import without alias binds the name in the package's clause, which its path need not show. */
function packageCalled(ask: Questions, from: MountedDocument, name: string): Value | undefined {
  for (const one of from.facts.imports) {
    if (one.name !== '*' || one.wildcard) continue;
    const found = inRepository(ask, from, one.specifier);
    if (found?.kind === 'scope' && found.scope.endsWith(`#${name}`)) return found;
  }
  return undefined;
}

function inRepository(ask: Questions, from: MountedDocument, specifier: string): Value | undefined {
  const directory = replaced(ask, from, specifier) ?? ofModule(ask, from, specifier);
  if (directory === undefined) return undefined;
  const prefix = `go:${directory}#`;
  const names = ask
    .scopesIn(directory)
    .filter(scope => scope.startsWith(prefix) && !scope.endsWith('_test'))
    .map(scope => scope.slice(prefix.length));
  const likely = likelyNames(specifier);
  const name = likely.find(one => names.includes(one)) ?? names.find(one => one !== 'main') ?? names[0];
  return name === undefined ? undefined : { kind: 'scope', scope: `${prefix}${name}` as ScopeKey };
}

/** A local `replace` of the module that the importing file belongs to. */
function replaced(ask: Questions, from: MountedDocument, specifier: string): string | undefined {
  const module = moduleOf(ask, from);
  const replace = (module?.configuration['replace'] ?? {}) as Readonly<Record<string, string>>;
  for (const [path, folder] of Object.entries(replace)) {
    const rest = below(path, specifier);
    const root = rest === undefined || module === undefined ? undefined : join(module.directory, folder);
    if (root !== undefined && rest !== undefined) return join(root, rest);
  }
  return undefined;
}

/** The directory of a package of the module with the longest path that leads to it; the nearest one where two say the same. */
function ofModule(ask: Questions, from: MountedDocument, specifier: string): string | undefined {
  for (let path = specifier; path !== ''; path = directoryOf(path)) {
    const manifests = ask.documentsOf(`go:module:${path}` as ScopeKey);
    const nearest = [...manifests].sort((a, b) => shared(b, from.path) - shared(a, from.path))[0];
    if (nearest !== undefined) return join(directoryOf(nearest), below(path, specifier) ?? '');
  }
  return undefined;
}

function moduleOf(ask: Questions, from: MountedDocument) {
  for (let directory = directoryOf(from.path); ; directory = directoryOf(directory)) {
    const configuration = ask.configuration(directory === '' ? 'go.mod' : `${directory}/go.mod`);
    if (configuration !== undefined) return { directory, configuration };
    if (directory === '') return undefined;
  }
}

/** By custom the clause repeats the last element of the path, or the one before a version. */
function likelyNames(specifier: string): readonly string[] {
  const parts = specifier.split('/');
  const last = parts.at(-1) ?? '';
  const name = /^v\d{1,4}$/.test(last) ? (parts.at(-2) ?? last) : last;
  return [name, name.replace(/^go-|[.-]go$|\.v\d{1,4}$/g, ''), last];
}

function outside(ask: Questions, from: MountedDocument, specifier: string): Value | undefined {
  const [host = ''] = specifier.split('/', 1);
  if (!host.includes('.')) return { kind: 'external', manager: 'std', package: 'go', name: specifier };
  const module = requiredFor(ask, from, specifier) ?? specifier.split('/', 3).join('/');
  return { kind: 'external', manager: 'go', package: module, name: below(module, specifier) ?? '' };
}

/** The dependency of the importing file's module that has a package, by its path. */
function requiredFor(ask: Questions, from: MountedDocument, specifier: string): string | undefined {
  const required = (moduleOf(ask, from)?.configuration['require'] ?? []) as readonly string[];
  return required
    .map(line => line.split(/\s/, 1)[0] ?? '')
    .filter(path => below(path, specifier) !== undefined)
    .sort((a, b) => b.length - a.length)[0];
}

/** What is left of a path below another; undefined where it isn't below. */
function below(path: string, specifier: string): string | undefined {
  if (specifier === path) return '';
  return specifier.startsWith(`${path}/`) ? specifier.slice(path.length + 1) : undefined;
}

function shared(one: string, other: string): number {
  const parts = other.split('/');
  const differing = directoryOf(one)
    .split('/')
    .findIndex((part, index) => part !== parts[index]);
  return differing < 0 ? one.length : differing;
}

/**
 * Of the language itself. `[]`, `map[]` and `tuple` are how extraction writes slices, maps and several results; for types
 * without a name see `records.ts`.
 */
const predeclared: ReadonlySet<string> = new Set(
  `any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8
  uint16 uint32 uint64 uintptr append cap clear close complex copy delete imag len make max min new panic print println
  real recover [] map[] tuple`.split(/\s+/),
);
