import type { Clock } from '../clock.ts';
import type { Observe } from '../events.ts';
import type { DangerousInputs } from '../jobs/engine.ts';
import { takeInFlight } from '../jobs/in-flight.ts';
import type { BadEnd, LastEnd } from '../operations/process.ts';
import type { DaemonDatabase } from '../store/daemon-db.ts';

/** What the deaths of earlier daemons teach: which inputs not to touch again, and how long to wait before trying. */
export interface Deaths {
  /** Deaths in a row with inputs in flight, this start's included. */
  recent(): number;
  /** How long indexing waits after this start: 0, then 1 s doubling to 60 s. */
  backOffMs(): number;
  readonly dangerousInputs: () => DangerousInputs;
  /** A suspect was read to its end: it is none any more. */
  landed(hash: string): void;
  /** A run ended well: the row of deaths is over. */
  ranWell(): void;
  readonly lastEnd: LastEnd | undefined;
  /** An error ends this daemon: its end will not count as one in order. */
  endsBadly(): void;
  /** The process leaves as it should. To be called while it leads still. */
  endedInOrder(): void;
}

export interface DeathsOptions {
  readonly database: Pick<
    DaemonDatabase,
    'origin' | 'setting' | 'setSetting' | 'inFlight' | 'landed' | 'takeCasualties' | 'quarantine' | 'quarantined'
  >;
  readonly inFlightFolder: string;
  /** When the last daemon wrote to the log, wall clock in milliseconds; undefined: never. */
  readonly lastWordsMs: number | undefined;
  readonly pid: number;
  readonly clock: Clock;
  readonly observe: Observe;
}

/** `pid started-at` of the daemon that leads; empty once it has ended in order. */
const leadingSetting = 'leading';
const deathsSetting = 'deaths_with_inputs_in_flight';
/** An input that was in flight in so many deaths is not tried again until it is edited. */
const deadlyAfter = 3;

/** Looks at what the last daemon left behind. To be called once, before any engine runs. */
export function countDeaths(options: DeathsOptions): Deaths {
  const { database, inFlightFolder, clock, observe } = options;
  // A copy is made while a daemon leads: the mark in it says nothing of that daemon's end.
  const isRestored = database.origin === 'restored';
  const lastEnd = isRestored ? 'unknown' : markOf(database.setting(leadingSetting), options.lastWordsMs);
  const ourMark = `${options.pid} ${clock.now().getTime()}`;
  database.setSetting(leadingSetting, ourMark);
  let isOrderly = true;
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
    landed(hash) {
      if (suspects.delete(hash)) database.landed(hash);
    },
    ranWell: forget,
    lastEnd,
    endsBadly() {
      isOrderly = false;
    },
    endedInOrder() {
      // By then another daemon may lead, whose mark is not ours to clear.
      if (isOrderly && database.setting(leadingSetting) === ourMark) database.setSetting(leadingSetting, '');
      forget();
    },
  };
}

/** What a daemon left that did not take its mark away. */
function markOf(mark: string | undefined, lastWordsMs: number | undefined): BadEnd | undefined {
  const [pid, startedMs] = (mark ?? '').split(' ').map(Number);
  if (!pid || !startedMs) return undefined;
  return { pid, startedAt: new Date(startedMs), seenAt: new Date(Math.max(startedMs, lastWordsMs ?? 0)) };
}
