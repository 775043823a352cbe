import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';

type Staleness = OutputOf<Operations['federation.modules']>['staleness'];
type Level = Staleness['overallStaleness'];

/** A member with when it was synchronised last, milliseconds; undefined: never. */
export interface SyncedMember {
  readonly repoId: string;
  readonly syncedAt: number | undefined;
}

const dayMs = 86_400_000;
/** From the best to the worst. */
const levels: readonly Level[] = ['fresh', 'aging', 'stale', 'obsolete', 'never-synced'];

/** How old what is told of some members may be: as old as what is known of the one that was synchronised longest ago. */
export function stalenessOf(members: readonly SyncedMember[], now: number): Staleness {
  const told = members.map(({ repoId, syncedAt }) => ({
    repoId,
    staleness: levelOf(syncedAt, now),
    lastSynced: syncedAt === undefined ? null : new Date(syncedAt).toISOString(),
  }));
  const worst = Math.max(0, ...told.map(one => levels.indexOf(one.staleness)));
  return {
    overallStaleness: levels[worst]!,
    refreshRecommended: worst >= levels.indexOf('stale'),
    repos: told.filter(({ staleness }) => staleness !== 'fresh'),
  };
}

function levelOf(syncedAt: number | undefined, now: number): Level {
  if (syncedAt === undefined) return 'never-synced';
  const days = (now - syncedAt) / dayMs;
  return days <= 7 ? 'fresh' : days <= 30 ? 'aging' : days <= 90 ? 'stale' : 'obsolete';
}
