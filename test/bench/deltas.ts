import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DeltaOutcome } from '../../daemon/jobs/delta/run-delta.ts';
import { createIndexEngine, type IndexEngine } from '../../daemon/jobs/engine.ts';
import type { RepositoryRecord } from '../../daemon/model/repository.ts';
import { temporaryFolder, type Workspace, workspace } from '../support/repository.ts';
import { cloneOf } from './bench-daemon.ts';
import { bench, benchArguments, milliseconds, quantile, say, spread } from './measure.ts';

/**
 * Changes one file of a copy of a repository (a body; the name of an export that 1, 50 and 250 documents ask about, or as
 * many below that as there are), has the change built as an artifact, and measures how long it takes to ask
 * about it, and to take it in: until the snapshot that holds it is published, where the tree has the change and nobody
 * has looked; where it was fetched and not checked out; and where the index had it before.
 *
 *   node dist/test/bench/deltas.js <git checkout> [folder] [--edits 10]
 *
 * A folder keeps copy and index for the next run. What changes is TypeScript.
 */
const { operands, flag } = benchArguments();
const source = resolve(operands[0] ?? '.');
const edits = flag('edits', 10);
const places = ['in the tree', 'fetched', 'published before'] as const;
type Place = (typeof places)[number];
/** Documents that ask about the export that gets another name, at most. */
const askers = [1, 50, 250];
const mostBytes = 64 * 1024 * 1024;

/** What is declared, its name, and the mark of one that was renamed. */
const exported = /(export (?:abstract )?(?:function|class|const|interface|type|enum) )(\w+?)(Renamed)?\b/g;
/** Of no run before: a snapshot that is kept would be taken up as it is. */
let change = Date.now();

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
  const names = await askedNames(bench);
  for (const place of places) await measure('body', place, names[0]!, bench);
  for (const name of names) for (const place of places) await measure('export', place, name, bench);
});

function keptClone(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const root = join(folder, 'tree');
  if (!existsSync(root)) execFileSync('git', ['clone', '--quiet', '--local', realpathSync(source), root]);
  execFileSync('git', ['reset', '--quiet', '--hard'], { cwd: root });
  return root;
}

/** A name that one file exports, and no other. */
interface AskedName {
  readonly path: string;
  readonly name: string;
}

/** For each of some numbers of documents the name that so many ask about, or the most below that. */
async function askedNames(bench: Bench): Promise<readonly AskedName[]> {
  const mentioned = namesByMentions(bench.tree);
  const found: AskedName[] = [];
  for (const most of askers) {
    let at = mentioned.findIndex(one => one.mentions <= most);
    while (at >= 0 && at < mentioned.length && (await askersOf(mentioned[at]!, bench)) > most) at++;
    const one = mentioned[at];
    if (one === undefined) throw new Error(`of no name that one TypeScript file exports ask ${most} documents or less`);
    found.push(one);
  }
  return found;
}

/** Names that one TypeScript file alone exports, by how many others mention them, the most first. */
function namesByMentions(tree: Workspace): readonly (AskedName & { readonly mentions: number })[] {
  const exporters = new Map<string, string[]>();
  const mentions = new Map<string, number>();
  for (const path of tree.git('ls-files', '-z', '*.ts').split('\0')) {
    if (!path.endsWith('.ts') || path.endsWith('.d.ts')) continue;
    const text = readIn(tree, path);
    for (const [, , name = ''] of text.matchAll(exported)) exporters.set(name, [...(exporters.get(name) ?? []), path]);
    for (const word of new Set(text.match(/\w+/g))) mentions.set(word, (mentions.get(word) ?? 0) + 1);
  }
  const alone = [...exporters].filter(([, paths]) => paths.length === 1);
  return alone
    .map(([name, paths]) => ({ name, path: paths[0]!, mentions: mentions.get(name)! - 1 }))
    .sort((a, b) => b.mentions - a.mentions);
}

/** Documents besides its file that are linked anew where an export has another name. */
async function askersOf({ path, name }: AskedName, { tree, engine, repo }: Bench): Promise<number> {
  const changes = { kind: 'paths', paths: new Set([path]) } as const;
  const text = readIn(tree, path);
  tree.write(path, `${text.replace(declarationOf(name), otherName)}\n// change ${++change}\n`);
  const { documentsLinked } = await engine.index(repo, changes);
  tree.write(path, text);
  await engine.index(repo, changes);
  return documentsLinked - 1;
}

async function measure(kind: 'body' | 'export', place: Place, asked: AskedName, bench: Bench): Promise<void> {
  const { engine, repo, tree } = bench;
  const { path } = asked;
  const changes = { kind: 'paths', paths: new Set([path]) } as const;
  const [checked, taken] = [costs(), costs()];
  let linked = 0;
  for (let at = 0; at < edits; at++) {
    const artifact = await builtChange(kind, asked, bench);
    if (place === 'fetched') {
      tree.git('reset', '--quiet', '--hard', 'HEAD~1');
      await engine.index(repo, changes);
    }
    if (place === 'published before') await engine.index(repo, changes);
    const ask = (what: 'validate' | 'ingest') =>
      engine.delta(repo, { kind: what, artifact: { text: artifact, file: undefined, mostBytes, mostDepth: 64 } });
    checked.add(await costOf(async () => accepted(await ask('validate'))));
    taken.add(
      await costOf(async () => {
        const published = accepted(await ask('ingest'));
        linked = Math.max(linked, published?.documentsLinked ?? 0);
      }),
    );
    if (place === 'fetched') tree.git('merge', '--quiet', '--ff-only', 'ORIG_HEAD');
    await engine.index(repo, changes);
  }
  say(`${kind}, ${place}`, `${linked} documents linked`);
  checked.tell('  asked about');
  taken.tell('  taken in');
}

interface Cost {
  readonly wallMs: number;
  /** Of all threads. */
  readonly cpuMs: number;
}

function costs() {
  const all: Cost[] = [];
  return {
    add: (one: Cost) => all.push(one),
    tell(label: string): void {
      const cpu = all.map(({ cpuMs }) => cpuMs);
      const cpuFigures = [`CPU least ${milliseconds(Math.min(...cpu))}`, `p50 ${milliseconds(quantile(cpu, 0.5))}`];
      say(label, spread(all.map(({ wallMs }) => wallMs)), ...cpuFigures);
    },
  };
}

async function builtChange(
  kind: 'body' | 'export',
  { path, name }: AskedName,
  { tree, folder, engine, repo }: Bench,
): Promise<Uint8Array> {
  const text = readIn(tree, path).replace(/\n\/\/ change \d+\n$/, '\n');
  const changed = kind === 'body' ? text : text.replace(declarationOf(name), otherName);
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

function declarationOf(name: string): RegExp {
  return new RegExp(exported.source.replace('\\w+?', name));
}

/** An exported declaration has another name each time, and the one before that the time after. */
function otherName(_: string, declared: string, name: string, mark = ''): string {
  return `${declared}${name}${mark === '' ? 'Renamed' : ''}`;
}

function readIn(tree: Workspace, path: string): string {
  return readFileSync(tree.path(path), 'utf8');
}

function accepted(outcome: DeltaOutcome) {
  if (outcome.kind !== 'checked' || outcome.checked.problems.length > 0) throw new Error(JSON.stringify(outcome));
  return outcome.published;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [started, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wallMs: performance.now() - started, cpuMs: (user + system) / 1000 };
}
