import type { ScopeKey } from '../model/document.ts';
import { directoryOf, join } from '../model/paths.ts';
import { moduleFile } from './module-file.ts';
import { first } from './options.ts';
import type { Questions } from './resolver.ts';

type Configuration = Readonly<Record<string, unknown>>;

/** The source file behind `name` or `name/sub/path` for a file in `from`, where a package of the repository bears that name. */
export function packageFile(ask: Questions, from: string, specifier: string): string | undefined {
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
export function packageImport(ask: Questions, directory: string, specifier: string): string | undefined {
  for (let at = directory; ; at = directoryOf(at)) {
    const path = at === '' ? 'package.json' : `${at}/package.json`;
    if (ask.exists(path)) {
      const imports = ask.configuration(path)?.['imports'];
      for (const target of targetsOf(imports, specifier)) {
        const found = sourceFile(ask, at, target);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    if (at === '') return undefined;
  }
}

/** What requiring a folder gives where its package.json names it. */
export function folderEntry(ask: Questions, folder: string): string | undefined {
  const configuration = ask.configuration(folder === '' ? 'package.json' : `${folder}/package.json`);
  if (configuration === undefined) return undefined;
  return first(legacyEntries, key => {
    const target = configuration[key];
    return typeof target === 'string' ? sourceFile(ask, folder, target) : undefined;
  });
}

const legacyEntries = ['source', 'types', 'typings', 'module', 'main'];

function entryOf(ask: Questions, root: string, configuration: Configuration, subpath: string): string | undefined {
  const exported = targetsOf(configuration['exports'], subpath === '' ? '.' : `./${subpath}`);
  const legacy = subpath === '' ? legacyEntries.map(key => configuration[key]) : [];
  const fallback = subpath === '' ? ['src/index', 'index', 'lib/index', 'src/main'] : [`src/${subpath}`, subpath];
  for (const target of [...exported, ...legacy, ...fallback]) {
    const found = typeof target === 'string' ? sourceFile(ask, root, target) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
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

const outputFolders = /^(?:\.\/)?(?:dist|lib|build|out|esm|cjs)(?:\/(?:esm|cjs|src|types))?\//;

/** The file itself, or the source that a build turns into it: `dist/a.js` is `src/a.ts`. */
function sourceFile(ask: Questions, root: string, target: string): string | undefined {
  const plain = target.replace(/\.d\.([cm]?)ts$/, '.$1js');
  const candidates = [plain];
  if (outputFolders.test(plain))
    candidates.push(plain.replace(outputFolders, 'src/'), plain.replace(outputFolders, ''));
  for (const candidate of candidates) {
    const path = join(root, candidate);
    const found = path === undefined ? undefined : moduleFile(ask, path);
    if (found !== undefined) return found;
  }
  return undefined;
}
