import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { gitRepository } from '../support/repository.ts';
import { randomFrom } from '../support/synthetic.ts';
import { type BenchDaemon, register, startBenchDaemon } from './bench-daemon.ts';
import { bench, benchArguments, milliseconds, quantile, say, timed } from './measure.ts';

/**
 * A federation of many repositories with many contracts: what its first synchronisation takes, that of one member that
 * changed, and each question.
 *
 *   node dist/test/bench/federation.js [--repositories 50] [--contracts 10] [--rounds 400] [--folders 1]
 *
 * Each repository declares `--contracts` services, implements them, and calls twenty of others; a hundred files beside are
 * ordinary code. `--folders 1`: members are folders that nobody registered and nobody watches.
 */
const { flag } = benchArguments();
const repositories = flag('repositories', 50);
const contracts = flag('contracts', 10);
const rounds = flag('rounds', 400);
const ofFolders = flag('folders', 0) === 1;
const random = randomFrom(11);
const agent = new Agent({ connections: 1 });

await bench(async cleanup => {
  const daemon = await startBenchDaemon(cleanup);
  const { client } = daemon;
  await client.federation.create({ name: 'bench' });
  const roots: string[] = [];
  for (let at = 0; at < repositories; at++) {
    const { root, commit } = gitRepository(cleanup);
    writeRepository(root, at);
    writeContracts(root, at, '  rpc Drop(google.protobuf.Empty) returns (google.protobuf.Empty);\n');
    commit('all');
    writeContracts(root, at, '');
    commit('without a method');
    roots.push(root);
    const member = ofFolders ? { path: root } : { repoId: (await register(daemon, root)).id };
    await client.federation.add({ name: 'bench', ...member, tags: [`t${at % 5}`] });
  }
  const ids = (await client.federation.repos({ name: 'bench' })).repos.map(({ repoId }) => repoId);
  const first = await timed(() => client.federation.sync({ name: 'bench' }));
  say('first synchronisation', milliseconds(first.ms), JSON.stringify(first.value.summary));
  const { totalContracts, totalEdges } = await client.contracts.stats({ name: 'bench' });
  say('what is known', `${totalContracts} contracts`, `${totalEdges} edges`);
  await afterChange(daemon, roots);
  const nothing = await timed(() => client.federation.sync({ name: 'bench' }));
  say('synchronisation of what has not changed', milliseconds(nothing.ms), JSON.stringify(nothing.value.summary));
  await questions(daemon, ids);
});

/** A changed file, then at once what `svc federation sync` does. */
async function afterChange({ client }: BenchDaemon, roots: readonly string[]): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 10; round++) {
    const at = Math.floor(random() * roots.length);
    writeFileSync(join(roots[at]!, 'client.go'), clientCode(at, 20));
    const { value, ms } = await timed(() => client.federation.sync({ name: 'bench' }));
    if (value.summary.failed > 0) throw new Error(JSON.stringify(value.results));
    times.push(ms);
  }
  say(
    'synchronisation after one changed',
    `p50 ${milliseconds(quantile(times, 0.5))}`,
    `max ${milliseconds(Math.max(...times))}`,
  );
}

interface Asked {
  readonly repoId: string;
  readonly path: string;
  readonly base?: string;
  readonly maxDepth?: number;
}

