import type { MountedDocument, ScopeKey } from '../../model/document.ts';
import { baseName, directoryOf, join } from '../../model/paths.ts';
import { optionsOf } from '../options.ts';
import type { Questions } from '../resolver.ts';
import type { Site, Value } from '../values.ts';

export function moduleAt(path: string): Value {
  return { kind: 'module', path };
}

/** The directory in which a file's inner modules are. */
function placeOf(ask: Questions, path: string): string {
  const directory = directoryOf(path);
  const base = baseName(path);
  const isRoot = /^(?:mod|lib|main)\.rs$/.test(base) || parentOf(ask, path) === undefined;
  return isRoot ? directory : (join(directory, base.replace(/\.rs$/, '')) ?? directory);
}

/** The file that `mod name;` in a file declares; `=path` is one that says where. */
export function declaredFile(ask: Questions, path: string, name: string): Value | undefined {
  const written = name.startsWith('=') ? join(directoryOf(path), name.slice(1)) : undefined;
  if (name.startsWith('=')) return written !== undefined && ask.exists(written) ? moduleAt(written) : undefined;
  const place = join(placeOf(ask, path), name);
  const found = [`${place}.rs`, `${place}/mod.rs`].find(one => ask.exists(one));
  return found === undefined ? undefined : moduleAt(found);
}

/** The module that declares the one in a file; undefined of a crate's root. */
export function parentOf(ask: Questions, path: string): Value | undefined {
  return ask.once(`rust parent ${path}`, () => {
    const base = baseName(path);
    if (base === 'lib.rs' || base === 'main.rs') return undefined;
    const isFolder = base === 'mod.rs';
    const name = isFolder ? baseName(directoryOf(path)) : base.replace(/\.rs$/, '');
    const directory = isFolder ? directoryOf(directoryOf(path)) : directoryOf(path);
    const usual = ['mod.rs', 'lib.rs', 'main.rs'].map(one => (directory === '' ? one : `${directory}/${one}`));
    const outer = directory === '' ? [] : [`${directory}.rs`];
    const declares = (file: string): boolean => file !== path && ask.exists(file) && declaresModule(ask, file, name);
    const above = [...usual, ...outer];
    const found =
      above.find(declares) ??
      otherRoots(ask, directory, path).find(declares) ??
      (isTarget(ask, path) ? undefined : above.find(file => file !== path && callsMacros(ask, file)));
    return found === undefined ? undefined : moduleAt(found);
  });
}

/** Whether a macro is called among the items of a file, which may declare modules: `cfg_net! { mod tcp; }`. */
function callsMacros(ask: Questions, file: string): boolean {
  const one = ask.exportsNamed(file, '::*');
  return one?.of.some(of => one.document.facts.expressions[of]!.op === 'unknown') ?? false;
}

/** The file of a module that no `mod` of a file declares, where a macro of that file may. */
export function fileThatMacroDeclares(ask: Questions, path: string, name: string): Value | undefined {
  return callsMacros(ask, path) ? declaredFile(ask, path, name) : undefined;
}

/** Whether a file is compiled by itself: the manifest says so, or the directory that it is in. */
function isTarget(ask: Questions, path: string): boolean {
  const directory = directoryOf(path);
  if (baseName(path) === 'build.rs' || /(?:^|\/)src\/bin$/.test(directory)) return true;
  const [own] = packagesAround(ask, directory);
  if (own === undefined) return false;
  const isAuto = ['tests', 'benches', 'examples'].some(one => join(own.directory, one) === directory);
  const { libraryPath, binaries } = own.configuration;
  const named = [libraryPath, ...((binaries ?? []) as readonly unknown[])];
  return isAuto || named.some(one => typeof one === 'string' && join(own.directory, one) === path);
}

/** So many files of a directory may be the roots of others there. */
const maxRoots = 60;

/** `tests/all.rs` has `tests/util.rs` as its module. */
function otherRoots(ask: Questions, directory: string, path: string): readonly string[] {
  const files = ask.filesIn(directory).filter(one => one.endsWith('.rs') && one !== path);
  return files.length > maxRoots ? [] : files;
}

