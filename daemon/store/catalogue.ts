import type { ScopeKey } from '../model/document.ts';
import type { RepoPath } from '../model/paths.ts';
import {
  type Catalogue,
  type CatalogueDocument,
  catalogueOf,
  documentsBefore,
  inTest,
  type Part,
} from './catalogue-columns.ts';
import { type PatchedPart, patchCatalogue } from './catalogue-patch.ts';
import { scopeAt } from './document-view.ts';
import { BrokenLinks, type LinkBody } from './link-body.ts';
import { checkLink, decodeBody, linkAt, storedBody } from './link-table.ts';
import { firstDocument, type LinkRow, lastDocument, type Prepare } from './rows.ts';
import { StoreError } from './store-faults.ts';

/** Catalogues of one connection: the newest snapshot of each repository, brought along from publication to publication. */
export interface Catalogues {
  at(repo: number, seq: number): Catalogue;
  /** The one that is there already. */
  known(repo: number, seq: number): Catalogue | undefined;
}

interface Kept {
  readonly catalogue: Catalogue;
  readonly names: NameRows;
}

const cataloguesKept = 4;

export function catalogues(prepare: Prepare): Catalogues {
  const kept = new Map<number, Kept>();
  const knownAt = (repo: number, seq: number): Catalogue | undefined => {
    const known = kept.get(repo)?.catalogue;
    return known?.seq === seq ? known : undefined;
  };
  return {
    known: knownAt,
    at: (repo, seq) => {
      const same = knownAt(repo, seq);
      if (same !== undefined) return same;
      const known = kept.get(repo);
      // An older snapshot, asked for by a cursor: read once more, and the newest one stays.
      if (known !== undefined && seq < known.catalogue.seq) return build(repo, seq, prepare).catalogue;
      const next = known === undefined ? build(repo, seq, prepare) : advance(known, repo, seq, prepare);
      kept.delete(repo);
      kept.set(repo, next);
      if (kept.size > cataloguesKept) for (const oldest of [...kept.keys()].slice(0, 1)) kept.delete(oldest);
      return next.catalogue;
    },
  };
}

function build(repo: number, seq: number, prepare: Prepare): Kept {
  const rows = prepare<[number, number, number, number], LinkRow & { path: string; bytes: Buffer; stored: Buffer }>(
    `SELECT link.*, document.path AS path, link_body.body AS bytes, link_body.digest AS stored
     FROM link JOIN document ON document.id = link.document JOIN link_body ON link_body.id = link.body
     WHERE link.document BETWEEN ? AND ? AND from_seq <= ? AND to_seq > ?`,
  );
  const names = nameRows(prepare);
  const parts: Part[] = [];
  for (const row of rows.iterate(firstDocument(repo), lastDocument(repo), seq, seq)) {
    checkLink(row, row.path, row.stored, row.bytes, prepare);
    parts.push(partOf(row, row.path, decodeBody(row.bytes, row.body), names, prepare));
  }
  return { names, catalogue: catalogueOf({ seq, names: names.all }, parts) };
}

/** The next snapshot from the one before: only what the publications between touched is read again. */
function advance(known: Kept, repo: number, seq: number, prepare: Prepare): Kept {
  const { catalogue: before, names } = known;
  const changed = prepare<[number, number, number], { document: number; path: string }>(
    `SELECT DISTINCT changed.document, document.path FROM changed LEFT JOIN document ON document.id = changed.document
     WHERE changed.repo = ? AND seq > ? AND seq <= ?`,
  ).all(repo, before.seq, seq);
  const isLogWhole =
    prepare<[number, number], { n: number }>('SELECT count(*) AS n FROM snapshot WHERE repo = ? AND seq = ?').get(
      repo,
      before.seq,
    )?.n === 1;
  if (!isLogWhole || isMostlyGone(before)) return build(repo, seq, prepare);
  const parts = changed.flatMap(({ document, path }) => partNow(document, path, seq, names, prepare) ?? []);
  const staying = parts.length === changed.length ? numbered(parts, before) : undefined;
  if (staying !== undefined && patchCatalogue(before, seq, staying)) return known;
  const isChanged = new Set(changed.map(({ document }) => document));
  const isLeftOut = ({ document }: CatalogueDocument): boolean => isChanged.has(document);
  return { names, catalogue: catalogueOf({ seq, names: names.all }, parts, before, isLeftOut) };
}

function partNow(document: number, path: string, seq: number, names: NameRows, prepare: Prepare): Part | undefined {
  const row = linkAt(document, seq, prepare);
  if (row === undefined) return undefined;
  const stored = storedBody(row.body, prepare);
  checkLink(row, path, stored.digest, stored.body, prepare);
  return partOf(row, path, decodeBody(stored.body, row.body), names, prepare);
}

/** The parts with the numbers of their documents; undefined where one of these has come only now. */
function numbered(parts: readonly Part[], { documents }: Catalogue): readonly PatchedPart[] | undefined {
  const found = parts.map(part => ({ part, document: documentsBefore(documents, part.place.path) }));
  return found.every(({ part, document }) => documents[document]?.document === part.place.document) ? found : undefined;
}

const goneNamesKept = 1_000;

/** Names stay when nothing bears them any more; but not for ever. */
function isMostlyGone({ names, symbolCounts, touched }: Catalogue): boolean {
  if (touched.length < goneNamesKept) return false;
  let gone = 0;
  for (let name = 0; name < names.length; name++) if (symbolCounts[name] === 0) gone++;
  return gone > goneNamesKept && gone * 2 > names.length;
}

function partOf(row: LinkRow, path: string, links: LinkBody, nameNumbers: NameRows, prepare: Prepare): Part {
  try {
    const count = links.definitionCount;
    const names = new Uint32Array(count);
    const traits = new Uint16Array(count);
    const slots = new Uint32Array(count);
    const ofTest = row.is_test === 1 ? inTest : 0;
    for (let index = 0; index < count; index++) {
      names[index] = nameNumbers.indexOf(links.nameAt(index));
      traits[index] = links.traitsAt(index) | ofTest;
      slots[index] = links.primarySlotAt(index);
    }
    return {
      place: catalogueDocument(row, path, scopeAt(row, path, prepare)),
      symbols: links.symbols(),
      names,
      traits,
      slots,
    };
  } catch (error) {
    if (error instanceof BrokenLinks) throw new StoreError('corrupt', 'links are damaged', error);
    throw error;
  }
}

/** Most scopes are the path: then they are one text. */
function catalogueDocument(
  { document, fact, is_test, language }: LinkRow,
  path: string,
  scope: string,
): CatalogueDocument {
  return {
    ...{ document, fact, language, isTest: is_test === 1 },
    path: path as RepoPath,
    scope: (scope === path ? path : scope) as ScopeKey,
  };
}

/** Names by their rows, each read once. */
interface NameRows {
  indexOf(row: number): number;
  /** In the order in which they came; it grows. */
  readonly all: readonly string[];
}

function nameRows(prepare: Prepare): NameRows {
  const indexes = new Map<number, number>();
  const text = prepare<[number], { text: string }>('SELECT text FROM name WHERE id = ?');
  const names: string[] = [];
  return {
    all: names,
    indexOf: row => {
      const known = indexes.get(row);
      if (known !== undefined) return known;
      const found = text.get(row)?.text;
      if (found === undefined) throw new StoreError('corrupt', `name ${row} is missing`);
      indexes.set(row, names.length);
      return names.push(found) - 1;
    },
  };
}
