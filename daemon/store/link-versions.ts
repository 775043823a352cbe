import type { ScopeKey } from '../model/document.ts';
import type { RepoPath } from '../model/paths.ts';
import { checkEntry, type EntryRow } from './entry-table.ts';
import { checkLinkOver } from './link-table.ts';
import type { LinkRow, Prepare } from './rows.ts';
import { StoreError } from './store-faults.ts';

/** A version of a document's links, with what a view of the document is made of. */
export interface LinkVersion extends Omit<LinkRow, 'document' | 'digest'> {
  readonly path: RepoPath;
  readonly scope: ScopeKey;
  /** The body. */
  readonly bytes: Buffer;
}

export interface LinkVersions {
  /**
   * The version that holds at a sequence, compared with its digests, and its entry with its own, unless they were before.
   * Throws where a digest doesn't hold, or a part is missing.
   */
  at(document: number, seq: number): LinkVersion | undefined;
}

const checksRemembered = 200_000;

/** Versions over one connection. */
export function linkVersions(prepare: Prepare): LinkVersions {
  /** By document: the version that was found to hold its digests last. */
  const checked = new Map<number, string>();
  const plain = plainVersions(prepare);
  const whole = wholeVersions(prepare);
  return {
    at: (document, seq) => {
      const known = checked.get(document);
      if (known !== undefined) {
        const version = plain(document, seq);
        if (version === undefined || nameOf(version) === known) return version;
      }
      // Read anew with all that is checked: of another reading the version may be closed by now.
      const version = whole(document, seq);
      if (version === undefined) return undefined;
      if (checked.size >= checksRemembered) checked.clear();
      checked.set(document, nameOf(version));
      return version;
    },
  };
}

function nameOf({ from_seq, to_seq }: LinkVersion): string {
  return `${from_seq}:${to_seq}`;
}

type Held = [
  from: number,
  to: number,
  fact: number,
  body: number,
  isTest: number,
  language: string,
  evidence: number,
  path: RepoPath | null,
  bytes: Buffer | null,
  scope: ScopeKey | null,
];

const withParts = `FROM link LEFT JOIN document ON document.id = link.document
  LEFT JOIN link_body ON link_body.id = link.body`;
const atSequence =
  'WHERE link.document = ? AND link.from_seq <= ? AND link.to_seq > ? ORDER BY link.from_seq DESC LIMIT 1';
/** The entry that a version of links ends with. */
const ofEntry = 'FROM entry WHERE document = link.document AND from_seq < link.to_seq';

/** Without digests, as rows of values: half of what the whole takes as an object. */
function plainVersions(prepare: Prepare): (document: number, seq: number) => LinkVersion | undefined {
  const find = prepare<[number, number, number], Held>(
    `SELECT link.from_seq, link.to_seq, fact, link.body, is_test, language, evidence, path, link_body.body,
       (SELECT scope ${ofEntry} ORDER BY from_seq DESC LIMIT 1)
     ${withParts} ${atSequence}`,
  ).raw();
  return (document, seq) => {
    const row = find.get(document, seq, seq);
    return row === undefined ? undefined : versionOf(row);
  };
}

interface Whole extends LinkRow, Pick<EntryRow, 'hash' | 'dialect' | 'version' | 'skip'> {
  readonly path: RepoPath | null;
  readonly bytes: Buffer | null;
  readonly bodyDigest: Buffer;
  readonly factDigest: Buffer | null;
  readonly scope: ScopeKey | null;
  readonly entryFrom: number;
  readonly entryTo: number;
  readonly entryDigest: Buffer;
}

function wholeVersions(prepare: Prepare): (document: number, seq: number) => LinkVersion | undefined {
  const find = prepare<[number, number, number], Whole>(
    `SELECT link.*, path, link_body.body AS bytes, link_body.digest AS bodyDigest, fact_body.digest AS factDigest, scope,
       entry.from_seq AS entryFrom, entry.to_seq AS entryTo, hash, dialect, version, skip, entry.digest AS entryDigest
     ${withParts} LEFT JOIN fact_body ON fact_body.id = link.fact
     LEFT JOIN entry ON entry.document = link.document AND entry.from_seq = (SELECT max(from_seq) ${ofEntry})
     ${atSequence}`,
  );
  return (document, seq) => {
    const row = find.get(document, seq, seq);
    if (row === undefined) return undefined;
    const { from_seq, to_seq, fact, body, is_test, language, evidence } = row;
    const version = versionOf([
      from_seq,
      to_seq,
      fact,
      body,
      is_test,
      language,
      evidence,
      row.path,
      row.bytes,
      row.scope,
    ]);
    const { path, scope, bytes } = version;
    if (row.factDigest === null) throw new StoreError('corrupt', `facts ${fact} are missing`);
    checkLinkOver(row, path, { fact: row.factDigest, body: row.bodyDigest }, bytes);
    checkEntry({ ...row, scope, from_seq: row.entryFrom, to_seq: row.entryTo, digest: row.entryDigest }, path);
    return version;
  };
}

function versionOf([from_seq, to_seq, fact, body, is_test, language, evidence, path, bytes, scope]: Held): LinkVersion {
  if (path === null) throw new StoreError('corrupt', 'a document without a path');
  if (bytes === null) throw new StoreError('corrupt', `links ${body} are missing`);
  if (scope === null) throw new StoreError('corrupt', 'a document without an entry');
  return { from_seq, to_seq, fact, body, is_test, language, evidence, path, scope, bytes };
}
