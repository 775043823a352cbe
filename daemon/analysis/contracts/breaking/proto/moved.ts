import type { Comparison, Told } from './comparison.ts';
import { importIndex } from './imported.ts';
import type { TypeTable } from './types.ts';

/**
 * What is declared in another file now. Files that import the contract have its types no more, and what is generated of it lies
 * elsewhere; bytes and names are the same. A contract that imports the other file publicly hands types on: then code alone that
 * imports generated files by their names has to follow. Services are handed on by nothing.
 */
export function movedTo(
  { handedOn }: Comparison,
  kind: 'message' | 'enum' | 'service' | 'extension',
  name: string,
  path: string,
): Pick<Told, 'id' | 'severity' | 'compatibility' | 'message'> {
  const isHandedOn = kind !== 'service' && handedOn.has(path);
  const consequence = isHandedOn
    ? 'who imports this file still has it, code that imports what is generated of it has to follow'
    : 'files and code that import it by file have to follow';
  return {
    id: `${kind}-moved`,
    severity: isHandedOn ? 'risky' : 'breaking',
    compatibility: ['source'],
    message: `the ${kind} ${name} is declared in ${path} now: ${consequence}`,
  };
}

/** The contract, and the files that it imports publicly, directly or through others. */
export function handedOnBy({ side }: TypeTable): ReadonlySet<string> {
  const index = importIndex(side.files.keys());
  const found = new Set([side.path]);
  for (const one of found) {
    for (const { path, kind } of side.files.get(one)?.imports ?? [])
      if (kind === 'public') for (const file of index.filesOf(path)) found.add(file);
  }
  return found;
}
