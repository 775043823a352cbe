import { hash } from 'node:crypto';
import { Fault } from '../../client/protocol/faults.ts';
import { repositoryOf, type ServiceEntry } from '../analysis/usage/service-map.ts';
import { type Clock, unhurried } from '../clock.ts';
import type { Config } from '../config-schema.ts';
import type { Observation, Observe } from '../events.ts';
import type { TelemetryPool } from '../jobs/telemetry/telemetry-pool.ts';
import { type BatchTaken, telemetryOff } from '../jobs/telemetry/telemetry-service.ts';
import { dayMs, dayOf } from '../model/usage.ts';
import type { ReadPool } from '../operations/readers/read-pool.ts';
import type { ServedRepositories, ServedRepository } from '../operations/served-repository.ts';
import { askedIn } from '../operations/symbols/asked-in.ts';
import type { CallsAsked } from '../operations/telemetry/calls-asked.ts';
import type { MappedService, OfferedBatch, Telemetry } from '../operations/telemetry/telemetry.ts';
import type { CallReader, DroppedCalls } from '../store/telemetry/call-reader.ts';

export interface KeepTelemetry extends Telemetry {
  /** To be told of what happens: repositories that come and go, and what is published of them. */
  hear(observation: Observation): void;
  start(): void;
  close(): Promise<void>;
}

export interface KeepTelemetryOptions {
  /** `daemon.db`. */
  readonly file: string;
  readonly pool: TelemetryPool;
  readonly reader: CallReader;
  readonly hasUnfinished: () => boolean;
  /** Rises with what is known of definitions of a repository that went. */
  readonly goneVersion: (repoUid: string) => number;
  readonly repositories: Pick<ServedRepositories, 'list' | 'get'>;
  readonly readPool: Pick<ReadPool, 'changedMatches'>;
  readonly config: () => Config;
  readonly clock: Clock;
  readonly observe: Observe;
  /** Of this start of the process: versions of an earlier one are none of its own. */
  readonly nonce: string;
  /** Told of each batch that is counted. */
  readonly counted: () => void;
}

/** What functions are is looked at once that has settled, and not all the time. */
const settleMs = 1500;
const leastBetweenMs = 15_000;
const tidyMs = 6 * 60 * 60_000;
const findingFunctions = 'finding what observed functions are';
/** A tier needs telemetry that still comes; what went for want of room is told of for as long. */
const freshDays = 30;

/** Has calls counted, and knows which services are of which repository. */
export function keepTelemetry(options: KeepTelemetryOptions): KeepTelemetry {
  return new TelemetryKeeper(options);
}

interface Mapping {
  readonly config: Config;
  readonly version: string;
  readonly services: readonly MappedService[];
  /** By id. */
  readonly asked: ReadonlyMap<string, CallsAsked>;
}

class TelemetryKeeper implements KeepTelemetry {
  readonly #options: KeepTelemetryOptions;
  #changes = 0;
  #mapping: Mapping | undefined;
  /** Repositories whose functions are to be looked at. */
  readonly #waiting = new Set<string>();
  #callOff: (() => void) | undefined;
  #callOffTidying: (() => void) | undefined;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  /** The time of day by which days of calls are past. */
  readonly #pastMs: () => number;

  constructor(options: KeepTelemetryOptions) {
    this.#options = options;
    this.#pastMs = unhurried(options.clock);
  }

  get isEnabled(): boolean {
    return this.#options.config().telemetry.enabled;
  }

  /** Answers tell of days that end with today: what is counted stays the same, and they don't. */
  get version(): string {
    const { nonce, clock } = this.#options;
    return `${nonce} ${this.#changes} ${dayOf(clock.now().getTime())}`;
  }

  get file(): string {
    return this.#options.file;
  }