async function questions(daemon: BenchDaemon, ids: readonly string[]): Promise<void> {
  const pick = (): string => ids[Math.floor(random() * ids.length)]!;
  const pickContract = (): string => `proto/s${Math.floor(random() * contracts)}.proto`;
  const asked: Readonly<Record<string, () => readonly [method: 'GET' | 'POST', path: string, body?: Asked]>> = {
    status: () => ['GET', '/status'],
    repos: () => ['GET', '/repos?includeCompatibility=true'],
    modules: () => ['GET', '/modules?q=service'],
    ownership: () => ['GET', '/ownership?path=**/*.go'],
    hotspots: () => ['GET', '/hotspots?minScore=0'],
    decisions: () => ['GET', '/decisions?q=queue'],
    contracts: () => ['GET', '/contracts?limit=500'],
    edges: () => ['GET', `/contracts/edges?repoId=${pick()}`],
    impact: () => ['POST', '/contracts/impact', { repoId: pick(), path: 'proto/s0.proto', maxDepth: 5 }],
    deps: () => ['GET', `/contracts/deps?repoId=${pick()}`],
    stats: () => ['GET', '/contracts/stats'],
    graph: () => ['GET', '/contracts/graph'],
    'graph as svg': () => ['GET', '/contracts/graph?format=svg'],
    'diff of nothing': () => ['POST', '/contracts/diff', { repoId: pick(), path: pickContract(), base: 'HEAD' }],
    'diff of a method': () => ['POST', '/contracts/diff', { repoId: pick(), path: pickContract(), base: 'HEAD~1' }],
  };
  for (const [label, question] of Object.entries(asked)) {
    const times: number[] = [];
    const commits = new Set<string>();
    const firstOfCommit: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const [method, path, body] = question();
      const { ms } = await timed(async () => {
        const answer = await request(`${daemon.url}/federations/bench${path}`, {
          ...{ method, dispatcher: agent },
          headers: { authorization: `Bearer ${daemon.token}`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await answer.body.text();
        if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`);
      });
      times.push(ms);
      if (body?.base !== undefined && !commits.has(body.repoId)) firstOfCommit.push(ms);
      if (body !== undefined) commits.add(body.repoId);
    }
    const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
    const first =
      firstOfCommit.length === 0 ? '' : `first of a commit p50 ${milliseconds(quantile(firstOfCommit, 0.5))}`;
    say(label, `p50 ${milliseconds(p50)}`, `p95 ${milliseconds(p95)}`, first);
  }
}

function write(root: string, path: string, text: string): void {
  const file = join(root, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}

function writeContracts(root: string, at: number, more: string): void {
  for (let one = 0; one < contracts; one++) write(root, `proto/s${one}.proto`, contract(at, one, more));
}

function writeRepository(root: string, at: number): void {
  write(root, 'client.go', clientCode(at, 20));
  write(root, 'server.go', serverCode(at));
  write(root, 'README.md', `# Service ${at}\n\nA service that does number ${at}.\n`);
  write(root, '.github/CODEOWNERS', `* @acme/team${at % 7}\n/proto/ @acme/api\n`);
  write(
    root,
    'docs/adr/0001-use-a-queue.md',
    `# 1. Use a queue\n\n## Status\n\nAccepted\n\n## Context\n\nNumber ${at}.\n`,
  );
  for (let file = 0; file < 100; file++) {
    write(
      root,
      `internal/p${file % 10}/f${file}.go`,
      `package p${file % 10}\n\nfunc F${file}(a int) int {\n\tif a > ${file} {\n\t\treturn a\n\t}\n\treturn ${file}\n}\n`,
    );
  }
}

/** `more`: further methods. */
function contract(at: number, one: number, more: string): string {
  const name = `S${at}x${one}`;
  return `syntax = "proto3";
package acme.r${at}.v1;
option go_package = "example.com/r${at}/gen;r${at}v1";
service ${name} {
  rpc Get(Get${name}Request) returns (Get${name}Response);
  rpc List(Get${name}Request) returns (stream Get${name}Response);
${more}}
message Get${name}Request { string id = 1; int32 size = 2; }
message Get${name}Response { string id = 1; repeated string names = 2; }
`;
}

function clientCode(at: number, count: number): string {
  const lines = Array.from({ length: count }, () => {
    const [other, one] = [Math.floor(random() * repositories), Math.floor(random() * contracts)];
    return { other, one };
  });
  const others = [...new Set(lines.map(({ other }) => other))];
  return `package r${at}

import (
	"google.golang.org/grpc"
${others.map(other => `\tr${other}v1 "example.com/r${other}/gen"`).join('\n')}
)

func clients(conn *grpc.ClientConn) {
${lines.map(({ other, one }) => `\t_ = r${other}v1.NewS${other}x${one}Client(conn)`).join('\n')}
}
`;
}

function serverCode(at: number): string {
  const services = Array.from({ length: contracts }, (_, one) => `S${at}x${one}`);
  return `package r${at}

import (
	"google.golang.org/grpc"
	r${at}v1 "example.com/r${at}/gen"
)

func serve(s *grpc.Server) {
${services.map(name => `\tr${at}v1.Register${name}Server(s, impl{})`).join('\n')}
}
`;
}
