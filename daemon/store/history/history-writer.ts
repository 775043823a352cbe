import type { BlamedContent, BlameRun, CommitColumns, CommitFacts, LineCounts, Person } from '../../model/history.ts';
import { closeWritten, inTransaction, openForWriting, translated } from '../connection.ts';
import { digestOf, isDigest, preparer } from '../rows.ts';
import { type CommitBatch, encodeCommits, encodeLines, encodeRuns } from './commit-codec.ts';
import { createCommitTable } from './commit-table.ts';
import { epochIn, historyFile } from './history-file.ts';
import { encodeTree } from './tree-codec.ts';

/** The one writer of a history file. Every method throws `StoreError` where the file fails it, with nothing half applied. */
export interface HistoryWriter {
  /** Made with the file: numbers of one with another are others. */
  readonly epoch: string;
  /** All commits that are stored now. The same object each time, which grows. */
  columns(): CommitColumns;
  /** Where a worktree's HEAD was when its history was last stored whole; undefined before the first time. */
  head(worktree: string): WrittenHead | undefined;
  /** Commits all of whose history is stored, with the boundary that it was stored to. */
  heads(): readonly { readonly hash: string; readonly boundary: string }[];
  /** Stores facts of commits; those that are stored already are left. */
  putCommits(commits: readonly CommitFacts[]): void;
  /** Tells where a worktree's HEAD is. All that it came from must be stored; `tree`: its regular files, blob by path. */
  setHead(worktree: string, head: WrittenHead, tree: ReadonlyMap<string, string>): void;
  dropHead(worktree: string): void;
  /** Stores how many lines commits changed. All their changes are settled by it, whatever `counts` says of them. */
  putLines(counts: ReadonlyMap<string, readonly LineCounts[]>): void;
  /** Stores blames, one for each content, lines of the commit '' as nobody's; those that name one which is not stored are left out. */
  putBlames(blames: readonly StoredBlame[]): void;
  hasBlame(one: BlamedContent): boolean;
  /** Digests of the entries of a part of the model, as they were stored last. */
  refreshed(worktree: string, scope: string): ReadonlyMap<string, string>;
  setRefreshed(worktree: string, scope: string, entries: ReadonlyMap<string, string>): void;
  close(): void;
}

export interface WrittenHead {
  /** Full hash. */
  readonly hash: string;
  /** Where a shallow clone's history ends; '' of a whole one. */
  readonly boundary: string;
  /** All that it came from, itself as well. */
  readonly commits: number;
}

export interface StoredBlame extends BlamedContent {
  readonly runs: readonly BlameRun[];
}

/** Of one path so many blames are kept: of the branches that are switched between, and of those that are to be merged. */
const blamesOfPath = 8;
/** A row of commits that has fewer is made longer by those that come next. */
const fullRow = 500;
/** The log is carried over into the file when it has grown to so many pages: 4 MiB. */
const logPages = 1000;

/** Opens or creates a history file (0600). Throws `StoreError`. */
export function openHistoryWriter(file: string): HistoryWriter {
  const connection = openForWriting(file, historyFile);
  connection.pragma(`wal_autocheckpoint = ${logPages}`);
  const prepare = preparer(connection);
  const table = createCommitTable(prepare);
  const load = connection.transaction(() => table.loaded());
  const columns = (): CommitColumns => translated(load);
  const write = <T>(work: () => T): T => translated(() => inTransaction(connection, file, work));
  const rows = commitRows(columns);
  const blameKey = ({ path, blob, basis }: BlamedContent) =>
    [columns().pathNumber(path) ?? 0, Buffer.from(blob, 'hex'), Buffer.from(basis)] as const;
  const put = (commits: readonly CommitFacts[], paths: Iterable<string> = []): void => {
    const next = rows.next(commits, paths);
    if (next === undefined) return;
    const row = write(() => {
      if (next.instead !== undefined) prepare('DELETE FROM commits WHERE id = ?').run(next.instead);
      const insert = prepare('INSERT INTO commits (first, body, digest) VALUES (?, ?, ?)');
      return Number(insert.run(next.first, next.body, digestOf(next.first, next.body)).lastInsertRowid);
    });
    rows.stored(row, next);
  };
  return {
    epoch: translated(() => epochIn(prepare)),
    columns,
    head: worktree =>
      translated(() => {
        const sql = 'SELECT hash, boundary, commits FROM head WHERE worktree = ?';
        const row = prepare<[string], { hash: Buffer; boundary: string; commits: number }>(sql).get(worktree);
        return row && { ...row, hash: row.hash.toString('hex') };
      }),
    heads: () =>
      translated(() => {
        const found = prepare<[], { hash: Buffer; boundary: string }>('SELECT hash, boundary FROM head').all();
        return found.map(({ hash, boundary }) => ({ hash: hash.toString('hex'), boundary }));
      }),
    putCommits: commits => put(commits),
    setHead: (worktree, { hash, boundary, commits }, tree) => {
      // No commit is known to have put there what lies behind a boundary.
      put([], tree.keys());
      const known = columns();
      const files = encodeTree([...tree].map(([path, blob]) => ({ path: known.pathNumber(path) ?? 0, blob })));
      const name = Buffer.from(hash, 'hex');
      const digest = digestOf(worktree, name, boundary, commits, files);
      write(() =>
        prepare('INSERT OR REPLACE INTO head VALUES (?, ?, ?, ?, ?, ?)').run(
          worktree,
          name,
          boundary,
          commits,
          files,
          digest,
        ),
      );
    },
    dropHead: worktree => write(() => prepare('DELETE FROM head WHERE worktree = ?').run(worktree)),
    putLines: counts => {
      const known = columns();
      const body = encodeLines(
        [...counts].flatMap(([hash, lines]) => {
          const commit = known.numberOf(hash);
          return commit === undefined ? [] : [{ commit, paths: pathsOf(known, commit), counts: lines }];
        }),
      );
      if (body.length === 0) return;
      write(() => prepare('INSERT INTO lines (body, digest) VALUES (?, ?)').run(body, digestOf(body)));
    },
    putBlames: blames => {
      const known = columns();
      write(() => {
        for (const blame of blames) {
          const runs = encodeRuns(blame.runs, hash => known.numberOf(hash));
          const [path, blob, basis] = blameKey(blame);
          if (runs === undefined || path === 0) continue;
          prepare('INSERT OR REPLACE INTO blame (path, blob, basis, runs, digest) VALUES (?, ?, ?, ?, ?)').run(
            ...[path, blob, basis, runs, digestOf(path, blob, basis, runs)],
          );
          prepare(
            `DELETE FROM blame WHERE path = ? AND id NOT IN (
               SELECT id FROM blame WHERE path = ? ORDER BY id DESC LIMIT ${blamesOfPath})`,
          ).run(path, path);
        }
      });
    },
    hasBlame: one =>
      translated(() => {
        const sql = 'SELECT 1 FROM blame WHERE path = ? AND blob = ? AND basis = ?';
        return prepare(sql).get(...blameKey(one)) !== undefined;
      }),
    refreshed: (worktree, scope) =>
      translated(() => {
        const sql = 'SELECT entries, digest FROM refreshed WHERE worktree = ? AND scope = ?';
        const row = prepare<[string, string], { entries: string; digest: Buffer }>(sql).get(worktree, scope);
        // What was damaged is taken for what was never known.
        const isSound = row !== undefined && isDigest(row.digest, digestOf(worktree, scope, row.entries));
        return new Map(isSound ? (JSON.parse(row.entries) as [string, string][]) : []);
      }),
    setRefreshed: (worktree, scope, entries) => {
      const text = JSON.stringify([...entries]);
      const row = [worktree, scope, text, digestOf(worktree, scope, text)] as const;
      write(() => prepare('INSERT OR REPLACE INTO refreshed VALUES (?, ?, ?, ?)').run(...row));
    },
    close: () => closeWritten(connection),
  };
}

