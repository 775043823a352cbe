import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIndexEngine, type IndexPhase, type Published } from '../../daemon/jobs/engine.ts';
import type { RepositoryRecord } from '../../daemon/model/repository.ts';

/**
 * Indexes a tree from nothing, again after a restart, and after single saves, and prints what each took.
 *
 *   node dist/test/bench/first-index.js <root> [file to save, relative] [saves]
 */
const [rootArgument = '.', saved, saves = '20'] = process.argv.slice(2);
const root = realpathSync(rootArgument);
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const repo: RepositoryRecord = {
  id: 'bench',
  root,
  indexFile: join(folder, 'index.db'),
  worktreeKey: 'main',
  trusted: false,
};

try {
  await runAll();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function runAll(): Promise<void> {
  const first = createIndexEngine({ shadowFolder: join(folder, 'shadow') });
  const phases = new Map<IndexPhase, number>();
  let last: { phase: IndexPhase; atMs: number } | undefined;
  const note = (phase: IndexPhase | undefined): void => {
    const nowMs = performance.now();
    if (last !== undefined) phases.set(last.phase, (phases.get(last.phase) ?? 0) + nowMs - last.atMs);
    last = phase === undefined ? undefined : { phase, atMs: nowMs };
  };
  const published = await first.index(
    repo,
    { kind: 'recrawl', reason: 'start' },
    { onProgress: progress => progress.phase !== last?.phase && note(progress.phase) },
  );
  note(undefined);
  print('first index', published);
  for (const [phase, ms] of phases) print(`  ${phase}`, { ms: Math.round(ms) });
  print('  peak RSS', { mb: peakMegabytes(), indexMb: Math.round(statSync(repo.indexFile).size / 1e6) });
  print('nothing changed', await first.index(repo, { kind: 'recrawl', reason: 'requested' }));
  if (saved !== undefined) await saveAgainAndAgain(first, saved, Number(saves));
  await first.close();

  const second = createIndexEngine({ shadowFolder: join(folder, 'shadow') });
  print('restart', await second.index(repo, { kind: 'recrawl', reason: 'start' }));
  await second.close();
  print('at the end', { rssMb: Math.round(process.memoryUsage.rss() / 1e6), peakMb: peakMegabytes() });
}

async function saveAgainAndAgain(
  engine: ReturnType<typeof createIndexEngine>,
  path: string,
  count: number,
): Promise<void> {
  const original = readFileSync(join(root, path));
  const times: number[] = [];
  let linked = 0;
  try {
    for (let round = 0; round < count; round++) {
      writeFileSync(join(root, path), `${original}\nexport function benchProbe${round}() { return ${round}; }\n`);
      const startedMs = performance.now();
      const done = await engine.index(repo, { kind: 'paths', paths: new Set([path]) });
      times.push(performance.now() - startedMs);
      linked = done.documentsLinked;
    }
  } finally {
    writeFileSync(join(root, path), original);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => Math.round(times[Math.floor((times.length - 1) * share)]! * 10) / 10;
  print('saves', { count, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1), documentsLinked: linked });
  const back = await engine.index(repo, { kind: 'paths', paths: new Set([path]) });
  print('back to the known content', back);
}

function peakMegabytes(): number {
  const status = readFileSync('/proc/self/status', 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

function print(what: string, figures: Published | Readonly<Record<string, number>>): void {
  const text = Object.entries(figures)
    .filter(([, value]) => typeof value === 'number' || typeof value === 'string')
    .map(([name, value]) => `${name} ${typeof value === 'number' ? Math.round(value * 10) / 10 : value}`)
    .join('  ');
  process.stdout.write(`${what.padEnd(24)} ${text}\n`);
}
