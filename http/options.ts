import type { Daemon, IndexDoor } from '../client/protocol/caller.ts';
import type { FaultReason } from '../client/protocol/faults.ts';
import type { OperationName } from '../client/protocol/registry.ts';

/** How a listener knows its callers: by the SHA-256 digest of the one token, or not at all. */
export type Authentication = { readonly kind: 'token'; readonly digest: Uint8Array } | { readonly kind: 'off' };

export interface HttpLimits {
  readonly bodyBytes: number;
  /** Of the bodies that are read apart: delta artifacts. */
  readonly deltaBytes: number;
  readonly urlBytes: number;
  readonly headerBytes: number;
  readonly pathParameterBytes: number;
  readonly jsonDepth: number;
  /** Of a body that is read before anything is asked. */
  readonly jsonValues: number;
  readonly connections: number;
  readonly eventStreams: number;
  readonly headersTimeoutMs: number;
  /** Of a request's body, once its headers are there; not of one that is handed on as it comes. */
  readonly requestTimeoutMs: number;
  /** How long nothing may come of a body that is handed on as it comes. */
  readonly silentBodyMs: number;
  /** How long what a client still sends is read after an answer that needed no more of it. */
  readonly lingerMs: number;
  /** How long a client may leave the bytes of an answer unread. */
  readonly stalledWriteMs: number;
  readonly heartbeatMs: number;
}

export const defaultHttpLimits: HttpLimits = {
  bodyBytes: 1024 * 1024,
  deltaBytes: 64 * 1024 * 1024,
  urlBytes: 8 * 1024,
  headerBytes: 16 * 1024,
  pathParameterBytes: 4096,
  jsonDepth: 64,
  jsonValues: 50_000,
  connections: 1024,
  eventStreams: 64,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  silentBodyMs: 30_000,
  lingerMs: 2_000,
  stalledWriteMs: 30_000,
  heartbeatMs: 15_000,
};

/** What the listener notices: one for every answer, parser errors included. Secrets in path and query are struck out. */
export interface HttpAnswered {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  readonly durationMs: number;
  readonly operation?: OperationName | undefined;
  /** Which key asked the index server, as its door tells. */
  readonly key?: string | undefined;
  readonly fault?: FaultReason | undefined;
  /** What was thrown behind a 500: for the log alone. */
  readonly cause?: unknown;
}

export interface HttpOptions {
  readonly daemon: Daemon;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly authentication: Authentication;
  /** Host names (or `name:port`) that requests may address beside loopback names and the bound address. */
  readonly allowedHosts: readonly string[];
  /** The repository that this listener serves, for requests that name none. */
  readonly defaultRepo?: string;
  /** The index server that this listener offers, by its name in requests; undefined: none. Read at each request. */
  readonly indexServer?: { readonly name: string; readonly door: IndexDoor } | undefined;
  readonly limits?: Partial<HttpLimits>;
  /** Counts a request that showed no good token: so many seconds its address is to wait, 0 where it may go on. */
  readonly countStranger?: ((address: string) => number) | undefined;
  readonly onAnswered?: (answered: HttpAnswered) => void;
  /** Told of a request that waits for its body; calls back, once or more, when it is asked, or never will be. */
  readonly onArriving?: () => () => void;
}
