import type { DeltaArtifact } from '../../../client/protocol/delta.ts';
import { difference, inverse, type ManifestDelta } from '../../model/delta.ts';
import { once } from '../../model/once.ts';
import type { RepoPath } from '../../model/paths.ts';
import type { TakenDelta } from '../../store/taken-deltas.ts';
import { factKeyOf } from '../fact-key.ts';
import type { DeltaSite } from './check-delta.ts';
import { type DeltaProblem, isPathInside, namedPaths } from './read-artifact.ts';

/** Which tree here an artifact's base is. */
export type KnownBase = 'active' | 'head' | 'commit' | 'pending';

/** The snapshots at hand. */
export interface Here {
  readonly active: string;
  /** What leads to HEAD's tree where that differs in what the artifact names alone, and the id that it has then. */
  readonly nearHead: () => Promise<{ readonly toHead: ManifestDelta; readonly id: string } | undefined>;
  /** Of HEAD's tree; undefined outside git. Comparing whole trees takes longer than all else. */
  readonly head: () => Promise<string | undefined>;
  readonly taken: readonly TakenDelta[];
}

export function hereFor(artifact: DeltaArtifact, site: DeltaSite): Here {
  return {
    active: site.tree.snapshotId(site.making),
    nearHead: once(() => nearHead(artifact, site)),
    head: once(() => headId(site)),
    taken: site.takenDeltas(),
  };
}

/** Whether a snapshot is the indexed one, that with what HEAD has at the paths that the artifact names, or HEAD's. */
export async function isHere(id: string, { active, nearHead, head }: Here): Promise<boolean> {
  return id === active || id === (await nearHead())?.id || id === (await head());
}

async function nearHead(artifact: DeltaArtifact, site: DeltaSite) {
  const commit = await site.commits?.head();
  const toHead = commit === undefined ? undefined : await site.commits!.differenceAt(commit, pathsInside(artifact));
  return toHead === undefined ? undefined : { toHead, id: idAfter(toHead, site) };
}

function pathsInside(artifact: DeltaArtifact): readonly RepoPath[] {
  return [...new Set(namedPaths(artifact))].filter(isPathInside);
}

async function headId(site: DeltaSite): Promise<string | undefined> {
  const commit = await site.commits?.head();
  return commit === undefined ? undefined : idAfter(await site.commits!.difference(commit), site);
}

/** The id that the tree has once it has moved. */
export function idAfter(delta: ManifestDelta, { tree, making }: DeltaSite): string {
  tree.apply(delta);
  const id = tree.snapshotId(making);
  tree.apply(inverse(delta));
  return id;
}

/**
 * What leads from the indexed tree to the artifact's base. That is the indexed tree itself, or HEAD's, which has nothing of
 * what lies uncommitted here; or, where HEAD has gone on to what the artifact leads to, the commit that it came from.
 * And it may be what an artifact that waits leads to, for these come one after the other.
 * Mostly these differ in what the artifact names and nothing else, which the base's id proves: whole trees are compared
 * where it doesn't.
 */
export async function baseOf(artifact: DeltaArtifact, here: Here, site: DeltaSite): Promise<FoundBase | undefined> {
  const { base_snapshot_id: base, new_snapshot_id: after, base_commit: named } = artifact;
  const { commits } = site;
  if (here.active === base) return { base: 'active', toBase: new Map() };
  if (commits === undefined) return undefined;
  const isBase = (toBase: ManifestDelta | undefined): toBase is ManifestDelta =>
    toBase !== undefined && idAfter(toBase, site) === base;
  const near = await here.nearHead();
  if (near?.id === base) return { base: 'head', toBase: near.toHead };
  const commit = once(async () => (named === undefined ? undefined : commits.commitOf(named)));
  const nearCommit = after === here.active ? await commit() : undefined;
  const toNear = nearCommit === undefined ? undefined : await commits.differenceAt(nearCommit, pathsInside(artifact));
  if (isBase(toNear)) return { base: 'commit', toBase: toNear };
  const head = await commits.head();
  if (head !== undefined && (await here.head()) === base) {
    return { base: 'head', toBase: await commits.difference(head) };
  }
  const isThere = after !== undefined && (await isHere(after, here));
  const known = isThere ? await commit() : undefined;
  const toBase = known === undefined ? undefined : await commits.difference(known);
  if (isBase(toBase)) return { base: 'commit', toBase };
  const awaited = here.taken.find(one => one.snapshotId === base && one.awaited !== undefined)?.awaited;
  const toAwaited = awaited?.commit === undefined ? undefined : await commits.asFarAsHere(awaited.commit);
  if (isBase(toAwaited?.delta)) return { base: 'pending', toBase: toAwaited.delta };
  // Of what a filter makes of the base's files this may know the only outcome there is.
  const toKept = isThere ? toSnapshot(base, site) : undefined;
  return toKept === undefined ? undefined : { base: 'commit', toBase: toKept };
}

