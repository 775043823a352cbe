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

/** A Caller over the daemon's Unix socket. */
export interface SocketCaller extends Caller {
  /** Events of the daemon until the returned function is called. */
  subscribe(listener: (event: DaemonEvent) => void): Promise<() => void>;
  close(): void;
}
