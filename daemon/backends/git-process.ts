import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { constants, setPriority, totalmem } from 'node:os';
import type { Readable } from 'node:stream';
import type { GitRepository } from './git-repository.ts';

/** git could not answer. The message is ours: nothing that git wrote to stderr is in it (it may quote any file). */
export class GitFailed extends Error {
  readonly reason:
    | 'missing'
    | 'failed'
    /** The clone is partial, and has not all that it took. */
    | 'incomplete'
    /** Somebody's rights keep git out of what it took: see `GitClosed`. */
    | 'closed'
    | 'timeout'
    | 'output_too_large'
    | 'out_of_memory'
    | 'cancelled';
  /** Where git ran and ended with one. */
  readonly exitCode: number | undefined;

  constructor(reason: GitFailed['reason'], message: string, exitCode?: number) {
    super(message);
    this.name = 'GitFailed';
    this.reason = reason;
    this.exitCode = exitCode;
  }
}

/** What a repository has under a name can't be told, for a part of it may not be looked into. */
export class GitClosed extends GitFailed {
  readonly path: string;
  /** Of the repository. */
  readonly root: string;

  constructor(path: string, { workTree, gitDir }: GitRepository, exitCode?: number) {
    super('closed', 'git may not read all of the repository', exitCode);
    this.path = path;
    this.root = workTree ?? gitDir;
  }
}

export interface GitRun {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  /** All of its environment: nothing of ours is added. */
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
  /** For the whole run, however much git has to say meanwhile. */
  readonly timeoutMs?: number;
  /** The child is ended when it writes more. */
  readonly maxBytes?: number;
  /** What it may have in memory by itself, where the system tells (Linux). Not of what `askGit` runs. */
  readonly memoryBytes?: number;
  /** For its stdin, which is empty without it. `streamGit` alone hands it on. */
  readonly input?: string;
  /** `background`: it waits while others want the processor. `streamGit` alone sees to it. */
  readonly priority?: 'background' | undefined;
}

/** Runs git over a repository's objects; rejects with `GitFailed`. */
export type RunOverObjects = <T>(
  repository: GitRepository,
  args: readonly string[],
  shape: (run: GitRun) => Promise<T>,
) => Promise<T>;

const defaultTimeoutMs = 60_000;
const shortAnswerBytes = 64 * 1024 * 1024;
const longAnswerBytes = 512 * 1024 * 1024;

/**
 * simple-git listens for a failed start only after it has used the child's streams, and where descriptors ran out there
 * are none: the failure would be nobody's, and end the process. What becomes of a child is told to who awaits it.
 */
subscribe('child_process', message => {
  const { process: child } = message as { readonly process: ChildProcess };
  child.on('error', () => {});
});

const noDescriptor = -constants.errno.EMFILE;

/**
 * Asks git something that it answers in few words, by way of simple-git. Resolves with its stdout, rejects with
 * `GitFailed`.
 *
 * simple-git costs about what a bare `spawn` does (3 ms) and 35 ms once to load, which is why it is loaded with the
 * first question. Four of its habits are not ours, and are put right here: it waits 50 ms where nothing was written,
 * takes an exit without words or by a signal for success, counts its timeout anew with every byte, and bounds nothing.
 */
export async function askGit(run: GitRun): Promise<string> {
  const leash = leashFor(run, shortAnswerBytes);
  let exitCode: number | null = 0;
  try {
    leash.signal.throwIfAborted();
    const { simpleGit } = await import('simple-git');
    const git = simpleGit({
      baseDir: run.cwd,
      binary: run.program,
      abort: leash.signal,
      // It refuses environments that name configuration files, lest a caller pass on somebody's. Ours names /dev/null,
      // and so sees to it that none is read: see `gitEnvironment`.
      unsafe: { allowUnsafeConfigPaths: true },
      errors(_, result) {
        exitCode = result.exitCode;
        return exitCode === 0 ? undefined : Buffer.from(''); // what it wrote stays here
      },
    });
    // It tells of none of a child that has no streams, for want of descriptors.
    exitCode = noDescriptor;
    const answer = git
      .env(run.env)
      .outputHandler((_, stdout, stderr) => {
        for (const stream of [stdout, stderr] as Readable[]) {
          stream.on('data', (chunk: Buffer) => leash.count(chunk.length));
          leash.signal.addEventListener('abort', () => stream.destroy(), { once: true });
        }
        stdout.once('end', () => stdout.emit('data', Buffer.alloc(0))); // word enough not to be waited for
      })
      .raw([...run.arguments]);
    return await Promise.race([answer, leash.broken]);
  } catch {
    throw leash.signal.aborted ? leash.signal.reason : exitFailure(run, exitCode);
  } finally {
    leash.end();
  }
}

