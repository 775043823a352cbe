import { closeSync, constants, openSync, readSync } from 'node:fs';

const lookEveryMs = 500;
const windowBytes = 64 * 1024;
const documentsTag = 0x12;

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

/** A field with a length, its head and all; undefined where the head isn't there yet, or it is no such field. */
function fieldAt(bytes: Uint8Array): { readonly tag: number; readonly bytes: number } | undefined {
  const tag = bytes[0]!;
  if ((tag & 7) !== 2 || tag >= 0x80) return undefined;
  let length = 0;
  for (let at = 1, shift = 1; at < bytes.length && at <= 5; at++, shift *= 128) {
    length += (bytes[at]! & 0x7f) * shift;
    if (bytes[at]! < 0x80) return { tag, bytes: at + 1 + length };
  }
  return undefined;
}
