import type { Places } from '../client/paths.ts';
import type { Clock } from './clock.ts';

/** What a daemon process is given by whoever starts it. */
export interface DaemonStart {
  readonly places: Places;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Names this build; two of the same version may differ. */
  readonly build: string;
  /** Started by a client that needed one: such a daemon leaves when nobody needs it. */
  readonly isAutoStarted: boolean;
  readonly flags?: Readonly<Record<string, unknown>>;
  /** Log lines also go here (`svc daemon run`). */
  readonly echo?: (line: string) => void;
  /** Called when another daemon leads: this one leaves at once, with the exit code that it gives; else with 0. */
  readonly onSecond?: () => number;
  readonly clock?: Clock;
  /** Signals and the like: called once, with what they may do. */
  readonly onControls?: (controls: DaemonControls) => void;
}

export interface DaemonControls {
  /** Begins to leave; a second time, leaves now. */
  leave(cause: string, exitCode?: number): void;
  /** Reads the configuration anew. */
  reload(): void;
  /** Something was thrown that nobody caught. */
  crashed(what: string, cause: unknown): void;
}

/** Why a daemon could not start: for stderr, with the process's exit code. */
export class StartFailed extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}
