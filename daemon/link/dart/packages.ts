import type { MountedDocument, ScopeKey } from '../../model/document.ts';
import { directoryOf, join } from '../../model/paths.ts';
import type { Questions } from '../resolver.ts';
import type { Value } from '../values.ts';

/** `package:name/path` is below `lib` of the package of that name, the nearest one where several bear it. */
export function packageFile(ask: Questions, from: MountedDocument, specifier: string): Value | undefined {
  const [name = '', ...rest] = specifier.slice('package:'.length).split('/');
  const manifests = ask.documentsOf(`pub:${name}` as ScopeKey);
  const nearest = [...manifests].sort((a, b) => shared(b, from.path) - shared(a, from.path))[0];
  if (nearest === undefined) return { kind: 'external', manager: 'pub', package: name, name: '' };
  const path = join(directoryOf(nearest), ['lib', ...rest].join('/'));
  return path !== undefined && ask.exists(path) ? { kind: 'module', path } : undefined;
}

export function relativeFile(ask: Questions, from: MountedDocument, specifier: string): Value | undefined {
  const path = join(directoryOf(from.path), specifier);
  return path !== undefined && ask.exists(path) ? { kind: 'module', path } : undefined;
}

/** So many folders two paths have in common. */
function shared(one: string, other: string): number {
  const parts = other.split('/');
  const folders = directoryOf(one).split('/');
  const differing = folders.findIndex((part, index) => part !== parts[index]);
  return differing < 0 ? folders.length : differing;
}