  async take({ source, bytes, repo, key }: OfferedBatch): Promise<BatchTaken> {
    const { pool, repositories, clock } = this.#options;
    if (!this.isEnabled) throw telemetryOff();
    if (this.#isClosed) throw new Fault('shuttingDown', 'The service is shutting down', { retryAfterSeconds: 1 });
    const asked = repo === undefined ? '' : (repositories.get(repo)?.registered.uid ?? '');
    const begun = clock.now().getTime();
    const taken = await pool.take({ ...this.#keeping(), source, bytes, asked, key });
    if (taken.isRepeated) return taken;
    this.#tellDropped(begun);
    this.#changes++;
    this.#mapping = undefined;
    this.#options.counted();
    if (taken.fresh.length > 0) this.#lookAtAll();
    return taken;
  }

  services(): readonly MappedService[] {
    return this.#mapped().services;
  }

  asked(repo: string): CallsAsked | undefined {
    const known = this.#mapped().asked.get(repo);
    // Services go on calling what went by its name.
    return known && { ...known, version: `${known.version} ${this.#options.goneVersion(known.repoUid)}` };
  }

  isObserved({ registered }: ServedRepository): boolean {
    const { reader, clock } = this.#options;
    return this.isEnabled && reader.isObserved(registered.uid, dayOf(clock.now().getTime()) - freshDays);
  }

  mappingOf(service: { readonly name: string; readonly repository: string }, askedRepo: string | undefined) {
    return repositoryOf({ ...service, asked: askedRepo ?? '' }, this.#entries(), this.#repositoryIds());
  }

  strayEntries(): readonly ServiceEntry[] {
    const known = new Set(this.#repositoryIds());
    return this.#entries().filter(({ repo }) => !known.has(repo));
  }

  dropped(): readonly DroppedCalls[] {
    const { reader, clock } = this.#options;
    return reader.dropped(clock.now().getTime() - freshDays * dayMs);
  }

  hear(observation: Observation): void {
    switch (observation.kind) {
      case 'repository.changed':
        this.#mapping = undefined;
        return;
      case 'snapshot.published':
        if (this.#mapping === undefined || this.#mapping.asked.has(observation.repo)) this.#look(observation.repo);
        return;
      default:
    }
  }

  start(): void {
    const { clock } = this.#options;
    const tidy = (): void => {
      this.#callOffTidying = clock.after(tidyMs, tidy);
      void this.#tidy();
    };
    this.#callOffTidying = clock.after(settleMs, tidy);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#callOff?.();
    this.#callOffTidying?.();
    await this.#options.pool.close();
  }

  async #tidy(): Promise<void> {
    const { pool, reader, hasUnfinished, clock } = this.#options;
    const begun = clock.now().getTime();
    try {
      if (reader.services().length === 0 && !hasUnfinished()) return;
      for (const cause of await pool.tidy({ ...this.#keeping(), nowMs: this.#pastMs() }))
        this.#told('counting what an earlier process left', cause);
      this.#changes++;
      this.#mapping = undefined;
      this.#tellDropped(begun);
    } catch (cause) {
      this.#told('tidying what is known of calls', cause);
    }
  }

  #keeping() {
    const { limits, telemetry } = this.#options.config();
    return {
      limitBytes: limits.telemetry_bytes,
      keptDays: telemetry.retention_days,
      mostFunctions: telemetry.most_functions,
    };
  }

  #entries(): readonly ServiceEntry[] {
    const { services } = this.#options.config().telemetry;
    return Object.entries(services).map(([name, { repo, path = '' }]) => ({
      name,
      repo,
      folder: path.replace(/\/+$/, ''),
    }));
  }

  #repositoryIds(): readonly string[] {
    return this.#options.repositories.list().map(({ record }) => record.id);
  }

  #mapped(): Mapping {
    const config = this.#options.config();
    const version = this.version;
    const known = this.#mapping;
    if (known?.config === config && known.version === version) return known;
    this.#mapping = this.#map(config, version);
    return this.#mapping;
  }

  #map(config: Config, version: string): Mapping {
    const { reader, repositories, file } = this.#options;
    const stored = reader.services();
    if (stored.length === 0) return { config, version, services: [], asked: new Map() };
    const entries = this.#entries();
    const all = repositories.list();
    const ids = all.map(({ record }) => record.id);
    const services = stored.map((service): MappedService => {
      const asked = all.find(({ registered }) => registered.uid === service.asked)?.record.id ?? '';
      const mapped = repositoryOf({ ...service, asked }, entries, ids);
      const isAstray = mapped !== undefined && !ids.includes(mapped.repo);
      return { ...service, ...(isAstray ? { mapped: undefined, astray: mapped.repo } : { mapped, astray: undefined }) };
    });
    const { exclude_paths: excludePaths, exclude_names: excludeNames } = config.telemetry;
    const nowhere = services.filter(({ mapped }) => mapped === undefined).map(({ id }) => id);
    const assumed = services.filter(({ mapped }) => mapped?.by === 'assumed');
    // There may be thousands, and versions are compared with every answer.
    const strange = hash('sha256', JSON.stringify([nowhere, assumed.map(({ id, mapped }) => [id, mapped!.repo])]));
    const asked = new Map<string, CallsAsked>();
    for (const { record, registered } of all) {
      const mapped = services.filter(one => one.mapped?.repo === record.id);
      if (mapped.length === 0) continue;
      const told = mapped.map(({ id, name, mapped: at }) => ({ id, name, folder: at!.folder, by: at!.by }));
      const elsewhere = assumed.filter(one => one.mapped!.repo !== record.id).map(({ id }) => id);
      const own = JSON.stringify([version, told, excludePaths, excludeNames, strange]);
      asked.set(record.id, {
        ...{ file, repoUid: registered.uid, services: told, excludePaths, excludeNames, version: own },
        strangers: { nowhere, elsewhere },
      });
    }
    return { config, version, services, asked };
  }

  /** What was counted is counted, whatever keeps somebody from finding out what it is. */
  #lookAtAll(): void {
    try {
      for (const id of this.#mapped().asked.keys()) this.#look(id);
    } catch (cause) {
      this.#told(findingFunctions, cause);
    }
  }

  /** As `#lookAtAll`: what went since a time is noted already, where whoever asks finds it. */
  #tellDropped(since: number): void {
    try {
      const dropped = this.#options.reader.dropped(since);
      const of = (kind: DroppedCalls['kind']): number => dropped.find(one => one.kind === kind)?.dropped ?? 0;
      if (dropped.length > 0) {
        this.#options.observe({ kind: 'telemetry.dropped', functions: of('functions'), services: of('services') });
      }
    } catch (cause) {
      this.#told('finding what went for want of room', cause);
    }
  }

  #told(what: string, cause: unknown): void {
    if (!this.#isClosed) this.#options.observe({ kind: 'daemon.fault', what, cause });
  }

  /** Soon looks at what functions of a repository are, and has it remembered: they may be called otherwise later. */
  #look(id: string): void {
    this.#waiting.add(id);
    if (this.#isClosed || this.#callOff !== undefined) return;
    const { clock } = this.#options;
    const nextMs = this.#lookedAtMs + leastBetweenMs - clock.monotonicMs();
    this.#callOff = clock.after(Math.max(settleMs, nextMs), () => {
      this.#callOff = undefined;
      this.#lookedAtMs = clock.monotonicMs();
      const waiting = [...this.#waiting];
      this.#waiting.clear();
      for (const one of waiting) void this.#remember(one);
    });
  }

  async #remember(id: string): Promise<void> {
    const { repositories, readPool, pool, clock } = this.#options;
    const repository = repositories.get(id);
    if (repository === undefined || this.#isClosed) return;
    try {
      const calls = this.asked(id);
      const asked = calls && askedIn(repository, clock.now().getTime(), calls);
      if (asked === undefined) return;
      const matches = await readPool.changedMatches(asked);
      if (matches.length > 0) await pool.remember(matches);
    } catch (cause) {
      this.#told(findingFunctions, cause);
    }
  }
}
