import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readDocument } from '../../daemon/extract/documents/read-document.ts';
import { createIndexEngine, type IndexEngine } from '../../daemon/jobs/engine.ts';
import { markdownEndings } from '../../daemon/model/document-files.ts';
import type { RepositoryRecord } from '../../daemon/model/repository.ts';
import { analysed } from '../../daemon/operations/analysis/analyses.ts';
import { docsStateOf, linkedIn, unreadDocuments } from '../../daemon/operations/docs/docs-state.ts';
import type { LinkedDocument } from '../../daemon/operations/docs/linked-documents.ts';
import { openHistory } from '../../daemon/server/history.ts';
import { openDaemonDatabase } from '../../daemon/store/daemon-db.ts';
import { openIndexReader } from '../../daemon/store/index-reader.ts';
import { bench, say } from './measure.ts';

/**
 * References of documents to be judged by hand: so many resolved ones drawn at random, and all stale ones, each with its line.
 *
 *   node dist/test/bench/docs-sample.js <git checkout> [--draw 100] [--seed 1] [--since REV] [--steps 20] [--documents REV] [--keep FOLDER]
 *
 * `--since`: the tree is indexed at that commit first and then at so many between it and HEAD, as a watched one would be, so
 * that what went meanwhile is known. `--documents`: the Markdown of that commit beside the code of HEAD, as where nobody kept
 * it up to date. `--keep`: what is indexed stays in that folder, and is asked there the next time. The checkout is cloned; nothing is
 * written into it.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    draw: { type: 'string' },
    seed: { type: 'string' },
    since: { type: 'string' },
    steps: { type: 'string' },
    documents: { type: 'string' },
    keep: { type: 'string' },
  },
});
const [checkout = '.'] = positionals;
const flag = (name: keyof typeof values, fallback: string): string => values[name] ?? fallback;

await bench(async () => {
  const home = values.keep ?? mkdtempSync(join(tmpdir(), 'svc-docs-'));
  try {
    const root = join(home, 'clone');
    const isKept = existsSync(root);
    if (!isKept) execFileSync('git', ['clone', '-q', realpathSync(checkout), root]);
    const repo: RepositoryRecord = {
      ...{ id: 'sample', root: realpathSync(root), worktreeKey: 'main', trusted: false },
      indexFile: join(home, 'index.db'),
    };
    const database = openDaemonDatabase(join(home, 'daemon.db'));
    const history = openHistory(database);
    const engine = createIndexEngine({ shadowFolder: join(home, 'shadow') });
    for (const commit of isKept ? [] : stops(root)) {
      checkOut(root, commit);
      await take(engine, repo, history);
    }
    await engine.close();
    sample(repo, database.goneDefinitions('uid'));
    database.close();
  } finally {
    if (values.keep === undefined) rmSync(home, { recursive: true, force: true });
  }
});

function git(root: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 }).trim();
}

/** The commits that are indexed one after the other, HEAD last. */
function stops(root: string): readonly string[] {
  const since = flag('since', '');
  const head = git(root, 'rev-parse', 'HEAD');
  if (since === '') return [head];
  const all = git(root, 'rev-list', '--first-parent', '--reverse', `${since}..HEAD`).split('\n');
  const every = Math.max(1, Math.ceil(all.length / Number(flag('steps', '20'))));
  return [git(root, 'rev-parse', since), ...all.filter((_, at) => (all.length - 1 - at) % every === 0)];
}

function checkOut(root: string, commit: string): void {
  git(root, 'checkout', '-q', '--force', commit);
  const documents = flag('documents', '');
  if (documents === '') return;
  for (const ending of markdownEndings) {
    for (const file of git(root, 'ls-files', '-z', '--', `*${ending}`).split('\0')) {
      if (file !== '') rmSync(join(root, file), { force: true });
    }
    const then = git(root, 'ls-tree', '-r', '--name-only', documents);
    if (then.includes(`${ending}\n`)) git(root, 'checkout', '-q', '--force', documents, '--', `*${ending}`);
  }
}

