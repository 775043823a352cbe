import type { Manifest } from '../link/manifest.ts';
import type { MountedDocument } from '../model/document.ts';
import type { DocumentFacts } from '../model/facts.ts';
import { lazyFacts } from '../model/lazy-facts.ts';
import type { ManifestLine, TreeManifest } from '../model/manifest.ts';
import { mount } from '../model/mount.ts';
import type { FactKey } from '../store/publication.ts';
import { factKeyOf, factKeyText } from './fact-key.ts';

/** Stored facts as the linker wants them, the most recently used kept decoded. */
export interface FactShelf {
  /** The document of a manifest line; undefined where it has no facts. */
  document(line: ManifestLine): MountedDocument | undefined;
  clear(): void;
}

/** Decoded facts weigh about this many times their stored form. */
const decodedWeight = 6;

/** `stored` gives encoded facts; `maxBytes` bounds what is kept decoded, by estimate. */
export function createFactShelf(stored: (key: FactKey) => Uint8Array | undefined, maxBytes: number): FactShelf {
  const kept = new Map<string, { readonly facts: DocumentFacts; readonly bytes: number }>();
  let keptBytes = 0;

  const factsOf = (key: FactKey): DocumentFacts | undefined => {
    const name = factKeyText(key);
    const known = kept.get(name);
    if (known !== undefined) {
      kept.delete(name);
      kept.set(name, known);
      return known.facts;
    }
    const blob = stored(key);
    if (blob === undefined) return undefined;
    const facts = lazyFacts(blob);
    const bytes = blob.byteLength * decodedWeight;
    kept.set(name, { facts, bytes });
    keptBytes += bytes;
    for (const [oldest, { bytes }] of kept) {
      if (keptBytes <= maxBytes || oldest === name) break;
      kept.delete(oldest);
      keptBytes -= bytes;
    }
    return facts;
  };

  return {
    document: line => {
      const key = factKeyOf(line);
      const facts = key === undefined ? undefined : factsOf(key);
      return facts === undefined ? undefined : mount(line.entry.path, facts);
    },
    clear: () => {
      kept.clear();
      keptBytes = 0;
    },
  };
}

/** A tree as one linker sees it, while it lasts: documents that were opened stay open. */
export interface LinkingManifest extends Manifest {
  /** Most documents were opened, so that another linker would open them all over again, and no fewer. */
  readonly isMostlyOpen: boolean;
}

export function linkingManifest(tree: TreeManifest, shelf: Pick<FactShelf, 'document'>): LinkingManifest {
  const opened = new Map<string, MountedDocument | undefined>();
  const open = (path: string): MountedDocument | undefined => {
    const line = tree.get(path);
    const document = line === undefined ? undefined : shelf.document(line);
    opened.set(path, document);
    return document;
  };
  return {
    get isMostlyOpen() {
      return opened.size * 2 > tree.size;
    },
    has: path => tree.get(path) !== undefined,
    filesIn: directory => tree.filesIn(directory),
    filesNamed: name => tree.filesNamed(name),
    documentsOf: scope => tree.documentsOf(scope),
    document: path => opened.get(path) ?? (opened.has(path) ? undefined : open(path)),
  };
}
