import type { GraphDocument, GraphSite } from '../../model/graph.ts';
import type { WiredDocument } from '../../model/wiring.ts';
import type { DocumentView } from '../document-view.ts';
import { wiredDocument } from './document-wiring.ts';

const kept = new WeakMap<GraphDocument, WiredDocument>();

/** How a document is tied to others by imports and exports: made once. */
export function wiringOf(one: GraphDocument, view: DocumentView): WiredDocument {
  const known = kept.get(one) ?? wiredDocument(view, one);
  kept.set(one, known);
  return known;
}

/** What stands at a definition, as `@` and `[…]` do: its first decorator or annotation as written, '' for none. */
export function markOf({ in: { document, slots, language }, at }: GraphSite, view: DocumentView): string {
  const pattern = Object.hasOwn(marks, language) ? marks[language] : undefined;
  if (pattern === undefined || document !== view.document) return '';
  const slot = slots[at]!;
  const { startLine } = view.facts().definitionRange(slot);
  const name = view.facts().definitionNameRange(slot);
  for (let line = name.startLine; line >= Math.max(0, startLine - marksAbove); line--) {
    const text = line === name.startLine ? view.line(line).slice(0, name.startColumn) : view.line(line);
    if (comment.test(text)) continue;
    const found = pattern.exec(text);
    if (found !== null) return found[0].trim();
    if (line < startLine && text.trim() === '') break;
  }
  return '';
}

/** Marks stand in the definition, or right above it. */
const marksAbove = 3;

const comment = /^\s*(?:\*|\/\/|\/\*|#(?!\[))/;

const at =
  /(?:^|\s)@(?!interface\b|Deprecated\b|SuppressWarnings\b|Suppress\b|Jvm\w+\b|[Oo]verride\b|immutable\b|internal\b|visibleForTesting\b|final\b|dataclass\b|overload\b)[A-Za-z_][\w.]*/;
/** What has a framework find a definition, not what compilers and readers are told. */
const marks: Readonly<Record<string, RegExp>> = {
  ...{ typescript: at, javascript: at, python: at, java: at, kotlin: at, dart: at },
  csharp: /^\s*\[(?!Obsolete|Serializable|Flags|EditorBrowsable|DebuggerDisplay)\w[\w.]*/,
  php: /#\[\w+/,
  rust: /#\[(?!inline|doc|allow|must_use|cfg|derive|non_exhaustive|cold|deprecated|track_caller|repr)\w+/,
};
