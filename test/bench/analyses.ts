import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOperation, type OperationName } from '../../client/protocol/registry.ts';
import { randomFrom } from '../support/synthetic.ts';
import {
  type BenchDaemon,
  cloneOf,
  type Registered,
  register,
  sampleSymbols,
  startBenchDaemon,
  stopBenchDaemon,
} from './bench-daemon.ts';
import { bench, benchArguments, figuresOf, milliseconds, say, spread, timed } from './measure.ts';

/**
 * What analyses take over the socket: the first of each, then warm ones, then the first after a change of one file.
 *
 *   node dist/test/bench/analyses.js <repository> [--asked 400] [--edits 10] [--seed 1]
 *
 * The repository is cloned. An edit adds a function to a file; what follows asks `sync` of a symbol first, so that what is
 * measured is the analysis, not the wait for the change.
 */
const { operands, flag } = benchArguments();
const random = randomFrom(flag('seed', 1));

type Question = readonly [operation: string, input: Readonly<Record<string, unknown>>];

await bench(async cleanup => {
  const [source] = operands;
  if (source === undefined) throw new Error('Name a git repository');
  const root = cloneOf(source, cleanup);
  const daemon = await startBenchDaemon(cleanup);
  const repository = await register(daemon, root);
  await tellSize(daemon, repository);
  const questions = await questionsAbout(daemon, repository);
  for (const [label, ask] of Object.entries(questions)) {
    const { ms } = await timed(() => answerTo(daemon, ask()));
    say(`${label}, first`, milliseconds(ms));
  }
  for (const [label, ask] of Object.entries(questions)) {
    const times: number[] = [];
    for (let count = flag('asked', 400); count > 0; count--)
      times.push((await timed(() => answerTo(daemon, ask()))).ms);
    say(`${label}, warm`, spread(times));
  }
  await afterEdits(daemon, repository, questions);
  say('memory', `${Math.round(figuresOf(daemon.pid).rssMb)} MB`);
  await stopBenchDaemon(daemon);
});

type Questions = Readonly<Record<string, () => Question>>;

async function questionsAbout({ client }: BenchDaemon, { id: repo }: Registered): Promise<Questions> {
  const symbols = await sampleSymbols(client, repo);
  const paths = [...new Set((await sampleFiles(client, repo)).filter(path => /\.[cm]?[jt]sx?$/.test(path)))];
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const all: Questions = {
    impact: () => ['analysis.impact', { id: pick(symbols).id }],
    'impact, depth 10': () => ['analysis.impact', { id: pick(symbols).id, depth: 10 }],
    callgraph: () => ['analysis.callgraph', { id: pick(symbols).id }],
    trace: () => ['analysis.trace', { from: pick(symbols).id, to: pick(symbols).id }],
    architecture: () => ['analysis.architecture', {}],
    'architecture, files': () => ['analysis.architecture', { granularity: 'file' }],
    unwired: () => ['analysis.unwired', {}],
    complexity: () => ['analysis.complexity', { path: pick(paths) }],
    languages: () => ['environment.languages', {}],
  };
  const known = Object.entries(all).filter(([, ask]) => findOperation(ask()[0]) !== undefined);
  return Object.fromEntries(
    known.map(([label, ask]) => [label, () => [ask()[0], { ...ask()[1], repo }] satisfies Question]),
  );
}

async function sampleFiles(client: BenchDaemon['client'], repo: string): Promise<readonly string[]> {
  const { results } = await client.symbols.search({ q: 'e', limit: 4000, repo });
  return results.map(({ location }) => location.file);
}

function answerTo({ caller }: BenchDaemon, [operation, input]: Question): Promise<unknown> {
  const call = caller.call as (operation: OperationName, input: object) => Promise<unknown>;
  return call.call(caller, operation as OperationName, input);
}

async function afterEdits(daemon: BenchDaemon, { id: repo, root }: Registered, questions: Questions): Promise<void> {
  const paths = await sampleFiles(daemon.client, repo);
  const times = new Map<string, number[]>();
  for (let edit = flag('edits', 10); edit > 0; edit--) {
    for (const [label, ask] of Object.entries(questions)) {
      const path = paths[Math.floor(random() * paths.length)]!;
      appendFileSync(join(root, path), `\nexport function added${edit}${label.length}() {}\n`);
      await daemon.client.symbols.search({ q: 'added', limit: 1, repo, sync: true });
      const { ms } = await timed(() => answerTo(daemon, ask()));
      times.set(label, [...(times.get(label) ?? []), ms]);
    }
  }
  for (const [label, all] of times) say(`${label}, after an edit`, spread(all));
}

async function tellSize({ client }: BenchDaemon, { id: repo, files, symbols }: Registered): Promise<void> {
  const { repos } = await client.system.healthDetailed({});
  say('repository', `${files} files`, `${symbols} symbols`, `${repos[repo]!.refCount} references`);
}
