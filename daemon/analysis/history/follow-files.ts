import { type CommitColumns, changeKinds } from '../../model/history.ts';

/** Files through a history, by numbers, in columns. A touch is a change of a commit to a file. */
export interface FollowedFiles {
  /** The file whose newest path that is; undefined where none has it. */
  fileOf(path: number | undefined): number | undefined;
  /** Of each file, the number of its path. */
  readonly newestPath: readonly number[];
  /** Of each commit's place in the order the files that it touched: from `commitStart[place]` to `commitStart[place + 1]`. */
  readonly commitStart: Int32Array;
  readonly touchedFile: Int32Array;
  /** Of each file its touches, the newest first: from `fileStart[file]` to `fileStart[file + 1]`. */
  readonly fileStart: Int32Array;
  /** The place of the touch's commit, and its change as `CommitColumns` has it. */
  readonly commitOfFile: Int32Array;
  readonly changeOfFile: Int32Array;
}

export interface FollowingFiles {
  /** To be called with each place of the order, from the first on. */
  follow(place: number): void;
  end(): FollowedFiles;
}

const renamed = changeKinds.indexOf('renamed');
const added = changeKinds.indexOf('added');

/**
 * Follows all files at once, from the newest commit back. A path stands for the file that bears it last and for those that
 * were renamed from it since: what a commit does to the path, it does to all of these. So `git log --follow` finds the same
 * commits for each, as far as whole commits show the same renames as single files do.
 */
export function followingFiles(columns: CommitColumns, order: Int32Array): FollowingFiles {
  const { changeStart, changeKind, changePath, changeFrom } = columns;
  const bearers = new Bearers(columns.paths.length);
  const commitStart = new Int32Array(order.length + 1);
  const [commits, touched, changes]: [number[], number[], number[]] = [[], [], []];
  const follow = (place: number): void => {
    const commit = order[place]!;
    const moves: { readonly to: number; readonly files: readonly number[] }[] = [];
    for (let change = changeStart[commit]!; change < changeStart[commit + 1]!; change++) {
      for (const file of bearers.of(changePath[change]!)) {
        commits.push(place);
        touched.push(file);
        changes.push(change);
      }
      if (changeKind[change] === added) bearers.isBorn(changePath[change]!);
    }
    // Behind all that the commit did: two files may have changed names with each other.
    for (let change = changeStart[commit]!; change < changeStart[commit + 1]!; change++) {
      if (changeKind[change] !== renamed) continue;
      moves.push({ to: changeFrom[change]!, files: bearers.takeFrom(changePath[change]!) });
    }
    for (const { to, files } of moves) bearers.give(to, files);
    commitStart[place + 1] = touched.length;
  };
  return {
    follow,
    end: () => ({
      fileOf: path => (path === undefined ? undefined : bearers.newestOf(path)),
      newestPath: bearers.newestPath,
      commitStart,
      touchedFile: Int32Array.from(touched),
      ...byFile({ touched, commits, changes }, bearers.newestPath.length),
    }),
  };
}

function byFile({ touched, commits, changes }: Touches, files: number): ByFile {
  const fileStart = new Int32Array(files + 1);
  for (const file of touched) fileStart[file + 1]!++;
  for (let file = 0; file < files; file++) fileStart[file + 1]! += fileStart[file]!;
  const next = fileStart.slice();
  const commitOfFile = new Int32Array(touched.length);
  const changeOfFile = new Int32Array(touched.length);
  touched.forEach((file, touch) => {
    const at = next[file]!++;
    commitOfFile[at] = commits[touch]!;
    changeOfFile[at] = changes[touch]!;
  });
  return { fileStart, commitOfFile, changeOfFile };
}

/** In columns, in the order of their commits. */
interface Touches {
  readonly touched: readonly number[];
  readonly commits: readonly number[];
  readonly changes: readonly number[];
}

type ByFile = Pick<FollowedFiles, 'fileStart' | 'commitOfFile' | 'changeOfFile'>;

const nobody: readonly number[] = [];

/** Which files a path stands for at a time. */
class Bearers {
  readonly newestPath: number[] = [];
  /** By path: the file that has it last, -1 for none that is known. */
  readonly #newest: Int32Array;
  /** By path: undefined for one that no later commit speaks of. */
  readonly #files: (readonly number[] | undefined)[];

  /** By path: 1 where the file that bears it began there, as far as is known. */
  readonly #born: Uint8Array;

  constructor(paths: number) {
    this.#born = new Uint8Array(paths);
    this.#newest = new Int32Array(paths).fill(-1);
    this.#files = new Array(paths).fill(undefined);
  }

  newestOf(path: number): number | undefined {
    const file = this.#newest[path] ?? -1;
    return file < 0 ? undefined : file;
  }

  of(path: number): readonly number[] {
    const known = this.#files[path];
    if (known !== undefined) return known;
    const file = this.newestPath.push(path) - 1;
    this.#newest[path] = file;
    const files = [file];
    this.#files[path] = files;
    return files;
  }

  takeFrom(path: number): readonly number[] {
    const files = this.of(path);
    this.#files[path] = nobody;
    return files;
  }

  /** What was made at a path; whatever else had it before went elsewhere, or was deleted. */
  isBorn(path: number): void {
    this.#born[path] = 1;
  }

  give(path: number, files: readonly number[]): void {
    const known = this.#born[path] === 1 ? undefined : this.#files[path];
    this.#files[path] = known === undefined || known.length === 0 ? files : [...known, ...files];
    this.#born[path] = 0;
  }
}
