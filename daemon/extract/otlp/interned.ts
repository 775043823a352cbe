/** Longer keys take more memory than they save time. */
const longestKey = 1000;

/** Values by key, so that what comes again is made once. It forgets all of them when they become too many. */
export class Interned<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  put(key: string, value: Value): Value {
    if (key.length > longestKey) return value;
    if (this.#values.size >= this.#most) this.#values.clear();
    this.#values.set(key, value);
    return value;
  }

  clear(): void {
    this.#values.clear();
  }
}
