import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { type Logger, pino } from 'pino';
import { openOwnFile } from '../client/own-file.ts';
import { Fault } from '../client/protocol/faults.ts';
import { maskSecrets } from '../client/protocol/mask.ts';
import type { Observation, Observe } from './events.ts';

export interface LogSettings {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** A file of this size is rotated to `<file>.1`, that one to `.2` … */
  readonly fileBytes: number;
  readonly files: number;
}

export interface LogOptions {
  readonly file: string;
  readonly settings: LogSettings;
  /** Also to this descriptor (`svc daemon run`). */
  readonly echo?: (line: string) => void;
}

/** The structured log: one JSON object a line, secrets masked. It never blocks for long and never fails its caller. */
export interface Log {
  readonly observe: Observe;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  /** What doctor wants to know of the log itself. */
  status(): {
    readonly file: string;
    readonly bytes: number;
    readonly droppedLines: number;
    readonly error: string | undefined;
    /** False while its path leads to no file, or to another than the one that is written. */
    readonly isNamed: boolean;
  };
  /**
   * To be called every second or so. Somebody may have removed the file, or put another in its place: it is opened anew, for
   * nobody could read what is written. Where it can't be, all stays as it is, and `status` says so.
   */
  keepToPath(): void;
  configure(settings: LogSettings): void;
  close(): void;
}

export function openLog(options: LogOptions): Log {
  let { settings } = options;
  const file = openRotated(options.file, () => settings);
  const logger = pino(
    {
      level: settings.level,
      base: null,
      timestamp: timeField(),
      formatters: { level: label => ({ level: label }) },
      // An observation's kind is the line's message.
      serializers: { cause: describeCause, kind: () => undefined },
    },
    {
      write(line: string) {
        const masked = maskSecrets(line);
        file.write(masked);
        options.echo?.(masked);
      },
    },
  );
  return {
    observe: observation => record(logger, observation),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    status: file.status,
    keepToPath: file.keepToPath,
    configure(next) {
      settings = next;
      logger.level = next.level;
    },
    close: file.close,
  };
}

function record(logger: Logger, observation: Observation): void {
  const { kind } = observation;
  switch (kind) {
    case 'request.finished':
      if (observation.cause !== undefined) logger.error(observation, kind);
      else if (observation.transport === 'http') logger.debug(observation, kind);
      else logger.info(observation, kind);
      return;
    case 'http.answered':
      if (observation.status >= 500) logger.error(observation, kind);
      else logger.info(observation, kind);
      return;
    case 'daemon.fault':
    case 'index.corrupt':
      logger.error(observation, kind);
      return;
    case 'indexer.failed':
    case 'listener.failed':
    case 'connection.refused':
    case 'watch.recrawl':
    case 'watch.warning':
    case 'telemetry.dropped':
    case 'input.quarantined':
      logger.warn(observation, kind);
      return;
    case 'search.answered':
    case 'job.changed':
      logger.debug(observation, kind);
      return;
    case 'daemon.started':
    case 'daemon.moved':
    case 'daemon.draining':
    case 'daemon.stopped':
    case 'repository.changed':
    case 'key.changed':
    case 'listener.opened':
    case 'listener.closed':
    case 'snapshot.published':
    case 'snapshot.renewed':
      logger.info(observation, kind);
      return;
  }
}

/** The time of a line, written out once a millisecond. */
function timeField(): () => string {
  let writtenMs = 0;
  let field = '';
  return () => {
    const nowMs = Date.now();
    if (nowMs !== writtenMs) {
      writtenMs = nowMs;
      field = `,"time":"${new Date(nowMs).toISOString()}"`;
    }
    return field;
  };
}

function describeCause(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause === undefined ? undefined : String(cause);
  return {
    name: cause.name,
    message: cause.message,
    stack: cause.stack,
    ...(cause.cause === undefined ? {} : { cause: describeCause(cause.cause) }),
  };
}

interface RotatedFile {
  write(line: string): void;
  status: Log['status'];
  keepToPath: Log['keepToPath'];
  close(): void;
}

/**
 * Appends what one turn of the event loop has to say in one write: `O_APPEND` keeps lines whole, and what stands in the
 * file survives `kill -9`. A full disk loses lines, counts them, and loses nothing else.
 */
function openRotated(file: string, settings: () => LogSettings): RotatedFile {
  let descriptor: number | undefined;
  let bytes = 0;
  let droppedLines = 0;
  let error: string | undefined;
  let waiting: string[] = [];

  const open = (): void => {
    const opened = openOwnFile(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
    try {
      fchmodSync(opened, 0o600);
      bytes = fstatSync(opened).size;
    } catch (caught) {
      closeSync(opened);
      throw caught;
    }
    descriptor = opened;
  };
  const isNamed = (): boolean => descriptor === undefined || leadsTo(file, descriptor);
  const close = (): void => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
  const rotate = (): void => {
    close();
    const { files } = settings();
    for (let number = files; statSync(`${file}.${number}`, { throwIfNoEntry: false }) !== undefined; number++) {
      rmSync(`${file}.${number}`);
    }
    for (let number = files - 1; number >= 1; number--) {
      const older = number === 1 ? file : `${file}.${number - 1}`;
      if (statSync(older, { throwIfNoEntry: false }) !== undefined) renameSync(older, `${file}.${number}`);
    }
    open();
  };
  const flush = (): void => {
    const lines = waiting;
    waiting = [];
    if (lines.length === 0) return;
    try {
      if (descriptor === undefined) open();
      const text = Buffer.from(lines.join(''));
      if (bytes > 0 && bytes + text.length > settings().fileBytes) rotate();
      const written = writeSync(descriptor!, text);
      if (written < text.length) {
        // The disk ran full in mid-line: a torn one would be nobody's JSON.
        if (fstatSync(descriptor!).size === bytes + written) ftruncateSync(descriptor!, bytes);
        throw Object.assign(new Error('a short write'), { code: 'ENOSPC' });
      }
      bytes += written;
      error = undefined;
    } catch (caught) {
      droppedLines += lines.length;
      error = wordsOf(caught);
    }
  };
  return {
    write(line) {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push(line);
    },
    status: () => ({ file, bytes, droppedLines, error, isNamed: isNamed() }),
    keepToPath() {
      if (isNamed()) return;
      const former = descriptor!;
      try {
        open();
        closeSync(former);
      } catch {
        // It is tried again each time.
      }
    },
    close() {
      flush();
      close();
    },
  };
}

/** What kept a line from being written. What stands in the file's place is for whoever is told to look at. */
function wordsOf(caught: unknown): string {
  const cause = caught instanceof Fault ? caught.cause : caught;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return caught instanceof Fault ? 'it is not a file' : 'unknown';
}

function leadsTo(path: string, descriptor: number): boolean {
  try {
    const named = statSync(path, { bigint: true });
    const open = fstatSync(descriptor, { bigint: true });
    return named.ino === open.ino && named.dev === open.dev;
  } catch {
    return false;
  }
}
