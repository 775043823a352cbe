import { fileHistoryOf, makingHistory } from '../../analysis/history/file-history.ts';
import { ancestorsOf, reachedFrom } from '../../analysis/history/log-order.ts';
import { mergeBaseOf } from '../../analysis/history/merge-base.ts';
import { type Clock, every } from '../../clock.ts';
import { inSlices } from '../../jobs/in-slices.ts';
import type { BlamedContent, CommitColumns, FileHistory, Person, Touch } from '../../model/history.ts';
import { keepNewest } from '../../model/keep-newest.ts';
import { type Blame, type HistoryReader, openHistoryReader } from '../../store/history/history-reader.ts';
import type { HistoryAt } from '../history/histories.ts';
import type { IgnoredRevisions } from '../history/ignored-revisions.ts';
import { notReady } from '../symbols/answers.ts';
import { ofHistory } from './history-trouble.ts';

/** A work tree's history as it is stored. Paths are from the top of the work tree. */
export interface ReadHistory {
  /** Another whenever anything of this may be another. */
  readonly version: string;
  readonly history: FileHistory;
  /** By the numbers of commits' authors, before `.mailmap`. */
  readonly people: readonly Person[];
  /** Regular files of HEAD, blob by path. */
  readonly tree: ReadonlyMap<string, string>;
  /** The content of HEAD's file, with what had been done to it last; undefined of what is no regular file there, or binary. */
  contentOf(path: string): BlamedContent | undefined;
  /** Who wrote its lines; undefined where that is not stored. */
  blameOf(content: BlamedContent): Blame | undefined;
  /** The content that a file had where a head parted from its base. Throws Fault `notReady` where the head is not stored. */
  contentBefore(place: PlaceBefore & { readonly oldPath: string; readonly blob: string }): BlamedContent;
  /** What commits had done last to a file where a head parted from its base, the newest first. Throws as `contentBefore` does. */
  touchesBefore(place: PlaceBefore, most: number): readonly TouchBefore[];
  /** Where two commits parted, full hashes; undefined where that is not one commit, or they are not stored. */
  mergeBase(base: string, head: string): string | undefined;
  /**
   * Works out what questions about a head and where it parted from its base begin with, while somebody else is waited for. Throws as
   * `contentBefore` does.
   */
  prepare(place: Pick<PlaceBefore, 'head' | 'mergeBase'>): Promise<void>;
  /** Numbers of the commits that a head has and where it parted from its base has not. Throws as `contentBefore` does. */
  commitsOf(
    place: Pick<PlaceBefore, 'head' | 'mergeBase'> & { readonly otherBases: readonly string[] },
  ): readonly number[];
  /** When a commit was made, by its number: as of the author, Unix seconds. */
  authoredAt(number: number): number;
  /** Of a commit, by its number: whether it counts as if it had changed nothing. */
  isIgnored(number: number): boolean;
  /** Full hash of a commit, by its number. */
  hashOf(number: number): string;
  /** The number of its author. */
  authorOf(number: number): number;
}

/** What a commit did to a file. */
export interface TouchBefore extends Pick<Touch, 'lines'> {
  /** Of the commit. */
  readonly number: number;
}

/** A file of a head, and where that parted from its base: full hashes. */
export interface PlaceBefore {
  readonly head: string;
  readonly mergeBase: string;
  /** In the head. */
  readonly path: string;
}

/** Connections to history files, opened at first use and closed when nobody has used them for a while. */
export interface ReadHistories {
  /** `ignored`: commits that count as if they had changed nothing. Throws `HistoryTrouble`, and Fault `notReady` where it is not stored yet. */
  of(place: Pick<HistoryAt, 'epoch' | 'historyFile' | 'worktree'>, ignored: IgnoredRevisions): ReadHistory;
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
  /** Of the file, when that was found to be the HEAD. */
  version: string;
  readonly head: string;
  readonly history: FileHistory;
  readonly tree: ReadonlyMap<string, string>;
  readonly columns: CommitColumns;
  /** Of other commits, the one asked for last behind. */
  readonly others: Map<string, FileHistory>;
  /** 1 at each commit that one came from, by its number; the one asked about last behind. */
  readonly before: Map<number, Uint8Array>;
}

/** A connection that is not used between two looks is closed at the second. */
const betweenLooksMs = 120_000;
const worktreesKept = 4;
const othersKept = 2;
/** Of a base, and of where a head parted from it. */
const beforeKept = 2;
const blamesKept = 50_000;
/** Whoever writes to us meanwhile would stop before long. */
const attentiveMs = 1;

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
        return ofHistory(() => {
          // Somebody took the file away, and what was begun in its place has nothing of what was stored.
          if (kept.reader.epoch !== epoch) throw kept.reader.damaged();
          return readHistory(kept, historyOf(kept, worktree), ignored);
        });
      } catch (error) {
        forget(historyFile);
        throw error;
      }
    },
    forget,
  };
}

