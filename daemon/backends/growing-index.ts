import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const lookEveryMs = 500;
const windowBytes = 64 * 1024;
const documentsTag = 0x12;
/** Of a document. */
const pathTag = 0x0a;

/**
 * Tells how many documents the indexes have together that programs are writing, whenever there are more. The function
 * that is returned ends it.
 */
export function watchDocuments(counters: readonly (() => number)[], onDocuments: (count: number) => void): () => void {
  let told = 0;
  const timer = setInterval(() => {
    const documents = counters.reduce((sum, count) => sum + count(), 0);
    if (documents > told) onDocuments(documents);
    told = documents;
  }, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** How many documents a growing index has by now: each call goes on where the last one ended. */
export function documentCounter(file: string): () => number {
  const window = Buffer.allocUnsafe(windowBytes);
  let at = 0;
  let documents = 0;
  return () => {
    let descriptor: number;
    try {
      // Of a named pipe nobody is waited for: it has no document.
      descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch {
      return documents;
    }
    try {
      for (;;) {
        const from = at;
        const bytes = readSync(descriptor, window, 0, windowBytes, at);
        // Fields are skipped by their lengths: of a long document its first bytes alone are read.
        while (at - from < bytes) {
          const field = fieldAt(window.subarray(at - from, bytes));
          if (field === undefined) break;
          if (field.tag === documentsTag) documents++;
          at += field.bytes;
        }
        if (at === from) return documents;
      }
    } catch {
      return documents;
    } finally {
      closeSync(descriptor);
    }
  };
}

/** What an index has whole whose writer was ended. */
export interface WholeDocuments {
  /** Of its documents. */
  readonly paths: readonly string[];
  /** Where the last whole field ends. */
  readonly bytes: number;
}

/** Reads an index as far as its fields are whole. Throws where it can't be read. */
export function wholeDocuments(file: string): WholeDocuments {
  const window = Buffer.allocUnsafe(windowBytes);
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { size } = fstatSync(descriptor);
    const paths: string[] = [];
    let at = 0;
    for (;;) {
      const read = readSync(descriptor, window, 0, windowBytes, at);
      const field = fieldAt(window.subarray(0, read));
      if (field === undefined || at + field.bytes > size) return { paths, bytes: at };
      const path = field.tag === documentsTag ? pathOf(window.subarray(field.headBytes, read)) : undefined;
      if (path !== undefined) paths.push(path);
      at += field.bytes;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** The path of a document that begins here; it stands among its first fields. */
function pathOf(bytes: Uint8Array): string | undefined {
  for (let at = 0; ; ) {
    const field = fieldAt(bytes.subarray(at));
    if (field === undefined) return undefined;
    if (field.tag === pathTag) return Buffer.from(bytes.subarray(at + field.headBytes, at + field.bytes)).toString();
    at += field.bytes;
  }
}

interface Field {
  readonly tag: number;
  readonly headBytes: number;
  /** With its head. */
  readonly bytes: number;
}

/** A field with a length, its head and all; undefined where the head isn't there yet, or it is no such field. */
function fieldAt(bytes: Uint8Array): Field | undefined {
  const tag = bytes[0]!;
  if ((tag & 7) !== 2 || tag >= 0x80) return undefined;
  let length = 0;
  for (let at = 1, shift = 1; at < bytes.length && at <= 5; at++, shift *= 128) {
    length += (bytes[at]! & 0x7f) * shift;
    if (bytes[at]! < 0x80) return { tag, headBytes: at + 1, bytes: at + 1 + length };
  }
  return undefined;
}
