import { lstatSync } from 'node:fs';
import { type SearchedDocument, searchedText } from '../../analysis/text-search.ts';
import { decisionName, isNamed } from '../../extract/decisions/file-name.ts';
import { readDecision } from '../../extract/decisions/read-decision.ts';
import { readRepositoryFile } from '../../extract/read-file.ts';
import type { DecisionName, DecisionText } from '../../model/decision.ts';
import type { ContentHash, SkipReason } from '../../model/document.ts';
import { type FileStat, fileStatOf, sameFileStat } from '../../model/file-stat.ts';
import { type RepoPath, repoPath } from '../../model/paths.ts';
import { inSlices } from '../in-slices.ts';
import { type DecisionFolders, decisionFolders, type FolderProblem } from './folders.ts';
import { sweepFolder } from './leftovers.ts';
import { type DecisionPlace, type ListedFile, listedFiles } from './listed-files.ts';

/** The documents of a repository as they lie on the disk: the same value for as long as nothing has changed. */
export interface SeenFiles {
  readonly folders: DecisionFolders;
  /** By folder, then by name. */
  readonly files: readonly DecisionFile[];
  readonly unread: readonly UnreadFile[];
}

export interface DecisionFile extends DecisionPlace {
  readonly path: RepoPath;
  readonly name: DecisionName;
  readonly hash: ContentHash;
  readonly text: Omit<DecisionText, 'content' | 'sections' | 'metadata' | 'isDecision'>;
  /** When the file was written last, ISO 8601. */
  readonly writtenAt: string;
  readonly searched: SearchedDocument;
}

/** What may be a decision by its name, and can't be read; or what is wrong with a folder. */
export interface UnreadFile {
  readonly path: string;
  readonly code: UnreadCode;
  readonly message: string;
}

export type UnreadCode = FolderProblem['code'] | 'not_regular' | 'binary' | 'too_large' | 'changing' | 'name_not_utf8';

interface DecisionFiles {
  /**
   * Looks at all folders and reads what is not as it was: what the disk has when this is asked is in the answer. Rejects with
   * the signal's reason.
   */
  read(root: string, configured: string, signal: AbortSignal): Promise<SeenFiles>;
}

/** More files, or bytes in all, are not looked at; of a larger file no more than its name. */
const mostFiles = 20_000;
const mostBytes = 96 * 2 ** 20;
const mostBytesOfFile = 5 * 2 ** 20;
/** What is kept of repositories that were not asked about last is dropped past so many bytes. */
const mostKept = 64 * 2 ** 20;

interface Remembered {
  readonly stat: FileStat;
  readonly found: DecisionFile | UnreadFile | 'other';
}

interface Kept {
  files: ReadonlyMap<string, Remembered>;
  bytes: number;
  seen: SeenFiles | undefined;
}

/** What was read is remembered for as long as the stat data of its file are the same. */
export function createDecisionFiles(): DecisionFiles {
  const kept = new Map<string, Kept>();
  const looks = new Map<string, Looks>();
  const begin = async (root: string, configured: string, askers: readonly AbortSignal[]): Promise<SeenFiles> => {
    const known = kept.get(root) ?? { files: new Map(), bytes: 0, seen: undefined };
    kept.delete(root);
    kept.set(root, known);
    const seen = await look(root, configured, known, () => {
      if (askers.every(({ aborted }) => aborted)) throw askers[0]!.reason;
    });
    dropOldest(kept);
    return seen;
  };
  return {
    async read(root, configured, signal) {
      const key = JSON.stringify([root, configured]);
      const { current, waiting } = looks.get(key) ?? {};
      // One that is under way may have passed what has changed since: who comes meanwhile shares the next.
      const shared = waiting ?? nextLook(current, askers => begin(root, configured, askers));
      shared.askers.push(signal);
      if (waiting === undefined) {
        looks.set(key, current === undefined ? { current: shared } : { current, waiting: shared });
        void shared.seen.then(
          () => handOver(looks, key),
          () => handOver(looks, key),
        );
      }
      const seen = await shared.seen;
      signal.throwIfAborted();
      return seen;
    },
  };
}

/** The look at a repository that is under way, and the one that begins behind it. */
interface Looks {
  readonly current: Look;
  readonly waiting?: Look;
}

interface Look {
  readonly seen: Promise<SeenFiles>;
  /** It goes on for as long as one of them waits. */
  readonly askers: AbortSignal[];
}

function nextLook(current: Look | undefined, begin: (askers: readonly AbortSignal[]) => Promise<SeenFiles>): Look {
  const askers: AbortSignal[] = [];
  const started = (): Promise<SeenFiles> => begin(askers);
  return {
    askers,
    seen: current === undefined ? Promise.resolve().then(started) : current.seen.then(started, started),
  };
}

function handOver(looks: Map<string, Looks>, key: string): void {
  const waiting = looks.get(key)?.waiting;
  if (waiting === undefined) looks.delete(key);
  else looks.set(key, { current: waiting });
}

