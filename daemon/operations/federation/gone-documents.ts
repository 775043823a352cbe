import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from '../../backends/git.ts';
import { toldByGit } from '../../jobs/commit-tree.ts';
import { discover } from '../../jobs/discover.ts';
import { baseName } from '../../model/paths.ts';
import type { CommittedPlace, CommittedSide, CommittedSides } from './committed-sides.ts';

/** Two revisions of a document. */
export interface DocumentSides {
  readonly sides: CommittedSides;
  readonly place: CommittedPlace;
  /** Of the member's work tree. */
  readonly root: string;
  readonly path: string;
  readonly before: CommittedSide;
  /** Undefined: the work tree. */
  readonly after: CommittedSide | undefined;
}

/** Of more files that are gone nobody asks which of them another was. */
const mostGone = { files: 50, bytes: 64 * 2 ** 20 } as const;

/**
 * The earlier side of an OpenAPI document. Where that has none at its path, with those files that the later side has no more: one
 * of them may be what it was. Those of its name go first.
 */
export async function withGone(call: DocumentSides, signal: AbortSignal): Promise<CommittedSide> {
  const { sides, place, path, before } = call;
  if (path.endsWith('.proto') || before.files.has(path)) return before;
  const files = new Map(before.files);
  let left: number = mostGone.bytes;
  for (const gone of await goneIn(call, signal)) {
    const side = await sides.at(place, before.commit, gone, signal);
    for (const [own, bytes] of side.files) {
      files.set(own, bytes);
      left -= bytes.length;
    }
    if (left < 0) break;
  }
  return { ...before, files };
}

async function goneIn({ place, root, path, before, after }: DocumentSides, signal: AbortSignal) {
  const { git, repository, prefix } = place;
  const tree = await toldByGit(git.treeOf(repository, before.commit, { signal }));
  const documents = [...tree.keys()].flatMap(one =>
    one.startsWith(prefix) && /\.(?:ya?ml|json)$/.test(one) ? [one.slice(prefix.length)] : [],
  );
  const there = after && (await toldByGit(git.treeOf(repository, after.commit, { signal })));
  const isGone = (one: string): boolean =>
    there === undefined ? !existsSync(join(root, one)) : !there.has(prefix + one);
  const isElsewhere = (one: string): number => Number(baseName(one) !== baseName(path));
  return documents
    .filter(isGone)
    .sort((a, b) => isElsewhere(a) - isElsewhere(b) || (a < b ? -1 : 1))
    .slice(0, mostGone.files);
}

/**
 * All `.proto` files of the work tree, where the contract came to its path, or went from it, since the earlier side: where it was,
 * or is now, may be known to no synchronisation yet.
 */
export async function protosListed(
  { root, path, before, after }: DocumentSides,
  git: Git,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (after !== undefined || !path.endsWith('.proto')) return [];
  if (before.files.has(path) === existsSync(join(root, path))) return [];
  const { files } = await toldByGit(discover(root, { git, signal }));
  return files.flatMap(one => (one.path.endsWith('.proto') ? [one.path] : []));
}
