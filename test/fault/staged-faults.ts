import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { ready } from '../oracle/stored.ts';
import type { TestDaemon } from '../support/daemon.ts';
import { type Cleanup, gitRepository, type Workspace } from '../support/repository.ts';

export type Status = 'pass' | 'info' | 'warn' | 'fail';

/** A fault, the one check that tells of it, and how both go away. */
export interface Row {
  readonly check: string;
  readonly status: Status;
  /** What follows from it by nature, and is told too. */
  readonly along?: Readonly<Record<string, Status>>;
  /** Questions can't be answered meanwhile, and `/ready` says so. Else it says that they can. */
  readonly isUnready?: true;
  /** What its message says is to be done, where no command does it. */
  readonly remedy?: RegExp;
  /** False where this system has no such thing. */
  readonly isHere?: boolean;
  readonly begins: (place: Place) => void | Promise<void>;
  readonly ends: (place: Place) => void | Promise<void>;
}

export interface Place {
  readonly daemon: TestDaemon;
  readonly tree: Workspace;
  /** The folder in which the daemon finds its git. */
  readonly programs: Workspace;
  readonly context: Cleanup;
}

export const atAnyPort = '[http]\nport = 0\n';

/** A configuration that is read on SIGHUP; without more, the one that the daemon began with. */
function configured({ daemon }: Place, more = ''): void {
  daemon.home.configure(more.includes('[http]') ? more : `${more}\n${atAnyPort}`);
  daemon.process.kill('SIGHUP');
}

function misconfigured(check: string, status: Status, toml: string | (() => string), remedy?: RegExp): Row {
  return {
    check,
    status,
    begins: place => configured(place, typeof toml === 'string' ? toml : toml()),
    ends: place => configured(place),
    ...(remedy === undefined ? {} : { remedy }),
  };
}

export function gitProgram(): string {
  return execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
}

/** Opens something of ours to everybody, and closes it again. */
function opened(check: string, mode: number, closed: number, pathOf: (place: Place) => string): Row {
  return {
    check,
    status: 'fail',
    begins: place => chmodSync(pathOf(place), mode),
    ends: place => chmodSync(pathOf(place), closed),
  };
}

