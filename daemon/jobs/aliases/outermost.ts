import type { DefinitionFact } from '../../model/facts.ts';
import { descriptorsOf } from '../../model/identity.ts';
import type { SymbolKind } from '../../model/symbol.ts';

/** The definitions of a document by tail, each with all of its sites there. */
export type SitesByTail = ReadonlyMap<string, readonly DefinitionFact[]>;

/** What gives a place to definitions, as files do, and is not moved with one of them. */
const homes: ReadonlySet<SymbolKind> = new Set(['namespace', 'module', 'package']);

/**
 * The tail of the outermost definition of a document that a symbol stands in and would move with, its own where there is
 * none; and its tail from there on: `local`, with nothing of the namespaces and modules around.
 */
export function outermostOf(tail: string, byTail: SitesByTail): { readonly root: string; readonly local: string } {
  let home = 0;
  let end = 0;
  let isHome = true;
  for (const descriptor of descriptorsOf(tail)) {
    end += descriptor.length;
    const kind = byTail.get(tail.slice(0, end))?.[0]?.kind;
    isHome &&= end < tail.length && (kind === undefined ? isNamespace(descriptor) : homes.has(kind));
    if (isHome) home = end;
    else if (kind !== undefined) return { root: tail.slice(0, end), local: tail.slice(home) };
  }
  return { root: tail, local: tail.slice(home) };
}

/** `static/` is that it is private to its file. */
function isNamespace(descriptor: string): boolean {
  return descriptor.endsWith('/') && descriptor !== 'static/' && !descriptor.startsWith('`');
}
