import type { ScopeKey } from '../../model/document.ts';
import { directoryOf, join } from '../../model/paths.ts';
import { first } from '../options.ts';
import type { Questions } from '../resolver.ts';
import { byCustom, fileOrSource, type Source } from './built-output.ts';
import { moduleFile } from './module-file.ts';

type Configuration = Readonly<Record<string, unknown>>;

/** The source file behind `name` or `name/sub/path` for a file in `from`, where a package of the repository bears that name. */
export function packageFile(ask: Questions, from: string, specifier: string): Source | undefined {
  const segments = specifier.split('/');
  const length = specifier.startsWith('@') ? 2 : 1;
  const name = segments.slice(0, length).join('/');
  const manifest = manifestNamed(ask, from, name);
  if (manifest === undefined) return undefined;
  const configuration = ask.configuration(manifest);
  if (configuration === undefined) return undefined;
  const subpath = segments.slice(length).join('/');
  return entryOf(ask, directoryOf(manifest), configuration, subpath);
}

/**
 * The package of that name: the nearest one installed where node looks from `from`, else one of the workspace's own, of
 * several (fixtures like to copy names) the one nearest to the root. What another folder has installed is out of sight.
 */
function manifestNamed(ask: Questions, from: string, name: string): string | undefined {
  const depth = (path: string): number => path.split('/').length;
  const manifests = ask.documentsOf(`npm:${name}` as ScopeKey);
  const nearest = manifests.filter(path => isInstalledFor(path, from)).sort((a, b) => depth(b) - depth(a))[0];
  if (nearest !== undefined) return nearest;
  const own = manifests.filter(path => installedIn(path) === undefined);
  return own.sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))[0];
}

function isInstalledFor(path: string, from: string): boolean {
  const folder = installedIn(path);
  return folder !== undefined && (folder === '' || from === folder || from.startsWith(`${folder}/`));
}

/** The folder of whose `node_modules` a file is part; undefined for sources. */
export function installedIn(path: string): string | undefined {
  const match = /^(?:(.*)\/)?node_modules\//.exec(path);
  return match === null ? undefined : (match[1] ?? '');
}

/** `#name` of the `imports` field of the nearest package up the tree. */
export function packageImport(ask: Questions, directory: string, specifier: string): Source | undefined {
  for (let at = directory; ; at = directoryOf(at)) {
    const path = at === '' ? 'package.json' : `${at}/package.json`;
    if (ask.exists(path)) {
      const imports = ask.configuration(path)?.['imports'];
      return firstOf(ask, at, targetsOf(imports, specifier));
    }
    if (at === '') return undefined;
  }
}

/** What requiring a folder gives where its package.json names it. */
export function folderEntry(ask: Questions, folder: string): Source | undefined {
  const configuration = ask.configuration(folder === '' ? 'package.json' : `${folder}/package.json`);
  if (configuration === undefined) return undefined;
  return firstOf(ask, folder, [...legacyEntries(configuration), ...targetsOf(configuration['exports'], '.')]);
}

function entryOf(ask: Questions, root: string, configuration: Configuration, subpath: string): Source | undefined {
  const exported = targetsOf(configuration['exports'], subpath === '' ? '.' : `./${subpath}`);
  const named = subpath === '' ? [...exported, ...legacyEntries(configuration)] : exported;
  return firstOf(ask, root, named) ?? first(unnamedEntries(subpath), target => unnamedEntry(ask, root, target));
}

/** What a package that names no file is asked for, where its sources lie as most packages' do. */
function unnamedEntries(subpath: string): readonly string[] {
  return subpath === '' ? ['src/index', 'index', 'lib/index', 'src/main'] : [`src/${subpath}`, subpath];
}

function unnamedEntry(ask: Questions, root: string, target: string): Source | undefined {
  const path = join(root, target);
  const found = path === undefined ? undefined : moduleFile(ask, path);
  if (found === undefined) return undefined;
  return target.startsWith('src/') ? { path: found, confidence: byCustom } : { path: found };
}

function legacyEntries(configuration: Configuration): readonly string[] {
  const named = ['source', 'types', 'typings', 'module', 'main'].map(key => configuration[key]);
  return named.filter(target => typeof target === 'string');
}

function firstOf(ask: Questions, root: string, targets: readonly string[]): Source | undefined {
  return first(targets, target => {
    const path = join(root, target);
    return path === undefined ? undefined : fileOrSource(ask, path);
  });
}

/** Every file that `exports` or `imports` names for a key, whatever the condition; patterns with one star are filled in. */
function targetsOf(field: unknown, key: string): readonly string[] {
  if (field === null || field === undefined) return [];
  const isMap = typeof field === 'object' && !Array.isArray(field);
  const keys = isMap ? Object.keys(field) : [];
  if (!keys.some(one => one.startsWith('.') || one.startsWith('#'))) return key === '.' ? leavesOf(field) : [];
  const map = field as Configuration;
  if (Object.hasOwn(map, key)) return leavesOf(map[key]);
  for (const pattern of keys.sort((a, b) => b.length - a.length)) {
    const [prefix = '', suffix = ''] = pattern.split('*');
    if (!pattern.includes('*') || !key.startsWith(prefix) || !key.endsWith(suffix)) continue;
    const rest = key.slice(prefix.length, key.length - suffix.length);
    return leavesOf(map[pattern]).map(target => target.replaceAll('*', () => rest));
  }
  return [];
}

function leavesOf(value: unknown, nesting = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object' || nesting > 6) return [];
  return Object.values(value).flatMap(one => leavesOf(one, nesting + 1));
}
