import type { MountedDocument, ScopeKey } from '../../model/document.ts';
import type { DefinitionFact } from '../../model/facts.ts';
import { symbolHash } from '../../model/identity.ts';
import type { ManifestLine } from '../../model/manifest.ts';
import { scopeOfTail } from '../../model/mount.ts';
import { grouped } from './grouped.ts';
import type { SitesByTail } from './outermost.ts';
import { bodiesOf, type SymbolBodies } from './symbol-bodies.ts';

export interface DocumentSources {
  readonly document: (line: ManifestLine) => MountedDocument | undefined;
  readonly text: (line: ManifestLine) => string;
}

/** A symbol as one document has it. */
export interface Found {
  readonly hash: string;
  readonly scope: ScopeKey;
  readonly tail: string;
  /** At least one. */
  readonly sites: readonly DefinitionFact[];
  readonly line: ManifestLine;
  readonly document: MountedDocument;
  readonly byTail: SitesByTail;
  /** Of the whole document; made when first needed. */
  readonly bodies: () => SymbolBodies;
}

/** The symbols of a document, each with all of its sites there. */
export function symbolsOf(line: ManifestLine | undefined, sources: DocumentSources): readonly Found[] {
  const document = line === undefined ? undefined : sources.document(line);
  if (line === undefined || document === undefined) return [];
  const byTail = grouped(document.facts.definitions, ({ tail }) => tail);
  let made: SymbolBodies | undefined;
  const bodies = (): SymbolBodies => {
    made ??= bodiesOf(byTail, sources.text(line));
    return made;
  };
  return [...byTail].map(([tail, sites]) => {
    const scope = scopeOfTail(document, tail);
    return { hash: symbolHash(scope, tail), scope, tail, sites, line, document, byTail, bodies };
  });
}
