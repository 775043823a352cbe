import { createHash, hash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';

/** So much is read of a file at most, before and after it is inflated. */
const mostBytes = 128 * 1024 * 1024;
const sealBytes = 32;

/** What is remembered of a repository's documents lies beside its index. */
export function fileBeside(indexFile: string, key: string, what: 'documents' | 'routes'): string {
  return join(dirname(indexFile), `${what}-${hash('sha256', key).slice(0, 16)}`);
}

/** What was written there; undefined where that is damaged, or nothing. */
export function readSealed(file: string): unknown {
  try {
    const bytes = readFileSync(file);
    const body = bytes.subarray(sealBytes);
    if (bytes.length > mostBytes || !digest(body).equals(bytes.subarray(0, sealBytes))) return undefined;
    return JSON.parse(inflateSync(body, { maxOutputLength: mostBytes }).toString());
  } catch {
    return undefined;
  }
}

/** Takes the place of the one before. That it can't be written costs time alone, at the next start. */
export function writeSealed(file: string, stored: object): void {
  const fresh = `${file}.new`;
  try {
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
