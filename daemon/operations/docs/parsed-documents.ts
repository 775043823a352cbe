import { rmSync } from 'node:fs';
import { documentsVersion } from '../../extract/documents/version.ts';
import type { DocumentMentions } from '../../model/mentions.ts';
import { fileBeside, readSealed, writeSealed } from './sealed-file.ts';

/** What documents say, by the hash of their content; kept beside the index file, and nothing but memory of what is in there. */
export interface ParsedDocuments {
  /** Undefined of what nobody has read. */
  of(content: string): DocumentMentions | undefined;
  add(content: string, mentions: DocumentMentions): void;
  /** Another number whenever it is asked of other documents, or again of all. */
  readonly revision: number;
  /** Forgets all. */
  clear(): void;
  /** Forgets all but those, and writes them down where much of it is new; `always`: where anything is. */
  keep(contents: ReadonlySet<string>, always: boolean): void;
}

/** Fewer are soon read again. */
const worthWriting = 20;

/** Of a repository that goes. */
export function dropDocuments(indexFile: string, key: string): void {
  for (const what of ['documents', 'routes'] as const) rmSync(fileBeside(indexFile, key, what), { force: true });
}

export function parsedDocuments(indexFile: string, key: string): ParsedDocuments {
  const file = fileBeside(indexFile, key, 'documents');
  const byContent = readParsed(file);
  let unwritten = 0;
  let revision = 0;
  return {
    of: content => byContent.get(content),
    add: (content, mentions) => {
      byContent.set(content, mentions);
      unwritten++;
      revision++;
    },
    get revision() {
      return revision;
    },
    clear: () => {
      byContent.clear();
      revision++;
    },
    keep: (contents, always) => {
      for (const one of byContent.keys()) if (!contents.has(one)) byContent.delete(one);
      if (unwritten === 0 || (unwritten < worthWriting && !always)) return;
      unwritten = 0;
      writeParsed(file, byContent);
    },
  };
}

interface Stored {
  readonly version: number;
  readonly documents: readonly (readonly [content: string, mentions: DocumentMentions])[];
}

function readParsed(file: string): Map<string, DocumentMentions> {
  const stored = readSealed(file) as Stored | undefined;
  return stored?.version === documentsVersion ? new Map(stored.documents) : new Map();
}

function writeParsed(file: string, byContent: ReadonlyMap<string, DocumentMentions>): void {
  writeSealed(file, { version: documentsVersion, documents: [...byContent] } satisfies Stored);
}
