import type { RepoPath } from '../model/paths.ts';
import { checkLink, currentLink, decodeBody, storedBody } from './link-table.ts';
import type { Prepare } from './rows.ts';

/** Of each reference of a document the symbol of the repository that it points at, as 32 hex digits; undefined for none. */
export type ReferenceTargets = readonly (string | undefined)[];

/**
 * Where syntax has the references of some documents of the newest snapshot point. Documents without links are left out;
 * a list ends with its last reference that points somewhere.
 */
export function storedTargets(
  repo: number,
  paths: Iterable<RepoPath>,
  prepare: Prepare,
): ReadonlyMap<RepoPath, ReferenceTargets> {
  const document = prepare<[number, string], { id: number }>('SELECT id FROM document WHERE repo = ? AND path = ?');
  const hashOf = symbolHashes(prepare);
  const found = new Map<RepoPath, ReferenceTargets>();
  for (const path of paths) {
    const id = document.get(repo, path)?.id;
    const row = id === undefined ? undefined : currentLink(id, prepare);
    if (row === undefined) continue;
    const { digest, body } = storedBody(row.body, prepare);
    checkLink(row, path, digest, body, prepare);
    found.set(path, decodeBody(body, row.body).targetsByReference(hashOf));
  }
  return found;
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
