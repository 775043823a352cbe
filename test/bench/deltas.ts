import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { createIndexEngine, type IndexEngine } from '../../daemon/jobs/engine.ts';
import type { DeltaOutcome } from '../../daemon/jobs/run-delta.ts';
import type { RepositoryRecord } from '../../daemon/model/repository.ts';
import { temporaryFolder, type Workspace, workspace } from '../support/repository.ts';
import { cloneOf } from './bench-daemon.ts';
import { bench, benchArguments, milliseconds, quantile, say, spread } from './measure.ts';

/**
 * Changes one file of a copy of a repository (a body; the name of what is asked about most of all that it exports; the names
 * of all that), has the change built as an artifact, and measures how long it takes to ask
 * about it, and to take it in: until the snapshot that holds it is published, where the tree has the change and nobody
 * has looked; where it was fetched and not checked out; and where the index had it before.
 *
 *   node dist/test/bench/deltas.js <git checkout> [folder] [--edits 10] [--askers 250]
 *
 * A folder keeps copy and index for the next run. The file that changes is a TypeScript file of whose exports as many
 * documents ask as may, `--askers` at most, as trying some files shows.
 */
const { operands, flag } = benchArguments();
const source = resolve(operands[0] ?? '.');
const edits = flag('edits', 10);
const mostAskers = flag('askers', 250);
const mostBytes = 64 * 1024 * 1024;

/** What is declared, its name, and the mark of one that was renamed. */
const exported = /(export (?:abstract )?(?:function|class|const|interface|type|enum) )(\w+?)(Renamed)?\b/g;
let change = 0;

interface Bench {
  readonly tree: Workspace;
  readonly folder: string;
  readonly engine: IndexEngine;
  readonly repo: RepositoryRecord;
}

await bench(async cleanup => {
  const kept = operands[1] === undefined ? undefined : resolve(operands[1]);
  const folder = kept ?? temporaryFolder(cleanup).root;
  const engine = createIndexEngine({ shadowFolder: join(folder, 'shadow'), idleMs: 600_000 });
  cleanup.after(() => engine.close());
  const tree = workspace(kept === undefined ? cloneOf(source, cleanup) : keptClone(kept));
  const repo = {
    id: 'bench',
    root: tree.root,
    indexFile: join(folder, 'index.db'),
    worktreeKey: 'main',
    trusted: false,
  };
  const { fileCount, symbolCount } = await engine.index(repo, { kind: 'recrawl', reason: 'start' });
  say(`${fileCount} files`, `${symbolCount} symbols`);
  const bench = { tree, folder, engine, repo };
  const imported = await mostAsked(bench);
  for (const kind of ['body', 'one export', 'all exports'] as const) {
    for (const place of ['in the tree', 'fetched', 'published before'] as const)
      await measure(kind, place, imported, bench);
  }
});

function keptClone(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const root = join(folder, 'tree');
  if (!existsSync(root)) execFileSync('git', ['clone', '--quiet', '--local', realpathSync(source), root]);
  execFileSync('git', ['reset', '--quiet', '--hard'], { cwd: root });
  return root;
}

/** Of the TypeScript files that export something, by how many imports mention their names, the last that too many ask about, and one on. */
async function mostAsked(bench: Bench): Promise<string> {
  const { tree } = bench;
  const mentions = new Map<string, number>();
  for (const line of tree.git('grep', '-h', '-o', '-E', "from '\\.[^']+'", '--', '*.ts', '*.tsx').split('\n')) {
    const name = basename(line.slice(0, -1)).replace(/\.[jt]s$/, '');
    mentions.set(name, (mentions.get(name) ?? 0) + 1);
  }
  const usesOf = (path: string): number => mentions.get(basename(path, extname(path))) ?? 0;
  const files = tree
    .git('ls-files', '-z', '*.ts')
    .split('\0')
    .filter(path => path.endsWith('.ts') && !path.endsWith('.d.ts') && readIn(tree, path).search(exported) >= 0)
    .sort((a, b) => usesOf(b) - usesOf(a));
  let best = { path: '', askers: 0 };
  for (let low = 0, high = files.length; low < high; ) {
    const middle = (low + high) >>> 1;
    const path = files[middle]!;
    const askers = await askersOf(path, bench);
    if (askers > mostAskers) low = middle + 1;
    else high = middle;
    if (askers <= mostAskers && askers > best.askers) best = { path, askers };
  }
  if (best.askers === 0) throw new Error('of no TypeScript file that exports something ask as few');
  return best.path;
}

