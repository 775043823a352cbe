import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { Static } from 'typebox';
import type { ServedCallEdge, ServedFile, ServedRef, ServedSymbol } from '../../../client/protocol/index-server.ts';
import { symbolId } from '../../model/identity.ts';
import { type Named, pathMask } from '../../model/path-mask.ts';
import { baseName } from '../../model/paths.ts';
import { isRedacted, type Privacy, shownPath } from '../../model/privacy.ts';
import type { SettledReference } from '../../store/snapshot-lists.ts';
import type { SymbolRow } from '../../store/symbol-rows.ts';

export type FileRow = Static<typeof ServedFile>;
export type ServedSymbolRow = Static<typeof ServedSymbol>;
export type RefRow = Static<typeof ServedRef>;
export type EdgeRow = Static<typeof ServedCallEdge>;

/** What a served index shows of rows, and what it understands of what was shown. */
export interface Shown {
  readonly privacy: Privacy;
  readonly isRedacted: boolean;
  id(hash: string): string;
  /** 32 hex digits; undefined for a text that is no id of this index. */
  hashOf(id: string): string | undefined;
  path(path: string): string;
  fileHash(path: string, contentHash: string): string;
  /** What a symbol is called. */
  name(of: Named): string;
  symbol(row: SymbolRow): ServedSymbolRow;
  ref(path: string, language: string, reference: SettledReference): RefRow;
  edge(path: string, language: string, reference: SettledReference): EdgeRow;
}

/** Plain values, so that it crosses to the read worker. */
export interface ShownAs {
  /** The repository's id as it is served. */
  readonly id: string;
  readonly privacy: Privacy;
  /** Of this repository alone, hex: what ids and hashes are keyed with where anything is kept back. */
  readonly secret: string;
}

/** `paths`: of all files of the index, which its texts are not to tell of where paths are kept back. */
export function shownAs({ id: repo, privacy, secret }: ShownAs, paths: () => Iterable<string>): Shown {
  const mask = pathMask(paths, privacy);
  const redacted = isRedacted(privacy);
  const key = (use: string): Buffer => createHmac('sha256', Buffer.from(secret, 'hex')).update(use).digest();
  const ids = redacted ? blockCipher(key('symbols').subarray(0, 16)) : plainIds;
  const fileKey = key('files');
  const path = (of: string): string => shownPath(of, privacy);
  const id = (hash: string): string => symbolId(repo, ids.shown(hash));
  const prefix = `svc:${repo}:sym:`;
  return {
    privacy,
    isRedacted: redacted,
    id,
    path,
    hashOf: text => {
      const digits = text.startsWith(prefix) ? text.slice(prefix.length) : '';
      return /^[0-9a-f]{32}$/.test(digits) ? ids.hidden(digits) : undefined;
    },
    // With the path in it: which files are alike tells what is in them.
    fileHash: (of, contentHash) =>
      redacted ? createHmac('sha256', fileKey).update(`${of}\0${contentHash}`).digest('hex') : contentHash,
    name: mask.name,
    symbol: row => {
      const name = mask.name(row);
      const text = (of: string): string => mask.text(name === row.name ? of : of.replaceAll(row.name, name));
      return {
        ...{ id: id(row.hash), name, kind: row.kind },
        ...{ file_path: path(row.path), file_basename: baseName(row.path) },
        ...{ line: row.nameRange.startLine + 1, column: row.nameRange.startColumn + 1, language: row.language },
        ...(privacy.exposeDocs ? { documentation: text(row.documentation) } : {}),
        ...(privacy.exposeSignatures ? { signature: text(row.signature) } : {}),
        container: row.containers.map(mask.text).join('.'),
      };
    },
    ref: (from, language, { line, column, kind, target, enclosing }) => ({
      from_file: path(from),
      to_symbol_id: id(target),
      line: line + 1,
      col: column + 1,
      kind,
      language,
      in_symbol_id: enclosing === undefined ? '' : id(enclosing),
    }),
    edge: (from, language, { line, column, target, enclosing }) => ({
      caller_id: enclosing === undefined ? '' : id(enclosing),
      callee_id: id(target),
      caller_file: path(from),
      call_line: line + 1,
      call_col: column + 1,
      language,
    }),
  };
}

interface Ids {
  shown(hash: string): string;
  hidden(shown: string): string;
}

const plainIds: Ids = { shown: hash => hash, hidden: shown => shown };

/**
 * A hash is one block of AES: what is shown is a permutation of all hashes, which nobody without the key can tell from a
 * random one, and which leads back without a table.
 */
function blockCipher(key: Buffer): Ids {
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
  const decipher = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false);
  return {
    shown: hash => cipher.update(hash, 'hex', 'hex'),
    hidden: shown => decipher.update(shown, 'hex', 'hex'),
  };
}
