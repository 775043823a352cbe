import { readdirSync } from 'node:fs';
import { createDecisionWriter } from '../../daemon/jobs/decisions/create-decision.ts';
import { createDecisionFiles } from '../../daemon/jobs/decisions/decision-files.ts';
import { decisionsOf, greatestIn } from '../../daemon/jobs/decisions/decisions.ts';
import { folderStyle } from '../../daemon/jobs/decisions/folder-style.ts';
import { UnfitFolder } from '../../daemon/jobs/decisions/real-folder.ts';

/**
 * Stores decisions in a repository, all at once, and prints what became of each and what lies in the folder then, as JSON: a
 * process of its own, which a test may kill on the way, or run where the disk is full.
 *
 *   node store-decision.js <root> <how many> <title>
 */
const [root = '', count = '1', title = ''] = process.argv.slice(2);
const writer = createDecisionWriter();
const seen = await createDecisionFiles().read(root, '', new AbortController().signal);
const decisions = decisionsOf(seen.files);
const folder = seen.folders.written!;
const order = { ...folderStyle(decisions, folder), root, folder, greatest: greatestIn(decisions), date: '2026-01-31' };
const decision = {
  title,
  status: 'accepted',
  context: 'c'.repeat(20_000),
  decision: 'd',
  consequences: ['e'],
  modules: [],
} as const;

const outcomes = await Promise.all(
  Array.from({ length: Number(count) }, () =>
    writer.store({ ...order, decision, signal: new AbortController().signal }).then(
      ({ id, path }) => ({ id, path }),
      error => ({ failed: error instanceof UnfitFolder ? error.reason : String(error.code ?? error) }),
    ),
  ),
);
process.stdout.write(JSON.stringify({ outcomes, names: namesIn(`${root}/${folder}`) }));

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path).sort();
  } catch {
    return [];
  }
}
