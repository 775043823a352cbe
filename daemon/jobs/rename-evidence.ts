import { createHash } from 'node:crypto';
import type { ManifestDelta } from '../model/delta.ts';
import type { MountedDocument, ScopeKey } from '../model/document.ts';
import type { DefinitionFact } from '../model/facts.ts';
import { lastDescriptorAt, symbolHash } from '../model/identity.ts';
import { lineStarts } from '../model/line-starts.ts';
import type { ManifestLine } from '../model/manifest.ts';
import { scopeOfTail } from '../model/mount.ts';
import type { SymbolKind } from '../model/symbol.ts';

/** By what a symbol can be known again under another identity. Equal evidence on both sides, and on each but once, is a rename. */
export interface SymbolEvidence {
  /** 32 hex digits. */
  readonly hash: string;
  readonly scope: ScopeKey;
  readonly tail: string;
  readonly name: string;
  readonly kind: SymbolKind;
  /** File content and tail: the same after the file has moved. */
  readonly file: string;
  /** The body without names that came or went: the same after the symbol was renamed. '' where it is short, or another of its container and kind has it too. */
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
  const vanished = before.filter(({ hash }) => gone.has(hash));
  const appeared = after.filter(({ hash }) => !known.has(hash));
  const names = changedNames(vanished, appeared);
  return {
    gone: vanished.map(one => evidenceOf(one, names)),
    appeared: appeared.length > mostSymbols ? [] : appeared.map(one => evidenceOf(one, names)),
  };
}

/** Names that something of a kind bore and nothing new of it does, and the other way round: what a renaming may have put for another. */
function changedNames(gone: readonly Found[], appeared: readonly Found[]): ReadonlySet<string> {
  const namesByKind = (some: readonly Found[]) =>
    new Map(some.map(({ sites }) => [`${sites[0]!.kind} ${sites[0]!.name}`, sites[0]!.name]));
  const [old, fresh] = [namesByKind(gone), namesByKind(appeared)];
  const changed = [...old, ...fresh].filter(([key]) => !old.has(key) || !fresh.has(key));
  return new Set(changed.map(([, name]) => name));
}

interface Found {
  readonly hash: string;
  readonly scope: ScopeKey;
  /** At least one. */
  readonly sites: readonly DefinitionFact[];
  readonly line: ManifestLine;
  /** What `uniqueBodies` gives for the file, by tail; made when first needed. */
  readonly bodies: (names: ReadonlySet<string>) => ReadonlyMap<string, string>;
}

/** The symbols of a document, each with all of its sites there. */
function symbolsOf(line: ManifestLine | undefined, sources: EvidenceSources): readonly Found[] {
  const document = line === undefined ? undefined : sources.document(line);
  if (line === undefined || document === undefined) return [];
  const byTail = new Map<string, DefinitionFact[]>();
  for (const definition of document.facts.definitions) {
    const sites = byTail.get(definition.tail);
    if (sites === undefined) byTail.set(definition.tail, [definition]);
    else sites.push(definition);
  }
  let made: ReadonlyMap<string, string> | undefined;
  const bodies = (names: ReadonlySet<string>): ReadonlyMap<string, string> => {
    made ??= uniqueBodies(byTail, names, sources.text(line));
    return made;
  };
  return [...byTail].map(([tail, sites]) => {
    const scope = scopeOfTail(document, tail);
    return { hash: symbolHash(scope, tail), scope, sites, line, bodies };
  });
}

function evidenceOf({ hash, scope, sites, line, bodies }: Found, names: ReadonlySet<string>): SymbolEvidence {
  const { tail, name, kind } = sites[0]!;
  const file = digest([line.entry.hash, line.entry.dialect, tail]);
  return { hash, scope, tail, name, kind, file, body: bodies(names).get(tail) ?? '' };
}

/** Digests of the bodies that are long enough to tell something and that one symbol of its container and kind has. */
function uniqueBodies(
  byTail: ReadonlyMap<string, readonly DefinitionFact[]>,
  names: ReadonlySet<string>,
  text: string,
): ReadonlyMap<string, string> {
  const lines = lineStarts(text);
  const digests = new Map<string, string>();
  const bearers = new Map<string, string[]>();
  for (const [tail, sites] of byTail) {
    const tokens = sites.flatMap(site => tokensOf(site, names, text, lines));
    if (tokens.length < fewestTokens) continue;
    const body = digest(tokens);
    digests.set(tail, body);
    const key = [tail.slice(0, lastDescriptorAt(tail)), sites[0]!.kind, body].join('\0');
    bearers.set(key, [...(bearers.get(key) ?? []), tail]);
  }
  for (const tails of bearers.values()) if (tails.length > 1) for (const tail of tails) digests.delete(tail);
  return digests;
}

/** The words and signs of a definition; '' for its own name and each of `names`, wherever they stand. */
function tokensOf(
  { range, name }: DefinitionFact,
  names: ReadonlySet<string>,
  text: string,
  lines: readonly number[],
): readonly string[] {
  const start = (lines[range.startLine] ?? text.length) + range.startColumn;
  const end = (lines[range.endLine] ?? text.length) + range.endColumn;
  const words = text.slice(start, end).matchAll(token);
  return Array.from(words, ([word]) => (word === name || names.has(word) ? '' : word));
}

const token = /[\p{L}\p{N}_$]+|[^\s]/gu;

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
