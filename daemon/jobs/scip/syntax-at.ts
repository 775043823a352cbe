import { inverse, type ManifestDelta } from '../../model/delta.ts';
import type { TreeManifest } from '../../model/manifest.ts';
import type { RepoPath } from '../../model/paths.ts';
import type { IndexWriter } from '../../store/index-db.ts';
import { growingBatch } from '../../store/link-batch.ts';
import { LinkBody } from '../../store/link-body.ts';
import type { FactKey } from '../../store/publication.ts';
import type { StoredSyntax } from '../../store/stored-targets.ts';
import { countOf, hashAt } from '../../store/symbol-hashes.ts';
import { documentLinker } from '../document-linker.ts';
import type { FactDesk } from '../fact-desk.ts';
import { factKeyText } from '../fact-key.ts';
import { inSlices } from '../in-slices.ts';
import { touchedBy } from '../touched-documents.ts';

export interface SyntaxWorld {
  /** The repository's key in the index file. */
  readonly key: string;
  /** As it is indexed; it stands elsewhere while documents are linked, and is as it was afterwards. */
  readonly tree: TreeManifest;
  readonly shelf: FactDesk['shelf'];
  readonly writer: Pick<IndexWriter, 'askersOf' | 'groupsThatAsked' | 'syntax'>;
  readonly signal: AbortSignal;
}

/**
 * What syntax says of some documents in another tree than the indexed one: those that `delta`, which leads there, touches
 * are linked there in memory, of the others it is what is stored.
 */
export async function syntaxAt(
  delta: ManifestDelta,
  paths: readonly RepoPath[],
  { key, tree, shelf, writer, signal }: SyntaxWorld,
): Promise<StoredSyntax> {
  const stored = writer.syntax(key);
  if (delta.size === 0) return stored;
  const check = (): void => signal.throwIfAborted();
  const touched = await touchedBy(delta, { key, tree, writer, document: shelf.document, check });
  const batch = growingBatch();
  const bodies = new Map<string, { readonly key: FactKey; readonly links: LinkBody }>();
  tree.apply(delta);
  try {
    const link = documentLinker(tree, shelf);
    const asked = paths.filter(path => touched.has(path));
    await inSlices(asked, check, path => {
      const linked = link(path);
      if (linked !== undefined) bodies.set(path, { key: linked.key, links: new LinkBody(batch.add(linked).body) });
    });
  } finally {
    tree.apply(inverse(delta));
  }
  const { numberOf, rowOf } = numbersByRow(batch.done().hashes, stored);
  return {
    rowOf,
    linksOf(path, key) {
      const anew = bodies.get(path);
      if (anew === undefined || factKeyText(anew.key) !== factKeyText(key)) return stored.linksOf(path, key);
      return {
        sureness(reference, row) {
          const number = numberOf(row);
          return number === undefined ? 0 : anew.links.sureness(reference, number);
        },
      };
    },
  };
}

/** The numbers that symbols have in a batch, by row. Those that the index file has never heard of have rows below 0 here. */
function numbersByRow(hashes: Uint8Array, stored: StoredSyntax) {
  const numbers = new Map<number, number>();
  const unheard = new Map<string, number>();
  for (let number = 0; number < countOf(hashes); number++) {
    const hash = hashAt(hashes, number);
    const row = stored.rowOf(hash) ?? -1 - number;
    numbers.set(row, number);
    if (row < 0) unheard.set(hash, row);
  }
  return {
    numberOf: (row: number) => numbers.get(row),
    rowOf: (hash: string) => stored.rowOf(hash) ?? unheard.get(hash),
  };
}