/** Runs git and hands on its stdout as it comes, however long it is. Rejects with `GitFailed`, or with what `onChunk` threw. */
export async function streamGit(run: GitRun, onChunk: (chunk: Buffer) => void): Promise<void> {
  const leash = leashFor(run, longAnswerBytes);
  let unwatch = (): void => {};
  try {
    leash.signal.throwIfAborted();
    const child = spawn(run.program, run.arguments, {
      cwd: run.cwd,
      env: run.env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    if (run.priority === 'background') stepBack(child);
    unwatch = watchMemory(run, child, leash);
    const ended = new Promise<number | null>(resolve => {
      child.once('error', (error: NodeJS.ErrnoException) => resolve(error.errno ?? null));
      child.once('close', resolve);
    });
    // A program that could not be started, for want of descriptors, has no streams.
    const { stdin, stdout } = child as Partial<typeof child>;
    stdin?.on('error', () => {}); // it may end before it has read all; its exit code tells
    stdin?.end(run.input ?? '');
    leash.signal.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
    stdout?.on('data', (chunk: Buffer) => {
      leash.count(chunk.length);
      if (leash.signal.aborted) return;
      try {
        onChunk(chunk);
      } catch (error) {
        leash.give(error);
      }
    });
    const exitCode = await Promise.race([ended, leash.broken]);
    if (exitCode !== 0) throw exitFailure(run, exitCode);
  } finally {
    unwatch();
    leash.end();
  }
}

/** All that git writes, as text: an answer that grows with the tree. */
export async function wholeOutput(run: GitRun): Promise<string> {
  const chunks: Buffer[] = [];
  await streamGit(run, chunk => chunks.push(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

const niceness = 15;

/** Puts a process behind all others in the queue for the processor. */
function stepBack({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, niceness);
  } catch {} // it has gone, or keeps its place
}

/** A tree of few bytes may have more files than any memory holds: each of its folders may be the same one. */
const mostMemory = Math.min(4 * 1024 ** 3, totalmem() / 2);
const lookEveryMs = 250;

/** Breaks the leash of a run whose process takes too much memory. The returned function ends it. */
export function watchMemory(run: GitRun, child: ChildProcess, leash: Leash): () => void {
  const looking = setInterval(lookAtMemory, lookEveryMs, run, child, leash);
  return () => clearInterval(looking);
}

function lookAtMemory(run: GitRun, { pid }: ChildProcess, leash: Leash): void {
  let status = '';
  try {
    status = readFileSync(`/proc/${pid}/status`, 'latin1');
  } catch {
    return; // it has gone, or the system doesn't tell
  }
  // What it maps of packs is the system's to take back.
  const own = Number(/^RssAnon:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  if (own > (run.memoryBytes ?? mostMemory))
    leash.give(new GitFailed('out_of_memory', `git ${run.arguments[0] ?? ''} took too much memory`));
}

/** What holds a run back, whatever its shape: time, size, and whoever asked. */
export interface Leash {
  /** Aborted with a `GitFailed`, or what was given. */
  readonly signal: AbortSignal;
  /** Rejects when the signal fires. */
  readonly broken: Promise<never>;
  count(bytes: number): void;
  /** Breaks it. */
  give(error: unknown): void;
  end(): void;
}

export function leashFor(run: GitRun, most: number): Leash {
  const verb = run.arguments[0] ?? '';
  const stop = new AbortController();
  const give = (reason: GitFailed['reason'], message: string): void => stop.abort(new GitFailed(reason, message));
  const timeoutMs = run.timeoutMs ?? defaultTimeoutMs;
  const timer = setTimeout(() => give('timeout', `git ${verb} took longer than ${timeoutMs} ms`), timeoutMs);
  const cancel = (): void => give('cancelled', `git ${verb} was cancelled`);
  if (run.signal?.aborted) cancel();
  else run.signal?.addEventListener('abort', cancel, { once: true });
  const broken = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true });
  });
  broken.catch(() => {}); // it may break when nobody waits any more
  let left = run.maxBytes ?? most;
  return {
    signal: stop.signal,
    broken,
    give: error => stop.abort(error),
    count(bytes) {
      left -= bytes;
      if (left < 0) give('output_too_large', `git ${verb} wrote too much`);
    },
    end() {
      clearTimeout(timer);
      run.signal?.removeEventListener('abort', cancel);
    },
  };
}

/** `exitCode` is negative, an errno, where the program could not be started; for want of descriptors that is nothing of git's. */
export function exitFailure({ arguments: [verb = ''] }: GitRun, exitCode: number | null): Error {
  if (exitCode === noDescriptor || exitCode === -constants.errno.ENFILE) {
    return Object.assign(new Error('git could not be started: EMFILE'), { code: 'EMFILE' });
  }
  if (exitCode === -constants.errno.ENOENT) return new GitFailed('missing', 'git is not installed');
  if (exitCode !== null && exitCode < 0) return new GitFailed('failed', 'git could not be started');
  return new GitFailed('failed', `git ${verb} failed with exit code ${exitCode}`, exitCode ?? undefined);
}

/**
 * All that git gets of an environment: no variable that names configuration, hooks, editors or transports. PATH keeps
 * its absolute folders only.
 */
export function gitEnvironment(from: NodeJS.ProcessEnv, home: string): NodeJS.ProcessEnv {
  const path = (from['PATH'] ?? '/usr/local/bin:/usr/bin:/bin').split(':').filter(folder => folder.startsWith('/'));
  return {
    PATH: path.join(':'),
    HOME: home,
    XDG_CONFIG_HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_CEILING_DIRECTORIES: home,
    GIT_FLUSH: '0',
  };
}
