import { findRepository } from '../backends/git-repository.ts';
import { shadowNames } from '../backends/git-shadow.ts';
import { sweepShadows } from '../backends/git-shadow-sweep.ts';
import { type Clock, every, unhurried } from '../clock.ts';
import type { Repositories } from './repositories.ts';

export interface KeepShadowsOptions {
  readonly repositories: Pick<Repositories, 'list'>;
  readonly folder: string;
  readonly clock: Clock;
}

const sweptEveryMs = 60 * 60_000;
const keptUnusedMs = 24 * 60 * 60_000;

/**
 * Lets go of git's folders over repositories that are registered no more, worktrees that came and went among them. The
 * returned function ends it.
 */
export function keepShadows({ repositories, folder, clock }: KeepShadowsOptions): () => void {
  const nowMs = unhurried(clock);
  return every(clock, sweptEveryMs, () => {
    const names = repositories.list().flatMap(({ record: { root } }) => {
      const found = root === '' ? undefined : findRepository(root);
      return found?.found === 'repository' ? shadowNames(found.repository) : [];
    });
    void sweepShadows(folder, new Set(names), nowMs() - keptUnusedMs);
  });
}
