import { randomBytes } from 'node:crypto';
import type { FileDiff, Hunk, LineCounts } from '../model/history.ts';
import type { Dialogue } from './git-dialogue.ts';
import { readCounts } from './git-lines.ts';
import type { ReadObjects } from './git-objects.ts';
import { fullHash, readParts } from './git-parts.ts';
import { type DiffBounds, type PatchedFile, type PatchReading, readPatches } from './git-patches.ts';
import type { RunOverObjects } from './git-process.ts';
import { GitFailed, type Leash, streamGit } from './git-process.ts';
import type { GitRepository } from './git-repository.ts';
import type { HoldDialogue } from './git-runner.ts';

const diffBytes = 4 * 1024 ** 3;

/** What is wanted of a comparison. */
export interface DiffAsked {
  /** No file is taken for binary. */
  readonly isText?: boolean;
  /** Hears which files differ before their lines are known; it may be called again. Not of what `isText` takes for text. */
  readonly onListed?: (files: readonly ChangedFile[]) => void;
}

export type ChangedFile = Omit<FileDiff, 'lines' | 'hunks'>;

/** Where commits are compared. */
export interface DiffTools {
  readonly run: RunOverObjects;
  readonly hold: HoldDialogue;
  readonly objects: ReadObjects;
}

/**
 * What differs between the trees of two commits, renames found as git finds them by itself (`-M`), in the order of git.
 * Lines are as `git diff --numstat` counts them where no attribute says otherwise, for none is asked. Of a submodule one line
 * changes, which names its commit; a file whose type changed has all of its lines in one hunk. Past so many hunks those of
 * a file are told as one that covers them, and lines are counted all the same. Rejects with `GitFailed`,
 * `output_too_large` where there are too many files.
 */
export async function diff(
  { run, hold, objects }: DiffTools,
  repository: GitRepository,
  commits: readonly [before: string, after: string],
  { isText = false, onListed = () => {} }: DiffAsked = {},
  bounds: DiffBounds = usualBounds,
): Promise<readonly FileDiff[]> {
  const between = [...(isText ? ['--text'] : []), ...commits.map(fullHash)];
  const files = isText
    ? await patched(run, repository, between, bounds)
    : await patchedByTrees(hold, repository, await run(repository, [], () => treesOf(objects, commits)), {
        ...bounds,
        onListed,
      });
  const letters = new Set(files.flatMap(untold));
  if (letters.size === 0) return files.map(file => diffOf(file));
  const counted = await countsOfSome(run, repository, between, [...letters].join(''));
  return files.map(file => diffOf(file, untold(file).length > 0 ? counted.get(file.path) : undefined));
}

// Without any lines around them git looks for differences in another way than it counts them.
const patching = ['diff-tree', '-r', '-z', '-M', '--raw', '--no-abbrev', '-p', '-U1'];

async function patched(
  run: RunOverObjects,
  repository: GitRepository,
  between: readonly string[],
  bounds: DiffBounds,
): Promise<readonly PatchedFile[]> {
  const reader = readPatches(bounds);
  const asking = [...patching, ...plainly, ...between];
  await run(repository, asking, one => streamGit({ ...one, maxBytes: diffBytes }, reader.take));
  return reader.end();
}

/** The same, by a process that stays. */
async function patchedByTrees(
  hold: HoldDialogue,
  repository: GitRepository,
  trees: readonly [before: string, after: string],
  reading: PatchReading,
): Promise<readonly PatchedFile[]> {
  const dialogue = new PatchDialogue(trees, reading);
  await hold(repository, [...patching, '--stdin', ...plainly], dialogue, diffBytes);
  return dialogue.files!;
}

async function treesOf(
  objects: ReadObjects,
  commits: readonly [before: string, after: string],
): Promise<readonly [before: string, after: string]> {
  const names = commits.map(commit => `${fullHash(commit)}^{tree}`);
  const [before, after] = await objects(names, { eachBytes: 0, allBytes: 0 });
  if (before === undefined || after === undefined) throw unreadable();
  return [before.hash, after.hash];
}

function unreadable(): GitFailed {
  return new GitFailed('failed', 'git diff-tree could not read what it is to compare');
}

