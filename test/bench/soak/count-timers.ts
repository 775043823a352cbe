import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

/**
 * Loaded before a daemon and into each of its threads (`node --import`): counts the timers that a thread has set, those
 * included that keep nobody alive, and writes the number into a file of its own, `<pid>-<thread>` in `SVC_SOAK_TIMERS`.
 */
const folder = process.env['SVC_SOAK_TIMERS']!;
const set = new Set<NodeJS.Timeout>();

const { setInterval: unwatched } = globalThis;
for (const name of ['setTimeout', 'setInterval'] as const) {
  const original = globalThis[name] as (...words: unknown[]) => NodeJS.Timeout;
  const watched = (...words: unknown[]): NodeJS.Timeout => {
    const timer = original(...words);
    set.add(timer);
    return timer;
  };
  Reflect.set(globalThis, name, Object.assign(watched, original));
}

const file = join(folder, `${process.pid}-${threadId}`);
const tell = (): void => {
  for (const timer of set) if ((timer as unknown as { _destroyed: boolean })._destroyed) set.delete(timer);
  writeFileSync(`${file}.new`, String(set.size));
  renameSync(`${file}.new`, file);
};
tell();
unwatched(tell, 1000).unref();
process.once('exit', () => rmSync(file, { force: true }));
