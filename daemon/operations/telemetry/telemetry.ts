import type { Mapped, ServiceEntry } from '../../analysis/usage/service-map.ts';
import type { BatchSource } from '../../jobs/telemetry/decode-batch.ts';
import type { BatchTaken } from '../../jobs/telemetry/telemetry-service.ts';
import type { DroppedCalls, StoredService } from '../../store/telemetry/call-reader.ts';
import type { ServedRepository } from '../served-repository.ts';
import type { CallsAsked } from './calls-asked.ts';

/** What handlers ask of what production tells; `server/` answers. */
export interface Telemetry {
  /** `daemon.db`. */
  readonly file: string;
  readonly isEnabled: boolean;
  /** Changes with whatever is counted, with each day, and with each start of the process. */
  readonly version: string;
  /** Counts a batch; what is acknowledged is kept. Rejects with `Fault`, `StoreError`. */
  take(batch: OfferedBatch): Promise<BatchTaken>;
  /** All that ever reported, the busiest first. */
  services(): readonly MappedService[];
  /** Of a repository by its id; undefined where nothing is known of its calls. */
  asked(repo: string): CallsAsked | undefined;
  /** Where a service belongs whose calls came with a request for a repository. */
  mappingOf(
    service: { readonly name: string; readonly repository: string },
    askedRepo: string | undefined,
  ): Mapped | undefined;
  /** Entries of the configuration that name a repository which is not registered. */
  strayEntries(): readonly ServiceEntry[];
  /** What went for want of room of late. */
  dropped(): readonly DroppedCalls[];
  /** Whether calls of what is surely a repository's have been reported of late. */
  isObserved(repository: ServedRepository): boolean;
}

export interface OfferedBatch {
  readonly source: BatchSource;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Id of the repository that the request is for. */
  readonly repo: string | undefined;
  readonly key: string | undefined;
}

export interface MappedService extends StoredService {
  readonly mapped: Mapped | undefined;
  /** Where nothing is mapped: the repository that the configuration names for it, which is not registered. */
  readonly astray: string | undefined;
}
