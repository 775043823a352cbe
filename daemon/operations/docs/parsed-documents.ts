import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { documentsVersion } from '../../extract/documents/version.ts';
import { isChangelog } from '../../model/document-files.ts';
import type { GraphDocument } from '../../model/graph.ts';
import { type DocumentMentions, nothingSaid } from '../../model/mentions.ts';
import { fileBeside, readSealed, writeSealed } from './sealed-file.ts';

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

/** Of a repository that goes. */
export function dropDocuments(indexFile: string, key: string): void {
  for (const what of ['documents', 'routes'] as const) rmSync(fileBeside(indexFile, key, what), { force: true });
}

export function parsedDocuments(indexFile: string, key: string): ParsedDocuments {
  const file = fileBeside(indexFile, key, 'documents');
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

interface Stored {
  readonly version: number;
  readonly documents: readonly (readonly [hash: string, mentions: DocumentMentions])[];
}

function readParsed(file: string): Map<string, DocumentMentions> {
  const stored = readSealed(file) as Stored | undefined;
  return stored?.version === documentsVersion ? new Map(stored.documents) : new Map();
}

function writeParsed(file: string, byHash: ReadonlyMap<string, DocumentMentions>): void {
  writeSealed(file, { version: documentsVersion, documents: [...byHash] } satisfies Stored);
}
