import { type Fault, invalid } from '../../client/protocol/faults.ts';
import { nearest } from '../../client/protocol/nearest.ts';
import { directoryOf } from '../model/paths.ts';

/** A module id or path prefix as a path; undefined for the whole repository. */
export function scopePath(scope: string | undefined): string | undefined {
  const path = scope?.replace(/^\.\//, '').replace(/\/+$/, '');
  return path === undefined || path === '' || path === '.' || path === '@root' ? undefined : path;
}

/** The same, where something of some paths lies in it. Throws `invalidParameter` where nothing does. */
export function scopeIn(paths: readonly string[], scope: string | undefined): string | undefined {
  const path = scopePath(scope);
  if (path !== undefined && !paths.some(one => isInScope(one, path))) throw emptyScope(paths, path);
  return path;
}

export function isInScope(path: string, scope: string | undefined): boolean {
  return scope === undefined || path === scope || path.startsWith(`${scope}/`);
}

/** A scope that names nothing of some paths is a slip: an empty list would hide it. */
export function emptyScope(paths: readonly string[], scope: string): Fault {
  const known = new Set<string>(paths.map(path => directoryOf(path) || '@root'));
  const top = [...new Set([...known].map(folder => folder.split('/')[0]!))].sort();
  const meant = nearest(scope, known);
  const listed = top.slice(0, mostListed).join(', ') + (top.length > mostListed ? ', …' : '');
  const message = `no module and no indexed path is or lies under ${JSON.stringify(scope)}; ${
    meant === undefined ? `there are ${listed}` : `did you mean ${meant}?`
  }`;
  return invalid('invalidParameter', [{ path: 'scope', message }]);
}

const mostListed = 20;
