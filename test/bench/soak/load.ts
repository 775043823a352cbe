import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createClient } from '../../../client/client.ts';
import { httpCaller } from '../../../client/http.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import type { Operation } from '../../../client/protocol/operation.ts';
import { type OperationName, operationNames, operations } from '../../../client/protocol/registry.ts';
import { callerIn } from '../../support/daemon.ts';
import { encodedMetrics, pointOf, requestOf, sumOf } from '../../support/otlp.ts';
import { type Cleanup, gitRepository, temporaryFolder, type Workspace, workspace } from '../../support/repository.ts';
import { scipBytes } from '../../support/scip.ts';
import { type BenchDaemon, register, type SampledSymbol, sampleSymbols } from '../bench-daemon.ts';
import { functionFor, someFiles } from '../edited-files.ts';

/** A daemon with all that the load is about: a tree that is edited, a small one whose branches change, a federation, an upload. */
export interface Load {
  readonly daemon: BenchDaemon;
  /** Callers over the socket and over HTTP, in turns. */
  readonly callers: readonly Pick<BenchDaemon['caller'], 'call'>[];
  readonly app: string;
  readonly root: string;
  readonly files: readonly string[];
  readonly firstTexts: readonly string[];
  readonly symbols: readonly SampledSymbol[];
  readonly branches: Workspace;
  readonly commits: readonly [base: string, head: string];
  readonly artifact: string;
  readonly uploads: readonly [Uint8Array, Uint8Array];
  /** How often each kind of work was done. */
  readonly done: Map<string, number>;
  /** Refusals, by what was asked and why. */
  readonly refused: Map<string, number>;
  /** Faults that no caller has brought on: of these there must be none. */
  readonly failed: Map<string, number>;
}

export interface Work {
  readonly name: string;
  /** From the end of one to the beginning of the next. */
  readonly pauseMs: number;
  readonly atOnce: number;
  once(load: Load, random: () => number): Promise<void>;
}

export const served = 'soak/uploaded';
const branchesId = 'branches';
const federation = 'soak';

/** Beside what is registered in it, which the daemon's configuration must have. */
export const loadConfiguration = '[index_server]\nenabled = true\n[index_server.auth]\nenabled = false\n';

export async function prepare(cleanup: Cleanup, daemon: BenchDaemon, tree: string, edited = 50): Promise<Load> {
  const { client } = daemon;
  const { id: app, root } = await register(daemon, tree);
  const { branches, commits, artifact } = await switchingTree(cleanup, daemon);
  await client.federation.create({ name: federation });
  for (const path of [root, branches.root]) await client.federation.add({ name: federation, path });
  const http = httpCaller({ url: daemon.url, token: daemon.token });
  cleanup.after(() => http.close());
  const files = someFiles(root, edited);
  return {
    ...{ daemon, app, root, files, branches, commits, artifact },
    callers: [daemon.caller, http],
    firstTexts: files.map(path => readFileSync(path, 'utf8')),
    symbols: await sampleSymbols(client, app),
    uploads: [uploadOf(0), uploadOf(1)],
    ...{ done: new Map(), refused: new Map(), failed: new Map() },
  };
}

/** A clone that has both commits and stands at the first, and the artifact that leads from there to the second. */
async function switchingTree(cleanup: Cleanup, daemon: BenchDaemon) {
  const ci = gitRepository(cleanup, '');
  const write = (version: number) => {
    for (let n = 0; n < 40; n++)
      ci.write(`src/f${n}.ts`, `export function f${n}v${version}() { return ${version}; }\n`);
  };
  const folder = temporaryFolder(cleanup);
  const commits = [0, 1].map(version => {
    write(version);
    return ci.commit(`version ${version}`);
  }) as [string, string];
  folder.git('clone', '--quiet', '--no-hardlinks', ci.root, 'branches');
  const branches = workspace(folder.path('branches'));
  branches.git('checkout', '--quiet', commits[0]);
  const { repo } = await daemon.client.daemon.addRepo({ root: branches.root, id: branchesId });
  await daemon.client.symbols.search({ q: 'f0', repo: repo.id, sync: true }).catch(() => {});
  const output = folder.path('delta.json');
  await again(() => daemon.client.delta.build({ base: commits[0], head: commits[1], output, repo: repo.id }));
  return { branches, commits, artifact: readFileSync(output, 'utf8') };
}