function dropOldest(kept: Map<string, Kept>): void {
  let bytes = [...kept.values()].reduce((sum, one) => sum + one.bytes, 0);
  for (const [oldest, its] of [...kept].slice(0, -1)) {
    if (bytes <= mostKept) break;
    kept.delete(oldest);
    bytes -= its.bytes;
  }
}

async function look(root: string, configured: string, known: Kept, check: () => void): Promise<SeenFiles> {
  const folders = decisionFolders(root, configured);
  const files: DecisionFile[] = [];
  const listed = listedFiles(root, folders.read);
  for (const folder of listed.begun) await sweepFolder(root, folder);
  const unread: UnreadFile[] = [...folders.problems, ...listed.problems];
  const now = new Map<string, Remembered>();
  let bytes = 0;
  let passedOver = 0;
  await inSlices(listed.files.entries(), check, ([at, one]) => {
    if (at >= mostFiles || bytes > mostBytes) {
      passedOver++;
      return;
    }
    const path = repoPath(`${one.folder}/${one.name}`);
    if (path === undefined) return;
    const is = unchanged(root, path, known.files.get(path)) ?? readAt(root, path, one);
    if (is?.stat !== undefined) now.set(path, is);
    if (is === undefined || is.found === 'other') return;
    if ('code' in is.found) unread.push(is.found);
    else {
      files.push(is.found);
      bytes += is.stat!.size;
    }
  });
  if (passedOver > 0) {
    const message = `${passedOver} of ${listed.files.length} files are not read: there are too many, or they are too large`;
    unread.push({ path: folders.read[0]!, code: 'too_many', message });
  }
  const isAsBefore = [...now].every(([path, one]) => known.files.get(path) === one) && now.size === known.files.size;
  const seen = { folders, files, unread };
  if (!isAsBefore || known.seen === undefined || !isSame(known.seen, seen)) known.seen = seen;
  known.files = now;
  known.bytes = bytes;
  return known.seen;
}

/** Whether two looks that found the same files found the same of all else. */
function isSame(one: SeenFiles, other: SeenFiles): boolean {
  return (
    one.files.length === other.files.length &&
    JSON.stringify([one.folders, one.unread]) === JSON.stringify([other.folders, other.unread])
  );
}

function unchanged(root: string, path: RepoPath, before: Remembered | undefined): Remembered | undefined {
  if (before === undefined) return undefined;
  try {
    const stats = lstatSync(`${root}/${path}`, { bigint: true, throwIfNoEntry: false });
    return stats !== undefined && sameFileStat(fileStatOf(stats), before.stat) ? before : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined where nothing is there any more; without stat data where it is to be looked at again. */
function readAt(root: string, path: RepoPath, { name, ...place }: ListedFile): Looked | undefined {
  const read = readRepositoryFile(root, path, undefined, limits);
  const named = decisionName(name);
  switch (read.kind) {
    case 'gone':
      return name.includes('\ufffd') ? unreadAt(path, 'name_not_utf8') : undefined;
    case 'changing':
      return unreadAt(path, 'changing');
    case 'skipped': {
      const { found } = unreadAt(path, unreadFor[read.reason] ?? 'unreadable');
      return { stat: read.stat, found: isNamed(named) ? found : 'other' };
    }
    case 'text': {
      const { sections: _, metadata: __, content, isDecision, ...text } = readDecision(read.bytes);
      if (!isDecision && !isNamed(named)) return { stat: read.stat, found: 'other' };
      const searched = { title: searchedText(text.title ?? named.stem), text: searchedText(content) };
      const writtenAt = new Date(Math.min(Math.max(0, read.stat.mtimeMs), latestMs)).toISOString();
      // A copy: what is cut out of a text keeps all of that in memory.
      const found = { path, ...place, name: named, hash: read.hash, text: structuredClone(text), writtenAt, searched };
      return { stat: read.stat, found };
    }
  }
}

type Looked = Remembered | { readonly stat: undefined; readonly found: Remembered['found'] };

const limits = { bytes: mostBytesOfFile, lineCharacters: Number.MAX_SAFE_INTEGER } as const;
/** The end of the year 9999. */
const latestMs = 253_402_300_799_999;

function unreadAt(path: RepoPath, code: UnreadCode): { readonly stat: undefined; readonly found: UnreadFile } {
  return { stat: undefined, found: { path, code, message: words[code] } };
}

const unreadFor: { readonly [Reason in SkipReason]?: UnreadCode } = {
  too_large: 'too_large',
  binary: 'binary',
  not_regular: 'not_regular',
};

const words: Readonly<Record<UnreadCode, string>> = {
  folder_outside: 'lies outside of the repository',
  folder_not_real: 'is a symbolic link',
  not_regular: 'is no regular file',
  binary: 'is binary',
  too_large: `is larger than ${mostBytesOfFile / 2 ** 20} MiB`,
  unreadable: 'can’t be read',
  changing: 'is being written',
  name_not_utf8: 'has a name that is not UTF-8',
  too_many: 'is not read: there are too many',
};