function declaresModule(ask: Questions, file: string, name: string): boolean {
  return optionsOf(ask.definition(scopeAt(file), '', name)).some(
    one =>
      one.kind === 'definition' &&
      one.sites.some(
        ({ document, slot }) => document.path === file && document.facts.definitions[slot]!.kind === 'module',
      ),
  );
}

/** The scope of what a file defines. */
export function scopeAt(path: string): ScopeKey {
  const isFolded = /(?:^|\/)(?:mod|lib|main)\.rs$/.test(path);
  return (isFolded ? directoryOf(path) || '.' : path) as ScopeKey;
}

/** Modules nest no deeper. */
export const maxModules = 40;

export function rootOf(ask: Questions, path: string): Value {
  const found = ask.once(`rust root ${path}`, () => {
    let root = path;
    for (let steps = 0; steps < maxModules; steps++) {
      const parent = parentOf(ask, root);
      if (parent?.kind !== 'module') break;
      root = parent.path;
    }
    return rootAround(ask, root) ?? moduleAt(root);
  });
  return found ?? moduleAt(path);
}

/** Of a file that no file's name leads to (`#[path]`): the root that its package names and that is beside it or above. */
function rootAround(ask: Questions, path: string): Value | undefined {
  const [own] = packagesAround(ask, directoryOf(path));
  if (own === undefined) return undefined;
  const { libraryPath, binaries } = own.configuration;
  const named = [libraryPath, ...((binaries ?? []) as readonly unknown[]), 'src/lib.rs', 'src/main.rs'];
  for (const one of named) {
    const root = typeof one === 'string' ? join(own.directory, one) : undefined;
    if (root === path) return undefined;
    if (root === undefined || !ask.exists(root) || path.startsWith(`${directoryOf(root)}/bin/`)) continue;
    if (path.startsWith(`${directoryOf(root)}/`) && directoryOf(path) !== directoryOf(root)) return moduleAt(root);
  }
  return undefined;
}

/** A macro of the crate, wherever it stands: in a module above, or in one of the root's that holds macros. */
export function macro(ask: Questions, from: MountedDocument, name: string): Value | undefined {
  const root = rootOf(ask, from.path);
  return macroBelow(ask, root.kind === 'module' ? directoryOf(root.path) : '', name);
}

/** A macro that a crate shows others, of which that file is the root. */
export function exportedMacro(ask: Questions, path: string, name: string): Value | undefined {
  if (parentOf(ask, path) !== undefined) return undefined;
  const found = macroBelow(ask, directoryOf(path), name);
  const isPublic = ({ document, slot }: Site): boolean => document.facts.definitions[slot]!.visibility === 'public';
  return found?.kind === 'definition' && found.sites.some(isPublic) ? found : undefined;
}

function macroBelow(ask: Questions, place: string, name: string): Value | undefined {
  return ask.once(`rust macro ${place} ${name}`, () => {
    const scopes = [place || '.', `${place}/macros.rs`, `${place}/macros`, `${place}/util.rs`, `${place}/utils.rs`];
    for (const scope of scopes) {
      const found = optionsOf(ask.definition(scope as ScopeKey, '', name)).find(
        one => one.kind === 'definition' && one.tail.endsWith('!'),
      );
      if (found !== undefined) return found;
    }
    return undefined;
  });
}

/** A crate by the name that code gives it: the language's own, the package's library, a neighbour, a dependency. */
export function crate(ask: Questions, from: MountedDocument, name: string): Value | undefined {
  const directory = directoryOf(from.path);
  const isOfRust = /^(?:std|core|alloc|proc_macro|test)$/.test(name);
  return ask.once(`rust crate ${directory} ${name}`, () =>
    isOfRust ? (namedAsRusts(ask, directory, name) ?? ofRust) : crateSeenFrom(ask, directory, name),
  );
}

const ofRust: Value = { kind: 'external', manager: 'std', package: 'rust', name: '' };

/** A neighbour that the package's manifest gives the name of one of the language's crates, which it hides. */
function namedAsRusts(ask: Questions, directory: string, name: string): Value | undefined {
  const [own] = packagesAround(ask, directory);
  const requires = (own?.configuration['requires'] ?? []) as readonly string[];
  if (own === undefined || isCalled(own, name) || !requires.includes(name)) return undefined;
  const found = crateSeenFrom(ask, directory, name);
  return found?.kind === 'module' ? found : undefined;
}

