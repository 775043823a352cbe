import type { ScopeKey } from '../model/document.ts';
import { symbolHash } from '../model/identity.ts';
import type { Target } from '../model/links.ts';
import { scopeOfTail } from '../model/mount.ts';
import type { LinkedDocument } from './publication.ts';
import type { Prepare } from './rows.ts';

/** Rows of the symbols and names that a publication speaks of. */
export interface Interned {
  symbolOf(scope: string, tail: string): number;
  symbolOfTarget(target: Exclude<Target, { readonly kind: 'candidate' | 'own' }>): number;
  nameOf(text: string): number;
}

/** Finds or makes the rows of everything that the documents mention; new rows go in sorted, which keeps both tables dense. */
export function intern(documents: readonly LinkedDocument[], prepare: Prepare): Interned {
  const hashes = new Map<string, Map<string, string>>();
  const externals = new Map<string, Extract<Target, { readonly kind: 'external' }>>();
  const names = new Set<string>();
  const note = (scope: string, tail: string): string => {
    let tails = hashes.get(scope);
    if (tails === undefined) {
      tails = new Map();
      hashes.set(scope, tails);
    }
    let hash = tails.get(tail);
    if (hash === undefined) {
      hash = symbolHash(scope as ScopeKey, tail);
      tails.set(tail, hash);
    }
    return hash;
  };
  for (const { document, links } of documents) {
    for (const definition of document.facts.definitions) {
      note(scopeOfTail(document, definition.tail), definition.tail);
      names.add(definition.name);
    }
    links.targets.forEach((target, index) => {
      if (target.kind === 'symbol') note(target.scope, target.tail);
      else if (target.kind === 'external') externals.set(note(externalScope(target), target.name), target);
      else names.add(document.facts.references[index]!.name);
    });
  }
  const symbolRows = rowsOfSymbols(hashes, prepare);
  const nameRows = rowsOfNames(names, prepare);
  keepExternals(externals, symbolRows, prepare);
  const symbolOf = (scope: string, tail: string): number => symbolRows.get(hashes.get(scope)!.get(tail)!)!;
  return {
    symbolOf,
    symbolOfTarget: target =>
      target.kind === 'symbol' ? symbolOf(target.scope, target.tail) : symbolOf(externalScope(target), target.name),
    nameOf: text => nameRows.get(text)!,
  };
}

function externalScope(target: Extract<Target, { readonly kind: 'external' }>): string {
  return `external:${target.manager}:${target.package}`;
}

function rowsOfSymbols(
  hashes: ReadonlyMap<string, ReadonlyMap<string, string>>,
  prepare: Prepare,
): Map<string, number> {
  const find = prepare<[Buffer], { id: number }>('SELECT id FROM symbol WHERE hash = ?');
  const add = prepare<[Buffer]>('INSERT INTO symbol (hash) VALUES (?)');
  const wanted = new Set<string>();
  for (const tails of hashes.values()) for (const hash of tails.values()) wanted.add(hash);
  return findOrAdd(wanted, prepare('SELECT 1 FROM symbol LIMIT 1').get() === undefined, hash => {
    const bytes = Buffer.from(hash, 'hex');
    return { find: () => find.get(bytes)?.id, add: () => Number(add.run(bytes).lastInsertRowid) };
  });
}

function rowsOfNames(names: ReadonlySet<string>, prepare: Prepare): Map<string, number> {
  const find = prepare<[string], { id: number }>('SELECT id FROM name WHERE text = ?');
  const add = prepare<[string]>('INSERT INTO name (text) VALUES (?)');
  return findOrAdd(names, prepare('SELECT 1 FROM name LIMIT 1').get() === undefined, text => ({
    find: () => find.get(text)?.id,
    add: () => Number(add.run(text).lastInsertRowid),
  }));
}

function findOrAdd(
  keys: ReadonlySet<string>,
  tableIsEmpty: boolean,
  row: (key: string) => { find(): number | undefined; add(): number },
): Map<string, number> {
  const rows = new Map<string, number>();
  for (const key of [...keys].sort()) {
    const access = row(key);
    rows.set(key, (tableIsEmpty ? undefined : access.find()) ?? access.add());
  }
  return rows;
}

function keepExternals(
  externals: ReadonlyMap<string, Extract<Target, { readonly kind: 'external' }>>,
  symbolRows: ReadonlyMap<string, number>,
  prepare: Prepare,
): void {
  const add = prepare<[number, string, string, string]>(
    'INSERT OR IGNORE INTO external (symbol, manager, package, name) VALUES (?, ?, ?, ?)',
  );
  for (const [hash, target] of externals) add.run(symbolRows.get(hash)!, target.manager, target.package, target.name);
}
