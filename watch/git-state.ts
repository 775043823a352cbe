import { basename, join } from 'node:path';
import { watch } from 'chokidar';

/** `lock`: index.lock came or went. `operation`: a rebase, merge or the like began or ended. */
export type GitEvent = 'head' | 'index' | 'lock' | 'operation' | 'exclude';

export interface GitStateOptions {
  /** The work tree's own git folder, and the one with refs and `info`. */
  readonly gitDir: string;
  readonly commonDir: string;
  readonly onEvent: (event: GitEvent) => void;
}

const events: ReadonlyMap<string, GitEvent> = new Map([
  ['HEAD', 'head'],
  ['packed-refs', 'head'],
  ['index', 'index'],
  ['index.lock', 'lock'],
  ['MERGE_HEAD', 'operation'],
  ['CHERRY_PICK_HEAD', 'operation'],
  ['REVERT_HEAD', 'operation'],
  ['rebase-merge', 'operation'],
  ['rebase-apply', 'operation'],
]);

/** Tells when git's own state changes: the few names of the git folder that matter, and info/exclude. */
export function openGitState({ gitDir, commonDir, onEvent }: GitStateOptions): { close(): Promise<void> } {
  const exclude = join(commonDir, 'info/exclude');
  const watcher = watch([gitDir, join(commonDir, 'packed-refs'), exclude], {
    ignoreInitial: true,
    followSymlinks: false,
    atomic: false,
    depth: 0,
    ignored: path => path !== gitDir && path !== exclude && !events.has(basename(path)),
  });
  const tell = (path: string): void => {
    const event = path === exclude ? 'exclude' : events.get(basename(path));
    if (event !== undefined) onEvent(event);
  };
  watcher.on('all', (_, path) => tell(path));
  // A lock may be gone before chokidar has looked at it.
  watcher.on('raw', (_, path) => {
    if (path === 'index.lock') onEvent('lock');
  });
  watcher.on('error', () => {}); // whoever needs to know looks at the files themselves
  return { close: () => watcher.close() };
}
