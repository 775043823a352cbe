import { namedTargets } from '../../model/package-exports.ts';
import { directoryOf, join } from '../../model/paths.ts';
import { first } from '../options.ts';
import type { Places } from '../resolver.ts';
import { manifestNamed, packageNamed } from './node-manifests.ts';

/** Longest chain of `extends` that is followed. */
const maxExtends = 12;
const maxReferences = 10;
const maxConfigurations = 16;

type Configuration = Readonly<Record<string, unknown>>;

interface PathOptions {
  /** Directory to which `paths` are relative. */
  readonly base: string;
  readonly baseUrl: string | undefined;
  readonly paths: Readonly<Record<string, readonly string[]>>;
}

/** With the configuration that has them, by itself or by what it extends. */
interface OwnOptions extends PathOptions {
  readonly configuration: string;
}

/** Where `paths` and `baseUrl` of the nearest configuration up the tree send a specifier, best first. */
export function pathMappings(ask: Places, directory: string, specifier: string): readonly string[] {
  const options = nearestOptions(ask, directory) ?? sharedOptions(ask, directory);
  if (options === undefined) return [];
  const { base, configuration } = options;
  const mapped = longestMatch(options.paths, specifier).flatMap(one => pathSaid(one, base, configuration) ?? []);
  const plain = options.baseUrl === undefined ? undefined : join(options.baseUrl, specifier);
  return plain === undefined ? mapped : [...mapped, plain];
}

/** The same path in the other folders that `rootDirs` of the nearest configuration takes for one with its own. */
export function pathsInRoots(ask: Places, directory: string, path: string): readonly string[] {
  const configuration = nearestConfiguration(ask, directory);
  const setting = configuration === undefined ? undefined : settingOf(ask, configuration, 'rootDirs');
  if (configuration === undefined || !Array.isArray(setting?.value)) return [];
  const roots = setting.value.flatMap(root => pathSaid(String(root), setting.directory, configuration) ?? []);
  const inside = roots.flatMap(root => (path.startsWith(`${root}/`) ? [path.slice(root.length)] : []));
  return inside.flatMap(rest => roots.map(root => `${root}${rest}`)).filter(one => one !== path);
}

/** A path that a configuration says, relative to where that is said, or to the configuration that has it of others. */
export function pathSaid(written: string, directory: string, configuration: string): string | undefined {
  const inside = written.replace(/^\$\{configDir\}/, '.');
  return join(inside === written ? directory : directoryOf(configuration), inside);
}

/** The configurations of a folder, the editor's and then the build's, with those that the first refers to. */
export function configurationsIn(ask: Places, directory: string): readonly string[] {
  const folder = directory === '' ? '' : `${directory}/`;
  const solution = `${folder}tsconfig.json`;
  const others = ask.filesIn(directory).filter(path => /(?:^|\/)tsconfig[.-][\w.-]+\.json$/.test(path));
  if (!ask.exists(solution)) return others;
  return [...new Set([solution, ...others, ...referencesOf(ask, solution)])].slice(0, maxConfigurations);
}

/** What a configuration says under a key, itself or by what it extends, and the folder to which a path there is relative. */
export function settingOf(
  ask: Places,
  path: string,
  key: string,
  remaining = maxExtends,
): { readonly value: unknown; readonly directory: string } | undefined {
  const configuration = ask.configuration(path);
  if (configuration === undefined || remaining === 0) return undefined;
  const value = configuration[key];
  if (value !== undefined) return { value, directory: directoryOf(path) };
  return first(basesOf(ask, path, configuration), base => settingOf(ask, base, key, remaining - 1));
}

function nearestOptions(ask: Places, directory: string): OwnOptions | undefined {
  const path = nearestConfiguration(ask, directory);
  if (path === undefined) return undefined;
  // A solution file only refers to others; theirs count.
  return ownOptions(ask, path) ?? first(referencesOf(ask, path), one => ownOptions(ask, one));
}

function nearestConfiguration(ask: Places, directory: string): string | undefined {
  for (let at = directory; ; at = directoryOf(at)) {
    const folder = at === '' ? '' : `${at}/`;
    const found = ['tsconfig.json', 'jsconfig.json'].find(name => ask.exists(folder + name));
    if (found !== undefined) return folder + found;
    if (at === '') return undefined;
  }
}

/** Nx and its bundlers take the paths of the workspace's base, though no configuration between should extend it. */
function sharedOptions(ask: Places, directory: string): OwnOptions | undefined {
  for (let at = directory; ; at = directoryOf(at)) {
    const path = at === '' ? 'tsconfig.base.json' : `${at}/tsconfig.base.json`;
    if (ask.exists(path)) return ownOptions(ask, path);
    if (at === '') return undefined;
  }
}

