import { createDialogues, type Dialogue, type DialogueRun } from './git-dialogue.ts';
import type { Leash } from './git-process.ts';

/** What git has under a name. */
export interface GitObject {
  /** Its full hash. */
  readonly hash: string;
  /** `commit`, `tree`, `blob` or `tag`. */
  readonly type: string;
  readonly size: number;
  /** Undefined of one that is larger than was asked for. */
  readonly bytes: Buffer | undefined;
}

export interface ObjectLimits {
  /** A longer one is not read: its size is told. By type where they differ. */
  readonly eachBytes: number | ((type: string) => number);
  readonly allBytes: number;
}

/** Whether its bytes are asked for. */
export function isRead({ type, size }: Pick<GitObject, 'type' | 'size'>, { eachBytes }: ObjectLimits): boolean {
  return size <= (typeof eachBytes === 'number' ? eachBytes : eachBytes(type));
}

/** Reads objects by way of `git cat-file --batch`. */
export interface ObjectReader {
  /**
   * What git has under some names, in their order; undefined where nothing, or several. A name is a hash or the start of
   * one, with what git knows of ancestors and peeling (`~2`, `^{tree}`): nothing that a repository or a caller chose.
   * Bounded by `run`. Rejects with `GitFailed`.
   */
  read(run: DialogueRun, names: readonly string[], limits: ObjectLimits): Promise<readonly (GitObject | undefined)[]>;
  /** Resolves when all processes have gone. Those that are asked later are started as ever. */
  close(): Promise<void>;
}

export interface ReaderOptions {
  /** A process that nothing is asked of ends after this long; default 15 s. */
  readonly idleMs?: number;
  /** Further repositories take the place of the one that waits longest; default 4. */
  readonly processes?: number;
}

export function createObjectReader({ idleMs = 15_000, ...options }: ReaderOptions = {}): ObjectReader {
  const dialogues = createDialogues({ idleMs, ...options });
  return {
    async read(run, names, limits) {
      const asked = new ObjectDialogue(names, limits);
      if (names.length > 0) await dialogues.hold(run, asked, limits.allBytes);
      return asked.found;
    },
    close: dialogues.close,
  };
}

/** What is too long to be kept, and no longer than this, is let pass; of anything longer the process is rid of sooner. */
const letPassBytes = 4 * 1024 * 1024;
const longestHeader = 512;

/** What is said to a number of questions: `<hash> <type> <size>`, newline, the bytes, newline; or that there is no such. */
class ObjectDialogue implements Dialogue {
  readonly found: (GitObject | undefined)[] = [];
  readonly #names: readonly string[];
  readonly #limits: ObjectLimits;
  #header = '';
  #body: { readonly object: GitObject; readonly bytes: Buffer | undefined; at: number } | undefined;

  constructor(names: readonly string[], limits: ObjectLimits) {
    this.#names = names;
    this.#limits = limits;
  }

  get answered(): number {
    return this.found.length;
  }

  question(): string | undefined {
    this.#header = '';
    this.#body = undefined;
    const left = this.#names.slice(this.found.length);
    return left.length === 0 ? undefined : `${left.join('\n')}\n`;
  }

  hear(chunk: Buffer, leash: Leash): 'more' | 'answered' | 'left' {
    for (let from = 0; from < chunk.length && !leash.signal.aborted; ) {
      from = this.#body === undefined ? this.#takeHeader(chunk, from, leash) : this.#takeBody(chunk, from);
      if (from < 0) return 'left';
      if (this.found.length === this.#names.length) return 'answered';
    }
    return 'more';
  }

  /** Negative where what follows is too long. */
  #takeHeader(chunk: Buffer, from: number, leash: Leash): number {
    const end = chunk.indexOf(10, from);
    this.#header += chunk.toString('latin1', from, end < 0 ? undefined : end);
    if (this.#header.length > longestHeader) leash.count(Number.POSITIVE_INFINITY);
    if (end < 0) return chunk.length;
    const [hash = '', type = '', length] = this.#header.split(' ');
    this.#header = '';
    const size = Number(length);
    if (length === undefined || !Number.isSafeInteger(size)) {
      this.found.push(undefined); // `missing` or `ambiguous`, behind the name
      return end + 1;
    }
    const isWanted = isRead({ type, size }, this.#limits);
    if (isWanted) leash.count(size);
    if (leash.signal.aborted) return chunk.length;
    const bytes = isWanted ? Buffer.allocUnsafeSlow(size) : undefined;
    const object = { hash, type, size, bytes };
    if (isWanted || size <= letPassBytes) {
      this.#body = { object, bytes, at: 0 };
      return end + 1;
    }
    this.found.push(object);
    return -1;
  }

  #takeBody(chunk: Buffer, from: number): number {
    const body = this.#body!;
    const { object, bytes } = body;
    const to = Math.min(chunk.length, from + object.size - body.at);
    if (bytes !== undefined) chunk.copy(bytes, body.at, from, to);
    body.at += to - from;
    if (body.at < object.size || to === chunk.length) return to;
    this.#body = undefined; // and past the newline
    this.found.push(object);
    return to + 1;
  }
}

/** Asks for objects by name, as `ObjectReader` does. */
export type ReadObjects = (
  names: readonly string[],
  limits: ObjectLimits,
) => Promise<readonly (GitObject | undefined)[]>;

export type Blob =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'large'; readonly size: number };

/** Blobs by hash, those that are not there left out. Rejects with `GitFailed` `output_too_large` past `allBytes`. */
export async function blobsOf(
  read: ReadObjects,
  hashes: readonly string[],
  limits: ObjectLimits,
): Promise<ReadonlyMap<string, Blob>> {
  const found = new Map<string, Blob>();
  for (const object of await read(hashes, limits)) if (object?.type === 'blob') found.set(object.hash, blobOf(object));
  return found;
}

export function blobOf({ bytes, size }: GitObject): Blob {
  return bytes === undefined ? { kind: 'large', size } : { kind: 'bytes', bytes };
}
