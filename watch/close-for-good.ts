import type { FSWatcher } from 'chokidar';

/**
 * Closes a watcher so that it stays closed. What it was looking at may go in that very moment, folder and all; by itself it
 * then begins anew with the folder above, to see it come back, and nobody ends that.
 */
export async function closeForGood(watcher: FSWatcher): Promise<void> {
  watcher.add = () => watcher;
  await watcher.close();
}
