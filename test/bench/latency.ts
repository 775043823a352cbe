import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { routeOf } from '../../client/http.ts';
import { readDaemonRecord } from '../../client/paths.ts';
import type { OperationName } from '../../client/protocol/registry.ts';
import { randomFrom } from '../support/synthetic.ts';
import { startBareServer } from './bare-fastify.ts';
import { type BenchDaemon, register, sampleSymbols, startBenchDaemon } from './bench-daemon.ts';
import { writeLargeTree } from './large-tree.ts';
import {
  bench,
  benchArguments,
  cpuSecondsOf,
  figuresOf,
  median,
  milliseconds,
  quantile,
  say,
  spread,
} from './measure.ts';
import { httpRequest, openHttpWire, openSocketWire, readAnswer, rpcRequest, type WireClient } from './wire.ts';

/**
 * What a warm daemon takes for a question over its socket and over HTTP, its log on: at one connection, each kind of
 * question; then symbols from 32 connections at once. Asked from this process, over bytes made beforehand; how fast it can
 * ask shows beside it, where the same bytes come from a Fastify that does nothing else.
 *
 *   node dist/test/bench/latency.js [repository] [--files 10000] [--symbols 100000] [--asked 1000] [--load 40000] [--rest 0]
 *
 * Without a repository: a made-up one of the given size. After the first index the daemon is left alone for `--rest` seconds.
 */
const { operands, flag } = benchArguments();
const asked = flag('asked', 1000);
const load = flag('load', 40_000);
const connections = 32;
const rounds = 3;

type Question = readonly [OperationName, Readonly<Record<string, unknown>>];

await bench(async cleanup => {
  const daemon = await startBenchDaemon(cleanup);
  const {
    id: repo,
    files,
    symbols,
  } = await register(daemon, operands[0] === undefined ? madeUp() : resolve(operands[0]));
  say(`${files} files`, `${symbols} symbols`);
  await setTimeout(flag('rest', 0) * 1000);
  const questions = await questionsAbout(daemon, repo);
  const { socket } = readDaemonRecord(daemon.home.places)!;
  const wires = {
    socket: { open: () => openSocketWire(socket), encode: ([name, input]: Question) => rpcRequest(name, input) },
    http: {
      open: () => openHttpWire(daemon.url),
      encode: ([name, input]: Question) => httpRequest(daemon.url, daemon.token, routeOf(name, input).target),
    },
  };
  for (const [label, list] of questions) {
    for (const [wire, { open, encode }] of Object.entries(wires)) {
      const cpuBefore = cpuSecondsOf(daemon.pid);
      const times = await oneByOne(await open(), list.map(encode));
      // Each is asked twice: the first time warms up, and is paid for all the same.
      const cpu = ((cpuSecondsOf(daemon.pid) - cpuBefore) / times.length / 2) * 1e6;
      say(`${label}, ${wire}`, spread(times), `${Math.round(cpu)} µs CPU`);
    }
  }
  const symbolQuestions = questions.get('symbol')!;
  const rates = new Map<string, number>();
  for (const [wire, { open, encode }] of Object.entries(wires)) {
    const label = `symbol, ${wire}, ${connections} at once`;
    rates.set(wire, await atOnce(label, daemon.pid, open, symbolQuestions.map(encode)));
  }
  const sample = await askOnce(await wires.http.open(), wires.http.encode(symbolQuestions[0]!));
  const bare = await startBareServer(cleanup, sample.slice(sample.indexOf('\r\n\r\n') + 4));
  const toBare = symbolQuestions.map(([name, input]) =>
    httpRequest(bare.url, daemon.token, routeOf(name, input).target),
  );
  const most = await atOnce(`bare Fastify, ${connections} at once`, bare.pid, () => openHttpWire(bare.url), toBare);
  say('symbol, http, of bare Fastify', `${Math.round((rates.get('http')! / most) * 100)} %`);
  say('resident after it', `${Math.round(figuresOf(daemon.pid).rssMb)} MB`);

  function madeUp(): string {
    const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
    cleanup.after(() => rmSync(folder, { recursive: true, force: true }));
    writeLargeTree(join(folder, 'tree'), { files: flag('files', 10_000), symbols: flag('symbols', 100_000) });
    return join(folder, 'tree');
  }
});

async function questionsAbout(
  { client }: BenchDaemon,
  repo: string,
): Promise<ReadonlyMap<string, readonly Question[]>> {
  const random = randomFrom(5);
  const all = (await sampleSymbols(client, repo)).filter(({ name }) => name.length >= 8);
  const sample = Array.from({ length: asked }, () => all[Math.floor(random() * all.length)]!);
  const search = (queryOf: (name: string) => string): readonly Question[] =>
    sample.map(({ name }) => ['symbols.search', { q: queryOf(name), repo }]);
  return new Map<string, readonly Question[]>([
    ['symbol', sample.map(({ id }) => ['symbols.get', { id, repo }])],
    ['refs', sample.map(({ id }) => ['symbols.refs', { id, repo }])],
    ['search exact', search(name => name)],
    ['search prefix', search(name => name.slice(0, 6))],
    ['search camel', search(name => name[0] + name.slice(1).replace(/[^A-Z]/g, '') || name)],
    ['search substring', search(name => name.slice(2, 8))],
    ['search typo', search(name => name.slice(0, 3) + name.slice(4))],
  ]);
}

/** Milliseconds of each, on one connection, once all have been asked before. */
async function oneByOne(wire: WireClient, requests: readonly Buffer[]): Promise<number[]> {
  const times: number[] = [];
  for (const isWarm of [false, true]) {
    for (const request of requests) {
      const started = performance.now();
      const answer = await wire.ask(request);
      if (isWarm) times.push(performance.now() - started);
      else if (!readAnswer(answer).isGood) throw new Error(readAnswer(answer).text.slice(0, 400));
    }
  }
  wire.close();
  return times;
}

async function askOnce(wire: WireClient, request: Buffer): Promise<string> {
  const { text } = readAnswer(await wire.ask(request));
  wire.close();
  return text;
}

/** Answers a second, the median of the rounds. */
async function atOnce(
  label: string,
  pid: number,
  open: () => Promise<WireClient>,
  requests: readonly Buffer[],
): Promise<number> {
  const clients = await Promise.all(Array.from({ length: connections }, open));
  const rates: number[] = [];
  const cpu: number[] = [];
  const times: number[] = [];
  for (let round = 0; round < rounds + 1; round++) {
    let next = 0;
    const cpuBefore = cpuSecondsOf(pid);
    const started = performance.now();
    const keepAsking = async (client: WireClient): Promise<void> => {
      while (next < load) {
        const request = requests[next++ % requests.length]!;
        const at = performance.now();
        await client.ask(request);
        if (round > 0) times.push(performance.now() - at);
      }
    };
    await Promise.all(clients.map(keepAsking));
    // The first round warms up.
    if (round === 0) continue;
    rates.push(load / ((performance.now() - started) / 1000));
    cpu.push(((cpuSecondsOf(pid) - cpuBefore) / load) * 1e6);
  }
  for (const client of clients) client.close();
  say(
    label,
    `${Math.round(median(rates))} a second`,
    `p50 ${milliseconds(quantile(times, 0.5))}`,
    `p99 ${milliseconds(quantile(times, 0.99))}`,
    `${Math.round(median(cpu))} µs CPU each`,
  );
  return median(rates);
}
