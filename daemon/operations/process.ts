/** What the handlers ask of the process that they answer in; `server/` answers. */
export interface ProcessFacts {
  readonly pid: number;
  readonly version: string;
  readonly startedAt: Date;
  readonly socketPath: () => string;
  readonly uptimeMs: () => number;
}

/** The configuration's file as it is now, held against what is in force. */
export interface FileState {
  /** What is wrong with the file: place, key and remedy. */
  readonly problem: string | undefined;
  /** Where it says other things than are in force, how they come into force. */
  readonly remedy: string | undefined;
}

/** How the daemon before this one ended, unless in order (or there was none). */
export type LastEnd = BadEnd | 'unknown';

/** A daemon that was killed, or ended by an error. Wall clock. */
export interface BadEnd {
  readonly pid: number;
  readonly startedAt: Date;
  /** When it was last heard of. */
  readonly seenAt: Date;
}

/** What lies on disk, over all repositories. */
export interface Storage {
  readonly databaseBytes: number;
  /** Snapshots that can still be read. */
  readonly snapshotCount: number;
  readonly oldestSnapshotAt: number | undefined;
  /** Entries of the sync logs. */
  readonly journalEntries: number;
  readonly oldestJournalAt: number | undefined;
  /** Whether snapshots past their retention still wait to be dropped. */
  readonly isCompactionPending: boolean;
}

/** The HTTP listeners: the configured one, and those that `svc serve` asks for. */
export interface HttpListeners {
  /** Rejects with `addressInUse`, `preconditionFailed`, `forbidden`, and for its index server `misconfigured`, `invalidBody`. */
  open(address: ListenerAddress, indexServer?: IndexServerAsked): Promise<OpenListener>;
  own(): { readonly host: string; readonly port: number; readonly url: string } | null;
  list(): readonly ListenerAddress[];
  /** Until the configured listener stands, or can't, or is not wanted. */
  settled(): Promise<void>;
  /** Why the configured listener is not open; undefined when it is, or is not wanted. */
  failure(): ListenerFailure | undefined;
}

export interface ListenerAddress {
  readonly host: string;
  readonly port: number;
  /** The repository that it serves; null for the daemon's own. */
  readonly repo: string | null;
}

/** An index server that a listener is to have of its own. */
export interface IndexServerAsked {
  /** Else the file must say that it is. */
  readonly wanted: boolean;
  /** Absolute path of the file with its settings; undefined: those of the configuration. */
  readonly config: string | undefined;
  /** What the file may name, beside the environment of the daemon. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface OpenListener extends ListenerAddress {
  readonly url: string;
  /** Whether it offers an index server, its own or that of the configuration. */
  readonly hasIndexServer: boolean;
  /** What that is to serve and can't, and why in public words. */
  readonly notServed: readonly { readonly id: string; readonly why: string }[];
  close(): Promise<void>;
}

export interface ListenerFailure {
  /** In public words. */
  readonly words: string;
  /** Another program has the port. */
  readonly isTaken: boolean;
}
