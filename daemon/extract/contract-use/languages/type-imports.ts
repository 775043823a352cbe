import { once } from '../../../model/once.ts';
import { type Found, inCode, type Source } from '../text/source.ts';

/**
 * Imports of messages alone: nothing but the package and the name tells them from imports of anything else. Packages of generated
 * code mostly bear a version; of others only what a file imports counts that treats something as a message.
 */
export interface ImportedType {
  readonly at: number;
  /** A package or namespace, with dots. */
  readonly from: string;
  /** Undefined where all of it is imported. */
  readonly type?: string;
}

/** `speaks`: whether the file has calls that messages alone know. */
export function typeImports(source: Source, imports: Iterable<ImportedType>, speaks: boolean): readonly Found[] {
  const found = new Map<string, Found>();
  const named = once(() => ({ names: namesIn(source) }));
  for (const { at, from, type } of imports) {
    if (from === '' || !(speaks || isVersioned(from))) continue;
    const key = `${from} ${type ?? ''}`;
    if (!found.has(key))
      found.set(key, { kind: 'type-import', at, from, ...(type === undefined ? named() : { type }) });
    if (found.size >= mostTypes) break;
  }
  return [...found.values()];
}

/** In one file. */
const mostTypes = 100;
const mostNames = 200;

function namesIn(source: Source): readonly string[] {
  const names = new Set<string>();
  for (const [name] of inCode(source, /(?<![\w.])[A-Z]\w{2,150}/g)) if (names.size < mostNames) names.add(name);
  return [...names].sort();
}

const version = /^v\d{1,3}(?:(?:alpha|beta)\d{0,3})?$/i;

function isVersioned(from: string): boolean {
  return from.split('.').some(part => version.test(part));
}

/** `Acme.Events.V1.OrderPlaced.Status` by its version, else by its last name: where it is from, and what it is called there. */
export function splitPath(path: string): { readonly from: string; readonly type?: string } {
  const parts = path.split('.');
  const last = parts.findLastIndex(part => version.test(part));
  const end = last < 0 ? parts.length - 1 : last + 1;
  const type = parts.slice(end).join('.');
  return { from: parts.slice(0, end).join('.'), ...(type === '' ? {} : { type }) };
}

/** What stands in files that import from versions of packages: `versionMarks('.v', '.')` of Java. */
export function versionMarks(before: string, ...after: readonly string[]): readonly string[] {
  return [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap(version => after.map(end => `${before}${version}${end}`));
}
