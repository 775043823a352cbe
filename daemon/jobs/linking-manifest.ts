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
  /** Whether the facts of a line export that name. Who looks through a barrel need not decode all that lies behind it. */
  exports(line: ManifestLine, name: string): boolean;
  exportedNames(line: ManifestLine): readonly string[];
  clear(): void;
}

/** Documents whose exported names are remembered: some hundred bytes each. */
const namesRemembered = 100_000;

/** Decoded facts weigh about this many times their stored form. */
const decodedWeight = 6;

/** `stored` gives encoded facts; `maxBytes` bounds what is kept decoded, by estimate. */
export function createFactShelf(stored: (key: FactKey) => Uint8Array | undefined, maxBytes: number): FactShelf {
  const kept = new Map<string, { readonly facts: DocumentFacts; readonly bytes: number }>();
  let keptBytes = 0;

  /** Names that facts export, each between two separators. */
  const exported = new Map<string, string>();

  const exportedBy = (key: FactKey): string => {
    const name = factKeyText(key);
    const known = exported.get(name);
    if (known !== undefined) return known;
    // Who asks for names is likely to open the document next.
    const facts = factsOf(key);
    if (facts === undefined) return '';
    const names = exportedNames(facts);
    if (exported.size >= namesRemembered) exported.clear();
    exported.set(name, names);
    return names;
  };

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
    exports: (line, name) => {
      const key = factKeyOf(line);
      return key !== undefined && exportedBy(key).includes(separator + name + separator);
    },
    exportedNames: line => {
      const key = factKeyOf(line);
      return key === undefined ? [] : exportedBy(key).split(separator).slice(1, -1);
    },
    clear: () => {
      exported.clear();
      kept.clear();
      keptBytes = 0;
    },
  };
}

const separator = '\0';

function exportedNames({ exports }: DocumentFacts): string {
  let names = separator;
  for (const { name } of exports) names += name + separator;
  // Flat, so that it is searched and kept as one text.
  return Buffer.from(names).toString();
}

/** A tree as one linker sees it, while it lasts: documents that were opened stay open. */
export interface LinkingManifest extends Manifest {
  /** Most documents were opened, so that another linker would open them all over again, and no fewer. */
  readonly isMostlyOpen: boolean;
}

/** What was found out about a tree, while it is laid out as it was then. */
type Layout = Pick<Manifest, 'barrels' | 'places'> & { readonly structure: number };

const layouts = new WeakMap<TreeManifest, Layout>();

function layoutOf(tree: TreeManifest): Layout {
  const known = layouts.get(tree);
  if (known?.structure === tree.structure) return known;
  const layout: Layout = { structure: tree.structure, barrels: new Map(), places: new Map() };
  layouts.set(tree, layout);
  return layout;
}

export function linkingManifest(tree: TreeManifest, shelf: Omit<FactShelf, 'clear'>): LinkingManifest {
  const { barrels, places } = layoutOf(tree);
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
    exports: (path, name) => {
      const line = tree.get(path);
      return line !== undefined && shelf.exports(line, name);
    },
    exportedNames: path => {
      const line = tree.get(path);
      return line === undefined ? [] : shelf.exportedNames(line);
    },
    contentOf: path => {
      const line = tree.get(path);
      const key = line === undefined ? undefined : factKeyOf(line);
      return key === undefined ? '' : factKeyText(key);
    },
    barrels,
    places,
    document: path => opened.get(path) ?? (opened.has(path) ? undefined : open(path)),
  };
}
