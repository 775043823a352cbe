import type { Places } from './paths.ts';
import type { Caller, DaemonEvent } from './protocol/caller.ts';

export interface SocketOptions {
  readonly places: Places;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Who asks, for the handshake and the daemon's log. */
  readonly client: string;
  readonly version: string;
  /** `command` starts a daemon when none answers; `never` gives the fault instead. */
  readonly start: { readonly kind: 'command'; readonly argv: readonly string[] } | { readonly kind: 'never' };
  /** One line for people: a daemon is being started or replaced. */
  readonly onNotice?: (line: string) => void;
}

/**
 * What is spoken over the daemon's socket: JSON-RPC 2.0, each message on a line of its own or behind a `Content-Length`
 * header (the first byte decides; this client writes lines).
 *
 * - A method is an operation's name, params its input by name; `initialize` is `daemon.initialize` and may be left out.
 * - `params.workDoneToken` (LSP's name, on any request) asks for `$/progress {token, value: Progress}` notifications.
 * - `$/cancelRequest {id}` ends a request, which then answers −32800.
 * - `events.subscribe {}` → `{subscription}`; then `events.event {subscription, event: DaemonEvent}` notifications, until
 *   `events.unsubscribe {subscription}` or the connection ends.
 * - `error.data` is the public fault body and, beside it, `reason` (the row of the fault table) and `retryAfterSeconds`.
 * - The id of a request that has a request id is that string, else a number.
 */
export interface SocketCaller extends Caller {
  /** Events of the daemon until the returned function is called. */
  subscribe(listener: (event: DaemonEvent) => void): Promise<() => void>;
  close(): void;
}
