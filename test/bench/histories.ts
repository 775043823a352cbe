import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomFrom } from '../support/synthetic.ts';
import { type BenchDaemon, cloneOf, startBenchDaemon, stopBenchDaemon } from './bench-daemon.ts';
import { bench, benchArguments, figuresOf, milliseconds, say, spread, timed } from './measure.ts';

/**
 * What history takes: from the registration of a repository until churn and authors of all files are known, until lines are
 * counted; hotspots, coupling, ownership of blamed files and drift, warm; from a commit to the first answer that has it; a summary of
 * a range beside `git diff --numstat` of the same.
 *
 *   node dist/test/bench/histories.js <git checkout> [--asked 300] [--commits 20] [--files 80] [--ranges 15] [--pause 2000] [--seed 1]
 *
 * The repository is cloned with its history.
 */
const { operands, flag } = benchArguments();
const random = randomFrom(flag('seed', 1));

await bench(async cleanup => {
  const [source] = operands;
  if (source === undefined) throw new Error('Name a git repository');
  const root = cloneOf(source, cleanup);
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', maxBuffer: 2 ** 30 }).trim();
  say('commits', git('rev-list', '--count', 'HEAD'));
  const daemon = await startBenchDaemon(cleanup);
  const repo = await registration(daemon, root);
  await warm(daemon, repo, git);
  await afterCommits(daemon, repo, root, git);
  await ranges(daemon, repo, git);
  say('memory', `${Math.round(figuresOf(daemon.pid).rssMb)} MB`);
  await stopBenchDaemon(daemon);
});

type Git = (...args: readonly string[]) => string;

async function registration({ client }: BenchDaemon, root: string): Promise<string> {
  const started = performance.now();
  const { repo } = await client.daemon.addRepo({ root });
  const since = (): string => milliseconds(performance.now() - started);
  const until = async (isSo: (status: Awaited<ReturnType<typeof client.system.status>>) => boolean): Promise<void> => {
    while (!isSo(await client.system.status({ repo: repo.id }))) await new Promise(next => setTimeout(next, 10));
  };
  await until(({ history }) => history.status === 'ready');
  say('history known after', since());
  await until(({ index }) => index.snapshotId !== null);
  say('index published after', since());
  await client.hotspots.list({ repo: repo.id });
  say('first hotspots after', since());
  await until(({ history }) => history.uncountedCommits === 0);
  say('lines counted after', since());
  return repo.id;
}

async function warm({ client }: BenchDaemon, repo: string, git: Git): Promise<void> {
  const files = git('ls-files')
    .split('\n')
    .filter(path => /\.(?:[cm]?[jt]sx?|rs|py|go|java|kt)$/.test(path));
  const some = Array.from({ length: 50 }, () => pick(files));
  for (const path of some) await client.ownership.get({ path, repo });
  const questions: Readonly<Record<string, () => Promise<unknown>>> = {
    hotspots: () => client.hotspots.list({ repo }),
    'hotspots, 365 days': () => client.hotspots.list({ repo, days: 365 }),
    coupling: () => client.hotspots.coupling({ path: pick(files), repo }),
    'ownership of a blamed file': () => client.ownership.get({ path: pick(some), repo }),
    drift: () => client.ownership.drift({ repo }),
  };
  for (const [label, ask] of Object.entries(questions)) {
    say(`${label}, first`, milliseconds((await timed(ask)).ms));
    const times: number[] = [];
    for (let count = flag('asked', 300); count > 0; count--) times.push((await timed(ask)).ms);
    say(`${label}, warm`, spread(times));
  }
}

/** From the end of `git commit` to the answer that is of it. */
async function afterCommits({ client }: BenchDaemon, repo: string, root: string, git: Git): Promise<void> {
  const times: number[] = [];
  for (let count = 0; count < flag('commits', 20); count++) {
    writeFileSync(join(root, `bench-${count}.txt`), `${count}\n`);
    git('add', '--all');
    git('-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', 'commit', '--quiet', '-m', `${count}`);
    const head = git('rev-parse', 'HEAD');
    const { ms, value } = await timed(() => client.hotspots.list({ repo, limit: 1 }));
    if (value.commit !== head) throw new Error('the answer is of an older commit');
    times.push(ms);
  }
  say('first answer after a commit', spread(times));
}

/** Of ranges that end at HEAD, each asked for the first time and again, beside what git takes to count their lines. */
async function ranges({ client }: BenchDaemon, repo: string, git: Git): Promise<void> {
  const few = flag('files', 80);
  const filesSince = (commit: string): number => git('diff', '--name-only', commit, 'HEAD').split('\n').length;
  const commits = git('rev-list', '--first-parent', '-n', '400', 'HEAD').split('\n');
  const bases = commits.filter(commit => filesSince(commit) >= few && filesSince(commit) <= 1.5 * few);
  const times: Record<'plain' | 'first' | 'again', number[]> = { plain: [], first: [], again: [] };
  for (const base of bases.slice(0, flag('ranges', 15))) {
    const ask = () => client.pr.summary({ baseBranch: base, headBranch: 'HEAD', repo });
    const counted = async () => (await timed(async () => git('diff', '--numstat', base, 'HEAD'))).ms;
    await new Promise(rested => setTimeout(rested, flag('pause', 2000)));
    times.plain.push(await counted());
    times.first.push((await timed(ask)).ms);
    times.plain.push(await counted());
    times.again.push((await timed(ask)).ms);
  }
  say('git diff --numstat', spread(times.plain));
  say('summary of a range, first', spread(times.first));
  say('summary of a range, again', spread(times.again));
}

function pick<T>(list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}