/**
 * Two trees are named, and behind them a line that git can't take for trees: it repeats that once it has told what differs.
 * Before that it repeats the trees, unless it could not read them.
 */
class PatchDialogue implements Dialogue {
  files: readonly PatchedFile[] | undefined;
  readonly #trees: string;
  readonly #reading: PatchReading;
  #reader = readPatches({ files: 0, hunks: 0 });
  #last = Buffer.alloc(0);
  #isBegun = false;
  #held: Buffer = Buffer.alloc(0);

  constructor(trees: readonly [before: string, after: string], reading: PatchReading) {
    this.#trees = `${trees.join(' ')}\n`;
    this.#reading = reading;
  }

  get answered(): number {
    return this.files === undefined ? 0 : 1;
  }

  question(): string | undefined {
    if (this.files !== undefined) return undefined;
    this.#reader = readPatches(this.#reading);
    this.#last = Buffer.from(`end ${randomBytes(16).toString('hex')}\n`);
    this.#isBegun = false;
    this.#held = Buffer.alloc(0);
    return `${this.#trees}${this.#last.toString()}`;
  }

  hear(chunk: Buffer, leash: Leash): 'more' | 'answered' {
    leash.count(chunk.length);
    let told = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const end = told.length - this.#last.length;
    const isOver = end >= 0 && told.subarray(end).equals(this.#last);
    if (!this.#isBegun && !isOver && told.length < this.#trees.length + this.#last.length) {
      this.#held = told;
      return 'more';
    }
    if (!this.#isBegun) {
      if (told.toString('latin1', 0, Math.min(this.#trees.length, told.length)) !== this.#trees) throw unreadable();
      this.#isBegun = true;
      told = told.subarray(this.#trees.length);
    }
    const known = Math.max(0, told.length - this.#last.length);
    if (known > 0) this.#reader.take(told.subarray(0, known));
    this.#held = told.subarray(known);
    if (!isOver) return 'more';
    this.files = this.#reader.end();
    return 'answered';
  }
}

const usualBounds: DiffBounds = { files: 200_000, hunks: 200_000 };

/** It is all the same to a git without configuration, but for one that will have other defaults. */
const plainly = ['--no-textconv', '--no-ext-diff', '--no-color', '--no-relative', '--submodule=short'];

/**
 * The letter of a file of which its patch doesn't tell what git counts: of one whose content is the same not whether that is
 * binary; and what became a link, or a file, is shown as one that went and another that came.
 */
function untold({ kind, isSame, isOtherType }: PatchedFile): readonly string[] {
  if (isOtherType) return ['T'];
  return isSame ? [kind === 'renamed' ? 'R' : 'M'] : [];
}

/** What git counts of files with some letters, by path. Of those that were renamed, in files whose content is the same. */
async function countsOfSome(
  run: RunOverObjects,
  repository: GitRepository,
  between: readonly string[],
  letters: string,
): Promise<ReadonlyMap<string, LineCounts>> {
  const counted = new Map<string, LineCounts>();
  const reader = readCounts(count => counted.set(count.path, count));
  const parts = readParts('\0', reader.take);
  const asking = ['diff-tree', '-r', '-z', '-M100%', '--numstat', `--diff-filter=${letters}`, ...plainly, ...between];
  await run(repository, asking, one => streamGit(one, parts.take));
  parts.end();
  reader.end();
  return counted;
}

function diffOf(file: PatchedFile, counted?: LineCounts): FileDiff {
  const { kind, path, from, oldBlob, newBlob, isBinary, isOtherType, added, deleted, hunks } = file;
  const change = { ...(from === undefined ? { kind, path } : { kind, path, from }), oldBlob, newBlob };
  if (isBinary || (counted !== undefined && counted.lines === undefined))
    return { ...change, lines: undefined, hunks: [] };
  if (!isOtherType) return { ...change, lines: { added, deleted }, hunks };
  const whole: Hunk = { oldLine: 0, oldCount: deleted, newLine: 0, newCount: added };
  return { ...change, lines: counted?.lines, hunks: added + deleted === 0 ? [] : [whole] };
}
