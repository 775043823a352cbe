import { after, type TestContext } from 'node:test';
import { type CanonicalDump, canonicalDump } from '../../../daemon/jobs/dump.ts';
import {
  createIndexEngine,
  type EngineNotice,
  type EngineOptions,
  type IndexEngine,
  type IndexRequest,
  type Published,
} from '../../../daemon/jobs/engine.ts';
import type { RepositoryRecord } from '../../../daemon/model/repository.ts';
import type { RecrawlReason } from '../../../watch/change-set.ts';
import { temporaryFolder } from '../../support/repository.ts';

/** A tree with an index of its own and an engine that keeps it, all gone when the test ends. */
export interface IndexedTree {
  readonly repo: RepositoryRecord;
  readonly engine: IndexEngine;
  readonly notices: readonly EngineNotice[];
  /** Looks at the whole tree. */
  crawl(request?: IndexRequest, reason?: RecrawlReason): Promise<Published>;
  /** Looks at some paths. */
  changed(...paths: readonly string[]): Promise<Published>;
  dump(): CanonicalDump;
  /**
   * Goes on over the same index file with an engine that has nothing of it in memory: with one of its own where options
   * are given.
   */
  restart(options?: EngineOptions): Promise<void>;
  /** The file's line in the manifest: hash, dialect, version, scope, skip reason. */
  entry(path: string): readonly string[] | undefined;
}

/**
 * Without options its engine is one that all trees of a test file share, as a daemon's repositories do: to start workers
 * takes longer than most of what tests ask of them.
 */
export function indexedTree(t: TestContext, root: string, options?: EngineOptions): IndexedTree {
  return options === undefined ? treeOf(t, root, common()) : treeOf(t, root, undefined, options);
}

/** The canonical dump of a fresh index of a tree, by another engine than the tree's. */
export async function freshDump(t: TestContext, root: string, options?: EngineOptions): Promise<CanonicalDump> {
  const tree = options === undefined ? treeOf(t, root, fresh()) : treeOf(t, root, undefined, options);
  await tree.crawl();
  return tree.dump();
}

function treeOf(
  t: TestContext,
  root: string,
  shared: IndexEngine | undefined,
  options: EngineOptions = {},
): IndexedTree {
  const notices: EngineNotice[] = [];
  const id = `test-${++trees}`;
  heard.set(id, notices);
  let engine: IndexEngine;
  const leave = () => (engine === shared ? engine.release(repo.indexFile) : engine.close());
  t.after(() => leave().finally(() => heard.delete(id)));
  const folder = temporaryFolder(t);
  const repo: RepositoryRecord = {
    id,
    root,
    indexFile: folder.path('index.db'),
    worktreeKey: 'main',
    trusted: false,
  };
  const start = (own: EngineOptions) =>
    createIndexEngine({
      extractWorkers: 2,
      shadowFolder: folder.path('shadow'),
      ...own,
      onNotice: notice => notices.push(notice),
    });
  engine = shared ?? start(options);
  const dump = () => canonicalDump(repo.indexFile, repo.worktreeKey);
  return {
    repo,
    get engine() {
      return engine;
    },
    notices,
    crawl: (request, reason = 'start') => engine.index(repo, { kind: 'recrawl', reason }, request),
    changed: (...paths) => engine.index(repo, { kind: 'paths', paths: new Set(paths) }),
    dump,
    restart: async other => {
      await leave();
      if (engine !== shared || other !== undefined) engine = start(other ?? options);
    },
    entry: path =>
      dump()
        .lines.find(line => line.startsWith(`entry\t${path}\t`))
        ?.split('\t')
        .slice(2),
  };
}

let trees = 0;
/** What the shared engines tell, by repository. */
const heard = new Map<string, EngineNotice[]>();
const [common, fresh] = [engineForAll(), engineForAll()];

function engineForAll(): () => IndexEngine {
  let engine: IndexEngine | undefined;
  const closers: (() => unknown)[] = [];
  after(async () => {
    await engine?.close();
    for (const close of closers) close();
  });
  return () => {
    engine ??= createIndexEngine({
      extractWorkers: 2,
      shadowFolder: temporaryFolder({ after: close => closers.push(close as () => unknown) }).root,
      onNotice: notice => 'repo' in notice && heard.get(notice.repo)?.push(notice),
    });
    return engine;
  };
}

/** The first lines in which two dumps differ, for people. */
export function dumpDifference(one: CanonicalDump, other: CanonicalDump): string {
  const [a, b] = [new Set(one.lines), new Set(other.lines)];
  const only = (lines: ReadonlySet<string>, those: ReadonlySet<string>, sign: string) =>
    [...lines].filter(line => !those.has(line)).map(line => `${sign} ${line}`);
  return [...only(a, b, '-'), ...only(b, a, '+')].slice(0, 20).join('\n');
}

export const manyFiles = (count: number): string =>
  Array.from({ length: count }, (_, index) => {
    const from = index === 0 ? '' : `import { f${index - 1} } from './f${index - 1}.ts';\n`;
    const body = index === 0 ? '1' : `f${index - 1}() + 1`;
    return `-- src/f${index}.ts --\n${from}export function f${index}(): number {\n  return ${body};\n}`;
  }).join('\n');
