import type { ScopeKey } from '../../model/document.ts';
import { baseName } from '../../model/paths.ts';
import { either, optionsOf } from '../options.ts';
import type { Questions } from '../resolver.ts';
import { shared } from '../surface.ts';
import type { Value } from '../values.ts';

/** What Java calls a file of Kotlin by, and has what stands at its top: `FilesKt`, or as `@file:JvmName` says. */
export function fileClass(ask: Questions, scope: ScopeKey, name: string): Value | undefined {
  if (!scope.startsWith('kotlin:') || !/^[A-Z_]/.test(name)) return undefined;
  const named = filesIn(ask.definition(scope, shared, name));
  if (named !== undefined || !name.endsWith('Kt')) return named;
  const path = ask.filesIn(directoryIn(scope)).find(one => classOf(baseName(one)) === name);
  return path === undefined ? undefined : { kind: 'scope', scope, path };
}

/** The files that name themselves so, each of which says it of something that it has. */
export function filesIn(named: Value | undefined): Value | undefined {
  const files = optionsOf(named).flatMap(one => (one.kind === 'definition' ? one : []));
  return either(
    files.flatMap(({ scope, sites }) =>
      sites.map(({ document }): Value => ({ kind: 'scope', scope, path: document.path })),
    ),
  );
}

/** What a file has of what its scope has; all where no file is meant. */
export function ofFile(found: Value | undefined, path: string | undefined): Value | undefined {
  if (path === undefined) return found;
  const isThere = (one: Value): boolean =>
    one.kind === 'definition' && one.sites.some(({ document }) => document.path === path);
  return either(optionsOf(found).filter(isThere));
}

/** The folder of a scope of Java or Kotlin. */
export function directoryIn(scope: ScopeKey): string {
  return scope.slice(scope.indexOf(':') + 1, scope.indexOf('#'));
}

/** `my-file.kt` is `My_fileKt`. */
function classOf(file: string): string {
  if (!file.endsWith('.kt')) return '';
  const name = file.slice(0, -3).replace(/[^\w$]/g, '_');
  return `${/^\d/.test(name) ? '_' : ''}${name.slice(0, 1).toUpperCase()}${name.slice(1)}Kt`;
}
