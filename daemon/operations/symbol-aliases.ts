import type { Catalogue, CatalogueDocument } from '../store/catalogue-columns.ts';
import type { ExportAlias } from '../store/export-aliases.ts';
import type { IndexReader } from '../store/index-reader.ts';

/** By name, whatever its case: what is exported under it, though defined under another. */
export type AliasesOf = (name: string) => readonly ExportAlias[];

/** Those in which a module says what it exports. */
const exportingLanguages: ReadonlySet<string> = new Set(['typescript', 'javascript']);

/** Built code exports hundreds of things as `t`; nobody looks for them. */
const mostOfOneName = 50;

/**
 * The export aliases of catalogues. Few modules have any, and which do is in their facts, 10 µs each: they are read when
 * a name is first asked for that nothing bears, and later those of documents that changed.
 */
export function aliasesOfCatalogues(reader: Pick<IndexReader, 'exportAliases'>): (catalogue: Catalogue) => AliasesOf {
  const byDocument = new WeakMap<CatalogueDocument, readonly ExportAlias[]>();
  const byCatalogue = new WeakMap<Catalogue, ReadonlyMap<string, readonly ExportAlias[]>>();
  const read = (catalogue: Catalogue): ReadonlyMap<string, readonly ExportAlias[]> => {
    const exporting = catalogue.documents.filter(({ language }) => exportingLanguages.has(language));
    const unknown = exporting.filter(document => !byDocument.has(document));
    reader.exportAliases(catalogue, unknown).forEach((aliases, at) => {
      byDocument.set(unknown[at]!, aliases);
    });
    const byName = new Map<string, ExportAlias[]>();
    for (const document of exporting) {
      for (const one of byDocument.get(document)!) {
        const name = one.alias.toLowerCase();
        const some = byName.get(name) ?? [];
        if (some.length === 0) byName.set(name, some);
        if (some.length < mostOfOneName) some.push(one);
      }
    }
    return byName;
  };
  return catalogue => name => {
    const known = byCatalogue.get(catalogue) ?? read(catalogue);
    byCatalogue.set(catalogue, known);
    return known.get(name.toLowerCase()) ?? [];
  };
}
