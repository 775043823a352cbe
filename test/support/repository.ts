import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, type TestContext } from 'node:test';

/** What a test closes itself after: a `TestContext`, or anything else with `after`. */
export type Cleanup = Pick<TestContext, 'after'>;

/** What the tests of a file share is closed after the last of them. */
export const afterAll: Cleanup = { after: close => after(close as () => unknown) };

/** A folder of files that a test works in, and the git commands that act on it. Gone when the test ends. */
export interface Workspace {
  /** Absolute, without symbolic links. */
  readonly root: string;
  /** Absolute path of something in it. */
  path(relative: string): string;
  write(relative: string, content: string | Uint8Array): void;
  remove(relative: string): void;
  /** Runs git in it and returns stdout without the last newline. Throws where git fails. */
  git(...args: readonly string[]): string;
  /** Stages everything and commits; returns the full hash. */
  commit(message?: string): string;
}

/**
 * Files from one string, in the manner of txtar. A line `-- path --` begins a file, `-- path -> target --` makes a
 * symbolic link, `-- path/ --` an empty folder. The whole text may be indented like the code around it.
 */
export function parseTree(text: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const indent = /^([ \t]*)-- .+ --[ \t]*$/m.exec(text)?.[1] ?? '';
  let current: { path: string; lines: string[] } | undefined;
  const finish = () => {
    if (current === undefined) return;
    while (current.lines.at(-1) === '') current.lines.pop();
    files.set(current.path, current.lines.map(line => `${line}\n`).join(''));
  };
  for (const raw of text.split('\n')) {
    const line = raw.startsWith(indent) ? raw.slice(indent.length) : raw.trim() === '' ? '' : raw;
    const marker = /^-- (.+) --[ \t]*$/.exec(line);
    if (marker === null) {
      current?.lines.push(line);
      continue;
    }
    finish();
    current = { path: marker[1]!, lines: [] };
  }
  finish();
  return files;
}

/** Writes the files of `parseTree` below a folder. */
export function writeTree(root: string, text: string): void {
  for (const [entry, content] of parseTree(text)) {
    const [path, target] = entry.split(' -> ') as [string, string | undefined];
    const place = join(root, path);
    if (path.endsWith('/')) {
      mkdirSync(place, { recursive: true });
      continue;
    }
    mkdirSync(dirname(place), { recursive: true });
    if (target === undefined) writeFileSync(place, content);
    else symlinkSync(target, place);
  }
}

/** A temporary folder with the files of `text`, no repository. */
export function temporaryFolder(test: Cleanup, text = '', parent = tmpdir()): Workspace {
  const root = realpathSync(mkdtempSync(join(parent, 'svc-test-')));
  const clear = () => rmSync(root, { recursive: true, force: true, maxRetries: 8 });
  test.after(() => {
    try {
      clear();
    } catch {
      // What it closed keeps us out too, unless we are root.
      openFolders(root);
      clear();
    }
  });
  writeTree(root, text);
  return workspace(root);
}

/** Lets us into a folder and all below. */
function openFolders(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) openFolders(join(path, name));
}

/** A git repository with the files of `text` committed on branch `main` (nothing committed where there are none). */
export function gitRepository(test: Cleanup, text = '', initArguments: readonly string[] = []): Workspace {
  const made = temporaryFolder(test, text);
  made.git('init', '--quiet', '--initial-branch=main', ...initArguments);
  if (text.trim() !== '') made.commit('first');
  return made;
}

/** A copy of a repository, for a test that does something else to it than others do: one process instead of those that made it. */
export function repositoryLike(test: Cleanup, { root }: Workspace): Workspace {
  const made = temporaryFolder(test);
  cpSync(root, made.root, { recursive: true, preserveTimestamps: true });
  // Its files are others than the index says, until git has looked at them.
  made.git('update-index', '--refresh');
  return made;
}

/** The same operations on a folder that exists. */
export function workspace(root: string): Workspace {
  const path = (relative: string) => join(root, relative);
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...identity, ...args], {
      cwd: root,
      env: gitEnvironment,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 256 * 1024 * 1024,
    }).replace(/\n$/, '');
  return {
    root,
    path,
    write(relative, content) {
      mkdirSync(dirname(path(relative)), { recursive: true });
      writeFileSync(path(relative), content);
    },
    remove: relative => rmSync(path(relative), { recursive: true, force: true }),
    git,
    commit(message = 'change') {
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '-m', message);
      return justCommitted(path('.git')) ?? git('rev-parse', 'HEAD');
    },
  };
}

/** The commit that HEAD has got just now, by its file, which costs no process; none where a file leads elsewhere. */
function justCommitted(folder: string): string | undefined {
  try {
    const head = readFileSync(join(folder, 'HEAD'), 'utf8').trim();
    return head.startsWith('ref: ') ? readFileSync(join(folder, head.slice('ref: '.length)), 'utf8').trim() : head;
  } catch {
    return undefined;
  }
}

const identity = [
  ...['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'protocol.file.allow=always'],
  // No test ends the machine.
  ...['-c', 'core.fsync=none'],
  // After each commit git would start two processes that find nothing to tidy.
  ...['-c', 'maintenance.auto=false'],
];

/** The machine's own git configuration must not decide what a test sees. */
const gitEnvironment: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
};
