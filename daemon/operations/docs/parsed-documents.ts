import { createHash, hash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { documentsVersion } from '../../extract/documents/version.ts';
import { isChangelog } from '../../model/document-files.ts';
import type { GraphDocument } from '../../model/graph.ts';
import { type DocumentMentions, nothingSaid } from '../../model/mentions.ts';

/** What documents say, by the hash of their bytes; kept beside the index file, and nothing but memory of what is in there. */
export interface ParsedDocuments {
  /** What the document of a part says; undefined where nobody has read it as it is. */
  of(document: GraphDocument, text: () => string): DocumentMentions | undefined;
  /** Which of some have to be read, each content once. */
  unread(documents: readonly GraphDocument[], textOf: (document: GraphDocument) => string): readonly UnreadDocument[];
  add(hash: string, mentions: DocumentMentions): void;
  /** Forgets all. */
  clear(): void;
  /** Writes down what some documents say, where anything of it is new. */
  keep(documents: readonly GraphDocument[]): void;
}

export interface UnreadDocument {
  readonly hash: string;
  readonly path: string;
  readonly text: string;
}

/** So much is read of a file at most, before and after it is inflated. */
const mostBytes = 128 * 1024 * 1024;
const sealBytes = 32;

function documentsFile(indexFile: string, key: string): string {
  return join(dirname(indexFile), `documents-${hash('sha256', key).slice(0, 16)}`);
}

/** Of a repository that goes. */
export function dropDocuments(indexFile: string, key: string): void {
  rmSync(documentsFile(indexFile, key), { force: true });
}

export function parsedDocuments(indexFile: string, key: string): ParsedDocuments {
  const file = documentsFile(indexFile, key);
  const byHash = readParsed(file);
  const hashes = new WeakMap<GraphDocument, string>();
  let isNew = false;
  const hashOf = (document: GraphDocument, text: () => string): string => {
    const known = hashes.get(document) ?? hash('sha256', text());
    hashes.set(document, known);
    return known;
  };
  return {
    of: (document, text) =>
      isChangelog(document.path) ? nothingSaid('changelog') : byHash.get(hashOf(document, text)),
    unread: (documents, textOf) => {
      const found = new Map<string, UnreadDocument>();
      for (const document of documents) {
        if (isChangelog(document.path)) continue;
        const key = hashOf(document, () => textOf(document));
        if (byHash.has(key) || found.has(key)) continue;
        found.set(key, { hash: key, path: document.path, text: textOf(document) });
      }
      return [...found.values()];
    },
    add: (key, mentions) => {
      byHash.set(key, mentions);
      isNew = true;
    },
    clear: () => byHash.clear(),
    keep: documents => {
      if (!isNew) return;
      const used = new Set(documents.flatMap(one => hashes.get(one) ?? []));
      for (const key of [...byHash.keys()]) if (!used.has(key)) byHash.delete(key);
      isNew = false;
      writeParsed(file, byHash);
    },
  };
}

function readParsed(file: string): Map<string, DocumentMentions> {
  try {
    const bytes = readFileSync(file);
    const body = bytes.subarray(sealBytes);
    if (bytes.length > mostBytes || !digest(body).equals(bytes.subarray(0, sealBytes))) return new Map();
    const text = inflateSync(body, { maxOutputLength: mostBytes }).toString();
    const { version, documents } = JSON.parse(text) as Stored;
    return version === documentsVersion ? new Map(documents) : new Map();
  } catch {
    return new Map();
  }
}

interface Stored {
  readonly version: number;
  readonly documents: readonly (readonly [hash: string, mentions: DocumentMentions])[];
}

/** Takes the place of the one before. That it can't be written costs time alone, at the next start. */
function writeParsed(file: string, byHash: ReadonlyMap<string, DocumentMentions>): void {
  const fresh = `${file}.new`;
  try {
    const stored: Stored = { version: documentsVersion, documents: [...byHash] };
    const body = deflateSync(JSON.stringify(stored), { level: 1 });
    writeFileSync(fresh, Buffer.concat([digest(body), body]), { mode: 0o600 });
    renameSync(fresh, file);
  } catch {
    rmSync(fresh, { force: true });
  }
}

function digest(body: Uint8Array): Buffer {
  return createHash('sha256').update(body).digest();
}
