import { closeSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { failpoint } from '../failpoint.ts';

/** A file that was being parsed when a process died. */
export interface InFlightInput {
  readonly repo: string;
  readonly path: string;
  readonly hash: string;
}

/**
 * Which inputs are with the parsers right now, kept where a crash of the whole process leaves it: one line of fixed
 * length per place of the extract pool, overwritten in place. It survives the process, not the machine: no fsync, since
 * a power cut is not the parser's doing.
 */
export interface InFlightNote {
  begin(place: number, input: InFlightInput): void;
  end(place: number): void;
  /** Nothing is in flight any more: the note goes away. */
  close(): void;
}

const lineBytes = 5120;
const noteName = 'in-flight';

export function openInFlightNote(folder: string): InFlightNote {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, noteName);
  const descriptor = openSync(file, 'w', 0o600);
  const write = (place: number, text: string): void => {
    const line = Buffer.alloc(lineBytes, ' ');
    line.write(text, 'utf8');
    line.write('\n', lineBytes - 1);
    try {
      writeSync(descriptor, line, 0, lineBytes, place * lineBytes);
    } catch {
      // On a full disk: the note is for crashes alone, and what could not be noted is parsed all the same.
    }
  };
  return {
    begin(place, input) {
      write(place, JSON.stringify(input));
      failpoint('in-flight', input.path);
    },
    end: place => write(place, ''),
    close: () => {
      closeSync(descriptor);
      failpoint('before-unlink', file);
      unlinkSync(file);
      failpoint('after-unlink', file);
    },
  };
}

/** At a start, before any engine runs: what the last process had in flight when it died. Empties the note. */
export function takeInFlight(folder: string): readonly InFlightInput[] {
  const file = join(folder, noteName);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
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
