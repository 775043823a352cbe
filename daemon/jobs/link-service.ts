import { Worker } from 'node:worker_threads';
import { type ManifestLine, TreeManifest } from '../model/manifest.ts';
import type { RepoPath } from '../model/paths.ts';
import { openIndexReader } from '../store/index-reader.ts';
import { type FinishedBatch, linkBatch } from '../store/link-batch.ts';
import type { LinkedDocument } from '../store/publication.ts';
import { heapTidier } from '../tidy-heap.ts';
import { type Handlers, openPort, Transferred } from '../workers/port.ts';
import { documentLinker } from './document-linker.ts';
import { type LinkHelper, linkingSlackBytes } from './link-ranges.ts';
import { createFactShelf } from './linking-manifest.ts';
import type { WriteOptions } from './write-calls.ts';

/** What a link worker does for the write worker. */
export type LinkCalls = { readonly link: (paths: readonly RepoPath[]) => FinishedBatch };

/** Given by whoever starts the worker: a tree whose facts are stored. */
export interface LinkWorkerData {
  readonly indexFile: string;
  readonly lines: readonly ManifestLine[];
  readonly decodedFactsBytes: number;
}

export function createLinkService({ indexFile, lines, decodedFactsBytes }: LinkWorkerData): Handlers<LinkCalls> {
  const reader = openIndexReader(indexFile);
  const shelf = createFactShelf(key => reader.facts(key), decodedFactsBytes);
  const link = documentLinker(new TreeManifest(lines), shelf);
  const tidyHeap = heapTidier(linkingSlackBytes);
  function* linked(paths: readonly RepoPath[]): Iterable<LinkedDocument> {
    for (const path of paths) {
      const one = link(path);
      if (one !== undefined) yield one;
    }
  }
  return {
    link: paths => {
      // Nothing is published while a tree is linked: one transaction for thousands of reads keeps nobody waiting.
      const batch = reader.together(() => linkBatch(linked(paths)));
      tidyHeap();
      return new Transferred(batch, [batch.hashes.buffer as ArrayBuffer, batch.bytes.buffer as ArrayBuffer]);
    },
  };
}

/**
 * What it holds of a tree of 53,000 files is 130 MB. The lower the bound the less garbage V8 lets lie; a thread that needs
 * more ends, and its documents are linked where they would be without it.
 */
const linkHeap = { maxOldGenerationSizeMb: 500, maxYoungGenerationSizeMb: 24 } as const;

/** Starts a link worker for each thread that extracts, but for the one that this thread is; none for few documents. */
export function startLinkHelpers(
  {
    extractWorkers,
    linkEntry,
    linkedAlone,
    decodedFactsBytes,
  }: Pick<WriteOptions, 'extractWorkers' | 'linkEntry' | 'linkedAlone' | 'decodedFactsBytes'>,
  indexFile: string,
  tree: TreeManifest,
  documents: number,
): readonly LinkHelper[] {
  if (documents <= linkedAlone) return [];
  const start = () => startLinkHelper(new URL(linkEntry), tree, { indexFile, decodedFactsBytes });
  return Array.from({ length: extractWorkers - 1 }, start);
}

function startLinkHelper(entry: URL, tree: TreeManifest, data: Omit<LinkWorkerData, 'lines'>): LinkHelper {
  // What a file looked like when it was read is nothing to the linker.
  const lines = Array.from(tree.lines(), line => ({ ...line, stat: undefined }));
  const worker = new Worker(entry, {
    workerData: { ...data, lines } satisfies LinkWorkerData,
    resourceLimits: linkHeap,
  });
  const port = openPort<Record<never, never>, LinkCalls>(worker, {});
  return {
    link: paths => port.ask('link', paths),
    close: async () => {
      await worker.terminate();
    },
  };
}