/** What its first index is still in the way of is asked again. */
async function again<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Fault) || error.row.retry !== 'later') throw error;
      await new Promise(resolve => setTimeout(resolve, 200));
    }
  }
}

function uploadOf(version: number): Uint8Array {
  const sym = (file: number, name: string): string => `scip-typescript npm pkg 1.0.0 src/\`f${file}.ts\`/${name}().`;
  const names = Array.from({ length: 20 }, (_, n) => `of${n}v${version}`);
  return scipBytes({
    metadata: { toolInfo: { name: 'scip-typescript', version: '0.4.0' }, projectRoot: 'file:///r' },
    documents: Array.from({ length: 50 }, (_, file) => ({
      relativePath: `src/f${file}.ts`,
      language: 'TypeScript',
      occurrences: names.flatMap((name, line) => [
        { range: [line, 0, name.length], symbol: sym(file, name), symbolRoles: 1 },
        { range: [line, 30, 40], symbol: sym((file + 1) % 50, name) },
      ]),
      symbols: [],
    })),
  });
}

/** Nothing that it answers changes anything, or goes on for ever. */
const isQuestion = (name: OperationName): boolean => {
  const { effect, http }: Operation = operations[name];
  return effect === 'read' && http !== undefined && name !== 'daemon.events';
};
export const questions: readonly OperationName[] = operationNames.filter(isQuestion);

/** As its example has it, about what there is here. */
function inputOf(name: OperationName, { app, root, symbols, files }: Load, random: () => number) {
  const operation: Operation = operations[name];
  const example = Object.entries({ ...operation.example?.input });
  const one = () => symbols[Math.floor(random() * symbols.length)]!;
  const file = relative(root, files[Math.floor(random() * files.length)]!);
  const known: Readonly<Record<string, unknown>> = {
    id: one().id,
    symbolId: one().id,
    from: one().id,
    to: one().id,
    q: one().name.slice(0, 2 + Math.floor(random() * 6)),
    name: name.startsWith('docs.') ? one().name : federation,
    path: name.startsWith('docs.') ? 'README.md' : file,
    files: [file],
    moduleId: '@root',
    repoId: app,
    baseBranch: 'main',
    headBranch: 'main',
  };
  const fields = example.map(([key, value]) => [key, Object.hasOwn(known, key) ? known[key] : value]);
  // An id names its repository.
  const mayBeOther = !example.some(([key]) => ['id', 'symbolId', 'from', 'path', 'files'].includes(key));
  const repo = operation.scope === 'repository' ? (mayBeOther && random() < 0.2 ? branchesId : app) : undefined;
  const isServed = name.startsWith('indexServer.') && name !== 'indexServer.repos';
  return {
    ...Object.fromEntries(fields),
    ...(repo === undefined ? {} : { repo }),
    ...(isServed ? { repo: served } : {}),
    ...(name === 'indexServer.changes' ? { since: 1 } : {}),
    ...(name.startsWith('indexServer.search') ? { q: 'of' } : {}),
    ...(name === 'indexServer.batchGet' ? { ids: [one().id] } : {}),
    ...(name === 'indexServer.symbol' ? { id: one().id } : {}),
  };
}

/** What people ask most is asked most; all else in turns. */
async function askOne(load: Load, random: () => number): Promise<void> {
  const usual = ['symbols.search', 'symbols.refs', 'symbols.get'] as const;
  const turn = count(load.done, 'turns');
  const name = random() < 0.85 ? usual[turn % usual.length]! : questions[turn % questions.length]!;
  await ask(load, name, random);
}

export async function ask(load: Load, name: OperationName, random: () => number): Promise<void> {
  const isOverHttp = name.startsWith('indexServer.') || random() < 0.5;
  await attempt(load, name, () => load.callers[isOverHttp ? 1 : 0]!.call(name, inputOf(name, load, random) as never));
}

/** Counts refusals; the first of each kind of failure is told. */
async function attempt(load: Load, name: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const reason = error instanceof Fault ? error.reason : String(error);
    const isOurs = error instanceof Fault && (error.row.status < 500 || error.row.retry === 'later');
    const isBroken = !isOurs || reason === 'operationFailed';
    count(isBroken ? load.failed : load.refused, `${name}: ${reason}`);
  }
}