function ownOptions(ask: Places, path: string): OwnOptions | undefined {
  const options = optionsOf(ask, path);
  return options && { ...options, configuration: path };
}

function referencesOf(ask: Places, path: string): readonly string[] {
  const references = ask.configuration(path)?.['references'];
  const some = Array.isArray(references) ? references.slice(0, maxReferences) : [];
  return some.flatMap(one => configurationPath(ask, path, String(one)) ?? []);
}

/** `paths` and `baseUrl` of a configuration, its own before those it extends; undefined where neither is set. */
function optionsOf(ask: Places, path: string, remaining = maxExtends): PathOptions | undefined {
  const configuration = ask.configuration(path);
  if (configuration === undefined || remaining === 0) return undefined;
  const inherited = first(basesOf(ask, path, configuration), base => optionsOf(ask, base, remaining - 1));
  const directory = directoryOf(path);
  const ownUrl = configuration['baseUrl'];
  const ownPaths = configuration['paths'] as PathOptions['paths'] | undefined;
  const baseUrl = typeof ownUrl === 'string' ? join(directory, ownUrl) : inherited?.baseUrl;
  if (ownPaths === undefined && typeof ownUrl !== 'string') return inherited;
  if (ownPaths === undefined) return { base: inherited?.base ?? directory, baseUrl, paths: inherited?.paths ?? {} };
  return { base: baseUrl ?? directory, baseUrl, paths: ownPaths };
}

/** What a configuration extends, the last first: that one counts before the others. */
function basesOf(ask: Places, path: string, configuration: Configuration): readonly string[] {
  const from = configuration['extends'];
  const bases = typeof from === 'string' ? [from] : Array.isArray(from) ? from.map(String) : [];
  return bases.toReversed().flatMap(base => configurationPath(ask, path, base) ?? []);
}

function configurationPath(ask: Places, from: string, target: string): string | undefined {
  const directory = directoryOf(from);
  if (target.startsWith('.')) return configurationAt(ask, directory, target);
  return target.startsWith('/') ? undefined : packageConfiguration(ask, directory, target);
}

/** What a package has under that name: as its `exports` say, or its `tsconfig`, or by its place. */
function packageConfiguration(ask: Places, from: string, specifier: string): string | undefined {
  const { name, subpath } = packageNamed(specifier);
  const manifest = manifestNamed(ask, from, name);
  const said = manifest === undefined ? undefined : ask.configuration(manifest);
  if (manifest === undefined || said === undefined) return undefined;
  const exported = namedTargets(said['exports'], subpath === '' ? '.' : `./${subpath}`) ?? [];
  const { tsconfig } = said;
  const own = subpath === '' ? [...(typeof tsconfig === 'string' ? [tsconfig] : []), 'tsconfig.json'] : [subpath];
  const folder = directoryOf(manifest);
  return first([...exported.filter(one => one.endsWith('.json')), ...own], one => configurationAt(ask, folder, one));
}

function configurationAt(ask: Places, directory: string, target: string): string | undefined {
  const path = join(directory, target);
  if (path === undefined) return undefined;
  if (ask.exists(path)) return path;
  if (ask.exists(`${path}.json`)) return `${path}.json`;
  return ask.exists(`${path}/tsconfig.json`) ? `${path}/tsconfig.json` : undefined;
}

/** TypeScript's rule: an exact pattern first, else the one with the longest prefix before its star. */
function longestMatch(paths: PathOptions['paths'], specifier: string): readonly string[] {
  const exact = paths[specifier];
  if (exact !== undefined && Object.hasOwn(paths, specifier)) return exact;
  let best: { prefix: string; targets: readonly string[]; rest: string } | undefined;
  for (const [pattern, targets] of Object.entries(paths)) {
    const star = pattern.indexOf('*');
    if (star < 0) continue;
    const prefix = pattern.slice(0, star);
    const suffix = pattern.slice(star + 1);
    const isLonger = best === undefined || prefix.length > best.prefix.length;
    const fits = specifier.length >= prefix.length + suffix.length;
    if (!isLonger || !fits || !specifier.startsWith(prefix) || !specifier.endsWith(suffix)) continue;
    best = { prefix, targets, rest: specifier.slice(prefix.length, specifier.length - suffix.length) };
  }
  return best === undefined ? [] : best.targets.map(target => target.replace('*', () => best.rest));
}
