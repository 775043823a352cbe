import { spawn } from 'node:child_process';

/** git could not answer. The message is ours: nothing that git wrote to stderr is in it (it may quote any file). */
export class GitFailed extends Error {
  readonly reason: 'missing' | 'failed' | 'timeout' | 'output_too_large' | 'cancelled';

  constructor(reason: GitFailed['reason'], message: string) {
    super(message);
    this.name = 'GitFailed';
    this.reason = reason;
  }
}

export interface GitRun {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** The child is killed when it writes more. */
  readonly maxBytes?: number;
}

const defaultTimeoutMs = 60_000;
const defaultMaxBytes = 512 * 1024 * 1024;

/** Runs git and resolves with its stdout. Rejects with `GitFailed`. */
export async function runGit(run: GitRun): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await streamGit(run, chunk => chunks.push(chunk));
  return Buffer.concat(chunks);
}

/** Runs git and hands on its stdout as it comes. Rejects with `GitFailed`. */
export function streamGit(run: GitRun, onChunk: (chunk: Buffer) => void): Promise<void> {
  const { promise, resolve, reject } = withResolvers();
  if (run.signal?.aborted) return Promise.reject(new GitFailed('cancelled', 'git was not run: cancelled'));
  const child = spawn(run.program, run.arguments, {
    cwd: run.cwd,
    env: run.env,
    stdio: [run.input === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'],
  });
  const verb = run.arguments[0] ?? '';
  const fail = (reason: GitFailed['reason'], message: string): void => {
    child.kill('SIGKILL');
    reject(new GitFailed(reason, message));
  };
  const timeoutMs = run.timeoutMs ?? defaultTimeoutMs;
  const timer = setTimeout(() => fail('timeout', `git ${verb} took longer than ${timeoutMs} ms`), timeoutMs);
  const cancel = () => fail('cancelled', `git ${verb} was cancelled`);
  run.signal?.addEventListener('abort', cancel, { once: true });

  let left = run.maxBytes ?? defaultMaxBytes;
  child.stdout?.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) fail('output_too_large', `git ${verb} wrote too much`);
    else onChunk(chunk);
  });
  child.on('error', (error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? fail('missing', 'git is not installed') : fail('failed', 'git could not be started'),
  );
  child.on('close', code => {
    if (code === 0) resolve();
    else reject(new GitFailed('failed', `git ${verb} failed with exit code ${code}`));
  });
  child.stdin?.on('error', () => {}); // it went away early: its exit code tells
  child.stdin?.end(run.input);
  return promise.finally(() => {
    clearTimeout(timer);
    run.signal?.removeEventListener('abort', cancel);
  });
}

function withResolvers(): { promise: Promise<void>; resolve: () => void; reject: (reason: GitFailed) => void } {
  let resolve = () => {};
  let reject: (reason: GitFailed) => void = () => {};
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
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
