import type { FoundDelta } from './rows.ts';

/** Of so many documents links are kept: some kilobytes each. */
const mostDocuments = 1000;

/** What was found of the last artifact: who has asked about one mostly has it taken in next. */
export class LastFound {
  #last: { readonly key: string; readonly found: FoundDelta } | undefined;

  /** `key` tells apart all that what is found depends on. */
  async of(key: string, find: () => Promise<FoundDelta>): Promise<FoundDelta> {
    if (this.#last?.key === key) return this.#last.found;
    const found = await find();
    this.#last = found.linked.documents.length > mostDocuments ? undefined : { key, found };
    return found;
  }
}
