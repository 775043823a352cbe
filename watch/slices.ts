import { performance } from 'node:perf_hooks';

/** Work that is done in slices, so that others get their turn on the event loop; what came last is done first. */
export class Slices<Item> {
  readonly #work: (item: Item) => void;
  readonly #onDone: () => void;
  readonly #items: Item[] = [];
  #next: NodeJS.Immediate | undefined;

  /** `onDone` is called whenever nothing is left to do. */
  constructor(work: (item: Item) => void, onDone: () => void) {
    this.#work = work;
    this.#onDone = onDone;
  }

  get isIdle(): boolean {
    return this.#items.length === 0;
  }

  add(item: Item): void {
    this.#items.push(item);
    this.#next ??= setImmediate(() => this.#slice());
  }

  clear(): void {
    this.#items.length = 0;
  }

  close(): void {
    this.clear();
    clearImmediate(this.#next);
  }

  #slice(): void {
    const end = performance.now() + sliceMs;
    for (let item = this.#items.pop(); item !== undefined; item = this.#items.pop()) {
      this.#work(item);
      if (performance.now() > end && !this.isIdle) {
        this.#next = setImmediate(() => this.#slice());
        return;
      }
    }
    this.#next = undefined;
    this.#onDone();
  }
}

const sliceMs = 8;
