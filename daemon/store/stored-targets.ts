import type { RepoPath } from '../model/paths.ts';
import { factRow } from './fact-table.ts';
import type { HeldLinks } from './held-links.ts';
import type { LinkBody } from './link-body.ts';
import { checkLink, currentLink, decodeBody, storedBody } from './link-table.ts';
import type { FactKey } from './publication.ts';
import { documentAt, type LinkRow, type Prepare } from './rows.ts';
import { symbolNumber } from './symbol-rows.ts';

/**
 * Of each reference of a document, by its index, the symbol of the repository that it points at, as 32 hex digits; undefined
 * for none. It ends with the last one that points somewhere.
 */
export type ReferenceTargets = Pick<readonly (string | undefined)[], 'length' | 'at'>;

/** Where syntax has the references of some documents of the newest snapshot point. Documents without links are left out. */
export function storedTargets(
  repo: number,
  paths: Iterable<RepoPath>,
  held: HeldLinks,
  prepare: Prepare,
): ReadonlyMap<RepoPath, ReferenceTargets> {
  const hashOf = symbolHashes(prepare);
  const found = new Map<RepoPath, ReferenceTargets>();
  for (const path of paths) {
    const id = held.documentAt(repo, path) ?? documentAt(repo, path, prepare);
    const links = id === undefined ? undefined : held.checkedOf(id)?.links();
    if (links === undefined) continue;
    const symbols = links.targetsByReference(symbol => symbol);
    const at = (reference: number): string | undefined => {
      const symbol = symbols[reference];
      return symbol === undefined ? undefined : hashOf(symbol);
    };
    found.set(path, { length: symbols.length, at });
  }
  return found;
}

function linksOf(row: LinkRow, path: string, prepare: Prepare): LinkBody {
  const { digest, body } = storedBody(row.body, prepare);
  checkLink(row, path, digest, body, prepare);
  return decodeBody(body, row.body);
}

/** What syntax says of the newest snapshot, by rows of the index file. */
export interface StoredSyntax {
  /** Row of a symbol, 32 hex digits; undefined where the file has never heard of it. */
  rowOf(hash: string): number | undefined;
  /** Undefined where the snapshot has the document not, or with other facts. */
  linksOf(path: string, key: FactKey): Pick<LinkBody, 'sureness'> | undefined;
}

export function storedSyntax(repo: number, prepare: Prepare): StoredSyntax {
  return {
    rowOf: hash => symbolNumber(hash, prepare),
    linksOf: (path, key) => {
      const id = documentAt(repo, path, prepare);
      const row = id === undefined ? undefined : currentLink(id, prepare);
      return row === undefined || row.fact !== factRow(key, prepare) ? undefined : linksOf(row, path, prepare);
    },
  };
}

/** Hashes of symbols by row, asked for once each; undefined for those of dependencies. */
function symbolHashes(prepare: Prepare): (symbol: number) => string | undefined {
  const find = prepare<[number], { hash: Buffer }>(
    'SELECT hash FROM symbol WHERE id = ? AND NOT EXISTS (SELECT 1 FROM external WHERE external.symbol = symbol.id)',
  );
  const known = new Map<number, string | undefined>();
  return symbol => {
    if (!known.has(symbol)) known.set(symbol, find.get(symbol)?.hash.toString('hex'));
    return known.get(symbol);
  };
}
