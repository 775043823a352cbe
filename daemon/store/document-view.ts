import type { ScopeKey } from '../model/document.ts';
import { BrokenFacts, FactsView } from '../model/facts-codec.ts';
import { marksTests } from '../model/families.ts';
import { symbolHash } from '../model/identity.ts';
import { scopeOfTail } from '../model/mount.ts';
import { once } from '../model/once.ts';
import type { Holds, LinkedDocumentView } from './effective-links.ts';
import { type CheckedFacts, factsAndTextOf, factsOf, inflated, textOf } from './fact-table.ts';
import type { InputDigests } from './inputs.ts';
import { decodeBody } from './link-table.ts';
import { type LinkVersion, linkVersions } from './link-versions.ts';
import { holdingAt, preciseBody, preciseRow } from './precise-table.ts';
import { firstDocument, lastDocument, type Prepare } from './rows.ts';
import { snapshotOf } from './snapshot-table.ts';
import { sourceLines, wholeText } from './source-lines.ts';
import { StoreError } from './store-faults.ts';

/** One document as a snapshot has it; its parts are read when they are asked for. Throws `StoreError` `corrupt` where a digest doesn't hold. */
export interface DocumentView extends LinkedDocumentView {
  readonly document: number;
  readonly path: string;
  readonly isTest: boolean;
  readonly language: string;
  readonly facts: () => FactsView;
  /** Reads facts and text in one go: for who wants both, half of what two reads take. */
  readonly readWhole: () => void;
  readonly scope: ScopeKey;
  /** Whether a line, 0-based, is test code: the file is a test, or marks it as such. */
  readonly isOfTests: (line: number) => boolean;
  /** A line of the snapshot's text, 0-based; '' past the end. */
  readonly line: (line: number) => string;
  /** All of the snapshot's text. */
  readonly text: () => string;
  /** Of what else the indexer saw that `precise` is from; '' without any. */
  readonly context: () => string;
  /** Identity of a slot's definition, 32 hex digits. */
  readonly hashOf: (slot: number) => string;
}

export interface DocumentViews {
  /** The document at a sequence; undefined where that snapshot has no links of it. */
  at(document: number, seq: number): DocumentView | undefined;
  /** Which symbols hold in a repository at a sequence. */
  holding(repo: number, seq: number): Holds;
  /** What indexers have to read in a repository at a sequence. */
  inputs(repo: number, seq: number): InputDigests;
  /** How often the newest snapshot of a repository, which that sequence is, leaves a name unsettled. */
  usesLeft(name: number, repo: number, newest: number): number;
}

/** A view, a sequence that it is known to be of, and the version that it is of: closing that changes what its digest covers. */
interface KeptView {
  view: DocumentView;
  seq: number;
  readonly from: number;
  readonly to: number;
  bytes: number;
}

/** Views over one connection, kept up to `cacheBytes`, the least recently used leaving first. */
export function documentViews(prepare: Prepare, cacheBytes: number, checkedFacts: CheckedFacts): DocumentViews {
  const cache = new Map<number, KeptView>();
  const versions = linkVersions(prepare);
  let lastHolding: { readonly repo: number; readonly seq: number; readonly holds: Holds } | undefined;
  let lastUses: { readonly repo: number; readonly seq: number; readonly uses: Map<number, number> } | undefined;
  let lastInputs: { readonly repo: number; readonly seq: number; readonly inputs: InputDigests } | undefined;
  let bytes = 0;
  const version = prepare<[number, number], [from: number, to: number]>(
    'SELECT from_seq, to_seq FROM link WHERE document = ? AND from_seq <= ? ORDER BY from_seq DESC LIMIT 1',
  ).raw();
  /** What a sequence says of a document never changes; whether another says the same, two numbers tell. */
  const isOf = (kept: KeptView, document: number, seq: number): boolean => {
    if (kept.seq === seq) return true;
    const [from, to] = version.get(document, seq) ?? [0, 0];
    if (to <= seq || from !== kept.from || to !== kept.to) return false;
    kept.seq = seq;
    return true;
  };
  const grow = (entry: KeptView, by: number): void => {
    entry.bytes += by;
    bytes += by;
    for (const [key, oldest] of cache) {
      if (bytes <= cacheBytes || oldest === entry) break;
      cache.delete(key);
      bytes -= oldest.bytes;
    }
  };
  return {
    at: (document, seq) => {
      const known = cache.get(document);
      if (known !== undefined) {
        cache.delete(document);
        if (isOf(known, document, seq)) {
          cache.set(document, known);
          return known.view;
        }
        bytes -= known.bytes;
      }
      const row = versions.at(document, seq);
      if (row === undefined) return undefined;
      const entry = { seq, from: row.from_seq, to: row.to_seq, bytes: 0 } as KeptView;
      entry.view = viewOf(document, row, prepare, checkedFacts, size => {
        if (cache.get(document) === entry) grow(entry, size);
      });
      cache.set(document, entry);
      grow(entry, 1_000);
      return entry.view;
    },
    holding: (repo, seq) => {
      if (lastHolding?.repo !== repo || lastHolding.seq !== seq) {
        lastHolding = { repo, seq, holds: holdingAt(repo, seq, prepare) };
      }
      return lastHolding.holds;
    },
    inputs: (repo, seq) => {
      if (lastInputs?.repo !== repo || lastInputs.seq !== seq) {
        lastInputs = { repo, seq, inputs: snapshotOf(repo, seq, prepare)?.counts.inputs ?? {} };
      }
      return lastInputs.inputs;
    },
    usesLeft: (name, repo, newest) => {
      if (lastUses?.repo !== repo || lastUses.seq !== newest || lastUses.uses.size >= sumsRemembered) {
        lastUses = { repo, seq: newest, uses: new Map() };
      }
      const uses = lastUses.uses.get(name) ?? usesOf(name, repo, prepare);
      lastUses.uses.set(name, uses);
      return uses;
    },
  };
}

