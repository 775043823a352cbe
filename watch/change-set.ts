/**
 * What happened to a directory tree since the last ChangeSet: named paths, or `recrawl` when something may have been
 * missed and only comparing trees can tell.
 *
 * A path is relative to the root and stands for itself and everything below it: a file came, changed or went, a folder
 * came, went or was replaced. Whoever reads it looks at the disk; what is not there any more is gone, below it too.
 *
 * `written`: those of them where the kernel told that what stood there changed, and not only that something else stands
 * there now: by then that may have been another file, which has other names.
 */
export type ChangeSet =
  | { readonly kind: 'paths'; readonly paths: ReadonlySet<string>; readonly written?: ReadonlySet<string> }
  | { readonly kind: 'recrawl'; readonly reason: RecrawlReason };

export type RecrawlReason =
  | 'start'
  | 'overflow'
  | 'cookie_lost'
  | 'watch_limit'
  | 'watch_error'
  | 'root_replaced'
  | 'ignore_rules_changed'
  | 'git_state_changed'
  | 'loop_stalled'
  | 'requested';

/** A list longer than this is worth no more than a comparison of the trees. */
const mostPaths = 50_000;

/** ChangeSets as one, however many there are: adding costs what is added. Recrawl absorbs, and a list too long becomes one. */
export interface ChangeSum {
  add(changes: ChangeSet): void;
  addPath(path: string, isWritten: boolean): void;
  /** What was added since the last call; undefined where nothing was. */
  take(): ChangeSet | undefined;
  readonly kind: ChangeSet['kind'] | 'nothing';
  /** Named paths; 1 for a recrawl. */
  readonly size: number;
}

export function createChangeSum(): ChangeSum {
  let paths = new Set<string>();
  let written = new Set<string>();
  let recrawl: ChangeSet | undefined;
  const absorb = (changes: ChangeSet): void => {
    recrawl ??= changes;
    paths = new Set();
    written = new Set();
  };
  const addPath = (path: string, isWritten: boolean): void => {
    if (recrawl === undefined) paths.add(path);
    if (recrawl === undefined && isWritten) written.add(path);
    if (paths.size > mostPaths) absorb({ kind: 'recrawl', reason: 'overflow' });
  };
  return {
    addPath,
    add(changes) {
      if (changes.kind === 'recrawl') absorb(changes);
      else for (const path of changes.paths) addPath(path, changes.written?.has(path) === true);
    },
    take() {
      const sum =
        recrawl ??
        (paths.size === 0 ? undefined : { kind: 'paths' as const, paths, ...(written.size > 0 && { written }) });
      paths = new Set();
      written = new Set();
      recrawl = undefined;
      return sum;
    },
    get kind() {
      return recrawl?.kind ?? (paths.size === 0 ? 'nothing' : 'paths');
    },
    get size() {
      return recrawl === undefined ? paths.size : 1;
    },
  };
}
