import { exportingLanguages } from '../export-aliases.ts';
import type { Prepare } from '../rows.ts';
import { keyOf, snapshotDigest } from '../snapshot-table.ts';
import { type Catalogues, linkDigests } from './catalogue.ts';
import { encodedCatalogue, type NamedCatalogue, type Section } from './codec.ts';
import type { Catalogue, CatalogueDocument } from './columns.ts';
import { digestBytes, writeCatalogue } from './file.ts';
import type { CatalogueRows } from './rows.ts';

/** What it takes to write catalogues down. */
export interface Keeping {
  readonly indexFile: string;
  readonly epoch: string;
  readonly catalogues: Pick<Catalogues, 'known' | 'unkept' | 'kept'>;
  readonly rows: Pick<CatalogueRows, 'tellEnclosing'>;
  /** Looks up what a document exports under other names. */
  readonly tellAliases: (document: CatalogueDocument, seq: number) => void;
  readonly prepare: Prepare;
  /** Runs something over one state of the file. */
  readonly read: <T>(work: () => T) => T;
}

/** Documents whose facts are read at one step, some 5 ms. */
const documentsPerStep = 100;

/**
 * Writes down the catalogues that are worth it, so that the first search after a start, or after a rest, finds one. A step
 * at a time, between which others may be brought to the next snapshot: those are left for the next time.
 */
export function* keepCatalogues(keeping: Keeping): Generator<void, void> {
  for (const { repo, named } of keeping.catalogues.unkept()) {
    try {
      yield* keepCatalogue(keeping, repo, named);
    } catch {
      // Without the file a search takes longer, and damage shows itself to whoever asks: another try would end as this one.
      keeping.catalogues.kept(repo);
    }
  }
}

function* keepCatalogue(keeping: Keeping, repo: number, named: NamedCatalogue): Generator<void, void> {
  const { catalogue } = named;
  const { seq, chains, documents } = catalogue;
  const isSame = (): boolean => keeping.catalogues.known(repo, seq) === catalogue;
  for (let from = 0; from < documents.length; from += documentsPerStep) {
    const to = Math.min(from + documentsPerStep, documents.length);
    keeping.read(() => {
      keeping.rows.tellEnclosing(catalogue, from, to);
      const exporting = documents.slice(from, to).filter(({ language }) => exportingLanguages.has(language));
      for (const document of exporting) keeping.tellAliases(document, seq);
    });
    yield;
    if (!isSame()) return;
  }
  chains.rest();
  const made: Partial<Record<Section, Uint8Array>> = {};
  for (const [section, bytes] of encodedCatalogue(named)) {
    made[section] = bytes;
    yield;
    if (!isSame()) return;
  }
  write(keeping, repo, catalogue, made as Record<Section, Uint8Array>);
}

function write(
  { indexFile, epoch, catalogues, prepare, read }: Keeping,
  repo: number,
  catalogue: Catalogue,
  made: Readonly<Record<Section, Uint8Array>>,
): void {
  const { seq } = catalogue;
  const { key, keys, snapshot, digests } = read(() => ({
    snapshot: snapshotDigest(repo, seq, prepare),
    key: keyOf(repo, prepare),
    keys: prepare<[], string>('SELECT key FROM repo').pluck().all(),
    digests: digestsOf(repo, catalogue, prepare),
  }));
  if (key === undefined || snapshot === undefined) return;
  writeCatalogue(indexFile, epoch, key, { ...made, seq, snapshot, digests }, keys);
  catalogues.kept(repo);
}

function digestsOf(repo: number, { documents, seq }: Catalogue, prepare: Prepare): Uint8Array {
  const indexes = new Map(documents.map(({ document }, index) => [document, index]));
  const digests = new Uint8Array(documents.length * digestBytes);
  for (const { document, digest } of linkDigests(repo, seq, prepare)) {
    const index = indexes.get(document);
    if (index !== undefined) digests.set(digest, index * digestBytes);
  }
  return digests;
}
