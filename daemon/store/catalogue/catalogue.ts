import type { ScopeKey } from '../../model/document.ts';
import { inOneGo } from '../../model/in-one-go.ts';
import { keepNewest } from '../../model/keep-newest.ts';
import type { RepoPath } from '../../model/paths.ts';
import { scopeAt } from '../entry-table.ts';
import { BrokenLinks, type LinkBody } from '../link-body.ts';
import { checkLink, checkLinkOver, decodeBody, linkAt, storedBody } from '../link-table.ts';
import { firstDocument, type LinkRow, lastDocument, type Prepare } from '../rows.ts';
import { snapshotDigest } from '../snapshot-table.ts';
import { StoreError } from '../store-faults.ts';
import { decodedCatalogue, type NamedCatalogue } from './codec.ts';
import {
  type Catalogue,
  type CatalogueDocument,
  catalogueInSteps,
  catalogueOf,
  documentsBefore,
  inOrder,
  inTest,
  type Part,
} from './columns.ts';
import { type CatalogueFile, digestBytes } from './file.ts';
import { type NameRows, nameRows } from './names.ts';
import { type PatchedPart, patchCatalogue } from './patch.ts';

/** Catalogues of one connection: the newest snapshot of each repository, brought along from publication to publication. */
export interface Catalogues {
  at(repo: number, seq: number): Catalogue;
  /** The one that is there already. */
  known(repo: number, seq: number): Catalogue | undefined;
  /** Makes the first of a repository, which `at` then has, a step at a time; returns whether there was none. */
  beginning(repo: number, seq: number): Generator<void, boolean>;
  /** Those that it would cost much to make again and whose file is missing or says other things, with what to write into it. */
  unkept(): readonly { readonly repo: number; readonly named: NamedCatalogue }[];
  /** To be told that there is nothing more to write of one. */
  kept(repo: number): void;
}

interface Kept extends NamedCatalogue {
  readonly names: NameRows;
  /** Of how many documents the file says other things; undefined where there is none. */
  behind: number | undefined;
}

export interface CataloguesOptions {
  /** Reads the file of a repository's catalogue. */
  readonly file: (repo: number) => CatalogueFile | undefined;
  /** Of so many definitions one is kept in a file. */
  readonly fromDefinitions: number;
}

const cataloguesKept = 4;

export function catalogues(prepare: Prepare, { file, fromDefinitions }: CataloguesOptions): Catalogues {
  const kept = new Map<number, Kept>();
  let older: { readonly repo: number; readonly catalogue: Catalogue } | undefined;
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
      // An older snapshot, over which cursors go on: the newest one stays, and of older ones the last that was asked for.
      if (known !== undefined && seq < known.catalogue.seq) {
        const last = older?.repo === repo && older.catalogue.seq === seq ? older.catalogue : undefined;
        older = { repo, catalogue: last ?? build(repo, seq, prepare).catalogue };
        return older.catalogue;
      }
      const next =
        known === undefined ? inOneGo(begin(repo, seq, file(repo), prepare)) : advance(known, repo, seq, prepare);
      keepNewest(kept, repo, next, cataloguesKept);
      return next.catalogue;
    },
    *beginning(repo, seq) {
      const isThere = (): boolean => kept.has(repo);
      if (isThere()) return false;
      const next = yield* begin(repo, seq, file(repo), prepare);
      // Between steps somebody else may have made one, or the snapshot's rows may have gone.
      if (!isThere() && snapshotDigest(repo, seq, prepare) !== undefined) keepNewest(kept, repo, next, cataloguesKept);
      return true;
    },
    unkept: () =>
      [...kept].flatMap(([repo, named]) => {
        const { catalogue, behind } = named;
        const isLarge = catalogue.size >= fromDefinitions;
        return isLarge && isFarBehind(catalogue, behind) ? [{ repo, named }] : [];
      }),
    kept: repo => {
      const known = kept.get(repo);
      if (known !== undefined) known.behind = 0;
    },
  };
}

