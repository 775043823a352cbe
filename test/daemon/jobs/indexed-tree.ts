import type { TestContext } from 'node:test';
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
  /** Ends the engine and starts another one over the same index file, with other options where some are given. */
  restart(options?: EngineOptions): Promise<void>;
  /** The file's line in the manifest: hash, dialect, version, scope, skip reason. */
  entry(path: string): readonly string[] | undefined;
}

export function indexedTree(t: TestContext, root: string, options: EngineOptions = {}): IndexedTree {
  const folder = temporaryFolder(t);
  const notices: EngineNotice[] = [];
  const repo: RepositoryRecord = {
    id: 'test',
    root,
    indexFile: folder.path('index.db'),
    worktreeKey: 'main',
    trusted: false,
  };
  const start = (other: EngineOptions = options) =>
    createIndexEngine({
      extractWorkers: 2,
      shadowFolder: folder.path('shadow'),
      ...other,
      onNotice: notice => notices.push(notice),
    });
  let engine = start();
  t.after(() => engine.close());
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
      await engine.close();
      engine = start(other);
    },
    entry: path =>
      dump()
        .lines.find(line => line.startsWith(`entry\t${path}\t`))
        ?.split('\t')
        .slice(2),
  };
}

/** The canonical dump of a fresh index of a tree. */
export async function freshDump(t: TestContext, root: string, options: EngineOptions = {}): Promise<CanonicalDump> {
  const fresh = indexedTree(t, root, options);
  await fresh.crawl();
  const dump = fresh.dump();
  await fresh.engine.close();
  return dump;
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
