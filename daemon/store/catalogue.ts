import type { ScopeKey } from '../model/document.ts';
import type { FactsView } from '../model/facts-codec.ts';
import type { RepoPath } from '../model/paths.ts';
import { checkLink, scopeAt } from './document-view.ts';
import { BrokenLinks, type LinkBody, unpackTraits } from './link-body.ts';
import { decodeBody, linkAt, storedBody } from './link-table.ts';
import { firstDocument, type LinkRow, lastDocument, type Prepare } from './rows.ts';
import { StoreError } from './store-faults.ts';

/**
 * Every definition of one snapshot in columns, for search: what a scan over all of them needs and no more (24 bytes a
 * definition and each distinct name once). It is cheaper to scan than an index on disk is to join: all matches of a
 * name, counted and ranked, without a row being read.
 */
export interface Catalogue {
  readonly seq: number;
  /** Distinct names; one that nothing bears any more keeps its place. */
  readonly names: readonly string[];
  readonly documents: readonly CatalogueDocument[];
  /**
   * The definitions of name `n` are `order[starts[n]]` to `order[starts[n + 1] - 1]`, those of one symbol side by side,
   * the site to show first in front.
   */
  readonly starts: Uint32Array;
  readonly order: Uint32Array;
  /** Per name: how many symbols bear it. */
  readonly symbolCounts: Uint32Array;
  /** Per definition: its symbol, index into `documents`, index within the document's definitions, packed traits. */
  readonly symbolOf: Uint32Array;
  readonly documentOf: Uint32Array;
  readonly indexOf: Uint32Array;
  readonly traits: Uint32Array;
  /** Per definition: the slot of its primary site in the facts. */
  readonly slots: Uint32Array;
}

export interface CatalogueDocument {
  readonly document: number;
  readonly path: RepoPath;
  readonly isTest: boolean;
  readonly language: string;
  readonly scope: ScopeKey;
  /** Row of the facts. */
  readonly fact: number;
  /** The facts themselves, where no row holds them for this catalogue: see `overlaid`. */
  readonly facts?: FactsView;
}

interface Segment extends CatalogueDocument {
  readonly symbols: Uint32Array;
  readonly names: Uint32Array;
  readonly slots: Uint32Array;
  readonly traits: Uint32Array;
}

/** Catalogues of one connection: the newest snapshot of each repository, brought along from publication to publication. */
export interface Catalogues {
  at(repo: number, seq: number): Catalogue;
}

interface Kept {
  catalogue: Catalogue;
  readonly segments: Map<number, Segment>;
  readonly nameIndex: Map<number, number>;
  readonly names: string[];
}

const cataloguesKept = 4;

