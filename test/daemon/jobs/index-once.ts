import { canonicalDump } from '../../../daemon/jobs/dump.ts';
import { createIndexEngine } from '../../../daemon/jobs/engine.ts';
import { temporaryFolder } from '../../support/repository.ts';

/** A process that indexes a tree, arguments root, how many workers and how many documents one thread links, and prints the snapshot's id and the dump's hash. */
const [root = '', workers = '1', linkedAlone = '4000'] = process.argv.slice(2);
const closers: (() => unknown)[] = [];
const folder = temporaryFolder({ after: closer => closers.push(closer as () => unknown) });
const engine = createIndexEngine({
  extractWorkers: Number(workers),
  linkedAlone: Number(linkedAlone),
  shadowFolder: folder.path('shadow'),
});
const repo = { id: 'app', root, indexFile: folder.path('index.db'), worktreeKey: 'main', trusted: false };
const { snapshotId } = await engine.index(repo, { kind: 'recrawl', reason: 'start' });
process.stdout.write(`${snapshotId} ${canonicalDump(repo.indexFile, repo.worktreeKey).hash}\n`);
await engine.close();
for (const close of closers) await close();
