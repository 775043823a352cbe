import { type WireReader, wireType } from '../wire.ts';
import type { ScipChunks } from './byte-window.ts';
import { IndexFields, indexField } from './index-fields.ts';
import type { ScipLimits } from './limits.ts';
import { invalidIndex, tooLarge } from './problem.ts';
import { tooManyOccurrences } from './read-document.ts';

/** That paths may take each, where there are as many documents as may be: they lie in memory until all is taken in. */
const pathBytesEach = 160;

/**
 * Goes over an index once without making anything of it. Throws a ScipProblem for one that has too much of what can be
 * counted so, or breaks off, or is two: whoever takes it in would find out when most of the work is done.
 */
export async function surveyScip(chunks: ScipChunks, limits: ScipLimits, signal?: AbortSignal): Promise<void> {
  const fields = new IndexFields(chunks, limits);
  let hasMetadata = false;
  let pathBytes = 0;
  try {
    await fields.start();
    for (let field = await fields.next(); field !== 0; field = await fields.next()) {
      signal?.throwIfAborted();
      const message = await fields.message();
      if (field === indexField.metadata) {
        if (hasMetadata)
          throw invalidIndex('Metadata twice: two indexes in one body', message.offset, 'Send one index in one upload');
        hasMetadata = true;
      } else if (field === indexField.document) pathBytes += pathBytesOf(message, limits);
      if (pathBytes > limits.documents * pathBytesEach)
        throw tooLarge(`Paths of more than ${limits.documents * pathBytesEach} bytes`, fields.offset, 'documents');
    }
  } finally {
    await fields.close();
  }
}

/** Of a document that lists no more occurrences than it may. */
function pathBytesOf(document: WireReader, limits: ScipLimits): number {
  let bytes = 0;
  let occurrences = 0;
  while (document.more()) {
    const field = document.field();
    const start = document.at;
    document.skip(field);
    if (field === 1 && document.type === wireType.length) bytes += document.at - start;
    if (field === 2 && ++occurrences > limits.occurrences) throw tooManyOccurrences(limits, document.offset);
  }
  return bytes;
}