/** What leads from the indexed tree to a snapshot that was published of late, and is kept whole; undefined: none is. */
export function toSnapshot(snapshotId: string, site: DeltaSite): ManifestDelta | undefined {
  const { tree, desk } = site;
  const lines = site.linesOf(snapshotId);
  if (lines === undefined) return undefined;
  const toBase = difference(path => tree.get(path), lines);
  const keys = [...toBase.values()].map(({ after }) => (after === undefined ? undefined : factKeyOf(after)));
  const isWhole = keys.every(key => key === undefined || desk.facts(key) !== undefined);
  return isWhole && idAfter(toBase, site) === snapshotId ? toBase : undefined;
}

interface FoundBase {
  readonly base: KnownBase;
  readonly toBase: ManifestDelta;
}

/** That none of the trees here is the artifact's base, and why, as far as that can be told. */
export async function wrongBase(artifact: DeltaArtifact, here: Here, site: DeltaSite): Promise<DeltaProblem> {
  const { base_snapshot_id: base, new_snapshot_id: after } = artifact;
  const { active, taken } = here;
  const head = await here.head();
  const pending = taken.findLast(({ awaited }) => awaited !== undefined)?.snapshotId;
  const others = [
    ...(head === undefined || head === active ? [] : [`HEAD’s is ${head}`]),
    ...(pending === undefined ? [] : [`the last that waits leads to ${pending}`]),
  ];
  const told = `base snapshot mismatch: it is ${base}; ${[`the active snapshot is ${active}`, ...others].join(', and ')}`;
  const why = await whyNoBase(artifact, site);
  const isThere = after !== undefined && (await isHere(after, here));
  const remedy = isThere
    ? 'What the artifact leads to is here already, so that nothing is lost without it'
    : `Build the artifact on ${others.length === 0 ? 'that' : 'one of these'} (svc delta build --base)`;
  return { reason: 'wrong_base', path: 'base_snapshot_id', message: [told, ...why, remedy].join('. ') };
}

async function whyNoBase(artifact: DeltaArtifact, site: DeltaSite): Promise<readonly string[]> {
  const { base_commit: named, base_snapshot_id: base } = artifact;
  const { commits } = site;
  if (named === undefined || commits === undefined) return [];
  const commit = await commits.commitOf(named);
  if (commit === undefined) {
    return [
      `The base’s commit, ${named.slice(0, 12)}, is not in this clone: git fetch brings it (--unshallow in a shallow one)`,
    ];
  }
  const toBase = await commits.difference(commit).catch(() => undefined);
  const here = toBase === undefined ? base : idAfter(toBase, site);
  if (here === base) return [];
  const [[path, by] = []] = await commits.unknownIn(commit);
  return [
    by === undefined
      ? `The base’s commit, ${named.slice(0, 12)}, has the snapshot ${here} in this clone: if the artifact is true, git checks files out otherwise here (core.autocrlf, core.eol, or an earlier checkout under other attributes)`
      : `What the base’s commit, ${named.slice(0, 12)}, has at ${path} is not known here: ${by} makes it when it is checked out, and svc does not`,
  ];
}