/** A document takes some 0.1 ms to read again. */
function isFarBehind({ documents }: Catalogue, behind: number | undefined): boolean {
  return behind === undefined || behind > 100 + documents.length / 50;
}

/** From the file, or from all rows where that is not there or says too much else. */
function* begin(repo: number, seq: number, file: CatalogueFile | undefined, prepare: Prepare): Generator<void, Kept> {
  const known = file === undefined ? undefined : yield* fromFile(file, repo, seq, prepare);
  return known ?? (yield* building(repo, seq, prepare));
}

function* fromFile(
  file: CatalogueFile,
  repo: number,
  seq: number,
  prepare: Prepare,
): Generator<void, Kept | undefined> {
  yield;
  const { catalogue, nameRows: rows } = yield* decodedCatalogue(file, file.seq);
  const isItsPast = file.seq <= seq && snapshotDigest(repo, file.seq, prepare) === file.snapshot;
  const changed = isItsPast
    ? changedDocuments(repo, file.seq, seq, prepare)
    : differingDocuments(catalogue, file.digests, repo, seq, prepare);
  if (changed.length * 2 > catalogue.documents.length) return undefined;
  const names = nameRows(prepare, catalogue.names as string[], rows as number[]);
  return brought({ catalogue, names, nameRows: rows, behind: 0 }, seq, changed, prepare);
}

/** Documents whose links at a sequence have another digest than these, those that are gone among them. */
function differingDocuments(
  { documents }: Catalogue,
  digests: Uint8Array,
  repo: number,
  seq: number,
  prepare: Prepare,
): readonly ChangedDocument[] {
  const indexes = new Map(documents.map(({ document }, index) => [document, index]));
  const differing: number[] = [];
  for (const { document, digest } of linkDigests(repo, seq, prepare)) {
    const index = indexes.get(document);
    const isSame =
      index !== undefined && digest.equals(digests.subarray(index * digestBytes, (index + 1) * digestBytes));
    if (!isSame) differing.push(document);
    else indexes.delete(document);
  }
  const path = prepare<[number], string>('SELECT path FROM document WHERE id = ?').pluck();
  const all = new Set([...differing, ...indexes.keys()]);
  return [...all].map(document => ({ document, path: path.get(document) ?? '' }));
}

/** Of each document of a snapshot the beginning of its link row's digest: that covers facts, symbols and names by their rows. */
export function* linkDigests(repo: number, seq: number, prepare: Prepare) {
  const rows = prepare<[number, number, number, number], [document: number, digest: Buffer]>(
    'SELECT document, digest FROM link WHERE document BETWEEN ? AND ? AND from_seq <= ? AND to_seq > ?',
  ).raw();
  for (const [document, digest] of rows.iterate(firstDocument(repo), lastDocument(repo), seq, seq)) {
    yield { document, digest: digest.subarray(0, digestBytes) };
  }
}

function build(repo: number, seq: number, prepare: Prepare): Kept {
  return inOneGo(building(repo, seq, prepare));
}

/** Documents that are read at one step, some 5 ms. */
const documentsPerStep = 100;

function* building(repo: number, seq: number, prepare: Prepare): Generator<void, Kept> {
  const rows = prepare<
    [number, number, number, number, number],
    LinkRow & { path: string; bytes: Buffer; stored: Buffer; facts: Buffer | null }
  >(
    `SELECT link.*, document.path AS path, link_body.body AS bytes, link_body.digest AS stored, fact_body.digest AS facts
     FROM link JOIN document ON document.id = link.document JOIN link_body ON link_body.id = link.body
     LEFT JOIN fact_body ON fact_body.id = link.fact
     WHERE link.document BETWEEN ? AND ? AND from_seq <= ? AND to_seq > ? ORDER BY link.document LIMIT ?`,
  );
  const names = nameRows(prepare);
  const parts: Part[] = [];
  for (let from = firstDocument(repo); ; ) {
    const some = rows.all(from, lastDocument(repo), seq, seq, documentsPerStep);
    for (const row of some) {
      checkLinkOver(row, row.path, { fact: row.facts, body: row.stored }, row.bytes);
      // All of them at once would take longest.
      parts.push(inOrder(partOf(row, row.path, decodeBody(row.bytes, row.body), names.indexOf, prepare)));
    }
    if (some.length < documentsPerStep) break;
    from = some.at(-1)!.document + 1;
    yield;
  }
  const catalogue = yield* catalogueInSteps({ seq, names: names.all }, parts);
  return { names, nameRows: names.rows, catalogue, behind: undefined };
}

