import { fileHistoryOf } from '../../analysis/history/file-history.ts';
import { type Clock, every } from '../../clock.ts';
import type { CommitColumns, FileHistory, Person } from '../../model/history.ts';
import { type Blame, type HistoryReader, openHistoryReader } from '../../store/history/history-reader.ts';
import type { BlamedContent } from '../../store/history/history-writer.ts';
import type { HistoryAt } from '../history/histories.ts';
import { notReady } from '../symbols/answers.ts';
import { ofHistory } from './history-trouble.ts';

/** A work tree's history as it is stored. Paths are from the top of the work tree. */
export interface ReadHistory {
  readonly history: FileHistory;
  /** By the numbers of commits' authors, before `.mailmap`. */
  readonly people: readonly Person[];
  /** Regular files of HEAD, blob by path. */
  readonly tree: ReadonlyMap<string, string>;
  /** The content of HEAD's file, with what had been done to it last; undefined of what is no regular file there. */
  contentOf(path: string): BlamedContent | undefined;
  /** Who wrote its lines; undefined where that is not stored. */
  blameOf(content: BlamedContent): Blame | undefined;
  /** The commit that a blame speaks of, as `history` numbers it; undefined where it is not in it. */
  commitAt(number: number): number | undefined;
}

/** Connections to history files, opened at first use and closed when nobody has used them for a while. */
export interface ReadHistories {
  /** `ignored`: what says which commits count as if they had changed nothing. Throws `HistoryTrouble`, and Fault `notReady` where it is not stored yet. */
  of(place: Pick<HistoryAt, 'epoch' | 'historyFile' | 'worktree'>, ignored: string): ReadHistory;
  forget(historyFile: string): boolean;
}

interface Kept {
  readonly reader: HistoryReader;
  readonly histories: Map<string, KeptHistory>;
  readonly blames: Map<string, Blame>;
  isUsed: boolean;
}

/** What is kept of a HEAD. */
interface KeptHistory {
  readonly head: string;
  readonly history: FileHistory;
  readonly tree: ReadonlyMap<string, string>;
  readonly columns: CommitColumns;
}

/** A connection that is not used between two looks is closed at the second. */
const betweenLooksMs = 120_000;
const worktreesKept = 4;
const blamesKept = 50_000;

export function readHistories(clock: Clock): ReadHistories {
  const open = new Map<string, Kept>();
  let stopLooking: (() => void) | undefined;
  const forget = (historyFile: string): boolean => {
    open.get(historyFile)?.reader.close();
    const wasOpen = open.delete(historyFile);
    if (open.size === 0) {
      stopLooking?.();
      stopLooking = undefined;
    }
    return wasOpen;
  };
  const closeUnused = (): void => {
    for (const [file, kept] of [...open]) {
      if (!kept.isUsed) forget(file);
      kept.isUsed = false;
    }
  };
  const opened = (historyFile: string): Kept => {
    const known = open.get(historyFile);
    if (known !== undefined) return known;
    const kept = { reader: openHistoryReader(historyFile), histories: new Map(), blames: new Map(), isUsed: true };
    stopLooking ??= every(clock, betweenLooksMs, closeUnused);
    open.set(historyFile, kept);
    return kept;
  };
  return {
    of: ({ epoch, historyFile, worktree }, ignored) => {
      if (open.has(historyFile) && open.get(historyFile)?.reader.epoch !== epoch) forget(historyFile);
      const kept = ofHistory(() => opened(historyFile));
      kept.isUsed = true;
      try {
        return ofHistory(() => readHistory(kept, historyOf(kept, worktree), ignored));
      } catch (error) {
        forget(historyFile);
        throw error;
      }
    },
    forget,
  };
}

function historyOf({ reader, histories }: Kept, worktree: string): KeptHistory {
  const head = reader.head(worktree);
  if (head === undefined) throw notReady();
  const columns = reader.columns();
  const known = histories.get(worktree);
  if (known?.head === head.hash) return known;
  const history = fileHistoryOf(columns, head.hash);
  if (history === undefined || history.commitCount !== head.commits) throw reader.damaged();
  const kept = { head: head.hash, history, tree: head.tree(), columns };
  histories.delete(worktree);
  histories.set(worktree, kept);
  if (histories.size > worktreesKept) for (const oldest of [...histories.keys()].slice(0, 1)) histories.delete(oldest);
  return kept;
}

function readHistory({ reader, blames }: Kept, { history, tree, columns }: KeptHistory, ignored: string): ReadHistory {
  return {
    history,
    people: columns.people,
    tree,
    contentOf: path => {
      const blob = tree.get(path);
      if (blob === undefined) return undefined;
      const file = history.fileOf(path);
      const last = file === undefined ? undefined : history.commitsOf(file)[0];
      return { path, blob, basis: `${last === undefined ? '' : history.commit(last).hash} ${ignored}` };
    },
    blameOf: ({ path, blob, basis }) => {
      const key = `${blob} ${basis} ${path}`;
      const known = blames.get(key) ?? ofHistory(() => reader.blame(path, blob, basis));
      if (known === undefined) return undefined;
      if (blames.size >= blamesKept) blames.clear();
      blames.set(key, known);
      return known;
    },
    commitAt: number => history.indexOf(columns.hashOf(number)),
  };
}