/** A row to be stored. */
interface NextRow {
  readonly first: number;
  readonly body: Buffer;
  readonly batch: CommitBatch;
  /** The row that it begins like, and takes the place of. */
  readonly instead: number | undefined;
}

/** Puts commits into rows of a good length. */
function commitRows(columns: () => CommitColumns) {
  const people = new Map<string, number>();
  let open: (NextRow & { readonly id: number }) | undefined;
  const personNumbers = (known: readonly Person[]): ReadonlyMap<string, number> => {
    for (let number = people.size + 1; number < known.length; number++) people.set(personKey(known[number]!), number);
    return people;
  };
  return {
    /** Undefined where all of them are stored, and the paths have numbers. */
    next(commits: readonly CommitFacts[], further: Iterable<string>): NextRow | undefined {
      const known = columns();
      const fresh = new Map(commits.map(commit => [commit.hash, commit]));
      for (const hash of [...fresh.keys()]) if (known.numberOf(hash) !== undefined) fresh.delete(hash);
      const paths = [...further].filter(path => known.pathNumber(path) === undefined);
      if (fresh.size === 0 && paths.length === 0) return undefined;
      const row = open !== undefined && open.batch.commits.length < fullRow ? open : undefined;
      const names = numbering(known, personNumbers(known.people));
      for (const commit of fresh.values()) names.meet(commit);
      for (const path of paths) names.path(path);
      const batch: CommitBatch = {
        paths: [...(row?.batch.paths ?? []), ...names.newPaths()],
        people: [...(row?.batch.people ?? []), ...names.newPeople()],
        commits: [...(row?.batch.commits ?? []), ...fresh.values()],
      };
      return { first: row?.first ?? known.count, body: encodeCommits(batch, names), batch, instead: row?.id };
    },
    stored(id: number, row: NextRow): void {
      open = row.batch.commits.length === 0 ? undefined : { ...row, id };
    },
  };
}

/** Numbers of what is stored, and the next ones for what is not. */
function numbering(known: CommitColumns, knownPeople: ReadonlyMap<string, number>) {
  const paths = new Map<string, number>();
  const people = new Map<string, { readonly number: number; readonly person: Person }>();
  const path = (text: string): number => {
    const number = known.pathNumber(text) ?? paths.get(text) ?? known.paths.length + paths.size;
    if (number >= known.paths.length) paths.set(text, number);
    return number;
  };
  const person = (one: Person): number => {
    const key = personKey(one);
    const number = knownPeople.get(key) ?? people.get(key)?.number ?? known.people.length + people.size;
    if (number >= known.people.length) people.set(key, { number, person: one });
    return number;
  };
  return {
    path,
    person,
    /** Numbers all that a commit names. */
    meet({ author, changes }: CommitFacts): void {
      person(author);
      for (const change of changes) {
        path(change.path);
        if (change.from !== undefined) path(change.from);
      }
    },
    newPaths: () => [...paths.keys()],
    newPeople: () => [...people.values()].map(one => one.person),
  };
}

function personKey({ name, email }: Person): string {
  return `${name}\0${email}`;
}

/** What the changes of a commit are to. */
function pathsOf({ changeStart, changePath, paths }: CommitColumns, commit: number): readonly string[] {
  return Array.from(changePath.subarray(changeStart[commit], changeStart[commit + 1]), number => paths[number] ?? '');
}
