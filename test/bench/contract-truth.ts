import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OutputOf } from '../../client/protocol/operation.ts';
import type { Operations } from '../../client/protocol/registry.ts';
import { type Cleanup, temporaryFolder } from '../support/repository.ts';
import { type BenchDaemon, startBenchDaemon } from './bench-daemon.ts';
import { bench, benchArguments, milliseconds, say, timed } from './measure.ts';

/**
 * Who consumes which service of a public demonstration of microservices, each service in a repository of its own, held against
 * a table that was written from their sources by somebody who does not build what finds it.
 *
 *   node dist/test/bench/contract-truth.js <clone> <table.json>
 *
 * The clone must have the commit that the table names checked out.
 */
const { operands } = benchArguments();
const [clone, table] = operands;

interface Truth {
  readonly source: string;
  readonly commit: string;
  readonly repositories: readonly { readonly name: string; readonly folder: string }[];
  readonly provides: readonly ServiceRow[];
  readonly consumes: readonly (ServiceRow & { readonly provider: string | null; readonly scope: string })[];
  readonly http: readonly { readonly repository: string; readonly provider: string }[];
}

interface ServiceRow {
  readonly repository: string;
  readonly service: string;
}

type Edge = OutputOf<Operations['contracts.edges']>['edges'][number];

await bench(async cleanup => {
  if (clone === undefined || table === undefined) throw new Error('Name a clone and a table');
  const truth = JSON.parse(readFileSync(table, 'utf8')) as Truth;
  const commit = execFileSync('git', ['-C', clone, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  if (commit !== truth.commit) throw new Error(`The table is of ${truth.commit}, the clone at ${commit}`);
  const daemon = await startBenchDaemon(cleanup);
  const folders = split(truth, clone, cleanup);
  await daemon.client.federation.create({ name: 'truth' });
  for (const { name } of truth.repositories) {
    await daemon.client.federation.add({ name: 'truth', path: folders.get(name)!, repoId: name });
  }
  const { value: synced, ms } = await timed(() => daemon.client.federation.sync({ name: 'truth' }));
  say('synchronised', milliseconds(ms), JSON.stringify(synced.summary));
  for (const one of synced.results) if (one.status !== 'success') say(one.repoId, one.reason ?? '');
  const { edges } = await daemon.client.contracts.edges({ name: 'truth', limit: 10_000 });
  compare(truth, edges);
  const { nodes } = await graphOf(daemon);
  const { contracts } = await daemon.client.contracts.list({ name: 'truth', limit: 10_000 });
  const known = new Set(contracts.flatMap(({ services }) => services));
  const found = new Set(
    nodes.flatMap(({ repoId, services }) =>
      services.filter(name => known.has(name)).map(name => `${repoId} provides ${name}`),
    ),
  );
  const provided = truth.provides.filter(({ service }) => known.has(service));
  const wanted = new Set(provided.map(({ repository, service }) => `${repository} provides ${service}`));
  report('providers', found, wanted);
  for (const key of found) if (!wanted.has(key)) say('  not in the table', key);
  for (const key of wanted) if (!found.has(key)) say('  not found', key);
});

/** Each service as a git repository of its own. */
function split({ repositories }: Truth, from: string, cleanup: Cleanup): ReadonlyMap<string, string> {
  const folder = temporaryFolder(cleanup);
  return new Map(
    repositories.map(({ name, folder: part }) => {
      const root = join(folder.root, name);
      mkdirSync(root, { recursive: true });
      if (existsSync(join(from, part))) cpSync(join(from, part), root, { recursive: true, verbatimSymlinks: true });
      const git = (...words: readonly string[]): void => {
        execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
          stdio: 'ignore',
        });
      };
      git('init', '-q');
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', 'all of it');
      return [name, root] as const;
    }),
  );
}

async function graphOf({ client }: BenchDaemon): Promise<Exclude<OutputOf<Operations['contracts.graph']>, string>> {
  const graph = await client.contracts.graph({ name: 'truth' });
  if (typeof graph === 'string') throw new Error('a picture');
  return graph;
}

function compare(truth: Truth, edges: readonly Edge[]): void {
  const wanted = new Set(
    truth.consumes
      .filter(
        ({ scope, provider, repository }) => scope === 'production' && provider !== null && provider !== repository,
      )
      .map(({ repository, service, provider }) => `${repository} → ${service} of ${provider}`),
  );
  const keysOf = (edge: Edge): string[] =>
    edge.providers.map(provider => `${edge.from} → ${edge.service} of ${provider}`);
  const consuming = edges.filter(({ role, service, isTest }) => role === 'consumer' && service !== '' && !isTest);
  const told = (isMeant: (edge: Edge) => boolean): ReadonlySet<string> =>
    new Set(consuming.filter(isMeant).flatMap(keysOf));
  const sure = told(({ tier }) => tier !== 'heuristic');
  const all = told(() => true);
  report('declared and derived', sure, wanted);
  // What is called by a route that is called as an RPC is right where the table has such a call.
  const routed = new Set(truth.http.map(({ repository, provider }) => `${repository} → ${provider}`));
  const isRouted = (key: string): boolean => {
    const [from, rest = ''] = key.split(' → ');
    return routed.has(`${from} → ${rest.slice(rest.indexOf(' of ') + 4)}`);
  };
  report('with heuristic ones', all, new Set([...wanted, ...[...all].filter(isRouted)]));
  for (const key of sure) if (!wanted.has(key)) say('  not in the table', key, evidenceOf(consuming, keysOf, key));
  for (const key of wanted) if (!sure.has(key)) say('  not found', key);
  for (const edge of edges.filter(({ tier }) => tier === 'heuristic')) {
    const ends = edge.providers.map(provider => `${edge.from} → ${provider}`);
    const isRight = ends.some(end => routed.has(end)) || keysOf(edge).some(key => wanted.has(key));
    say(
      `  heuristic, ${isRight ? 'right' : 'not in the table'}`,
      `${edge.from} → ${edge.service || edge.contract.path}`,
      edge.evidence,
    );
  }
  const others = edges.filter(({ role, tier }) => role !== 'consumer' && tier !== 'heuristic');
  for (const { from, contract, service, role, tier, evidence } of others) {
    say(`  ${role}, ${tier}`, `${from} → ${contract.repoId}/${contract.path} ${service}`, evidence);
  }
}

function evidenceOf(edges: readonly Edge[], keysOf: (edge: Edge) => readonly string[], key: string): string {
  return edges.find(edge => keysOf(edge).includes(key))?.evidence ?? '';
}

function report(label: string, found: ReadonlySet<string>, wanted: ReadonlySet<string>): void {
  const right = [...found].filter(key => wanted.has(key)).length;
  const share = (of: number): string => (of === 0 ? '–' : (right / of).toFixed(3));
  say(
    label,
    `precision ${share(found.size)} (${right}/${found.size})`,
    `recall ${share(wanted.size)} (${right}/${wanted.size})`,
  );
}
