import { referenceKinds } from '../model/facts-format.ts';
import type { ImportedSymbol } from '../model/imported-symbol.ts';
import type { ImportTarget, Target } from '../model/links.ts';
import { scopeOfTail } from '../model/mount.ts';
import { once } from '../model/once.ts';
import { allGroups } from '../model/reference-groups.ts';
import { BrokenLinks, LinkBody } from './link-body.ts';
import { callBits } from './link-encoding.ts';
import { type DefinedSymbol, elsewhere, type LinkContent, type Occurrence } from './link-format.ts';
import type { FactKey, LinkedDocument } from './publication.ts';
import {
  digestOf,
  firstDocument,
  isDigest,
  type LinkRow,
  lastDocument,
  linkDigest,
  openEnd,
  type Prepare,
} from './rows.ts';
import { StoreError } from './store-faults.ts';

export type SettledTarget = Exclude<Target, { readonly kind: 'candidate' | 'own' | 'kept' }>;

/** Numbers of symbols and names. */
export interface Numbering {
  symbolOf(scope: string, tail: string): number;
  symbolOfTarget(target: SettledTarget): number;
  nameOf(text: string): number;
}

/** A document's facts and links with the numbers that they speak of. */
export function linkContent({ document, links }: LinkedDocument, numbering: Numbering): LinkContent {
  const { references, parseErrors } = document.facts;
  if (links.targets.length !== references.length) throw new Error(`${document.path}: a target for each reference`);
  // Where other groups are as they were, so are the definitions.
  const definitions = links.linked === allGroups ? document.facts.definitions : [];
  const defined = new Map<number, DefinedSymbol>();
  const slots = definitions.map((definition, slot) => {
    const symbol = numbering.symbolOf(scopeOfTail(document, definition.tail), definition.tail);
    const known = defined.get(symbol);
    if (known === undefined || (definition.hasBody && !known.hasBody)) {
      const { kind, visibility, exported, hasBody } = definition;
      defined.set(symbol, {
        symbol,
        name: numbering.nameOf(definition.name),
        kind,
        visibility,
        exported,
        hasBody,
        slot,
      });
    }
    return symbol;
  });
  const targets = new Map<number, Occurrence[]>();
  // References that say the same share their target.
  const met = new Map<Target, Occurrence[]>();
  const unresolved = new Map<number, number[]>();
  links.targets.forEach((target, reference) => {
    if (target.kind === 'own' || target.kind === 'kept') return;
    if (target.kind === 'candidate') {
      const { name, kind } = references[reference]!;
      const use = target.isElsewhere === true ? elsewhere : referenceKinds.indexOf(kind);
      append(unresolved, numbering.nameOf(name), reference * 8 + use);
      return;
    }
    let occurrences = met.get(target);
    if (occurrences === undefined) {
      occurrences = groupOf(targets, numbering.symbolOfTarget(target));
      met.set(target, occurrences);
    }
    occurrences.push({ reference, confidence: target.kind === 'symbol' ? target.confidence : 1 });
  });
  return {
    isPartial: parseErrors > 0,
    definitions: [...defined.values()],
    slots,
    targets,
    unresolved,
    calls: callBits(references.length, at => references[at]!.kind),
    imports: links.imports.map(one => importedSymbol(one, numbering)),
  };
}

/** Files are symbols as definitions are, of which none has their tail. */
function importedSymbol(target: ImportTarget, numbering: Numbering): ImportedSymbol | undefined {
  const { kind } = target;
  switch (kind) {
    case 'file':
      return { kind, symbol: numbering.symbolOf(target.path, '') };
    case 'scope':
      return { kind, symbol: numbering.symbolOf(target.scope, '') };
    case 'definition':
      return { kind, symbol: numbering.symbolOf(target.scope, target.tail) };
    case 'external': {
      const { manager, package: of } = target;
      return { kind, symbol: numbering.symbolOfTarget({ kind, manager, package: of, name: '' }) };
    }
    case 'unresolved':
      return undefined;
  }
}

function append<Value>(groups: Map<number, Value[]>, key: number, value: Value): void {
  groupOf(groups, key).push(value);
}

function groupOf<Value>(groups: Map<number, Value[]>, key: number): Value[] {
  const known = groups.get(key);
  if (known !== undefined) return known;
  const made: Value[] = [];
  groups.set(key, made);
  return made;
}