function historyOf({ reader, histories }: Kept, worktree: string): KeptHistory {
  const known = histories.get(worktree);
  const version = reader.version();
  if (known?.version === version) return known;
  const head = reader.head(worktree);
  if (head === undefined) throw notReady();
  const columns = reader.columns();
  if (known?.head === head.hash) {
    known.version = version;
    return known;
  }
  const history = fileHistoryOf(columns, head.hash);
  if (history === undefined || history.commitCount !== head.commits) throw reader.damaged();
  const kept: KeptHistory = {
    version,
    head: head.hash,
    history,
    tree: head.tree(),
    columns,
    ...{ others: new Map(), before: new Map() },
  };
  keepNewest(histories, worktree, kept, worktreesKept);
  return kept;
}

function readHistory({ reader, blames }: Kept, kept: KeptHistory, ignored: IgnoredRevisions): ReadHistory {
  const { history, tree, columns, others } = kept;
  const { digest } = ignored;
  const ignoredNumbers = new Set(ignored.hashes.map(hash => columns.numberOf(hash)));
  const historyOf = (commit: string): FileHistory => {
    if (commit === history.head) return history;
    const found = others.get(commit) ?? fileHistoryOf(columns, commit);
    if (found === undefined) throw notReady();
    keepNewest(others, commit, found, othersKept);
    return found;
  };
  const before = (commit: number): Uint8Array => {
    const flags = kept.before.get(commit) ?? ancestorsOf(columns, commit);
    keepNewest(kept.before, commit, flags, beforeKept);
    return flags;
  };
  const isBefore = (commit: string): ((number: number) => boolean) => {
    const flags = before(columns.numberOf(commit) ?? 0);
    return number => flags[number] === 1;
  };
  /** The commit that touched a file last, among those that are meant. */
  const lastTouch = (of: FileHistory, path: string, isMeant: (number: number) => boolean): string => {
    const file = of.fileOf(path);
    const commits = file === undefined ? [] : of.commitsOf(file);
    for (const at of commits) {
      const commit = of.commit(at);
      if (isMeant(commit.number)) return commit.hash;
    }
    return '';
  };
  return {
    version: `${history.head} ${digest} ${reader.version()}`,
    history,
    people: columns.people,
    tree,
    contentOf: path => {
      const blob = tree.get(path);
      if (blob === undefined || history.isBinary(path)) return undefined;
      return { path, blob, basis: `${lastTouch(history, path, () => true)} ${digest}` };
    },
    contentBefore: ({ head, mergeBase, path, oldPath, blob }) => {
      const basis = lastTouch(historyOf(head), path, isBefore(mergeBase));
      return { path: oldPath, blob, basis: `${basis} ${digest}` };
    },
    touchesBefore: ({ head, mergeBase, path }, most) => {
      const of = historyOf(head);
      const found: TouchBefore[] = [];
      for (const { commit, lines } of of.touches(path, isBefore(mergeBase))) {
        if (found.push({ number: of.commit(commit).number, lines }) === most) break;
      }
      return found;
    },
    mergeBase: (base, head) => {
      const [one, other] = [columns.numberOf(base), columns.numberOf(head)];
      const found = one === undefined || other === undefined ? undefined : mergeBaseOf(columns, one, other, before);
      return found === undefined ? undefined : columns.hashOf(found);
    },
    prepare: async ({ head, mergeBase }) => {
      isBefore(mergeBase);
      if (head === history.head || others.has(head)) return;
      const making = makingHistory(columns, head);
      if (making === undefined) throw notReady();
      const places = Array(making.commitCount).keys();
      await inSlices(places, () => {}, making.follow, attentiveMs);
      keepNewest(others, head, making.end(), othersKept);
    },
    commitsOf: ({ mergeBase, otherBases, head }) => {
      const start = columns.numberOf(head);
      if (start === undefined) throw notReady();
      const isOld = [mergeBase, ...otherBases].map(isBefore);
      return reachedFrom(columns, start, number => isOld.some(one => one(number)));
    },
    blameOf: ({ path, blob, basis }) => {
      const key = `${blob} ${basis} ${path}`;
      const known = blames.get(key) ?? ofHistory(() => reader.blame(path, blob, basis));
      if (known === undefined) return undefined;
      if (blames.size >= blamesKept) blames.clear();
      blames.set(key, known);
      return known;
    },
    authoredAt: number => columns.authoredAt[number]!,
    isIgnored: number => ignoredNumbers.has(number),
    hashOf: number => columns.hashOf(number),
    authorOf: number => columns.author[number]!,
  };
}
