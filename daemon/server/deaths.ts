import type { Clock } from '../clock.ts';
import type { Observe } from '../events.ts';
import type { DangerousInputs } from '../jobs/engine.ts';
import { takeInFlight } from '../jobs/in-flight.ts';
import type { DaemonDatabase } from '../store/daemon-db.ts';

/** What the deaths of earlier daemons teach: which inputs not to touch again, and how long to wait before trying. */
export interface Deaths {
  /** Deaths in a row with inputs in flight, this start's included. */
  recent(): number;
  /** How long indexing waits after this start: 0, then 1 s doubling to 60 s. */
  backOffMs(): number;
  readonly dangerousInputs: () => DangerousInputs;
  /** A run ended well: the row of deaths is over. */
  ranWell(): void;
  /** The process leaves as it should. */
  endedInOrder(): void;
}

export interface DeathsOptions {
  readonly database: Pick<
    DaemonDatabase,
    'setting' | 'setSetting' | 'inFlight' | 'takeCasualties' | 'quarantine' | 'quarantined'
  >;
  readonly inFlightFolder: string;
  readonly clock: Clock;
  readonly observe: Observe;
}

const deathsSetting = 'deaths_with_inputs_in_flight';
/** An input that was in flight in so many deaths is not tried again until it is edited. */
const deadlyAfter = 3;

/** Looks at what the last daemon left behind. To be called once, before any engine runs. */
export function countDeaths({ database, inFlightFolder, clock, observe }: DeathsOptions): Deaths {
  const left = takeInFlight(inFlightFolder);
  for (const { hash, repo, path } of left) database.inFlight(hash, repo, path);
  const casualties = database.takeCasualties();
  for (const { hash, repo, path, deaths } of casualties) {
    if (deaths < deadlyAfter) continue;
    const reason = `was being parsed in ${deaths} deaths of the daemon`;
    database.quarantine({ hash, repo, path, reason, since: clock.now().getTime() });
    observe({ kind: 'input.quarantined', repo, path, reason });
  }
  let recent = left.length === 0 ? 0 : Number(database.setting(deathsSetting) ?? 0) + 1;
  database.setSetting(deathsSetting, String(recent));
  const suspects = new Set(casualties.map(({ hash }) => hash));
  const forget = () => {
    if (recent === 0) return;
    recent = 0;
    database.setSetting(deathsSetting, '0');
  };
  return {
    recent: () => recent,
    backOffMs: () => (recent < 2 ? 0 : Math.min(60_000, 1000 * 2 ** (recent - 2))),
    dangerousInputs: () => ({ quarantined: new Set(database.quarantined().map(({ hash }) => hash)), suspects }),
    ranWell: forget,
    endedInOrder: forget,
  };
}