export function catalogues(prepare: Prepare): Catalogues {
  const kept = new Map<number, Kept>();
  return {
    at: (repo, seq) => {
      const known = kept.get(repo);
      if (known?.catalogue.seq === seq) return known.catalogue;
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
  const segments = new Map<number, Segment>();
  const rows = prepare<[number, number, number, number], LinkRow & { path: string; bytes: Buffer; stored: Buffer }>(
    `SELECT link.*, document.path AS path, link_body.body AS bytes, link_body.digest AS stored
     FROM link JOIN document ON document.id = link.document JOIN link_body ON link_body.id = link.body
     WHERE link.document BETWEEN ? AND ? AND from_seq <= ? AND to_seq > ?`,
  );
  for (const row of rows.iterate(firstDocument(repo), lastDocument(repo), seq, seq)) {
    checkLink(row, row.path, row.stored, row.bytes, prepare);
    segments.set(row.document, segmentOf(row, row.path, decodeBody(row.bytes, row.body), prepare));
  }
  return flattened({ segments, nameIndex: new Map(), names: [] }, seq, prepare);
}

/** The next snapshot from the one before: only what the publications between touched is read again. */
function advance(known: Kept, repo: number, seq: number, prepare: Prepare): Kept {
  const changed = prepare<[number, number, number], { document: number }>(
    'SELECT DISTINCT document FROM changed WHERE repo = ? AND seq > ? AND seq <= ?',
  ).all(repo, known.catalogue.seq, seq);
  const isLogWhole =
    prepare<[number, number], { n: number }>('SELECT count(*) AS n FROM snapshot WHERE repo = ? AND seq = ?').get(
      repo,
      known.catalogue.seq,
    )?.n === 1;
  if (!isLogWhole) return build(repo, seq, prepare);
  const path = prepare<[number], { path: string }>('SELECT path FROM document WHERE id = ?');
  for (const { document } of changed) {
    const row = linkAt(document, seq, prepare);
    const stored = row === undefined ? undefined : storedBody(row.body, prepare);
    if (row === undefined || stored === undefined) {
      known.segments.delete(document);
      continue;
    }
    const text = path.get(document)!.path;
    checkLink(row, text, stored.digest, stored.body, prepare);
    known.segments.set(document, segmentOf(row, text, decodeBody(stored.body, row.body), prepare));
  }
  return flattened(known, seq, prepare);
}

function segmentOf(row: LinkRow, path: string, links: LinkBody, prepare: Prepare): Segment {
  try {
    const count = links.definitionCount;
    const names = new Uint32Array(count);
    const traits = new Uint32Array(count);
    const slots = new Uint32Array(count);
    for (let index = 0; index < count; index++) {
      names[index] = links.nameAt(index);
      traits[index] = links.traitsAt(index);
      slots[index] = links.primarySlotAt(index);
    }
    const { document, language, fact } = row;
    const place = { document, path: path as RepoPath, isTest: row.is_test === 1, language, fact };
    return { ...place, scope: scopeAt(row, prepare), symbols: links.symbols(), names, traits, slots };
  } catch (error) {
    if (error instanceof BrokenLinks) throw new StoreError('corrupt', 'links are damaged', error);
    throw error;
  }
}

/** Segments side by side, and their definitions in groups of one name (a counting sort). */
function flattened(kept: Omit<Kept, 'catalogue'>, seq: number, prepare: Prepare): Kept {
  const { nameIndex, names } = kept;
  const segments = [...kept.segments.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const count = segments.reduce((sum, segment) => sum + segment.names.length, 0);
  const documentOf = new Uint32Array(count);
  const indexOf = new Uint32Array(count);
  const traits = new Uint32Array(count);
  const nameOf = new Uint32Array(count);
  const symbolOf = new Uint32Array(count);
  const slots = new Uint32Array(count);
  const text = prepare<[number], { text: string }>('SELECT text FROM name WHERE id = ?');
  let at = 0;
  segments.forEach((segment, document) => {
    for (let index = 0; index < segment.names.length; index++, at++) {
      const row = segment.names[index]!;
      let name = nameIndex.get(row);
      if (name === undefined) {
        const found = text.get(row)?.text;
        if (found === undefined) throw new StoreError('corrupt', `name ${row} is missing`);
        name = names.push(found) - 1;
        nameIndex.set(row, name);
      }
      nameOf[at] = name;
      symbolOf[at] = segment.symbols[index]!;
      documentOf[at] = document;
      indexOf[at] = index;
      traits[at] = segment.traits[index]!;
      slots[at] = segment.slots[index]!;
    }
  });
  // A new list when there are new names: what others derive from it is remade only then.
  const published = kept as Partial<Kept>;
  const before = published.catalogue?.names;
  return {
    ...kept,
    catalogue: arranged(nameOf, {
      seq,
      names: before !== undefined && before.length === names.length ? before : [...names],
      documents: segments,
      symbolOf,
      documentOf,
      indexOf,
      traits,
      slots,
    }),
  };
}

/** Columns, with their definitions in groups by the index of their name. */
export function arranged(
  nameOf: Uint32Array,
  columns: Omit<Catalogue, 'starts' | 'order' | 'symbolCounts'>,
): Catalogue {
  const { names, symbolOf, traits } = columns;
  const { starts, order } = grouped(nameOf, names.length);
  // Columns are in path order, so the first of a symbol's sites that has a body is the one with the least index.
  const rankOf = (at: number): number => (unpackTraits(traits[at]!).hasBody ? 0 : nameOf.length) + at;
  const symbolCounts = new Uint32Array(names.length);
  for (let name = 0; name < names.length; name++) {
    const group = order.subarray(starts[name]!, starts[name + 1]!);
    if (group.length > 1) group.sort((a, b) => symbolOf[a]! - symbolOf[b]! || rankOf(a) - rankOf(b));
    let symbol = -1;
    for (const definition of group) {
      if (symbolOf[definition] !== symbol) symbolCounts[name]!++;
      symbol = symbolOf[definition]!;
    }
  }
  return { ...columns, starts, order, symbolCounts };
}

function grouped(
  nameOf: Uint32Array,
  nameCount: number,
): { readonly starts: Uint32Array; readonly order: Uint32Array } {
  const starts = new Uint32Array(nameCount + 1);
  for (const name of nameOf) starts[name + 1]!++;
  for (let name = 0; name < nameCount; name++) starts[name + 1]! += starts[name]!;
  const next = starts.slice();
  const order = new Uint32Array(nameOf.length);
  nameOf.forEach((name, definition) => {
    order[next[name]!++] = definition;
  });
  return { starts, order };
}
