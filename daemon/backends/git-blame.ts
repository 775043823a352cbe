import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BlameRun } from '../model/history.ts';
import type { ReadObjects } from './git-objects.ts';
import { fullHash, hashLines, isHash, notUnderstood, readParts } from './git-parts.ts';
import type { RunOverObjects } from './git-process.ts';
import { type GitRun, streamGit } from './git-process.ts';
import type { GitRepository } from './git-repository.ts';
import { filesAt } from './git-trees.ts';

const blameTimeoutMs = 10 * 60_000;

/** What blame asks: of history, and of the tree that the file is in. */
export interface BlameSources {
  readonly run: RunOverObjects;
  readonly read: ReadObjects;
}

/**
 * Which commit last wrote each line of a commit's file; runs by line, covering the file. Undefined where it has no such
 * file, or one whose content is not `blob`, full hash, where that is given. As git has it, a binary file has lines too, and a symbolic link the one of its target; a submodule has none.
 */
export async function blame(
  { run, read }: BlameSources,
  repository: GitRepository,
  commit: string,
  path: string,
  ignored: readonly string[],
  blob?: string,
): Promise<readonly BlameRun[] | undefined> {
  const file = (await filesAt(read, fullHash(commit), [path])).get(path);
  if (file === undefined || file.mode === submodule || file.hash !== (blob ?? file.hash)) return undefined;
  const runs: BlameRun[] = [];
  const asking = ['blame', '--incremental', commit, '--', path];
  await run(repository, asking, one =>
    ignoring(one, ignored, async asked => {
      const lines = readParts(
        '\n',
        runReader(found => runs.push(found)),
      );
      await streamGit({ ...asked, timeoutMs: blameTimeoutMs }, lines.take);
      lines.end();
    }),
  );
  return inOrder(runs);
}

const submodule = '160000';

/** git reads which commits it is to pass over from a file, which is there for this run alone. It minds none that it has not. */
async function ignoring<T>(run: GitRun, ignored: readonly string[], ask: (run: GitRun) => Promise<T>): Promise<T> {
  const [verb = '', ...words] = run.arguments;
  const usual = ignored.filter(hash => hash.length === words.find(isHash)?.length);
  if (usual.length === 0) return ask(run);
  const file = join(run.cwd, `ignored-${randomBytes(6).toString('hex')}`);
  try {
    writeFileSync(file, hashLines(usual), { mode: 0o600, flag: 'wx' });
    return await ask({ ...run, arguments: [verb, `--ignore-revs-file=${file}`, ...words] });
  } finally {
    rmSync(file, { force: true });
  }
}

/** `<hash> <line in that commit> <line here> <count>`, and lines about the commit, of which `filename` is the last. */
function runReader(onRun: (run: BlameRun) => void): (line: string) => void {
  let isWithin = false;
  return line => {
    if (isWithin) {
      isWithin = !line.startsWith('filename ');
      return;
    }
    const [, commit, first, count] = /^([0-9a-f]{40,64}) \d+ (\d+) (\d+)$/.exec(line) ?? [];
    if (commit === undefined) throw notUnderstood();
    onRun({ line: Number(first) - 1, count: Number(count), commit });
    isWithin = true;
  };
}

/** As the lines follow each other, those next to each other that one commit wrote as one. */
function inOrder(found: readonly BlameRun[]): readonly BlameRun[] {
  const runs: BlameRun[] = [];
  for (const run of [...found].sort((one, other) => one.line - other.line)) {
    const last = runs.at(-1);
    if (last !== undefined && last.line + last.count !== run.line) throw notUnderstood();
    if (last?.commit === run.commit) runs[runs.length - 1] = { ...last, count: last.count + run.count };
    else runs.push(run);
  }
  return runs;
}
