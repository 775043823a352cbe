import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
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
  if (!existsSync(logFile)) throw new Fault('fileNotFound', `There is no log yet (${logFile})`);
  const tail = tailOf(logFile, lines);
  if (session.format === 'json') writeTold(session, { file: logFile, lines: tail.lines.map(parsedLine) }, '');
  else session.terminal.out(tail.lines.map(line => `${line}\n`).join(''));
  if (follow) await followLog(session, logFile, tail);
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
  const descriptor = openSync(file, 'r');
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

async function followLog({ signal, terminal }: Session, file: string, { inode, end }: Tail): Promise<void> {
  let ino = inode;
  let at = end;
  while (!signal.aborted) {
    await pause(200);
    const now = statSync(file, { throwIfNoEntry: false });
    if (now === undefined) continue;
    if (now.ino !== ino || now.size < at) at = 0;
    ino = now.ino;
    const bytes = readFrom(file, at, now.size - at);
    at += bytes.length;
    terminal.out(bytes.toString('utf8'));
  }
  throw new Fault('cancelled', 'Interrupted');
}

/** What is written at once in a fifth of a second and not read now is read the next time. */
const followBytes = 4 * 1024 * 1024;

function readFrom(file: string, from: number, length: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    return read(descriptor, from, Math.min(length, followBytes));
  } finally {
    closeSync(descriptor);
  }
}

function read(descriptor: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, from));
}
