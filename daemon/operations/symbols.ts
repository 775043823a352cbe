import type { Tombstone } from '../store/daemon-db.ts';
import type { ReadPool } from '../workers/read-pool.ts';
import type { Handlers, RequestContext } from './handler.ts';

/** What the handlers of symbols need beside the request. */
export interface SymbolsOptions {
  readonly readPool: ReadPool;
  /** HMAC key of cursors, hex. */
  readonly cursorSecret: string;
  readonly tombstone: (context: RequestContext, symbolHash: string) => Tombstone | undefined;
  /** Files known to have changed since the snapshot. */
  readonly dirtyFiles: (context: RequestContext) => number;
  /** Whether the work tree equals HEAD, where that is known. */
  readonly isClean: (context: RequestContext) => boolean | undefined;
}

export type SymbolsHandlers = Pick<Handlers, 'symbols.get' | 'symbols.search' | 'symbols.refs'> & {
  /** Closes the connections of an index file that goes away (repository removed, file quarantined). */
  readonly forget: (indexFile: string) => void;
  readonly close: () => void;
};

export function symbolsHandlers(options: SymbolsOptions): SymbolsHandlers {
  throw new Error(`not built yet: ${options.cursorSecret.length}`);
}
