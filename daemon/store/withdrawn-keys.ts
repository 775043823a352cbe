import { closeSync, existsSync, fsyncSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { requireRegularFile, translated } from './connection.ts';
import { replaceDurably, syncPath } from './durably.ts';

/**
 * Digests of secrets that hold no more, a line each, in a file beside `daemon.db`. The copy from which that is restored may
 * be older than their end: without this it would revive them.
 */
const fileOf = (database: string): string => `${database}.withdrawn`;

/** More are forgotten, the oldest first: a copy is minutes old, and no more keys than these are in force. */
const mostLines = 20_000;
const lineBytes = 66;

/** To be called before the end of a secret is stored. Throws `StoreError`. */
export function withdraw(database: string, digest: Uint8Array): void {
  translated(() => {
    const file = fileOf(database);
    const isNew = !existsSync(file);
    if (!isNew) requireRegularFile(file);
    // A line that a power cut tore spoils none behind it.
    append(file, `\n${Buffer.from(digest).toString('hex')}\n`);
    if (isNew) syncPath(dirname(file));
    else if (statSync(file).size > mostLines * lineBytes) {
      writeFileSync(
        `${file}.new`,
        `${withdrawnIn(file)
          .slice(-mostLines / 2)
          .join('\n')}\n`,
        { mode: 0o600 },
      );
      replaceDurably(`${file}.new`, file);
    }
  });
}

interface Restored {
  run(sql: string, ...parameters: unknown[]): void;
  together<T>(work: () => T): T;
}

/** Takes back in what is to be `daemon.db` again what was taken back in the one that it replaces. Throws `StoreError`. */
export function revokeWithdrawn(database: string, { run, together }: Restored, nowMs: number): void {
  const file = fileOf(database);
  const digests = translated(() => withdrawnIn(file), file);
  if (digests.length === 0) return;
  together(() => {
    for (const digest of digests) {
      run(
        'UPDATE access_key SET revoked_at = ?, seal = NULL WHERE digest = ? AND revoked_at IS NULL',
        ...[nowMs, Buffer.from(digest, 'hex')],
      );
    }
  });
}

function withdrawnIn(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  requireRegularFile(file);
  return readFileSync(file, 'latin1')
    .split('\n')
    .filter(line => /^[0-9a-f]{64}$/.test(line));
}

function append(file: string, text: string): void {
  const descriptor = openSync(file, 'a', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