interface Package {
  readonly directory: string;
  readonly configuration: Readonly<Record<string, unknown>>;
}

function crateSeenFrom(ask: Questions, directory: string, name: string): Value | undefined {
  const packages = packagesAround(ask, directory);
  const [own] = packages;
  if (own !== undefined && isCalled(own, name)) return libraryOf(ask, own);
  for (const one of packages) {
    const dependencies = (one.configuration['dependencies'] ?? {}) as Readonly<Record<string, string>>;
    const path = Object.entries(dependencies).find(([key]) => underscored(key) === name)?.[1];
    const at = path === undefined ? undefined : packageAt(ask, join(one.directory, path));
    const library = at === undefined ? undefined : libraryOf(ask, at);
    if (library !== undefined) return library;
  }
  for (const one of packages) {
    const requires = (one.configuration['requires'] ?? []) as readonly string[];
    const key = requires.find(required => underscored(required) === name);
    if (key === undefined) continue;
    const called = packageCalled(packages, key);
    return neighbour(ask, called) ?? { kind: 'external', manager: 'cargo', package: called, name: '' };
  }
  return undefined;
}

/** The package that a dependency is, which goes by another name where its manifest, or the workspace's, says so. */
function packageCalled(packages: readonly Package[], key: string): string {
  for (const { configuration } of packages) {
    const renamed = (configuration['renamed'] ?? {}) as Readonly<Record<string, string>>;
    if (Object.hasOwn(renamed, key)) return renamed[key]!;
  }
  return key;
}

/** A package of the repository, by its name. */
function neighbour(ask: Questions, name: string): Value | undefined {
  const [manifest] = ask.documentsOf(`cargo:${name}` as ScopeKey);
  const found = manifest === undefined ? undefined : packageAt(ask, directoryOf(manifest));
  return found === undefined ? undefined : libraryOf(ask, found);
}

/** The folder of the package that a file belongs to; undefined where no manifest lies above it. */
export function packageOf(ask: Questions, path: string): string | undefined {
  return packagesAround(ask, directoryOf(path))[0]?.directory;
}

/** Whether code of a file may name the crate of another: it is of the same package, or of one that its manifest lists. */
export function isNameable(ask: Questions, from: string, to: string): boolean {
  const [own] = packagesAround(ask, directoryOf(from));
  const other = packageOf(ask, to);
  return own === undefined || other === undefined || own.directory === other || packagesListedBy(ask, own).has(other);
}

/** Folders of those packages of the repository that a manifest lists. */
function packagesListedBy(ask: Questions, { directory, configuration }: Package): ReadonlySet<string> {
  return ask.shared(`rust packages of ${directory}`, () => {
    const requires = (configuration['requires'] ?? []) as readonly string[];
    const libraries = requires.map(key => crateSeenFrom(ask, directory, underscored(key)));
    return new Set(libraries.flatMap(one => (one?.kind === 'module' ? (packageOf(ask, one.path) ?? []) : [])));
  })!;
}

function packagesAround(ask: Questions, directory: string): readonly Package[] {
  const found: Package[] = [];
  for (let at = directory; ; at = directoryOf(at)) {
    const one = packageAt(ask, at);
    if (one !== undefined) found.push(one);
    if (at === '') return found;
  }
}

function packageAt(ask: Questions, directory: string | undefined): Package | undefined {
  if (directory === undefined) return undefined;
  const configuration = ask.configuration(directory === '' ? 'Cargo.toml' : `${directory}/Cargo.toml`);
  return configuration === undefined ? undefined : { directory, configuration };
}

function isCalled({ configuration }: Package, name: string): boolean {
  const { libraryName, name: ownName } = configuration;
  return underscored(String(libraryName ?? ownName ?? '')) === name;
}

function libraryOf(ask: Questions, { directory, configuration }: Package): Value | undefined {
  const path = join(directory, String(configuration['libraryPath'] ?? 'src/lib.rs'));
  return path !== undefined && ask.exists(path) ? moduleAt(path) : undefined;
}

function underscored(name: string): string {
  return name.replaceAll('-', '_');
}
