import { createHash, hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Section, type Sections, sections } from './codec.ts';

/**
 * A catalogue that is kept beside its index file. It is nothing but memory of what is in there: what does not hold its
 * digest, is of another index file or of another version is as if it were not there.
 */
export interface CatalogueFile extends Sections {
  readonly seq: number;
  /** Digest of the snapshot's row, hex. */
  readonly snapshot: string;
  /** Of each document the beginning of its link row's digest, `digestBytes` each. */
  readonly digests: Uint8Array;
}

export const digestBytes = 8;

/** To be raised with every change of what stands in the file or of what it follows from. */
const format = 2;

interface Head {
  readonly format: number;
  /** Of the index file. */
  readonly epoch: string;
  /** Of the repository. */
  readonly key: string;
  readonly seq: number;
  readonly snapshot: string;
  readonly lengths: readonly number[];
}

const parts = [...sections, 'digests'] as const;

/** Where the catalogue of one of the repositories in an index file lies. */
function catalogueFile(indexFile: string, key: string): string {
  return join(dirname(indexFile), `${prefix}${hash('sha256', key).slice(0, 16)}`);
}

const prefix = 'catalogue-';

export function hasCatalogue(indexFile: string, key: string): boolean {
  return existsSync(catalogueFile(indexFile, key));
}

/** Of a repository that goes, or whose rows were mended. */
export function dropCatalogue(indexFile: string, key: string): void {
  rmSync(catalogueFile(indexFile, key), { force: true });
}

export function readCatalogue(indexFile: string, epoch: string, key: string): CatalogueFile | undefined {
  try {
    const bytes = readFileSync(catalogueFile(indexFile, key));
    const body = bytes.subarray(sealBytes);
    if (!hash('sha256', body, 'buffer').equals(bytes.subarray(0, sealBytes))) return undefined;
    const headEnd = 4 + body.readUInt32LE(0);
    const head = JSON.parse(body.subarray(4, headEnd).toString()) as Head;
    if (head.format !== format || head.epoch !== epoch || head.key !== key) return undefined;
    const bodies: Partial<Record<Section | 'digests', Uint8Array>> = {};
    let at = headEnd;
    parts.forEach((part, index) => {
      const end = at + head.lengths[index]!;
      bodies[part] = body.subarray(at, end);
      at = end;
    });
    return { ...(bodies as CatalogueFile), seq: head.seq, snapshot: head.snapshot };
  } catch {
    return undefined;
  }
}

const sealBytes = 32;

/** Takes the place of the one before, and of those of repositories that are no more. Throws where it can't be written. */
export function writeCatalogue(
  indexFile: string,
  epoch: string,
  key: string,
  made: CatalogueFile,
  keys: readonly string[],
): void {
  const bodies = parts.map(part => made[part]);
  const { seq, snapshot } = made;
  const lengths = bodies.map(({ length }) => length);
  const head = Buffer.from(JSON.stringify({ format, epoch, key, seq, snapshot, lengths } satisfies Head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  const whole = [length, head, ...bodies];
  const digest = createHash('sha256');
  for (const part of whole) digest.update(part);
  const file = catalogueFile(indexFile, key);
  const fresh = `${file}.new`;
  try {
    writeFileSync(fresh, Buffer.concat([digest.digest(), ...whole]), { mode: 0o600 });
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  const known = new Set(keys.map(one => basename(catalogueFile(indexFile, one))));
  for (const other of catalogueFiles(indexFile)) if (!known.has(basename(other))) rmSync(other, { force: true });
}

/** What catalogues beside an index file take. */
export function catalogueBytes(indexFile: string): number {
  return catalogueFiles(indexFile).reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function catalogueFiles(indexFile: string): readonly string[] {
  const folder = dirname(indexFile);
  try {
    return readdirSync(folder)
      .filter(name => name.startsWith(prefix))
      .map(name => join(folder, name));
  } catch {
    return [];
  }
}
