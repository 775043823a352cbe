import { createHash } from 'node:crypto';
import type { ManifestEntry } from './document.ts';
import { wordHash } from './word-hash.ts';

/** Identifies what a tree holds, by which extractors it was read and by which linker joined: `sha256:` and 64 hex digits. */
export type SnapshotId = string & { readonly __brand: 'SnapshotId' };

/** What decides, besides files and extractors, what a snapshot holds. */
export interface SnapshotMaking {
  readonly linkerVersion: number;
  /** Past these a file is listed and not parsed. */
  readonly sourceBytes: number;
  readonly lineCharacters: number;
}

/** One path of a snapshot, and the version of the extractor that its dialect has (0 without a dialect). */
export interface SnapshotLine {
  readonly entry: ManifestEntry;
  readonly version: number;
}

const bucketCount = 256;

/**
 * The hash of a tree that changes piecemeal: paths are spread over 256 buckets by their text, each bucket is hashed over
 * its sorted lines, the id over the buckets. A change costs its buckets, not the tree.
 *
 * Same files, same extractors, same linker, same limits, same id, whatever way led there, so no times enter; and two
 * snapshots of one id hold the same. So why a file was passed over enters: a parser that failed may fare better next time.
 */
export class SnapshotHash {
  readonly #buckets = Array.from({ length: bucketCount }, () => new Map<string, SnapshotLine>());
  readonly #digests: (Buffer | undefined)[] = new Array<undefined>(bucketCount);

  set(line: SnapshotLine): void {
    const bucket = bucketOf(line.entry.path);
    this.#buckets[bucket]!.set(line.entry.path, line);
    this.#digests[bucket] = undefined;
  }

  delete(path: string): void {
    const bucket = bucketOf(path);
    if (this.#buckets[bucket]!.delete(path)) this.#digests[bucket] = undefined;
  }

  id({ linkerVersion, sourceBytes, lineCharacters }: SnapshotMaking): SnapshotId {
    const whole = createHash('sha256').update(`${linkerVersion} ${sourceBytes} ${lineCharacters}\n`);
    for (let bucket = 0; bucket < bucketCount; bucket++) {
      this.#digests[bucket] ??= digestOf(this.#buckets[bucket]!);
      whole.update(this.#digests[bucket]!);
    }
    return `sha256:${whole.digest('hex')}` as SnapshotId;
  }
}

function digestOf(lines: ReadonlyMap<string, SnapshotLine>): Buffer {
  const hash = createHash('sha256');
  for (const path of [...lines.keys()].sort()) {
    const { entry, version } = lines.get(path)!;
    hash.update(`${path}\0${entry.hash}\0${entry.dialect}\0${version}\0${entry.skip}\n`);
  }
  return hash.digest();
}

function bucketOf(path: string): number {
  const hash = wordHash(path);
  return (hash ^ (hash >>> 16)) & (bucketCount - 1);
}
