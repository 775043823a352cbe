import { inflateSync } from 'node:zlib';
import { Fault } from '../../../client/protocol/faults.ts';
import { dialectOf } from '../../extract/dialect.ts';
import { difference, type ManifestChange, type ManifestDelta } from '../../model/delta.ts';
import type { ContentHash, Dialect } from '../../model/document.ts';
import type { ManifestLine, TreeManifest } from '../../model/manifest.ts';
import type { RepoPath } from '../../model/paths.ts';
import type { IndexWriter } from '../../store/index-db.ts';
import { type InputDigests, Inputs } from '../../store/inputs.ts';
import type { FactKey } from '../../store/publication.ts';
import { hasMark } from '../../store/source-lines.ts';
import type { CommitTrees } from '../commit-tree.ts';
import type { FactDesk } from '../fact-desk.ts';
import { factKeyOf, factKeyText } from '../fact-key.ts';

/** A tree that an indexer saw, as far as that is known. */
export interface SeenTree {
  /** What leads there from the indexed tree. */
  readonly delta: ManifestDelta;
  /** Whether a file that is not there was not there either; else nobody knows what was seen of it. */
  readonly isWhole: boolean;
}

/** The indexed tree itself. */
export const indexedTree: SeenTree = { delta: new Map(), isWhole: true };

/** The line that a seen tree has at a path. */
export function lineIn({ delta }: SeenTree, path: RepoPath, tree: TreeManifest): ManifestLine | undefined {
  return delta.has(path) ? delta.get(path)!.after : tree.get(path);
}

/** What there was for indexers to read, by what they have to read in the indexed tree. */
export function inputsAfter(delta: ManifestDelta, indexed: InputDigests): InputDigests {
  const inputs = new Inputs(indexed);
  for (const { before, after } of delta.values()) {
    if (before !== undefined) inputs.count(before.entry, -1);
    if (after !== undefined) inputs.count(after.entry, 1);
  }
  return inputs.digests();
}

/** Facts and texts, also of contents that the indexed tree has not. */
export interface ReadableFacts {
  facts(key: FactKey): Uint8Array | undefined;
  text(key: FactKey): string | undefined;
  /** Whether a byte order mark, which is no part of the text, stands in front of it. */
  hasMark(key: FactKey): boolean;
}

export function readableFacts({ facts, made }: FactDesk, writer: Pick<IndexWriter, 'text' | 'hasMark'>): ReadableFacts {
  return {
    facts,
    hasMark(key) {
      const row = made.get(factKeyText(key));
      return row === undefined ? writer.hasMark(key) : hasMark(inflateSync(row.text));
    },
    text(key) {
      const row = made.get(factKeyText(key));
      return row === undefined ? writer.text(key) : new TextDecoder().decode(inflateSync(row.text));
    },
  };
}

/**
 * The tree of a commit. A file is as the commit has it where git says so, whatever filters lie between (large files kept
 * elsewhere, encryption), and where the two differ in nothing but how lines end: that moves no line and no column. Throws
 * `preconditionFailed` without git.
 */
export async function treeAtCommit(
  commit: string,
  commits: CommitTrees | undefined,
  facts: ReadableFacts,
): Promise<SeenTree> {
  if (commits === undefined) {
    throw new Fault('preconditionFailed', 'Without git nobody knows what a commit has', {
      details: { reason: 'no_git' },
    });
  }
  const { delta, isWhole } = await commits.asFarAsHere(commit);
  return { delta: new Map([...delta].filter(([, change]) => !isSameText(change, facts))), isWhole };
}

function isSameText({ before, after }: ManifestChange, { text }: ReadableFacts): boolean {
  const [one, other] = [before, after].map(line => {
    const key = line === undefined ? undefined : factKeyOf(line);
    return key === undefined ? undefined : text(key)?.replaceAll('\r\n', '\n');
  });
  return one !== undefined && one === other;
}

/** The tree that HEAD has; undefined where there is none, or git can't tell. */
export async function treeAtHead(
  commits: CommitTrees | undefined,
  facts: ReadableFacts,
): Promise<SeenTree | undefined> {
  try {
    const head = await commits?.head();
    return head === undefined ? undefined : await treeAtCommit(head, commits, facts);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/** The tree of which these contents are known, sha256 by path: one that is not the indexed tree's by facts that are stored. */
export function treeWithContents(
  contents: ReadonlyMap<string, string>,
  tree: TreeManifest,
  { shelf }: Pick<FactDesk, 'shelf'>,
  versionOf: (dialect: Dialect) => number,
): SeenTree {
  const lineOf = (path: RepoPath): ManifestLine | undefined => {
    const hash = contents.get(path) as ContentHash | undefined;
    const known = tree.get(path);
    if (hash === undefined || hash === known?.entry.hash) return hash === undefined ? undefined : known;
    const dialect = known?.entry.dialect ?? dialectOf(path);
    const version = dialect === '' ? 0 : versionOf(dialect);
    const line: ManifestLine = { entry: { path, hash, dialect, skip: '' }, version, scope: '', stat: undefined };
    const scope = shelf.document(line)?.scope;
    return scope === undefined ? { ...line, entry: { ...line.entry, skip: 'unreadable' } } : { ...line, scope };
  };
  const paths = new Set([...tree.lines()].map(({ entry }) => entry.path));
  for (const path of contents.keys()) paths.add(path as RepoPath);
  const delta = difference(path => tree.get(path), new Map([...paths].map(path => [path, lineOf(path)])));
  // A file that changed while the indexer ran is in none of these contents.
  return { delta, isWhole: [...delta.values()].every(({ after }) => after !== undefined) };
}
