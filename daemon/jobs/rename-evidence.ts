import { createHash } from 'node:crypto';
import type { ManifestDelta } from '../model/delta.ts';
import type { MountedDocument } from '../model/document.ts';
import type { DefinitionFact } from '../model/facts.ts';
import { lastDescriptorAt, symbolHash } from '../model/identity.ts';
import { lineStarts } from '../model/line-starts.ts';
import type { ManifestLine } from '../model/manifest.ts';
import { scopeOfTail } from '../model/mount.ts';

/** By what a symbol can be known again under another identity. Equal evidence on both sides, and on each but once, is a rename. */
export interface SymbolEvidence {
  /** 32 hex digits. */
  readonly hash: string;
  /** File content and tail: the same after the file has moved. */
  readonly file: string;
  /** Container, kind and body without the name: the same after the symbol was renamed. '' where the body is short or not the only one. */
  readonly body: string;
}

/** What one publication took away and brought, of what may be the same thing. */
export interface RenameEvidence {
  readonly gone: readonly SymbolEvidence[];
  readonly appeared: readonly SymbolEvidence[];
}

export interface EvidenceSources {
  readonly document: (line: ManifestLine) => MountedDocument | undefined;
  readonly text: (line: ManifestLine) => string;
}

/** A change of more than this is a switch of branches, not an edit: nobody renamed anything. */
const mostPaths = 200;
const mostSymbols = 2000;
const fewestTokens = 12;

/** Evidence from the documents of a delta; nothing where it is too large to be an edit. */
export function renameEvidence(
  delta: ManifestDelta,
  gone: ReadonlySet<string>,
  sources: EvidenceSources,
): RenameEvidence {
  if (delta.size > mostPaths || gone.size > mostSymbols) return { gone: [], appeared: [] };
  const lines = [...delta.values()];
  const before = lines.flatMap(({ before }) => symbolsOf(before, sources));
  const after = lines.flatMap(({ after }) => symbolsOf(after, sources));
  const known = new Set(before.map(({ hash }) => hash));
  const appeared = after.filter(({ hash }) => !known.has(hash));
  return {
    gone: before.filter(({ hash }) => gone.has(hash)).map(evidenceOf),
    appeared: appeared.length > mostSymbols ? [] : appeared.map(evidenceOf),
  };
}

interface Found {
  readonly hash: string;
  readonly definition: DefinitionFact;
  readonly line: ManifestLine;
  /** What `uniqueBodies` gives for the file, made when first needed. */
  readonly bodies: () => ReadonlyMap<DefinitionFact, string>;
}

/** The symbols of a document, each by its first site. */
function symbolsOf(line: ManifestLine | undefined, sources: EvidenceSources): readonly Found[] {
  const document = line === undefined ? undefined : sources.document(line);
  if (line === undefined || document === undefined) return [];
  let made: ReadonlyMap<DefinitionFact, string> | undefined;
  const bodies = (): ReadonlyMap<DefinitionFact, string> => {
    made ??= uniqueBodies(document, sources.text(line));
    return made;
  };
  const found = new Map<string, Found>();
  for (const definition of document.facts.definitions) {
    const hash = symbolHash(scopeOfTail(document, definition.tail), definition.tail);
    if (!found.has(hash)) found.set(hash, { hash, definition, line, bodies });
  }
  return [...found.values()];
}

function evidenceOf({ hash, definition, line, bodies }: Found): SymbolEvidence {
  return {
    hash,
    file: digest([line.entry.hash, line.entry.dialect, definition.tail]),
    body: bodies().get(definition) ?? '',
  };
}

/** The bodies that are long enough to tell something and stand in the file once, digested with container and kind. */
function uniqueBodies(document: MountedDocument, text: string): ReadonlyMap<DefinitionFact, string> {
  const lines = lineStarts(text);
  const digests = new Map<DefinitionFact, string>();
  const counts = new Map<string, number>();
  for (const definition of document.facts.definitions) {
    const tokens = tokensOf(definition, text, lines);
    if (tokens.length < fewestTokens) continue;
    const { tail, kind } = definition;
    const key = digest([scopeOfTail(document, tail), tail.slice(0, lastDescriptorAt(tail)), kind, ...tokens]);
    digests.set(definition, key);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const [definition, key] of digests) if (counts.get(key) !== 1) digests.delete(definition);
  return digests;
}

/** The words and signs of a definition, its own name left out wherever it stands. */
function tokensOf({ range, name }: DefinitionFact, text: string, lines: readonly number[]): readonly string[] {
  const start = (lines[range.startLine] ?? text.length) + range.startColumn;
  const end = (lines[range.endLine] ?? text.length) + range.endColumn;
  return [...text.slice(start, end).matchAll(token)].map(([word]) => (word === name ? '' : word));
}

const token = /[\p{L}\p{N}_$]+|[^\s]/gu;

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
