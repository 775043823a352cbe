import type { Catalogue, CatalogueDocument } from '../../store/catalogue/columns.ts';
import { type ExportAlias, exportingLanguages } from '../../store/export-aliases.ts';
import type { IndexReader } from '../../store/index-reader.ts';

/** By name, whatever its case: what is exported under it, though defined under another. */
export type AliasesOf = (name: string) => readonly ExportAlias[];

/** Built code exports hundreds of things as `t`; nobody looks for them. */
const mostOfOneName = 50;

/** What is exported under one name, in the order of documents. */
type AliasesOfName = { readonly document: number; readonly alias: ExportAlias }[];

interface Listed {
  /** Of the snapshot that the catalogue was of. */
  seq: number;
  /** The documents that the lists are of. */
  documents: readonly CatalogueDocument[];
  readonly byName: Map<string, AliasesOfName>;
}

/**
 * The export aliases of catalogues. Few modules have any, and which do is in their facts, 10 µs each: they are read when
 * a name is first asked for that nothing bears, and later those of documents that changed.
 */
export function aliasesOfCatalogues(reader: Pick<IndexReader, 'exportAliases'>): (catalogue: Catalogue) => AliasesOf {
  const byDocument = new WeakMap<CatalogueDocument, readonly ExportAlias[]>();
  const byCatalogue = new WeakMap<Catalogue, Listed>();
  const read = (catalogue: Catalogue, documents: readonly CatalogueDocument[]): void => {
    const unknown = documents.filter(one => exportingLanguages.has(one.language) && !byDocument.has(one));
    reader.exportAliases(catalogue, unknown).forEach((aliases, at) => {
      byDocument.set(unknown[at]!, aliases);
    });
  };
  /** A catalogue that goes on to the next snapshot has other documents in some places. */
  const listedFor = (catalogue: Catalogue): Listed => {
    const { documents, seq } = catalogue;
    const known: Listed = byCatalogue.get(catalogue) ?? { seq: -1, documents: [], byName: new Map() };
    if (known.seq === seq) return known;
    const places = [...documents.keys()].filter(at => documents[at] !== known.documents[at]);
    read(
      catalogue,
      places.map(at => documents[at]!),
    );
    for (const at of places) {
      const before = known.documents[at];
      for (const { alias } of (before && byDocument.get(before)) ?? []) drop(known.byName, alias, at);
      for (const one of byDocument.get(documents[at]!) ?? []) add(known.byName, one, at);
    }
    known.documents = [...documents];
    known.seq = seq;
    byCatalogue.set(catalogue, known);
    return known;
  };
  return catalogue => name => {
    const found = listedFor(catalogue).byName.get(name.toLowerCase()) ?? [];
    return found.slice(0, mostOfOneName).map(({ alias }) => alias);
  };
}

function add(byName: Map<string, AliasesOfName>, alias: ExportAlias, document: number): void {
  const name = alias.alias.toLowerCase();
  const some = byName.get(name);
  if (some === undefined) byName.set(name, [{ document, alias }]);
  else {
    const next = some.findLastIndex(one => one.document <= document) + 1;
    some.splice(next, 0, { document, alias });
  }
}

function drop(byName: Map<string, AliasesOfName>, alias: string, document: number): void {
  const name = alias.toLowerCase();
  const kept = (byName.get(name) ?? []).filter(one => one.document !== document);
  if (kept.length === 0) byName.delete(name);
  else byName.set(name, kept);
}
