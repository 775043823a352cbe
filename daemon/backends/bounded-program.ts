import { statSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { telling } from './last-line.ts';
import { type ProcessGroup, startGroup } from './process-group.ts';

/**
 * Why a program that was started came to nothing. The message is ours, with the line that told why where the program ended by
 * itself; whatever else it wrote is for the log alone.
 */
export class ProgramFailed extends Error {
  override readonly name = 'ProgramFailed';
  readonly reason: 'missing' | 'failed' | 'timeout' | 'out_of_memory' | 'output_too_large' | 'cancelled';
  readonly words: ProgramWords;

  constructor(
    reason: ProgramFailed['reason'],
    message: string,
    words: ProgramWords = { stdout: '', last: '', telling: '' },
  ) {
    super(message);
    this.reason = reason;
    this.words = words;
  }
}

export interface ProgramWords {
  /** The beginning of what it wrote to stdout. */
  readonly stdout: string;
  /** The last of what it wrote to stdout and stderr. */
  readonly last: string;
  /** The line or two of that to show where it came to nothing, of stderr where that has any; '' where it wrote none. */
  readonly telling: string;
}

export interface ProgramRun {
  /** What messages call it. */
  readonly name: string;
  /** Absolute. */
  readonly program: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  /** All of its environment. */
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** What all of its processes together may have resident, where the system tells (Linux). */
  readonly memoryBytes: number;
  /** Files that it writes: none may become larger than this. */
  readonly writes?: { readonly files: readonly string[]; readonly bytes: number };
}

const stdoutLength = 1024 * 1024;
const lastWordsLength = 4096;
const lookEveryMs = 1000;
/** Time for what it wrote last to arrive, where a process that left the group holds the streams. */
const closingMs = 2000;

/**
 * Runs somebody else's program in a process group of its own, after everybody else in the queue for the processor, and
 * ends all of it when its time or memory is up, when it writes too much, or when the signal fires. Resolves when it has
 * gone, with exit code 0; rejects with `ProgramFailed`.
 */
export async function runProgram(run: ProgramRun): Promise<ProgramWords> {
  if (run.signal.aborted) throw new ProgramFailed('cancelled', `${run.name} was cancelled`);
  const { program, arguments: given, cwd, env } = run;
  const group = startGroup({ program, arguments: given, cwd, env, stdin: 'ignore' });
  const words = listen(group, cwd);
  let verdict: { readonly reason: ProgramFailed['reason']; readonly message: string } | undefined;
  const end = (reason: ProgramFailed['reason'], message: string): void => {
    verdict ??= { reason, message: `${run.name} ${message}` };
    group.end();
  };
  const cancel = () => end('cancelled', 'was cancelled');
  const timer = setTimeout(() => end('timeout', `took longer than ${run.timeoutMs / 1000} s`), run.timeoutMs);
  const look = setInterval(() => lookAt(run, group, end), lookEveryMs);
  run.signal.addEventListener('abort', cancel, { once: true });
  const how = await endOf(group);
  clearTimeout(timer);
  clearInterval(look);
  run.signal.removeEventListener('abort', cancel);
  if (tooLarge(run)) end('output_too_large', 'wrote too much');
  if (verdict !== undefined) throw new ProgramFailed(verdict.reason, verdict.message, words());
  if (how === 'not started') throw new ProgramFailed('missing', `${run.name} could not be started`);
  if (how === 0) return words();
  const ended = `${run.name} ended with ${how}`;
  // The system's own way where its memory runs short.
  if (how === 'SIGKILL') throw new ProgramFailed('out_of_memory', ended, words());
  if (isHeapFull(words())) throw new ProgramFailed('out_of_memory', `${run.name} ran out of memory`, words());
  throw failedBy(ended, words());
}

/** As Node.js tells of it. */
function isHeapFull({ last }: ProgramWords): boolean {
  return last.includes('JavaScript heap out of memory');
}

/** A failure of which the program itself may have told why. */
export function failedBy(message: string, words: ProgramWords): ProgramFailed {
  return new ProgramFailed('failed', words.telling === '' ? message : `${message}: ${words.telling}`, words);
}

type End = 0 | 'not started' | string;

/** How a program ended: 0 or words. What it left running ends with it: nobody bounds that any more. */
function endOf({ child, end }: ProcessGroup): Promise<End> {
  return new Promise(resolve => {
    child.once('error', () => resolve('not started'));
    child.once('exit', (code, signal) => {
      end();
      const how = code === 0 ? 0 : signal === null ? `exit code ${code}` : signal;
      const late = setTimeout(() => resolve(how), closingMs);
      child.once('close', () => {
        clearTimeout(late);
        resolve(how);
      });
    });
  });
}

function listen({ child }: ProcessGroup, folder: string): () => ProgramWords {
  let stdout = '';
  let last = '';
  let errors = '';
  for (const stream of [child.stdout, child.stderr]) {
    const decoder = new StringDecoder('utf8');
    stream?.on('error', () => {});
    stream?.on('data', (chunk: Buffer) => {
      const text = decoder.write(chunk);
      if (stream === child.stdout && stdout.length < stdoutLength)
        stdout += text.slice(0, stdoutLength - stdout.length);
      last = (last + text).slice(-lastWordsLength);
      if (stream === child.stderr) errors = (errors + text).slice(-lastWordsLength);
    });
  }
  return () => ({ stdout, last, telling: telling(errors, folder) || telling(last, folder) });
}

function lookAt(
  run: ProgramRun,
  group: ProcessGroup,
  end: (reason: ProgramFailed['reason'], message: string) => void,
): void {
  if (tooLarge(run)) end('output_too_large', 'wrote too much');
  if (group.residentBytes() > run.memoryBytes) {
    end('out_of_memory', `took more than ${Math.round(run.memoryBytes / 2 ** 20)} MiB of memory`);
  }
}

function tooLarge({ writes = { files: [], bytes: 0 } }: ProgramRun): boolean {
  return writes.files.some(file => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > writes.bytes);
}