/** The version of a document's links that holds at a sequence. */
export function linkAt(document: number, seq: number, prepare: Prepare): LinkRow | undefined {
  const row = prepare<[number, number], LinkRow>(
    'SELECT * FROM link WHERE document = ? AND from_seq <= ? ORDER BY from_seq DESC LIMIT 1',
  ).get(document, seq);
  return row !== undefined && row.to_seq > seq ? row : undefined;
}

export function currentLink(document: number, prepare: Prepare): LinkRow | undefined {
  return linkAt(document, openEnd - 1, prepare);
}

/** A link body, decoded; throws `StoreError` where it is missing or no link body. */
export function linkBody(id: number, prepare: Prepare): LinkBody {
  return decodeBody(storedBody(id, prepare).body, id);
}

export function storedBody(id: number, prepare: Prepare): { readonly digest: Buffer; readonly body: Buffer } {
  const row = prepare<[number], { digest: Buffer; body: Buffer }>(
    'SELECT digest, body FROM link_body WHERE id = ?',
  ).get(id);
  if (row === undefined) throw new StoreError('corrupt', `links ${id} are missing`);
  return row;
}

export function decodeBody(bytes: Uint8Array, id: number): LinkBody {
  try {
    return new LinkBody(bytes);
  } catch (error) {
    if (error instanceof BrokenLinks) throw new StoreError('corrupt', `links ${id} are damaged`, error);
    throw error;
  }
}

/** A version of a document's links, with all that is stored under it and what its digests cover. */
export interface StoredLink extends LinkRow {
  readonly path: string;
  readonly bodyDigest: Buffer;
  readonly bytes: Buffer;
  readonly asked: Buffer;
  readonly factDigest: Buffer;
  /** Of the facts. */
  readonly key: FactKey;
  readonly links: () => LinkBody;
}

type StoredRow = LinkRow & { readonly [Part in StoredPart]: StoredLink[Part] | null } & Omit<FactKey, 'hash'> & {
    readonly hash: string | null;
  };
type StoredPart = 'path' | 'bodyDigest' | 'bytes' | 'asked' | 'factDigest';

/** The version that holds at a sequence; of the newest where none is given. One read: its parts one by one would take thrice as long. */
export function storedLinkAt(document: number, prepare: Prepare, seq = openEnd - 1): StoredLink | undefined {
  const found = prepare<[number, number, number], StoredRow>(
    `SELECT link.*, path, link_body.digest AS bodyDigest, link_body.body AS bytes, asked,
       fact_body.digest AS factDigest, lower(hex(fact.hash)) AS hash, fact.dialect, fact.version
     FROM link LEFT JOIN document ON document.id = link.document LEFT JOIN link_body ON link_body.id = link.body
     LEFT JOIN fact ON fact.id = link.fact LEFT JOIN fact_body ON fact_body.id = link.fact
     WHERE link.document = ? AND from_seq <= ? AND to_seq > ? ORDER BY from_seq DESC LIMIT 1`,
  ).get(document, seq, seq);
  if (found === undefined) return undefined;
  const { path, bodyDigest, bytes, asked, factDigest, hash, dialect, version } = found;
  if (path === null) throw new StoreError('corrupt', 'a document without a path');
  if (bodyDigest === null || bytes === null || asked === null) {
    throw new StoreError('corrupt', `links ${found.body} are missing`);
  }
  if (factDigest === null || hash === null) throw new StoreError('corrupt', `facts ${found.fact} are missing`);
  const key = { hash: hash as FactKey['hash'], dialect, version };
  return {
    ...found,
    path,
    bodyDigest,
    bytes,
    asked,
    factDigest,
    key,
    links: once(() => decodeBody(bytes, found.body)),
  };
}

/** Of the facts that a version of links is of, and of its body. */
export interface LinkDigests {
  readonly fact: Buffer;
  readonly body: Buffer;
}

/** Adds a version of a document's links, over a body that is stored. */
export function addLink(row: Omit<LinkRow, 'digest'>, path: string, digests: LinkDigests, prepare: Prepare): void {
  prepare<unknown[]>(
    'INSERT INTO link (document, from_seq, to_seq, fact, body, is_test, language, evidence, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  ).run(
    ...[row.document, row.from_seq, row.to_seq, row.fact, row.body, row.is_test, row.language, row.evidence],
    linkDigest(row, path, digests.fact, digests.body),
  );
}

