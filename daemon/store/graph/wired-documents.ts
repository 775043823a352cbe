import { type GraphDocument, type GraphSite, kindOfDefinition } from '../../model/graph.ts';
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

/**
 * What stands at a definition, as `@` and `[…]` do: its first decorator or annotation as written, '' for none. Of a class in
 * languages of which frameworks find classes by their methods, also what stands at one of these.
 */
export function markOf(site: GraphSite, view: DocumentView): string {
  const { in: graph, at } = site;
  if (graph.document !== view.document) return '';
  const own = markAt(graph, at, view);
  if (own !== '' || !foundByMethods.has(graph.language)) return own;
  for (let index = 0; index < graph.symbols.length; index++) {
    if (graph.containers[index] !== at || kindOfDefinition(graph, index) !== 'method') continue;
    const mark = markAt(graph, index, view);
    if (mark !== '' && !ofValues.test(mark)) return mark;
  }
  return '';
}

const foundByMethods: ReadonlySet<string> = new Set(['csharp', 'java', 'kotlin']);

/** What is said of what methods take and give. */
const ofValues =
  /(?:Null|NotNull|NonNull|Nullable|ReturnValue|Contract|GuardedBy|Check\w*|Incompatible|Test(?:ing|Only))\]?$/;

function markAt({ slots, language }: GraphDocument, at: number, view: DocumentView): string {
  const pattern = Object.hasOwn(marks, language) ? marks[language] : undefined;
  if (pattern === undefined) return '';
  const slot = slots[at]!;
  const { startLine } = view.facts().definitionRange(slot);
  const name = view.facts().definitionNameRange(slot);
  for (let line = name.startLine; line >= Math.max(0, startLine - marksAbove); line--) {
    const text = line === name.startLine ? view.line(line).slice(0, name.startColumn) : view.line(line);
    // What ends there is another definition.
    if (line < startLine && /[;{}]\s*$/.test(text)) break;
    if (language !== 'go' && comment.test(text)) continue;
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) return `${found.trim()}${found.includes('[') ? ']' : ''}`;
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
  /** What C calls, or the linker knows by another name. */
  go: /^\/\/(?:export|go:linkname|go:wasmexport)\b/,
  php: /#\[\w+/,
  rust: /#\[(?!inline|doc|allow|must_use|cfg|derive|non_exhaustive|cold|deprecated|track_caller|repr)\w+/,
};
