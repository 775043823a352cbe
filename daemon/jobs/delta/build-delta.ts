import { writeOutput } from '../../../client/output-file.ts';
import type { DeltaArtifact, DeltaStats } from '../../../client/protocol/delta.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import { findRepository } from '../../backends/git-repository.ts';
import { difference, type ManifestDelta } from '../../model/delta.ts';
import type { ManifestLine } from '../../model/manifest.ts';
import type { RepoPath } from '../../model/paths.ts';
import { withoutGit } from '../git-trouble.ts';
import { idAfter, toSnapshot } from './base.ts';
import { type DeltaSite, joined, madeBy, parcelsOf } from './check-delta.ts';
import { countsOf } from './read-artifact.ts';
import { findDelta } from './rows.ts';

export interface DeltaToBuild {
  /** A revision, or the id of a snapshot: the active one, or one that is kept. */
  readonly base: string;
  readonly head: string | undefined;
  /** Absolute. */
  readonly output: string;
  readonly mostBytes: number;
  /** Unix seconds. */
  readonly timestamp: number;
}

export interface BuiltDelta {
  readonly path: string;
  readonly bytes: number;
  readonly baseSnapshotId: string;
  readonly newSnapshotId: string;
  readonly baseCommit: string | null;
  readonly commit: string;
  readonly files: number;
  readonly stats: DeltaStats;
}

/** Makes the artifact that leads from one commit's tree to another's and writes it. Throws `preconditionFailed`, `resourceNotFound`. */
export async function buildDelta(asked: DeltaToBuild, site: DeltaSite): Promise<BuiltDelta> {
  const { artifact, commit, baseCommit } = await artifactOf(asked, site);
  const text = Buffer.from(JSON.stringify(artifact));
  if (text.length > asked.mostBytes) {
    const details = { bytes: text.length, limit: asked.mostBytes };
    throw new Fault('tooLarge', `The artifact would have ${text.length} bytes, at most ${asked.mostBytes}`, {
      details,
    });
  }
  write(asked.output, text);
  const { files } = artifact.deltas;
  return {
    path: asked.output,
    bytes: text.length,
    baseSnapshotId: artifact.base_snapshot_id,
    newSnapshotId: artifact.new_snapshot_id!,
    baseCommit: baseCommit ?? null,
    commit,
    files: files.added.length + files.modified.length + files.deleted.length,
    stats: artifact.stats,
  };
}

async function artifactOf({ base, head = 'HEAD', timestamp }: DeltaToBuild, site: DeltaSite) {
  const { root, commits, making, tree, versionOf, repo } = site;
  if (commits === undefined) {
    throw withoutGit(findRepository(root), root, 'no commits to compare');
  }
  const commit = await commitNamed(head, site);
  const baseCommit = base.startsWith('sha256:') ? undefined : await commitNamed(base, site);
  const toBase = baseCommit === undefined ? toKept(base, site) : await toCommit(baseCommit, site);
  const delta = between(toBase, await toCommit(commit, site), site);
  const { lists: deltas } = await findDelta(site, toBase, delta, repo);
  const lines = [...delta.values()].map(({ after }) => after);
  const dialects = [...tree.lines(), ...lines.filter(line => line !== undefined)].map(line => line.entry.dialect);
  const artifact: DeltaArtifact = {
    delta_schema_version: 1,
    base_snapshot_id: idAfter(toBase, site),
    new_snapshot_id: idAfter(joined(toBase, delta, site), site),
    commit,
    ...(baseCommit === undefined ? {} : { base_commit: baseCommit }),
    timestamp,
    repo,
    made_by: madeBy(making, dialects, versionOf),
    deltas,
    stats: countsOf(deltas),
    facts: Object.fromEntries(parcelsOf(lines, site)),
  };
  return { artifact, commit, baseCommit };
}

async function commitNamed(revision: string, { commits }: DeltaSite): Promise<string> {
  const commit = await commits!.commitOf(revision);
  if (commit !== undefined) return commit;
  throw new Fault('resourceNotFound', `${JSON.stringify(revision)} names no commit of this clone`, {
    details: { reason: 'unknown_revision', revision },
    suggestedFixes: [],
  });
}

function toKept(base: string, site: DeltaSite): ManifestDelta {
  const active = site.tree.snapshotId(site.making);
  const toBase = base === active ? new Map() : toSnapshot(base, site);
  if (toBase === undefined) throw unknownSnapshot(base, active);
  return toBase;
}

/** What leads from the indexed tree to a commit's, all of whose files are known. */
async function toCommit(commit: string, { commits }: DeltaSite): Promise<ManifestDelta> {
  const delta = await commits!.difference(commit);
  const unknown = await commits!.unknownIn(commit);
  const [[path, by] = []] = unknown;
  if (path === undefined) return delta;
  const paths = [...unknown.keys()].slice(0, 100);
  throw new Fault(
    'preconditionFailed',
    `What ${commit.slice(0, 12)} has at ${path} is not known: ${by} makes it when it is checked out, and svc does not. Index each side of the artifact where it is checked out (git checkout, svc index), the base first, and name the base by its snapshot (--base sha256:…)`,
    { details: { reason: 'converted', commit, paths } },
  );
}

function unknownSnapshot(base: string, active: string): Fault {
  return new Fault(
    'preconditionFailed',
    'The base is neither the active snapshot nor one that is still kept; name its commit instead',
    {
      details: { reason: 'wrong_base', base, active },
    },
  );
}

/** From one of two trees to the other, each told by what leads there from the indexed one. */
function between(first: ManifestDelta, second: ManifestDelta, { tree }: DeltaSite): ManifestDelta {
  const at = (delta: ManifestDelta, path: RepoPath): ManifestLine | undefined =>
    delta.has(path) ? delta.get(path)!.after : tree.get(path);
  const paths = new Set([...first.keys(), ...second.keys()]);
  return difference(path => at(first, path), new Map([...paths].map(path => [path, at(second, path)])));
}

function write(path: string, text: Uint8Array): void {
  const why = writeOutput(path, text);
  if (why === undefined) return;
  throw new Fault('preconditionFailed', `${path} ${why}`, { details: { reason: 'not_writable', path } });
}