export function factDigest(fact: number, prepare: Prepare): Buffer {
  const row = prepare<[number], { digest: Buffer }>('SELECT digest FROM fact_body WHERE id = ?').get(fact);
  if (row === undefined) throw new StoreError('corrupt', `facts ${fact} are missing`);
  return row.digest;
}

/** Throws where a version, its path or its body doesn't hold the digest. */
export function checkLink(row: LinkRow, path: string, digest: Buffer, body: Buffer, prepare: Prepare): void {
  const fact = prepare<[number], { digest: Buffer }>('SELECT digest FROM fact_body WHERE id = ?').get(row.fact);
  checkLinkOver(row, path, { fact: fact?.digest ?? null, body: digest }, body);
}

/** As `checkLink`, over the digests that are stored of its facts (null: there are none) and of its body. */
export function checkLinkOver(
  row: LinkRow,
  path: string,
  { fact, body: digest }: { readonly fact: Buffer | null; readonly body: Buffer },
  body: Buffer,
): void {
  const holds =
    fact !== null && isDigest(digest, digestOf(body)) && isDigest(row.digest, linkDigest(row, path, fact, digest));
  if (!holds) throw new StoreError('corrupt', `links of document ${row.document} are damaged`);
}

/** The same of a version with all of it. */
export function checkStored(link: StoredLink): void {
  checkLinkOver(link, link.path, { fact: link.factDigest, body: link.bodyDigest }, link.bytes);
}

/** The questions that a link body rests on, packed: see `asked.ts`. */
export function askedFor(id: number, prepare: Prepare): Buffer {
  const row = prepare<[number], { asked: Buffer }>('SELECT asked FROM link_body WHERE id = ?').get(id);
  if (row === undefined) throw new StoreError('corrupt', `links ${id} are missing`);
  return row.asked;
}

export function addBody(digest: Buffer, body: Uint8Array, asked: Uint8Array, prepare: Prepare): number {
  const row = prepare<[Buffer, Uint8Array, Uint8Array]>(
    'INSERT INTO link_body (digest, body, asked) VALUES (?, ?, ?)',
  ).run(digest, body, asked);
  return Number(row.lastInsertRowid);
}

/** Whether a repository defines a symbol at a sequence. */
export function isDefined(symbol: number, repo: number, seq: number, prepare: Prepare): boolean {
  return definingLink(symbol, repo, seq, prepare) !== undefined;
}

/**
 * The language that a symbol is one of at a sequence: that of the files that define it, the first by name where they are of
 * several; undefined where none does.
 */
export function languageDefining(symbol: number, repo: number, seq: number, prepare: Prepare): string | undefined {
  const some = definingLink(symbol, repo, seq, prepare)?.language;
  if (some === undefined || !sharesSymbols(some)) return some;
  const find = prepare<[number, number, number, string, number, number], { body: number; language: string }>(
    `SELECT body, language FROM definition JOIN link ON link.document = definition.document
     WHERE key = ? AND definition.document BETWEEN ? AND ? AND language < ? AND from_seq <= ? AND to_seq > ?
     ORDER BY language`,
  ).all(symbol, firstDocument(repo), lastDocument(repo), some, seq, seq);
  const first = find.find(({ body }) => linkBody(body, prepare).indexOfSymbol(symbol) >= 0);
  return first?.language ?? some;
}

/** Whether files of another language may define the same symbols. */
export function sharesSymbols(language: string): boolean {
  return language === 'c' || language === 'cpp';
}

function definingLink(symbol: number, repo: number, seq: number, prepare: Prepare): LinkRow | undefined {
  const find = prepare<[number, number, number], { document: number }>(
    'SELECT document FROM definition WHERE key = ? AND document BETWEEN ? AND ?',
  );
  for (const { document } of find.all(symbol, firstDocument(repo), lastDocument(repo))) {
    const row = linkAt(document, seq, prepare);
    if (row !== undefined && linkBody(row.body, prepare).indexOfSymbol(symbol) >= 0) return row;
  }
  return undefined;
}
