import { checkStored, type StoredLink, storedLinkAt } from './link-table.ts';
import { type Prepare, repoOf } from './rows.ts';

/** Some ten kilobytes each. */
const mostHeld = 1000;

/**
 * Links of the newest snapshots, read while nothing changes them: who finds those that asked, compares where they point
 * and publishes them anew reads each once.
 */
export class HeldLinks {
  readonly #prepare: Prepare;
  readonly #held = new Map<number, StoredLink | undefined>();
  /** By repository and path. */
  readonly #documents = new Map<string, number>();
  readonly #checked = new WeakSet<StoredLink>();

  constructor(prepare: Prepare) {
    this.#prepare = prepare;
  }

  of(document: number): StoredLink | undefined {
    if (this.#held.has(document)) return this.#held.get(document);
    const link = storedLinkAt(document, this.#prepare);
    if (this.#held.size >= mostHeld) return link;
    this.#held.set(document, link);
    if (link !== undefined) this.#documents.set(placeOf(repoOf(document), link.path), document);
    return link;
  }

  /** The same where it is known that its digests hold. Throws `StoreError` where they don't. */
  checkedOf(document: number): StoredLink | undefined {
    const link = this.of(document);
    if (link === undefined || this.#checked.has(link)) return link;
    checkStored(link);
    this.#checked.add(link);
    return link;
  }

  /** The document of a path, if its links are held. */
  documentAt(repo: number, path: string): number | undefined {
    return this.#documents.get(placeOf(repo, path));
  }

  forget(): void {
    this.#held.clear();
    this.#documents.clear();
  }

  /** Its links change. */
  forgetOne(document: number): void {
    this.#held.delete(document);
  }
}

function placeOf(repo: number, path: string): string {
  return `${repo} ${path}`;
}
