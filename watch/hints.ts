import { relative, sep } from 'node:path';
import { watch as watchTree } from 'chokidar';
import type { Clock } from './clock.ts';
import { closeForGood } from './close-for-good.ts';
import type { Tree } from './tree.ts';

/**
 * chokidar's events as hints for a tree that is compared now and then. It drops a second write within 50 ms, so that a
 * file is looked at once more after its last event; what it loses altogether the next comparison finds.
 */
export interface Hints {
  close(): Promise<void>;
}

const secondLookMs = 60;

export function openHints(root: string, tree: Tree, clock: Clock, onEvent: () => void): Hints {
  const pending = new Map<string, () => void>();
  const pathOf = (absolute: string): string => relative(root, absolute).split(sep).join('/');
  const watcher = watchTree(root, {
    ignoreInitial: true,
    followSymlinks: false,
    atomic: false,
    ignored: (absolute, stats) => {
      const path = pathOf(absolute);
      if (path === '' || path.startsWith('..')) return false;
      const slash = path.lastIndexOf('/');
      const name = path.slice(slash + 1);
      const scope = tree.scopeOf(slash < 0 ? '' : path.slice(0, slash));
      if (scope === undefined) return name === '.git' || path.includes('.git/');
      return stats?.isDirectory() === true ? scope.enter(name) === undefined : name === '.git';
    },
  });
  watcher.on('all', (_, absolute) => {
    onEvent();
    const path = pathOf(absolute);
    if (path === '' || path.startsWith('..')) return;
    pending.get(path)?.();
    pending.set(
      path,
      clock.after(secondLookMs, () => {
        pending.delete(path);
        tree.hint(path);
      }),
    );
    tree.hint(path);
  });
  watcher.on('error', () => {}); // the next comparison finds what it missed
  return {
    async close() {
      for (const cancel of pending.values()) cancel();
      pending.clear();
      await closeForGood(watcher);
    },
  };
}
