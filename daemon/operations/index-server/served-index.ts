import type { Privacy } from '../../model/privacy.ts';
import type { ServedRepository } from '../served-repository.ts';

/** A repository as an index server serves it. */
export interface ServedIndex {
  /** As it is served, which may be another than the registered repository's. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Named in the configuration, and nobody's to delete or overwrite; or uploaded. */
  readonly source: 'config' | 'upload';
  readonly privacy: Privacy;
  /** Undefined where the configuration names a folder that could not be registered. */
  readonly repository: ServedRepository | undefined;
  /** The sequence from which on it is shown as it is: with what was given before, nothing can be compared. */
  readonly shownSince: () => number;
  /** Of the indexed source; '' where nobody knows. */
  readonly commit: () => Promise<string>;
}

/** One index server: what it serves, and how. */
export interface IndexServer {
  readonly maxPageSize: number;
  /** HMAC key of cursors, hex. */
  readonly cursorSecret: string;
  /** Those that there are, by id. */
  list(): readonly ServedIndex[];
  find(id: string): ServedIndex | undefined;
  /** Whether the configuration names the id. */
  isConfigured(id: string): boolean;
}

/** The index servers of this daemon: the one of its configuration, and those that `svc serve` opened. */
export interface IndexServers {
  /** Undefined where serving is off. `name`: as listeners say it with each request; undefined for the configured one. */
  get(name: string | undefined): IndexServer | undefined;
}
