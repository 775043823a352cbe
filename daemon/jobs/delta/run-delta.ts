import type { RepoPath } from '../../model/paths.ts';
import { isSameStep } from '../../store/taken-deltas.ts';
import { type CommitTools, commitsFor, deskFor, versionsOf } from '../commit-desk.ts';
import type { Published } from '../engine.ts';
import type { FactDesk } from '../fact-desk.ts';
import type { PreparedLinks } from '../index-repository.ts';
import { snapshotMaking } from '../snapshot-making.ts';
import { awaitedOf, hasOutcome } from './awaited-deltas.ts';
import { type BuiltDelta, buildDelta, type DeltaToBuild } from './build-delta.ts';
import { type CheckedDelta, checkDelta, type DeltaSite } from './check-delta.ts';
import { bytesOf, type GivenArtifact } from './given-artifact.ts';
import type { LastFound } from './last-found.ts';
import { readArtifact } from './read-artifact.ts';

export type DeltaRequest =
  | { readonly kind: 'validate'; readonly artifact: GivenArtifact }
  | { readonly kind: 'ingest'; readonly artifact: GivenArtifact }
  | { readonly kind: 'build'; readonly build: DeltaToBuild };

export type DeltaOutcome =
  | {
      readonly kind: 'checked';
      readonly checked: CheckedDelta;
      readonly published?: Published;
      readonly waits?: boolean;
      /** For which commit, where one is known whose coming ends it. */
      readonly awaitedCommit?: string | undefined;
      /** The index has all files as it leaves them. */
      readonly isActive?: boolean;
    }
  | { readonly kind: 'built'; readonly built: BuiltDelta };

export interface DeltaTools extends CommitTools {
  readonly lastFound: LastFound;
  /** Brings the index to what the work tree has at some paths, as after the watcher named them. */
  readonly takeIn: (paths: ReadonlySet<RepoPath>, prepared: PreparedLinks | undefined) => Promise<Published>;
}

/**
 * Checks an artifact, takes it in, or builds one. What is taken in are its facts, once they are known to be true, and the
 * work tree as it stands at the paths that it names: where that has them already, nothing is left to be parsed.
 */
export async function runDelta(request: DeltaRequest, tools: DeltaTools): Promise<DeltaOutcome> {
  const desk = deskFor(tools);
  const site = siteOf(desk, tools);
  if (request.kind === 'build') return { kind: 'built', built: await buildDelta(request.build, site) };
  const read = await readArtifact(bytesOf(request.artifact), request.artifact.mostDepth);
  const { checked, prepared } = await checkDelta(read, site);
  if (request.kind === 'validate' || checked.problems.length > 0) return { kind: 'checked', checked };
  const step = { base: read.artifact!.base_snapshot_id, snapshotId: checked.newSnapshotId };
  if (!checked.isKnown) {
    const awaited = await awaitedOf(read.artifact!.commit, checked, site.commits);
    const taken = { ...step, digests: [read.digest], takenAt: Date.now(), awaited };
    tools.writer.takeDelta(site.key, taken, desk.made.values());
  }
  const published = await tools.takeIn(new Set(checked.paths), prepared);
  const awaited = site.takenDeltas().find(one => isSameStep(one, step))?.awaited;
  const isActive = hasOutcome(site.tree, read.artifact!);
  const waits = awaited !== undefined;
  return { kind: 'checked', checked, published, waits, awaitedCommit: awaited?.commit, isActive };
}

function siteOf(desk: FactDesk, tools: DeltaTools): DeltaSite {
  const { repo, tree, writer, lastFound, sourceLimits, signal } = tools;
  return {
    key: repo.worktreeKey,
    root: repo.root,
    repo: repo.id,
    tree,
    desk,
    writer,
    commits: commitsFor(desk, tools),
    making: snapshotMaking(sourceLimits),
    limits: sourceLimits,
    versionOf: versionsOf(tools),
    linesOf: id => writer.linesOf(repo.worktreeKey, id),
    lastFound,
    takenDeltas: () => writer.takenDeltas(repo.worktreeKey),
    signal,
  };
}
