import { deflateSync } from 'node:zlib';
import type { SkipReason } from '../model/document.ts';
import { hasFacts, type ManifestLine } from '../model/manifest.ts';
import type { IndexWriter } from '../store/index-db.ts';
import type { FactKey, FactRow } from '../store/publication.ts';
import type { ExtractedFacts } from './extract-service.ts';
import { factKeyOf, factKeyText } from './fact-key.ts';
import { createFactShelf, type FactShelf } from './linking-manifest.ts';

/** Facts of trees that are compared: those that are stored, and those that are made on the way and may never be. */
export interface FactDesk {
  readonly shelf: Omit<FactShelf, 'clear'>;
  /** Encoded facts; undefined where there are none. */
  facts(key: FactKey): Uint8Array | undefined;
  /** The deflated text beside them. */
  text(key: FactKey): Uint8Array | undefined;
  /** The line of a file with these bytes: its facts are on the shelf then, or the line says why there are none. */
  lineOf(line: ManifestLine, bytes: Uint8Array | undefined): Promise<ManifestLine>;
  /** What was made on the way. */
  readonly made: ReadonlyMap<string, FactRow>;
}

export interface FactDeskOptions {
  readonly writer: Pick<IndexWriter, 'facts' | 'text'>;
  /** Facts of the index, decoded. */
  readonly stored: Omit<FactShelf, 'clear'>;
  readonly extract: (key: FactKey, bytes: Uint8Array) => Promise<ExtractedFacts>;
  readonly decodedBytes: number;
}

export function openFactDesk({ writer, stored, extract, decodedBytes }: FactDeskOptions): FactDesk {
  const made = new Map<string, FactRow>();
  const failed = new Map<string, SkipReason>();
  const facts = (key: FactKey): Uint8Array | undefined => made.get(factKeyText(key))?.facts ?? writer.facts(key);
  const shelf = eitherShelf(
    createFactShelf(key => made.get(factKeyText(key))?.facts, decodedBytes),
    stored,
  );
  const provide = async (key: FactKey, bytes: Uint8Array): Promise<SkipReason | ''> => {
    const name = factKeyText(key);
    if (facts(key) !== undefined) return '';
    const known = failed.get(name);
    if (known !== undefined) return known;
    const result = await extract(key, bytes);
    if (result.kind === 'facts')
      made.set(name, { ...key, facts: result.facts, text: deflateSync(bytes, { level: 3 }) });
    else failed.set(name, result.reason);
    return result.kind === 'facts' ? '' : result.reason;
  };
  return {
    shelf,
    facts,
    text(key) {
      const stored = made.get(factKeyText(key))?.text;
      if (stored !== undefined) return stored;
      const text = writer.text(key);
      return text === undefined ? undefined : deflateSync(text, { level: 3 });
    },
    async lineOf(line, bytes) {
      const key = factKeyOf(line);
      if (key === undefined || bytes === undefined) return line;
      const skip = await provide(key, bytes);
      const read: ManifestLine = { ...line, entry: { ...line.entry, skip } };
      return hasFacts(read) ? { ...read, scope: shelf.document(read)!.scope } : read;
    },
    made,
  };
}

/** What was made on the way is not in the index, and what is in the index was not made. */
function eitherShelf(one: FactDesk['shelf'], other: FactDesk['shelf']): FactDesk['shelf'] {
  return {
    document: line => one.document(line) ?? other.document(line),
    exports: (line, name) => one.exports(line, name) || other.exports(line, name),
    exportedNames: line => (one.document(line) === undefined ? other : one).exportedNames(line),
  };
}