interface ChangedDocument {
  readonly document: number;
  readonly path: string;
}

/** The next snapshot from the one before: only what the publications between touched is read again. */
function advance(known: Kept, repo: number, seq: number, prepare: Prepare): Kept {
  const before = known.catalogue;
  const isLogWhole = snapshotDigest(repo, before.seq, prepare) !== undefined;
  if (!isLogWhole || isMostlyGone(before)) return build(repo, seq, prepare);
  return brought(known, seq, changedDocuments(repo, before.seq, seq, prepare), prepare);
}

/** What publications between two snapshots, of which the first is still kept, touched. */
function changedDocuments(repo: number, from: number, to: number, prepare: Prepare): readonly ChangedDocument[] {
  return prepare<[number, number, number], ChangedDocument>(
    `SELECT DISTINCT changed.document, document.path FROM changed LEFT JOIN document ON document.id = changed.document
     WHERE changed.repo = ? AND seq > ? AND seq <= ?`,
  ).all(repo, from, to);
}

/** A catalogue with some documents read again. */
function brought(known: Kept, seq: number, changed: readonly ChangedDocument[], prepare: Prepare): Kept {
  const { catalogue: before, names } = known;
  const parts = changed.flatMap(({ document, path }) => partNow(document, path, seq, names, prepare) ?? []);
  const staying = parts.length === changed.length ? numbered(parts, before) : undefined;
  if (known.behind !== undefined) known.behind += changed.length;
  if (staying !== undefined && patchCatalogue(before, seq, staying)) return known;
  const isChanged = new Set(changed.map(({ document }) => document));
  const isLeftOut = ({ document }: CatalogueDocument): boolean => isChanged.has(document);
  return { ...known, catalogue: catalogueOf({ seq, names: names.all }, parts, before, isLeftOut) };
}

function partNow(document: number, path: string, seq: number, names: NameRows, prepare: Prepare): Part | undefined {
  const row = linkAt(document, seq, prepare);
  if (row === undefined) return undefined;
  const stored = storedBody(row.body, prepare);
  checkLink(row, path, stored.digest, stored.body, prepare);
  return partOf(row, path, decodeBody(stored.body, row.body), names.indexNow, prepare);
}

/** The parts with the numbers of their documents; undefined where one of these has come only now. */
function numbered(parts: readonly Part[], { documents }: Catalogue): readonly PatchedPart[] | undefined {
  const found = parts.map(part => ({ part, document: documentsBefore(documents, part.place.path) }));
  return found.every(({ part, document }) => documents[document]?.document === part.place.document) ? found : undefined;
}

const goneNamesKept = 1_000;

/** Names stay when nothing bears them any more; but not for ever. It is looked at where many were touched, or all is new. */
function isMostlyGone({ names, symbolCounts, touched }: Catalogue): boolean {
  if (touched.length > 0 && touched.length < goneNamesKept) return false;
  let gone = 0;
  for (let name = 0; name < names.length; name++) if (symbolCounts[name] === 0) gone++;
  return gone > goneNamesKept && gone * 2 > names.length;
}

function partOf(
  row: LinkRow,
  path: string,
  links: LinkBody,
  nameNumber: (row: number) => number,
  prepare: Prepare,
): Part {
  try {
    const count = links.definitionCount;
    const names = new Uint32Array(count);
    const traits = new Uint16Array(count);
    const slots = new Uint32Array(count);
    const ofTest = row.is_test === 1 ? inTest : 0;
    for (let index = 0; index < count; index++) {
      names[index] = nameNumber(links.nameAt(index));
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
