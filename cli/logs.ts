import { closeSync, constants, existsSync, fstatSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { openOwnFile } from '../client/own-file.ts';
import { quote } from '../client/paths.ts';
import { Fault } from '../client/protocol/faults.ts';
import { pause } from '../client/start.ts';
import { UsageError } from './commands.ts';
import { writeTold } from './render.ts';
import type { Session } from './session.ts';

/**
 * The last lines of the log, one JSON object each, or all of them in one document; `follow` goes on until interrupted, across
 * rotations.
 */
export async function logsCommand(
  session: Session,
  { lines, follow }: { lines: number; follow: boolean },
): Promise<void> {
  if (follow && session.format === 'json') {
    throw new UsageError('--json: one document has an end; with --follow each line is one as it is');
  }
  const { logFile } = session.places;
  requireLog(logFile);
  const tail = tailOf(logFile, lines);
  if (session.format === 'json') writeTold(session, { file: logFile, lines: tail.lines.map(parsedLine) }, '');
  else session.terminal.out(tail.lines.map(line => `${line}\n`).join(''));
  if (follow) await followLog(session, logFile, tail);
}

function requireLog(file: string): void {
  try {
    if (statSync(file, { throwIfNoEntry: false }) !== undefined) return;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EACCES') throw closedFolder(file, cause);
  }
  throw new Fault('fileNotFound', `There is no log yet (${file})`);
}

function closedFolder(file: string, cause: unknown): Fault {
  const remedy = `let yourself into its folder: chmod u+rwx ${quote(dirname(file))}`;
  return new Fault('misconfigured', `${file} can’t be looked at; ${remedy}`, { cause });
}

/** A daemon that was killed may have left half a line. */
function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

interface Tail {
  /** Whole lines, the oldest first. */
  readonly lines: readonly string[];
  /** The newest file, and where in it they end. */
  readonly inode: number;
  readonly end: number;
}

/** Enough for any tail that people read; all the logs may be larger. */
const tailBytes = 64 * 1024 * 1024;

/** The last lines of the log, of the rotated files before it where it has too few. */
function tailOf(file: string, count: number): Tail {
  const newest = endOf(file, count, tailBytes);
  const seen = new Set([newest.inode]);
  let { lines } = newest;
  let left = tailBytes - newest.bytes;
  for (let number = 1; lines.length < count && left > 0 && existsSync(`${file}.${number}`); number++) {
    const older = endOf(`${file}.${number}`, count - lines.length, left);
    // It was rotated while we read.
    if (seen.has(older.inode)) continue;
    seen.add(older.inode);
    lines = [...older.lines, ...lines];
    left -= older.bytes;
  }
  return { lines, inode: newest.inode, end: newest.end };
}

interface FileEnd extends Tail {
  /** How many were read. */
  readonly bytes: number;
}

/** Its last lines, read in steps from the end; of no more than `most` bytes. */
function endOf(file: string, count: number, most: number): FileEnd {
  const descriptor = openOwnFile(file, constants.O_RDONLY);
  try {
    const { ino: inode, size } = fstatSync(descriptor);
    const least = Math.max(0, size - most);
    const steps: Buffer[] = [];
    let from = size;
    let newlines = 0;
    // One more than lines: the one before the first of them.
    while (from > least && newlines <= count) {
      const at = Math.max(least, from - stepBytes);
      const step = read(descriptor, at, from - at);
      newlines += newlinesIn(step);
      steps.unshift(step);
      from = at;
    }
    const bytes = Buffer.concat(steps);
    const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
    const lines = whole
      .toString('utf8')
      .split('\n')
      .slice(from === 0 ? 0 : 1, -1);
    return { lines: count === 0 ? [] : lines.slice(-count), inode, end: from + whole.length, bytes: bytes.length };
  } finally {
    closeSync(descriptor);
  }
}

const stepBytes = 256 * 1024;

function newlinesIn(bytes: Buffer): number {
  let found = 0;
  for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1)) found++;
  return found;
}

/** Looks for what is new five times a second; what is rotated away meanwhile is read where it went. */
async function followLog({ signal, terminal }: Session, file: string, tail: Tail): Promise<void> {
  const decoder = new StringDecoder('utf8');
  let { inode, end } = tail;
  while (!signal.aborted) {
    const age = ageOf(file, inode);
    const more = age === undefined ? undefined : moreOf(rotated(file, age), inode, end);
    // Where ours was taken away, the newest is all that is sure to be newer.
    const newer = more === undefined ? newerThan(file, age ?? 1) : undefined;
    if (more !== undefined) {
      terminal.out(decoder.write(more.bytes));
      end = more.end;
    } else if (newer !== undefined) {
      inode = newer;
      end = 0;
    } else await pause(200);
  }
  throw new Fault('cancelled', 'Interrupted');
}

function rotated(file: string, age: number): string {
  return age === 0 ? file : `${file}.${age}`;
}

/** How often the file of this inode was rotated; undefined where it is there no more. While files are renamed one is missing. */
function ageOf(file: string, inode: number): number | undefined {
  for (let age = 0, missing = 0; missing < 2; age++) {
    const found = inodeOf(rotated(file, age));
    if (found === inode) return age;
    missing = found === undefined ? missing + 1 : 0;
  }
  return undefined;
}

/** The inode of the file that came after the one of this age. */
function newerThan(file: string, age: number): number | undefined {
  for (let younger = age - 1; younger >= 0; younger--) {
    const inode = inodeOf(rotated(file, younger));
    if (inode !== undefined) return inode;
  }
  return undefined;
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

/** What is behind a place in the file of this inode, which may have been emptied; undefined where there is nothing. */
function moreOf(
  file: string,
  inode: number,
  end: number,
): { readonly bytes: Buffer; readonly end: number } | undefined {
  if (!existsSync(file)) return undefined;
  const descriptor = openOwnFile(file, constants.O_RDONLY);
  try {
    const { ino, size } = fstatSync(descriptor);
    const from = size < end ? 0 : end;
    if (ino !== inode || size === from) return undefined;
    const bytes = read(descriptor, from, Math.min(size - from, stepBytes));
    return { bytes, end: from + bytes.length };
  } finally {
    closeSync(descriptor);
  }
}

function read(descriptor: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, from));
}