/** A name of a library's is left unsettled in tens of thousands of documents. */
const sumsRemembered = 10_000;

function usesOf(name: number, repo: number, prepare: Prepare): number {
  return prepare<[number, number, number], { uses: number }>(
    'SELECT coalesce(sum(uses), 0) AS uses FROM candidate WHERE key = ? AND document BETWEEN ? AND ?',
  ).get(name, firstDocument(repo), lastDocument(repo))!.uses;
}

function viewOf(
  document: number,
  row: LinkVersion,
  prepare: Prepare,
  checkedFacts: CheckedFacts,
  onGrowth: (bytes: number) => void,
): DocumentView {
  const { path, scope } = row;
  const { facts, line, text, readWhole } = readContent(row.fact, prepare, checkedFacts, onGrowth);
  return {
    document,
    path,
    isTest: row.is_test === 1,
    isOfTests: at => row.is_test === 1 || (marksTests.has(row.language) && facts().isOfTests(at)),
    language: row.language,
    links: decodeBody(row.bytes, row.body),
    precise: row.evidence === 0 ? undefined : preciseBody(row.evidence, prepare),
    context: once(() => (row.evidence === 0 ? '' : preciseRow(row.evidence, prepare).context)),
    facts,
    readWhole,
    scope,
    line,
    text,
    hashOf: slot => {
      const tail = facts().definitionTail(slot);
      return symbolHash(scopeOfTail({ path, scope }, tail), tail);
    },
  };
}

/** Facts and lines of a document, each read when it is asked for. */
function readContent(
  fact: number,
  prepare: Prepare,
  checked: CheckedFacts,
  onGrowth: (bytes: number) => void,
): Pick<DocumentView, 'facts' | 'line' | 'text' | 'readWhole'> {
  let view: FactsView | undefined;
  let read: { readonly text: Buffer; readonly line: (line: number) => string } | undefined;
  const setFacts = (bytes: Uint8Array): FactsView => {
    onGrowth(bytes.length);
    view = viewFacts(bytes, fact);
    return view;
  };
  const setText = (deflated: Uint8Array): NonNullable<typeof read> => {
    const text = inflated(deflated);
    onGrowth(text.length);
    read = { text, line: sourceLines(text) };
    return read;
  };
  const known = (): NonNullable<typeof read> => read ?? setText(textOf(fact, checked, prepare));
  return {
    facts: () => view ?? setFacts(factsOf(fact, checked, prepare)),
    line: line => known().line(line),
    text: () => wholeText(known().text),
    readWhole: () => {
      if (view !== undefined || read !== undefined) return;
      const { facts, text } = factsAndTextOf(fact, checked, prepare);
      setFacts(facts);
      setText(text);
    },
  };
}

export function viewFacts(bytes: Uint8Array, fact: number): FactsView {
  try {
    return new FactsView(bytes);
  } catch (error) {
    if (error instanceof BrokenFacts) throw new StoreError('corrupt', `facts ${fact} are damaged`, error);
    throw error;
  }
}
