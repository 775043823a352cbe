import type { ImportedSymbol } from '../model/imported-symbol.ts';
import type { DocumentView } from './document-view.ts';

/** An import of a document, and what that hangs on by it. */
export interface ImportOf {
  /** Its place among the imports of the facts, which have its texts. */
  readonly index: number;
  /** 0-based. */
  readonly line: number;
  readonly typeOnly: boolean;
  /** Undefined where that is not known. */
  readonly to: ImportedSymbol | undefined;
}

/** The imports of a document, in the order of its facts; no text of them is read. Nothing is known of those of an upload. */
export function importsOf({ links, facts }: Pick<DocumentView, 'links' | 'facts'>): readonly ImportOf[] {
  return Array.from({ length: links.importCount }, (_, index) => {
    const { line, typeOnly } = facts().importHead(index);
    return { index, line, typeOnly, to: links.importAt(index) };
  });
}
