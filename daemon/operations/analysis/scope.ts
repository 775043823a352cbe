import { invalid } from '../../../client/protocol/faults.ts';
import { nearest } from '../../../client/protocol/nearest.ts';
import { directoryOf } from '../../model/paths.ts';

/** A module id or path prefix as a path; undefined for the whole repository. Throws `invalidParameter` where nothing lies in it. */
export function scopeIn(paths: readonly string[], scope: string | undefined): string | undefined {
  const path = scope?.replace(/^\.\//, '').replace(/\/+$/, '');
  if (path === undefined || path === '' || path === '.' || path === '@root') return undefined;
  if (paths.some(one => isInScope(one, path))) return path;
  const meant = nearest(path, new Set(paths.map(directoryOf)));
  const hint = meant === undefined || meant === '' ? '' : `; did you mean ${meant}?`;
  const message = `no module and no indexed path is or lies under ${JSON.stringify(path)}${hint}`;
  throw invalid('invalidParameter', [{ path: 'scope', message }]);
}

export function isInScope(path: string, scope: string | undefined): boolean {
  return scope === undefined || path === scope || path.startsWith(`${scope}/`);
}
