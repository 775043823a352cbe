import type { RecrawlReason } from './change-set.ts';
import type { Clock } from './clock.ts';

/** Which recrawl of a tree is under way and which is due: one after the other, and a second between them. */
export class Recrawls {
  readonly #clock: Clock;
  readonly #begin: (reason: RecrawlReason) => void;
  #current: RecrawlReason | undefined;
  #due: RecrawlReason | undefined;
  #cancel = (): void => {};
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, begin: (reason: RecrawlReason) => void) {
    this.#clock = clock;
    this.#begin = begin;
  }

  /** The reason of the one under way. */
  get current(): RecrawlReason | undefined {
    return this.#current;
  }

  get isIdle(): boolean {
    return this.#current === undefined && this.#due === undefined;
  }

  ask(reason: RecrawlReason): void {
    if (this.#due !== undefined) return;
    this.#due = reason;
    if (this.#current === undefined) this.#beginInTime();
  }

  /** The one under way has found everything. */
  end(): void {
    this.#current = undefined;
    this.#endedAt = this.#clock.now();
    if (this.#due !== undefined) this.#beginInTime();
  }

  /** There is nothing to crawl: none is under way or due. */
  abandon(): void {
    this.#cancel();
    this.#current = undefined;
    this.#due = undefined;
  }

  /** For a new tree, which need not wait. */
  forgetLast(): void {
    if (this.#current === undefined) this.#endedAt = Number.NEGATIVE_INFINITY;
  }

  #beginInTime(): void {
    const waitMs = this.#endedAt + betweenMs - this.#clock.now();
    if (waitMs <= 0) this.#beginDue();
    else this.#cancel = this.#clock.after(waitMs, () => this.#beginDue());
  }

  #beginDue(): void {
    const reason = this.#due;
    if (reason === undefined) return;
    this.#due = undefined;
    this.#current = reason;
    this.#begin(reason);
  }
}

const betweenMs = 1000;
