import type { Static } from 'typebox';
import { quote } from '../../../client/paths.ts';
import type { Warning } from '../../../client/protocol/shapes.ts';
import type { Lsp } from '../../backends/lsp.ts';
import { LspFailed } from '../../backends/lsp-connection.ts';
import type { RepositoryRecord } from '../../model/repository.ts';
import type { Place } from '../../store/placed-rows.ts';
import type { SymbolRow } from '../../store/symbol-rows.ts';

/** What a language server says of a symbol, and what is to be told of how it was asked. Plain values. */
export interface ServerSaid {
  readonly places: readonly Place[];
  readonly warnings: readonly Static<typeof Warning>[];
}

/**
 * Asks the language server of a symbol's language where it is used. One that can't be asked, fails or takes too long costs
 * a warning: it has `longestMs`, and goes on by itself when that is over. Rejects with the reason of `signal` alone.
 */
export async function askServer(
  lsp: Pick<Lsp, 'references'>,
  { id, root, trusted }: RepositoryRecord,
  { path, name, nameRange, language }: SymbolRow,
  { signal, longestMs }: { readonly signal: AbortSignal; readonly longestMs: number },
): Promise<ServerSaid> {
  if (root === '') return { places: [], warnings: [] };
  if (!trusted) {
    return failed(
      `language servers may run code of the repository, which is not trusted (svc repo trust ${quote(id)})`,
    );
  }
  try {
    const found = await lsp.references({
      ...{ root, path, language, name },
      position: { line: nameRange.startLine, character: nameRange.startColumn },
      ...{ signal, longestMs },
    });
    const places = found.map(({ path, start, end }) => {
      const range = {
        startLine: start.line,
        startColumn: start.character,
        endLine: end.line,
        endColumn: end.character,
      };
      return { path, range };
    });
    return { places, warnings: [] };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof LspFailed)) throw error;
    const late = `${error.message} after ${Math.round(longestMs / 1000)} s, so that this answer is without what it knows: ask again in a moment`;
    return failed(error.reason === 'late' ? late : error.message);
  }
}

function failed(message: string): ServerSaid {
  return { places: [], warnings: [{ code: 'PARTIAL_RESULT', backend: 'lsp', message }] };
}
