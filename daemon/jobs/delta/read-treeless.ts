import { isRead } from './artifact-shape.ts';
import { bytesOf, type GivenArtifact } from './given-artifact.ts';
import { type DeltaProblem, readArtifact } from './read-artifact.ts';

/** What an artifact says by itself: all there is to check where no files are that it could be held against. */
export interface TreelessDelta {
  readonly problems: readonly DeltaProblem[];
  /** Undefined where it names none. */
  readonly base: string | undefined;
}

/** Throws 400 for what is no JSON. */
export async function readTreeless(given: GivenArtifact): Promise<TreelessDelta> {
  const { artifact, unread, problems } = await readArtifact(bytesOf(given), given.mostDepth);
  return { problems, base: isRead(unread, 'base_snapshot_id') ? artifact?.base_snapshot_id : undefined };
}
