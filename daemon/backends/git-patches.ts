import type { PathChange } from '../model/history.ts';
import { changeKind, notUnderstood, tooMuch } from './git-parts.ts';

export interface DiffBounds {
  /** More are refused. */
  readonly files: number;
  /** After so many a file has one alone, which grows to cover what follows. */
  readonly hunks: number;
}

/** A file of a patch, as it is read. */
export interface PatchedFile extends PathChange {
  /** A link became a file or the other way round: it has two patches, the first of what went. */
  readonly isOtherType: boolean;
  /** Its content is the same: whether that is binary is not told. */
  readonly isSame: boolean;
  isBinary: boolean;
  added: number;
  deleted: number;
  readonly hunks: GrowingHunk[];
}

interface GrowingHunk {
  readonly oldLine: number;
  oldCount: number;
  readonly newLine: number;
  newCount: number;
}

/**
 * Reads what `git diff-tree -z --raw -p` writes, as it comes: the list of files, each part ended by NUL and all of it by an
 * empty one, then their patches in the same order. Names in the patches are quoted, and not looked at; of their lines
 * only the first byte is.
 */
export function readPatches(bounds: DiffBounds) {
  const list = readList(bounds.files);
  const patches = readLines(list.files, bounds.hunks);
  return {
    take(chunk: Buffer): void {
      const at = list.take(chunk);
      if (at < chunk.length) patches.take(chunk, at);
    },
    end(): readonly PatchedFile[] {
      list.end();
      patches.end();
      return list.files;
    },
  };
}

/** Letters before the path or paths: `:<mode> <mode> <hash> <hash> <letter>`. */
const listed = /^:\d{6} \d{6} ([0-9a-f]+) ([0-9a-f]+) ([ADMT]|R(?=\d))\d*$/;
const longestPart = 1024 * 1024;

function readList(mostFiles: number) {
  const files: PatchedFile[] = [];
  let begun: Buffer = Buffer.alloc(0);
  let letter = '';
  let isSame = false;
  let from: string | undefined;
  let isOver = false;
  const takePart = (part: string): void => {
    if (letter === '') {
      isOver = part === '';
      if (isOver) return;
      const [, before, after, told] = listed.exec(part) ?? [];
      if (told === undefined) throw notUnderstood();
      letter = told;
      isSame = before === after;
    } else if (letter === 'R' && from === undefined) {
      from = part;
    } else {
      const change = { kind: changeKind(letter), path: part, ...(from === undefined ? {} : { from }) };
      const isOtherType = letter === 'T';
      files.push({ ...change, isOtherType, isSame, isBinary: false, added: 0, deleted: 0, hunks: [] });
      if (files.length > mostFiles) throw tooMuch('too many files differ');
      letter = '';
      from = undefined;
    }
  };
  return {
    files,
    /** Where the patches begin in it. */
    take(chunk: Buffer): number {
      let at = 0;
      while (!isOver && at < chunk.length) {
        const end = chunk.indexOf(0, at);
        const piece = chunk.subarray(at, end < 0 ? undefined : end);
        begun = begun.length === 0 ? piece : Buffer.concat([begun, piece]);
        if (begun.length > longestPart) throw notUnderstood();
        if (end < 0) return chunk.length;
        takePart(begun.toString('utf8'));
        begun = Buffer.alloc(0);
        at = end + 1;
      }
      return at;
    },
    end(): void {
      if (letter !== '' || begun.length > 0 || (files.length > 0 && !isOver)) throw notUnderstood();
    },
  };
}

const [newline, space, plus, minus, backslash] = [...'\n +-\\'].map(one => one.charCodeAt(0));

function readLines(files: readonly PatchedFile[], mostHunks: number) {
  /** How many files have begun, and the last of them. */
  let count = 0;
  let file: PatchedFile | undefined;
  let hasSecondPatch = false;
  /** Where the next line is in both, and how many of the hunk's are to come. */
  const [old, fresh] = [
    { line: 0, left: 0 },
    { line: 0, left: 0 },
  ];
  let hunk: GrowingHunk | undefined;
  let hunks = 0;
  let header = '';
  let isWithinLine = false;

  const hunkHere = (of: PatchedFile): GrowingHunk => {
    const last = of.hunks.at(-1);
    if (hunk === undefined && last !== undefined && hunks >= mostHunks) {
      last.oldCount = old.line - last.oldLine;
      last.newCount = fresh.line - last.newLine;
      hunk = last;
    } else if (hunk === undefined) {
      hunk = { oldLine: old.line, oldCount: 0, newLine: fresh.line, newCount: 0 };
      of.hunks.push(hunk);
      hunks++;
    }
    return hunk;
  };
  const pass = (side: { line: number; left: number }): void => {
    if (side.left-- === 0) throw notUnderstood();
    side.line++;
  };
  const takeLine = (of: PatchedFile, mark: number): void => {
    if (mark === minus) {
      hunkHere(of).oldCount++;
      of.deleted++;
      pass(old);
    } else if (mark === plus) {
      hunkHere(of).newCount++;
      of.added++;
      pass(fresh);
    } else if (mark === space) {
      hunk = undefined;
      pass(old);
      pass(fresh);
    } else if (mark !== backslash) throw notUnderstood();
  };
  const takeHeader = (text: string): void => {
    hunk = undefined;
    if (text.startsWith('diff --git ')) {
      hasSecondPatch = file?.isOtherType === true && !hasSecondPatch;
      if (!hasSecondPatch) file = files[count++];
    } else if (text.startsWith('@@ ')) {
      const [, oldLine, oldCount = '1', newLine, newCount = '1'] = hunkHeader.exec(text) ?? [];
      if (newLine === undefined) throw notUnderstood();
      begin(old, Number(oldLine), Number(oldCount));
      begin(fresh, Number(newLine), Number(newCount));
    } else if (text.startsWith('Binary files ') && file !== undefined) file.isBinary = true;
    if (file === undefined) throw notUnderstood();
  };
  return {
    take(chunk: Buffer, from: number): void {
      for (let at = from; at < chunk.length; ) {
        if (!isWithinLine && header === '' && old.left + fresh.left > 0) {
          takeLine(file!, chunk[at]!);
          isWithinLine = true;
        }
        const end = chunk.indexOf(newline!, at);
        if (!isWithinLine) header += chunk.toString('latin1', at, end < 0 ? undefined : end);
        if (header.length > longestPart) throw notUnderstood();
        if (end < 0) return;
        if (!isWithinLine) takeHeader(header);
        header = '';
        isWithinLine = false;
        at = end + 1;
      }
    },
    end(): void {
      const isMissingOne = file?.isOtherType === true && !hasSecondPatch;
      if (count !== files.length || isMissingOne || old.left + fresh.left > 0 || isWithinLine || header !== '')
        throw notUnderstood();
    },
  };
}

const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** git counts lines from 1, and of no lines names the one before. */
function begin(side: { line: number; left: number }, line: number, count: number): void {
  side.line = count === 0 ? line : line - 1;
  side.left = count;
}