/** A file's first text, and a function of a new name, which the next answer must have. */
async function save(load: Load): Promise<void> {
  const number = count(load.done, 'saves begun');
  const at = number % load.files.length;
  const name = `soaked${number}`;
  writeFileSync(load.files[at]!, load.firstTexts[at] + functionFor(load.files[at]!, name));
  await attempt(load, 'save', async () => {
    const { total } = await load.daemon.client.symbols.search({ q: name, limit: 1, repo: load.app, sync: true });
    if (total === 0) throw new Error('what was saved is missing from a synced answer');
  });
}

/** An artifact comes, then its commit is checked out, then the one before. */
async function switchBranches(load: Load): Promise<void> {
  const { branches, commits, artifact, daemon } = load;
  const post = async (verb: string) => {
    const { status } = await posted(daemon, `/delta/${verb}?repo=${branchesId}`, artifact, 'application/json');
    if (status !== 200) count(status < 500 || status === 503 ? load.refused : load.failed, `delta/${verb}: ${status}`);
  };
  await post('validate');
  await post('ingest');
  for (const [version, commit] of [...commits.entries()].reverse()) {
    branches.git('checkout', '--quiet', commit);
    await attempt(load, 'switch', async () => {
      const q = `f7v${version}`;
      const { total } = await daemon.client.symbols.search({ q, limit: 1, repo: branchesId, sync: true });
      if (total === 0) throw new Error('what was checked out is missing from a synced answer');
    });
  }
}

async function upload(load: Load): Promise<void> {
  const body = load.uploads[count(load.done, 'uploads begun') % 2]!;
  const path = `/index/repos/${encodeURIComponent(served)}/upload`;
  const { status, text } = await posted(load.daemon, path, body, 'application/octet-stream');
  if (status !== 200) count(status === 503 ? load.refused : load.failed, `upload: ${status} ${text.slice(0, 200)}`);
}

async function tellCalls(load: Load, random: () => number): Promise<void> {
  const now = `${Date.now()}000000`;
  const points = Array.from({ length: 100 }, () => {
    const { name } = load.symbols[Math.floor(random() * Math.min(load.symbols.length, 500))]!;
    return pointOf({ 'code.function.name': name }, 1 + Math.floor(random() * 9), { timeUnixNano: now });
  });
  const request = requestOf(sumOf('function.calls', points), { 'service.name': load.app });
  const isJson = random() < 0.5;
  const [body, type] = isJson
    ? [JSON.stringify(request), 'application/json']
    : [encodedMetrics(request), 'application/x-protobuf'];
  const { status, text } = await posted(load.daemon, '/v1/metrics', body, type);
  if (status !== 200) count(load.failed, `metrics: ${status} ${text.slice(0, 200)}`);
}

/** A client of its own, which comes, asks and goes. */
async function visit({ daemon, app }: Load): Promise<void> {
  const caller = callerIn(daemon.home);
  await createClient(caller).indexing.status({ repo: app });
  await caller.close();
}

async function posted({ url, token }: BenchDaemon, path: string, body: string | Uint8Array, type: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  const answer = await fetch(url + path, { method: 'POST', headers, body: body as never });
  return { status: answer.status, text: await answer.text() };
}

export const works: readonly Work[] = [
  { name: 'questions', pauseMs: 30, atOnce: 3, once: askOne },
  { name: 'saves', pauseMs: 500, atOnce: 1, once: save },
  { name: 'branches', pauseMs: 5000, atOnce: 1, once: switchBranches },
  { name: 'uploads', pauseMs: 8000, atOnce: 1, once: upload },
  { name: 'batches of metrics', pauseMs: 800, atOnce: 1, once: tellCalls },
  { name: 'visits', pauseMs: 1000, atOnce: 1, once: visit },
];

/** How often it was counted before. */
export function count(of: Map<string, number>, what: string): number {
  const before = of.get(what) ?? 0;
  of.set(what, before + 1);
  return before;
}

/** A git checkout with nothing but a few files, for loads that are to be over soon. */
export function smallTree(cleanup: Cleanup): string {
  const folder = temporaryFolder(cleanup);
  const root = join(folder.root, 'tree');
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', root]);
  const tree = workspace(root);
  for (let n = 0; n < 12; n++) tree.write(`src/a${n}.ts`, `export function alpha${n}() { return alpha${n}; }\n`);
  tree.write('README.md', '# Small\n\nCalls `alpha1`.\n');
  tree.commit('first');
  return root;
}