async function take(engine: IndexEngine, repo: RepositoryRecord, history: ReturnType<typeof openHistory>) {
  const published = await engine.index(repo, { kind: 'recrawl', reason: 'start' });
  const reader = openIndexReader(repo.indexFile);
  const snapshot = reader.snapshot(repo.worktreeKey);
  const { epoch } = reader;
  reader.close();
  if (snapshot !== undefined) await history.record('uid', { snapshot, epoch }, published);
}

function sample(
  repo: RepositoryRecord,
  rows: ReturnType<ReturnType<typeof openDaemonDatabase>['goneDefinitions']>,
): void {
  const reader = openIndexReader(repo.indexFile);
  const { seq, snapshotId } = reader.snapshot(repo.worktreeKey)!;
  const place = { id: repo.id, indexFile: repo.indexFile, key: repo.worktreeKey };
  const asked = { repo: place, current: { seq, snapshotId }, cursorSecret: '', dirtyFiles: 0, now: 0 };
  const state = docsStateOf(reader, asked, { version: 0, rows })!;
  const startedMs = performance.now();
  for (const { content, path } of analysed(reader, asked, of => unreadDocuments(of, state))) {
    state.parsed.add(content, readDocument(reader.text(repo.worktreeKey, seq, path) ?? ''));
  }
  const readMs = performance.now() - startedMs;
  const documents = analysed(reader, asked, of => linkedIn(of, state));
  const lines = (path: string): readonly string[] => (reader.text(repo.worktreeKey, seq, path) ?? '').split('\n');
  tell(documents, lines);
  say(
    `${documents.length} documents, read in ${Math.round(readMs)} ms by one thread, linked in ${Math.round(performance.now() - startedMs - readMs)} ms`,
  );
  reader.close();
}

function tell(documents: readonly LinkedDocument[], lines: (path: string) => readonly string[]): void {
  const names = documents.flatMap(({ path, names }) => names.map(one => ({ path, one })));
  const resolved = names.filter(({ one }) => one.definition !== undefined);
  const stale = names.filter(({ one }) => one.stale !== undefined);
  const random = generator(Number(flag('seed', '1')));
  const left = [...resolved];
  for (let drawn = Number(flag('draw', '100')); drawn > 0 && left.length > 0; drawn--) {
    const [{ path, one }] = left.splice(Math.floor(random() * left.length), 1) as [(typeof left)[number]];
    const { kind, containers, name, path: file, line } = one.definition!;
    say(`${one.mention.rawText}  →  ${kind} ${[...containers, name].join('.')}  ${file}:${line}`);
    say(
      `    ${path}:${one.mention.line} [${one.mention.kind} ${one.mention.language}]  ${shown(lines(path), one.mention.line)}`,
    );
  }
  for (const { path, one } of stale) {
    const { reason, suggestion = '' } = one.stale!;
    say(`STALE ${one.mention.rawText}  ${reason} ${suggestion}`);
    say(`    ${path}:${one.mention.line}  ${shown(lines(path), one.mention.line)}`);
  }
  for (const { path, places } of documents) {
    for (const { mention, place } of places) {
      if (place.kind === 'stale')
        say(`STALE FILE ${path}:${mention.line} ${mention.rawText}  ${place.reason} ${place.suggestion ?? ''}`);
    }
  }
  const files = documents.flatMap(one => one.places).filter(({ place }) => place.kind === 'resolved').length;
  say(`${names.length} names: ${resolved.length} resolved, ${stale.length} stale; ${files} paths resolved`);
}

function shown(lines: readonly string[], line: number): string {
  return (lines[line - 1] ?? '').trim().slice(0, 160);
}

/** A linear congruential generator: the same draw for the same seed everywhere. */
function generator(seed: number): () => number {
  let state = seed % 2147483648;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}
