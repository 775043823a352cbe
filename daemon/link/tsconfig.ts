import { directoryOf, join } from '../model/paths.ts';
import type { Questions } from './resolver.ts';

/** Longest chain of `extends` that is followed. */
const maxExtends = 12;

interface PathOptions {
  /** Directory to which `paths` are relative. */
  readonly base: string;
  readonly baseUrl: string | undefined;
  readonly paths: Readonly<Record<string, readonly string[]>>;
}

/** Where `paths` and `baseUrl` of the nearest configuration up the tree send a specifier, best first. */
export function pathMappings(ask: Questions, directory: string, specifier: string): readonly string[] {
  const options = nearestOptions(ask, directory);
  if (options === undefined) return [];
  const mapped = longestMatch(options.paths, specifier).flatMap(target => join(options.base, target) ?? []);
  const plain = options.baseUrl === undefined ? undefined : join(options.baseUrl, specifier);
  return plain === undefined ? mapped : [...mapped, plain];
}

function nearestOptions(ask: Questions, directory: string): PathOptions | undefined {
  for (let at = directory; ; at = directoryOf(at)) {
    const folder = at === '' ? '' : `${at}/`;
    for (const name of ['tsconfig.json', 'jsconfig.json']) {
      if (!ask.exists(folder + name)) continue;
      const found = optionsOf(ask, folder + name);
      return found ?? referencedOptions(ask, folder + name);
    }
    if (at === '') return undefined;
  }
}

/** A solution file only refers to others; theirs count. */
function referencedOptions(ask: Questions, path: string): PathOptions | undefined {
  const references = ask.configuration(path)?.['references'];
  for (const one of Array.isArray(references) ? references.slice(0, 10) : []) {
    const target = configurationPath(ask, path, String(one));
    const found = target === undefined ? undefined : optionsOf(ask, target);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `paths` and `baseUrl` of a configuration, its own before those it extends; undefined where neither is set. */
function optionsOf(ask: Questions, path: string, remaining = maxExtends): PathOptions | undefined {
  const configuration = ask.configuration(path);
  if (configuration === undefined || remaining === 0) return undefined;
  const inherited = inheritedOptions(ask, path, configuration['extends'], remaining);
  const directory = directoryOf(path);
  const ownUrl = configuration['baseUrl'];
  const ownPaths = configuration['paths'] as PathOptions['paths'] | undefined;
  const baseUrl = typeof ownUrl === 'string' ? join(directory, ownUrl) : inherited?.baseUrl;
  if (ownPaths === undefined && typeof ownUrl !== 'string') return inherited;
  if (ownPaths === undefined) return { base: inherited?.base ?? directory, baseUrl, paths: inherited?.paths ?? {} };
  return { base: baseUrl ?? directory, baseUrl, paths: ownPaths };
}

function inheritedOptions(ask: Questions, path: string, from: unknown, remaining: number): PathOptions | undefined {
  const bases = typeof from === 'string' ? [from] : Array.isArray(from) ? from.map(String) : [];
  for (const base of bases.reverse()) {
    const target = configurationPath(ask, path, base);
    const found = target === undefined ? undefined : optionsOf(ask, target, remaining - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function configurationPath(ask: Questions, from: string, target: string): string | undefined {
  if (!target.startsWith('.')) return undefined;
  const path = join(directoryOf(from), target);
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
