import type { Progress } from '../client/protocol/caller.ts';
import { secondsText } from '../client/protocol/duration.ts';
import { type LiveTerminal, safe } from './terminal.ts';

/**
 * Progress for people, on stderr: one line with a bar that changes on a terminal, elsewhere a line for each phase of what takes
 * a while.
 */
export interface ProgressLine {
  show(progress: Progress): void;
  clear(): void;
}

/** Time as a line sees it that goes on to count while nothing new is told. */
export interface ProgressTime {
  nowMs(): number;
  /** Calls back every second until the returned function is called. */
  everySecond(callback: () => void): () => void;
}

export function progressLine(
  terminal: Pick<LiveTerminal, 'isLive' | 'liveColumns' | 'err'>,
  time: ProgressTime = systemTime,
): ProgressLine {
  return terminal.isLive ? liveLine(terminal, time) : phaseLines(terminal, time);
}

const systemTime: ProgressTime = {
  nowMs: () => performance.now(),
  everySecond(callback) {
    const timer = setInterval(callback, 1000);
    timer.unref();
    return () => clearInterval(timer);
  },
};

function liveLine({ err, liveColumns }: Pick<LiveTerminal, 'liveColumns' | 'err'>, time: ProgressTime): ProgressLine {
  let shown: { readonly beganMs: number; readonly stop: () => void } | undefined;
  let last: Progress;
  const draw = (beganMs: number) => {
    const parts = { ...partsOf(last), elapsed: secondsText(time.nowMs() - beganMs) };
    // The last column stays free: a line that fills it makes some terminals begin another.
    err(`\r\x1b[K${lineOf(parts, liveColumns() - 1)}`);
  };
  return {
    show(progress) {
      last = progress;
      if (shown === undefined) {
        const beganMs = time.nowMs();
        shown = { beganMs, stop: time.everySecond(() => draw(beganMs)) };
      }
      draw(shown.beganMs);
    },
    clear() {
      shown?.stop();
      if (shown !== undefined) err('\r\x1b[K');
      shown = undefined;
    },
  };
}

/** What is over sooner has no phases worth a line in a log. */
const quietMs = 2000;
/** Phases that are kept for when it proves to take longer. */
const mostHeld = 20;

/** The numbers of a phase change all the time; its words don't. */
function phaseLines({ err }: Pick<LiveTerminal, 'err'>, time: ProgressTime): ProgressLine {
  let phase = '';
  let held: string[] = [];
  let begun: { readonly atMs: number; readonly stop: () => void } | undefined;
  const tell = (): void => {
    if (begun === undefined || time.nowMs() - begun.atMs < quietMs) return;
    begun.stop();
    for (const line of held.splice(0)) err(line);
  };
  return {
    show(progress) {
      begun ??= { atMs: time.nowMs(), stop: time.everySecond(tell) };
      const { message } = partsOf(progress);
      const words = message.replace(/\d+/g, '');
      if (words === phase) return;
      phase = words;
      held = [...held, `${message}\n`].slice(-mostHeld);
      tell();
    },
    clear() {
      begun?.stop();
      begun = undefined;
      held = [];
      phase = '';
    },
  };
}

interface Parts {
  readonly fraction: number | undefined;
  readonly message: string;
  readonly elapsed: string;
}

function partsOf({ message, fraction }: Progress): Omit<Parts, 'elapsed'> {
  return { message: safe(phases[message] ?? message), fraction };
}

/** Bar, share, phase and time; where there is no room for all, the bar goes first, then the time and the end of the phase. */
function lineOf({ fraction, message, elapsed }: Parts, room: number): string {
  const share = fraction === undefined ? [] : [`${Math.floor(fraction * 100)} %`.padStart(5)];
  const words = [...share, message, elapsed].join('  ');
  const barWidth = Math.min(widestBar, room - words.length - 1);
  if (fraction !== undefined && barWidth >= narrowestBar) return `${bar(fraction, barWidth)} ${words}`;
  return words.length <= room ? words : cut([...share, message].join('  ').trimStart(), room);
}

const widestBar = 24;
const narrowestBar = 8;

function bar(fraction: number, width: number): string {
  const done = Math.floor(Math.min(1, Math.max(0, fraction)) * width);
  return '█'.repeat(done) + '░'.repeat(width - done);
}

function cut(text: string, room: number): string {
  if (text.length <= room) return text;
  return room < 1 ? '' : `${text.slice(0, room - 1)}…`;
}

/** The phases of an index run and the states of a job, in words. */
const phases: Readonly<Record<string, string>> = {
  queued: 'Waiting for its turn',
  running: 'Starting',
  read: 'Reading from the server',
  discover: 'Listing files',
  hash: 'Reading files',
  extract: 'Parsing',
  link: 'Linking references',
  scip: 'Taking in the SCIP index',
  rows: 'Taking in what was read',
  publish: 'Publishing',
};
