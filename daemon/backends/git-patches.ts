import type { PathChange } from '../model/history.ts';
import { changeKind, notUnderstood, tooMuch } from './git-parts.ts';

export interface DiffBounds {
  /** More are refused. */
  readonly files: number;
  /** After so many a file has one alone, which grows to cover what follows. */
  readonly hunks: number;
}

export interface PatchReading extends DiffBounds {
  /** Hears of all files before the first of their patches. */
  readonly onListed?: (files: readonly PatchedFile[]) => void;
}

/** A file of a patch, as it is read. */
export interface PatchedFile extends PathChange {
  /** A link became a file or the other way round: it has two patches, the first of what went. */
  readonly isOtherType: boolean;
  /** Its content is the same: whether that is binary is not told. */
  readonly isSame: boolean;
  readonly oldBlob: string | undefined;
  readonly newBlob: string | undefined;
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
 * Reads what `git diff-tree -z --raw --no-abbrev -p` writes, as it comes: the list of files, each part ended by NUL and all of it by an
 * empty one, then their patches in the same order. Names in the patches are quoted, and not looked at; of their lines
 * only the first byte is.
 */
export function readPatches({ files, hunks, onListed }: PatchReading) {
  const list = readList(files, onListed);
  const patches = readLines(list.files, hunks);
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
const listed = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([ADMT]|R(?=\d))\d*$/;
/** Modes of regular files begin so. */
const regular = '100';
const longestPart = 1024 * 1024;

function readList(mostFiles: number, onListed: PatchReading['onListed']) {
  const files: PatchedFile[] = [];
  let begun: Buffer = Buffer.alloc(0);
  let letter = '';
  let [oldBlob, newBlob]: [string?, string?] = [];
  let isSame = false;
  let from: string | undefined;
  let isOver = false;
  const takePart = (part: string): void => {
    if (letter === '') {
      isOver = part === '';
      if (isOver) onListed?.(files);
      if (isOver) return;
      const [, oldMode, newMode, before, after, told] = listed.exec(part) ?? [];
      if (told === undefined) throw notUnderstood();
      letter = told;
      isSame = before === after;
      oldBlob = oldMode!.startsWith(regular) ? before : undefined;
      newBlob = newMode!.startsWith(regular) ? after : undefined;
    } else if (letter === 'R' && from === undefined) {
      from = part;
    } else {
      const change = { kind: changeKind(letter), path: part, ...(from === undefined ? {} : { from }) };
      const isOtherType = letter === 'T';
      const told = { ...change, isOtherType, isSame, oldBlob, newBlob };
      files.push({ ...told, isBinary: false, added: 0, deleted: 0, hunks: [] });
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

const newline = 10;

/** Line by line: what is told of a file, and for each of its hunks where it is, then the hunk's lines. */
function readLines(files: readonly PatchedFile[], mostHunks: number) {
  /** How many files have begun, and the last of them. */
  let count = 0;
  let file: PatchedFile | undefined;
  let hasSecondPatch = false;
  const hunks = readHunks(mostHunks);
  let header = '';
  let isWithinLine = false;
  const takeHeader = (text: string): void => {
    if (text.startsWith('diff --git ')) {
      hasSecondPatch = file?.isOtherType === true && !hasSecondPatch;
      if (!hasSecondPatch) file = files[count++];
    }
    if (file === undefined) throw notUnderstood();
    if (text.startsWith('@@ ')) hunks.begin(text);
    else if (text.startsWith('Binary files ')) file.isBinary = true;
  };
  return {
    take(chunk: Buffer, from: number): void {
      for (let at = from; at < chunk.length; ) {
        if (!isWithinLine && header === '' && hunks.isWithin()) {
          hunks.takeLine(file!, chunk[at]!);
          isWithinLine = true;
        }
        const end = chunk.indexOf(newline, at);
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
      const isCut = isWithinLine || header !== '' || hunks.isWithin();
      const lacksSecond = file?.isOtherType === true && !hasSecondPatch;
      if (isCut || lacksSecond || count !== files.length) throw notUnderstood();
    },
  };
}

const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const [space, plus, minus, backslash] = [...' +-\\'].map(one => one.charCodeAt(0));

/** Where the next line is in a file, and how many of its lines the hunk has left. */
interface Side {
  line: number;
  left: number;
}

/** Lines that differ and follow each other are a hunk, whatever git shows together. */
function readHunks(mostHunks: number) {
  const [old, fresh]: [Side, Side] = [
    { line: 0, left: 0 },
    { line: 0, left: 0 },
  ];
  let hunk: GrowingHunk | undefined;
  let count = 0;
  const hunkHere = (file: PatchedFile): GrowingHunk => {
    if (hunk !== undefined) return hunk;
    const last = file.hunks.at(-1);
    if (last !== undefined && count >= mostHunks) {
      last.oldCount = old.line - last.oldLine;
      last.newCount = fresh.line - last.newLine;
      return last;
    }
    count++;
    const begun = { oldLine: old.line, oldCount: 0, newLine: fresh.line, newCount: 0 };
    file.hunks.push(begun);
    return begun;
  };
  return {
    isWithin: () => old.left + fresh.left > 0,
    begin(header: string): void {
      const [, oldLine, oldCount = '1', newLine, newCount = '1'] = hunkHeader.exec(header) ?? [];
      if (newLine === undefined) throw notUnderstood();
      hunk = undefined;
      begin(old, Number(oldLine), Number(oldCount));
      begin(fresh, Number(newLine), Number(newCount));
    },
    takeLine(file: PatchedFile, mark: number): void {
      if (mark === backslash) return; // that the last line has no end
      if (mark === space) {
        hunk = undefined;
        pass(old);
        pass(fresh);
        return;
      }
      hunk = hunkHere(file);
      if (mark === minus) {
        hunk.oldCount++;
        file.deleted++;
        pass(old);
      } else if (mark === plus) {
        hunk.newCount++;
        file.added++;
        pass(fresh);
      } else throw notUnderstood();
    },
  };
}

/** git counts lines from 1, and of no lines names the one before. */
function begin(side: Side, line: number, count: number): void {
  side.line = count === 0 ? line : line - 1;
  side.left = count;
}

function pass(side: Side): void {
  if (side.left-- === 0) throw notUnderstood();
  side.line++;
}
