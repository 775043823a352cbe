import type { ScopeKey } from '../../model/document.ts';
import type { Places } from '../resolver.ts';

/** What an import of a package names: the package, and what of it ('' for the package itself). */
export function packageNamed(specifier: string): { readonly name: string; readonly subpath: string } {
  const segments = specifier.split('/');
  const length = specifier.startsWith('@') ? 2 : 1;
  return { name: segments.slice(0, length).join('/'), subpath: segments.slice(length).join('/') };
}

/**
 * The package.json of the package of that name: the nearest one installed where node looks from `from`, else one of the
 * workspace's own, of several (fixtures like to copy names) the one nearest to the root. What another folder has installed
 * is out of sight.
 */
export function manifestNamed(ask: Places, from: string, name: string): string | undefined {
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