function allow({ process: { pid } }: TestDaemon, descriptors: number): void {
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${descriptors}:4096`]);
}

const placesOf = ({ daemon }: Place) => daemon.home.places;
const besideIndex = (place: Place, name: string): string =>
  join(placesOf(place).repos, readdirSync(placesOf(place).repos)[0]!, name);
const oddName = Buffer.from([0x62, 0xff, 0x2e, 0x74, 0x73]);
const odd = ({ tree }: Place) => Buffer.concat([Buffer.from(`${tree.root}/`), oddName]);
let head = '';
let token = '';
let gitIndex = Buffer.alloc(0);
let squatter: Server | undefined;
let beginner: Workspace | undefined;
let lost: Workspace | undefined;

export const rows: readonly Row[] = [
  opened('folder.runtime', 0o755, 0o700, place => placesOf(place).runtime),
  opened('folder.state', 0o777, 0o700, place => placesOf(place).state),
  opened('folder.data', 0o777, 0o700, place => placesOf(place).data),
  opened('socket', 0o666, 0o600, ({ daemon }) => daemon.record.socket),
  opened('database.mode', 0o644, 0o600, place => placesOf(place).daemonDb),
  opened('files.mode', 0o644, 0o600, place => placesOf(place).logFile),
  opened('files.mode', 0o622, 0o600, place => `${placesOf(place).daemonDb}-wal`),
  ...['index.db', 'index.db-wal', 'index.db-shm', 'history.db'].map(name =>
    opened('files.mode', 0o666, 0o600, place => besideIndex(place, name)),
  ),
  opened('token', 0o644, 0o600, place => placesOf(place).tokenFile),
  {
    check: 'token',
    status: 'fail',
    begins: place => {
      token = readFileSync(placesOf(place).tokenFile, 'utf8');
      rmSync(placesOf(place).tokenFile);
    },
    ends: place => writeFileSync(placesOf(place).tokenFile, token, { mode: 0o600 }),
  },
  {
    check: 'token',
    status: 'fail',
    begins: place => {
      token = readFileSync(placesOf(place).tokenFile, 'utf8');
      writeFileSync(placesOf(place).tokenFile, 'not the token\n');
    },
    ends: place => writeFileSync(placesOf(place).tokenFile, token),
  },
  {
    check: 'daemon.lock',
    status: 'fail',
    begins: place => writeFileSync(placesOf(place).lockFile, 'garbage\n'),
    ends: place => writeFileSync(placesOf(place).lockFile, ''),
  },
  misconfigured('token', 'warn', '[auth]\nenabled = false', /until it is true$/),
  misconfigured('config', 'fail', 'freshness_minutes = "x"', /until this is put right: .*config\.toml:1: /),
  misconfigured('config.default_repo', 'warn', 'default_repo = "none"', /set it to an id of svc repo list$/),
  misconfigured('telemetry', 'warn', '[telemetry.services.shop]\nrepo = "none"'),
  opened('config', 0o622, 0o600, place => placesOf(place).configFile),
  {
    // In place of a file that is gone alone, a new one is made at once.
    check: 'log',
    status: 'warn',
    begins: place => {
      rmSync(placesOf(place).logFile);
      mkdirSync(placesOf(place).logFile);
    },
    ends: place => rmdirSync(placesOf(place).logFile),
  },
  {
    check: 'http.listener',
    status: 'warn',
    begins: async place => {
      squatter = createServer().listen(0, 'localhost');
      await once(squatter, 'listening');
      configured(place, `[http]\nhost = "127.0.0.1"\nport = ${(squatter.address() as { port: number }).port}`);
    },
    ends: place => {
      squatter?.close();
      configured(place);
    },
  },
  {
    check: 'git',
    status: 'warn',
    remedy: /install it where the PATH/,
    begins: ({ programs }) => programs.remove('git'),
    ends: ({ programs }) => symlinkSync(gitProgram(), programs.path('git')),
  },
  {
    check: 'descriptors',
    status: 'warn',
    isHere: process.platform === 'linux',
    // There is room for what the doctor itself opens.
    begins: ({ daemon }) => allow(daemon, readdirSync(`/proc/${daemon.process.pid}/fd`).length + 8),
    ends: ({ daemon }) => allow(daemon, 4096),
  },
  {
    check: 'repository.root',
    status: 'fail',
    along: { watch: 'fail', 'index.freshness': 'warn', history: 'info' },
    begins: ({ tree }) => renameSync(tree.root, `${tree.root}.away`),
    ends: ({ tree }) => renameSync(`${tree.root}.away`, tree.root),
  },
  {
    check: 'repository.ignore-files',
    status: 'warn',
    remedy: /\/\.gitignore is no regular file/,
    begins: ({ tree }) => symlinkSync('/etc/passwd', tree.path('.gitignore')),
    ends: ({ tree }) => tree.remove('.gitignore'),
  },
  {
    check: 'repository.git-files',
    status: 'warn',
    begins: ({ tree }) => {
      gitIndex = readFileSync(tree.path('.git/index'));
      writeFileSync(tree.path('.git/index'), '');
    },
    ends: ({ tree }) => writeFileSync(tree.path('.git/index'), gitIndex),
  },
  {
    check: 'ownership.codeowners',
    status: 'warn',
    remedy: /^CODEOWNERS /,
    begins: ({ tree }) => symlinkSync('/etc/passwd', tree.path('CODEOWNERS')),
    ends: ({ tree }) => tree.remove('CODEOWNERS'),
  },
  {
    check: 'ownership.codeowners-lines',
    status: 'warn',
    remedy: /^CODEOWNERS:1 .*user/,
    begins: ({ tree }) => tree.write('CODEOWNERS', '* user\n'),
    ends: ({ tree }) => tree.remove('CODEOWNERS'),
  },
  {
    check: 'ownership.teams',
    status: 'info',
    begins: ({ tree }) => tree.write('CODEOWNERS', '* @org/team\n'),
    ends: ({ tree }) => tree.remove('CODEOWNERS'),
  },
  {
    check: 'ownership.handles',
    status: 'warn',
    remedy: /@alice/,
    begins: ({ tree }) => {
      for (const [name, email] of [
        ['Alice Adams', 'alice@corp-a.com'],
        ['Alice Baker', 'alice@corp-b.org'],
      ]) {
        tree.git('commit', '--allow-empty', '-m', 'a', '--author', `${name} <${email}>`);
      }
      tree.write('CODEOWNERS', '* @alice\n');
    },
    ends: ({ tree }) => tree.remove('CODEOWNERS'),
  },
  {
    check: 'repository.settings',
    status: 'warn',
    remedy: /^\.svc\.toml:1: http/,
    begins: ({ tree }) => tree.write('.svc.toml', '[http]\nport = 80\n'),
    ends: ({ tree }) => tree.remove('.svc.toml'),
  },
  {
    check: 'history.mailmap',
    status: 'warn',
    remedy: /^\.mailmap /,
    begins: ({ tree }) => symlinkSync('/etc/passwd', tree.path('.mailmap')),
    ends: ({ tree }) => tree.remove('.mailmap'),
  },
  {
    check: 'history.ignored-revisions',
    status: 'warn',
    remedy: /no full hash/,
    begins: ({ tree }) => tree.write('.git-blame-ignore-revs', 'HEAD~1\n'),
    ends: ({ tree }) => tree.remove('.git-blame-ignore-revs'),
  },
  {
    check: 'repository.modules-file',
    status: 'warn',
    remedy: /^MODULES\.toml/,
    begins: ({ tree }) => tree.write('MODULES.toml', '[[module]]\npath = "gone"\nsummary = "It is not there."\n'),
    ends: ({ tree }) => tree.remove('MODULES.toml'),
  },
  {
    check: 'repository.decisions',
    status: 'warn',
    remedy: /1-a\.md/,
    begins: ({ tree }) => {
      for (const name of ['1-a.md', '1-b.md']) tree.write(`docs/adr/${name}`, '# A\n');
    },
    ends: ({ tree }) => tree.remove('docs'),
  },
  {
    // Nothing is published while git is at work: what was edited meanwhile is not in any answer.
    check: 'index.freshness',
    status: 'warn',
    along: { watch: 'info' },
    begins: ({ tree }) => {
      tree.write('.git/index.lock', '');
      tree.write('a.ts', 'export const a = 2;\n');
    },
    ends: ({ tree }) => tree.remove('.git/index.lock'),
  },
  {
    check: 'watch.sync',
    status: 'fail',
    begins: place => {
      rmSync(placesOf(place).cookies, { recursive: true });
      writeFileSync(placesOf(place).cookies, '');
    },
    ends: place => rmSync(placesOf(place).cookies),
  },
  {
    check: 'repositories.indexed',
    status: 'warn',
    isUnready: true,
    begins: async ({ daemon, context }) => {
      beginner = gitRepository(context, '-- a.ts --\nexport const a = 1;');
      // What is published waits for git to come to its end.
      beginner.write('.git/index.lock', '');
      await daemon.client.daemon.addRepo({ root: beginner.root, id: 'beginner' });
    },
    ends: () => beginner?.remove('.git/index.lock'),
  },
  {
    check: 'repositories.roots',
    status: 'warn',
    begins: async ({ daemon, context }) => {
      lost = gitRepository(context, '-- a.ts --\nexport const a = 1;');
      await daemon.client.daemon.addRepo({ root: lost.root, id: 'lost' });
      await ready(daemon);
      renameSync(lost.root, `${lost.root}.away`);
    },
    ends: async ({ daemon }) => {
      await daemon.client.daemon.removeRepo({ id: 'lost' });
      renameSync(`${lost!.root}.away`, lost!.root);
    },
  },
  {
    check: 'quarantine',
    status: 'warn',
    begins: place => {
      const folder = join(dirname(placesOf(place).daemonDb), 'quarantine');
      mkdirSync(folder);
      writeFileSync(join(folder, 'daemon.db.2026-01-01'), '', { mode: 0o600 });
    },
    ends: place => rmSync(join(dirname(placesOf(place).daemonDb), 'quarantine'), { recursive: true }),
  },
  {
    check: 'history',
    status: 'warn',
    begins: ({ tree }) => {
      head = tree.git('rev-parse', 'HEAD');
      tree.write('.git/refs/heads/main', `${'1'.repeat(40)}\n`);
    },
    ends: ({ tree }) => tree.write('.git/refs/heads/main', `${head}\n`),
  },
  {
    check: 'history',
    status: 'warn',
    remedy: /^HEAD can’t be read: HEAD names no branch and no commit$/,
    begins: ({ tree }) => tree.write('.git/HEAD', 'garbage\n'),
    ends: ({ tree }) => tree.write('.git/HEAD', 'ref: refs/heads/main\n'),
  },
  {
    check: 'index.skipped',
    status: 'warn',
    remedy: /rename them/,
    begins: async place => {
      writeFileSync(odd(place), 'export const odd = 1;\n');
      await place.daemon.client.indexing.index({ repo: 'app', force: true });
    },
    ends: async place => {
      rmSync(odd(place));
      await place.daemon.client.indexing.index({ repo: 'app', force: true });
    },
  },
];
