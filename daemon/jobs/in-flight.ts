import { closeSync, constants, rmSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openOwnFile, readOwnFile } from '../../client/own-file.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { makeOwnFolder } from '../backends/own-folder.ts';
import { failpoint } from '../failpoint.ts';

/** A file that was being parsed when a process died. */
export interface InFlightInput {
  readonly repo: string;
  readonly path: string;
  readonly hash: string;
}

/**
 * Which inputs are with the parsers right now, kept where a crash of the whole process leaves it: some lines per place of
 * the extract pool, overwritten in place. It survives the process, not the machine: no fsync, since a power cut is not
 * the parser's doing.
 */
export interface InFlightNote {
  /** One line each; what there is no room for is not noted. */
  begin(place: number, inputs: readonly InFlightInput[]): void;
  end(place: number): void;
  /** Nothing is in flight any more: the note goes away. */
  close(): void;
}

/** Room of a place; the file is as sparse as the places are empty. */
const placeBytes = 96 * 1024;
const noteName = 'in-flight';

export function openInFlightNote(folder: string): InFlightNote {
  const file = join(folder, noteName);
  let descriptor: number | undefined;
  const made = (): number => {
    makeOwnFolder(folder);
    return openOwnFile(file, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC);
  };
  const opened = (): number => {
    try {
      return made();
    } catch (error) {
      // Something else than a file.
      if (!(error instanceof Fault)) throw error;
      rmSync(file, { recursive: true, force: true });
      return made();
    }
  };
  /** By place: how far it is written. */
  const filled = new Map<number, number>();
  const write = (place: number, text: string): void => {
    const length = Buffer.byteLength(text);
    const bytes = Buffer.alloc(Math.max(length, filled.get(place) ?? 0), ' ');
    bytes.write(text);
    filled.set(place, length);
    try {
      descriptor ??= opened();
      writeSync(descriptor, bytes, 0, bytes.length, place * placeBytes);
    } catch {
      // On a full disk, or where no file can be: the note is for crashes alone, and what could not be noted is parsed all the same.
    }
  };
  return {
    begin(place, inputs) {
      write(place, linesOf(inputs));
      for (const { path } of inputs) failpoint('in-flight', path);
    },
    end: place => write(place, ''),
    close: () => {
      if (descriptor === undefined) return;
      closeSync(descriptor);
      failpoint('before-unlink', file);
      unlinkSync(file);
      failpoint('after-unlink', file);
    },
  };
}

function linesOf(inputs: readonly InFlightInput[]): string {
  let text = '';
  for (const input of inputs) {
    const line = `${JSON.stringify(input)}\n`;
    if (Buffer.byteLength(text) + Buffer.byteLength(line) < placeBytes) text += line;
  }
  return text;
}

/** At a start, before any engine runs: what the last process had in flight when it died. Empties the note. */
export function takeInFlight(folder: string): readonly InFlightInput[] {
  const file = join(folder, noteName);
  let text: string;
  try {
    text = readOwnFile(file);
    unlinkSync(file);
  } catch {
    return [];
  }
  return text.split('\n').flatMap(parseLine);
}

function parseLine(line: string): readonly InFlightInput[] {
  try {
    const { repo, path, hash } = JSON.parse(line.replaceAll('\0', ' ')) as Partial<Record<string, unknown>>;
    return typeof repo === 'string' && typeof path === 'string' && typeof hash === 'string'
      ? [{ repo, path, hash }]
      : [];
  } catch {
    return [];
  }
}