/** Documents besides a file that are linked anew where all that it exports has other names. */
async function askersOf(path: string, { tree, engine, repo }: Bench): Promise<number> {
  const changes = { kind: 'paths', paths: new Set([path]) } as const;
  const text = readIn(tree, path);
  tree.write(path, text.replace(exported, otherName));
  const { documentsLinked } = await engine.index(repo, changes);
  tree.write(path, text);
  await engine.index(repo, changes);
  return documentsLinked - 1;
}

type Kind = 'body' | 'one export' | 'all exports';
type Place = 'in the tree' | 'fetched' | 'published before';

async function measure(kind: Kind, place: Place, path: string, bench: Bench): Promise<void> {
  const { engine, repo, tree } = bench;
  const changes = { kind: 'paths', paths: new Set([path]) } as const;
  const times = { checked: [] as number[], taken: [] as number[], cpu: [] as number[] };
  let askers = 0;
  for (let at = 0; at < edits; at++) {
    const artifact = await builtChange(kind, path, bench);
    if (place === 'fetched') {
      tree.git('reset', '--quiet', '--hard', 'HEAD~1');
      await engine.index(repo, changes);
    }
    if (place === 'published before') await engine.index(repo, changes);
    const ask = (what: 'validate' | 'ingest') =>
      engine.delta(repo, { kind: what, artifact: { text: artifact, file: undefined, mostBytes } });
    times.checked.push(await timeOf(() => ask('validate'), accepted));
    const before = process.cpuUsage();
    times.taken.push(
      await timeOf(
        () => ask('ingest'),
        outcome => {
          accepted(outcome);
          if (outcome.kind === 'checked') askers = Math.max(askers, outcome.published?.documentsLinked ?? 0);
        },
      ),
    );
    const { user, system } = process.cpuUsage(before);
    times.cpu.push((user + system) / 1000);
    if (place === 'fetched') tree.git('merge', '--quiet', '--ff-only', 'ORIG_HEAD');
    await engine.index(repo, changes);
  }
  say(`${kind}, ${place}`, `${askers} documents linked`);
  say('  asked about', spread(times.checked));
  say(
    '  taken in',
    spread(times.taken),
    `CPU least ${milliseconds(Math.min(...times.cpu))}`,
    `p50 ${milliseconds(quantile(times.cpu, 0.5))}`,
  );
}

async function builtChange(kind: Kind, path: string, { tree, folder, engine, repo }: Bench): Promise<Uint8Array> {
  const text = readIn(tree, path).replace(/\n\/\/ change \d+\n$/, '\n');
  const changed =
    kind === 'body' ? text : text.replace(kind === 'one export' ? mostUsed(text, tree) : exported, otherName);
  tree.write(path, `${changed}\n// change ${++change}\n`);
  tree.git('commit', '--quiet', '-m', 'change', '--', path);
  const output = join(folder, 'delta.json');
  rmSync(output, { force: true });
  await engine.delta(repo, {
    kind: 'build',
    build: { base: 'HEAD~1', head: undefined, output, mostBytes, timestamp: 1 },
  });
  return readFileSync(output);
}

/** Matches the one exported declaration that most files mention. */
function mostUsed(text: string, tree: Workspace): RegExp {
  let best = { name: '', count: 0 };
  for (const [, , name = ''] of text.matchAll(exported)) {
    const count = tree.git('grep', '-l', '-w', name, '--', '*.ts').split('\n').length;
    if (count > best.count) best = { name, count };
  }
  return new RegExp(exported.source.replace('\\w+?', best.name));
}

/** Every exported declaration has another name each time, and the one before that the time after. */
function otherName(_: string, declared: string, name: string, mark = ''): string {
  return `${declared}${name}${mark === '' ? 'Renamed' : ''}`;
}

function readIn(tree: Workspace, path: string): string {
  return readFileSync(tree.path(path), 'utf8');
}

function accepted(outcome: DeltaOutcome): void {
  if (outcome.kind !== 'checked' || outcome.checked.problems.length > 0) throw new Error(JSON.stringify(outcome));
}

async function timeOf<T>(work: () => Promise<T>, look: (value: T) => void): Promise<number> {
  const started = performance.now();
  const value = await work();
  const ms = performance.now() - started;
  look(value);
  return ms;
}
