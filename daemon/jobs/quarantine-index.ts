import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const kept = 2;
const maxKeptBytes = 512 * 1024 * 1024;

/**
 * Moves a damaged index file aside, into `folder` (default `quarantine/` beside it), so that a new one can be built in its place and the
 * old one be looked at. The newest two stay, and none that is larger than 512 MB: an index can always be computed again.
 */
export function quarantineIndex(file: string, folder = join(dirname(file), 'quarantine')): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `${basename(dirname(file))}-${basename(file)}`;
  const old = readdirSync(folder).map(entry => ({ entry, number: Number(/\.(\d+)$/.exec(entry)?.[1] ?? 0) }));
  const next = Math.max(0, ...old.map(({ number }) => number)) + 1;
  if (existsSync(file)) {
    if (statSync(file).size > maxKeptBytes) rmSync(file, { recursive: true, force: true });
    else renameSync(file, join(folder, `${name}.${next}`));
  }
  // The log of another file's life must not be replayed into the new one.
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
  for (const { entry, number } of old) {
    if (number <= next - kept) rmSync(join(folder, entry), { recursive: true, force: true });
  }
}
