import type { TreeManifest } from '../model/manifest.ts';
import type { RepoPath } from '../model/paths.ts';
import type { IndexWriter } from '../store/index-db.ts';
import { linkBatch } from '../store/link-batch.ts';
import type { Damage } from '../store/mend.ts';
import type { FactRow } from '../store/publication.ts';
import { documentLinker } from './document-linker.ts';
import { factKeyOf, factKeyText } from './fact-key.ts';
import type { Sources } from './gather-changes.ts';
import type { FactShelf } from './linking-manifest.ts';
import { snapshotMaking } from './snapshot-making.ts';

export interface MendTools {
  /** The repository's key in the index file. */
  readonly key: string;
  readonly tree: TreeManifest;
  readonly writer: Pick<IndexWriter, 'snapshot' | 'damage' | 'mendFacts' | 'mendLinks'>;
  readonly shelf: FactShelf;
  readonly sources: Pick<Sources, 'extract' | 'versionOf' | 'sourceLimits'>;
}

/**
 * Makes anew what does not hold in an index file: damaged facts are extracted from the files that they were of, damaged
 * links made from the facts. Both are functions of what stands, so the snapshot stays what it is. Returns the documents;
 * undefined where nothing is found, where that can't be done, or where the file does not hold after it either.
 */
export async function mendIndex(tools: MendTools): Promise<readonly RepoPath[] | undefined> {
  const { key, tree, writer, shelf, sources } = tools;
  if (writer.snapshot(key)?.snapshotId !== tree.snapshotId(snapshotMaking(sources.sourceLimits))) return undefined;
  const damage = writer.damage(key);
  if (damage === undefined || isNone(damage)) return undefined;
  const paths = new Map<string, RepoPath>();
  for (const line of tree.lines()) {
    const fact = factKeyOf(line);
    if (fact !== undefined) paths.set(factKeyText(fact), line.entry.path);
  }
  const rows: FactRow[] = [];
  for (const fact of damage.facts) {
    const path = fact.version === sources.versionOf(fact.dialect) ? paths.get(factKeyText(fact)) : undefined;
    const [made] = path === undefined ? [] : await sources.extract([{ path, key: fact }]);
    if (made?.kind !== 'facts') return undefined;
    rows.push({ ...fact, facts: made.facts, text: made.text });
  }
  writer.mendFacts(damage, rows);
  shelf.clear();
  const link = documentLinker(tree, shelf);
  writer.mendLinks(key, damage, linkBatch(damage.documents.flatMap(path => link(path) ?? [])));
  const left = writer.damage(key);
  if (left === undefined || !isNone(left)) return undefined;
  return [...new Set([...damage.facts.map(fact => paths.get(factKeyText(fact))!), ...damage.documents])].sort();
}

function isNone({ facts, unusedFacts, documents }: Damage): boolean {
  return facts.length + unusedFacts.length + documents.length === 0;
}
