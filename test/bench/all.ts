import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { benchArguments, say } from './measure.ts';

/**
 * All that has a figure in the README, one bench after the other, so that what one build takes can be held against what another
 * took: some 25 minutes on an otherwise idle machine.
 *
 *   npm run bench -- <git checkout> <its SCIP index[.gz]>
 */
const { operands } = benchArguments();
const [checkout, scip] = operands.map(operand => resolve(operand));
if (checkout === undefined || scip === undefined)
  throw new Error('Say of which checkout, and where its SCIP index is.');

const runs: readonly (readonly [bench: string, ...words: string[]])[] = [
  ['daemon-index', checkout],
  ['edits', checkout],
  ['cli-start', checkout],
  ['idle', checkout, '--seconds', '40'],
  ['start-at-once', checkout],
  ['siege'],
  ['latency'],
  ['branch-switch', '--rounds', '1'],
  ['analyses', checkout],
  ['histories', checkout],
  ['deltas', checkout],
  ['index-server', scip],
  ['ingest-scip', scip, '--runs', '3'],
  ['references', checkout, scip],
  ['precise-references', checkout, scip],
  ['impact-callers', checkout, scip],
  ['federation'],
  ['otlp'],
  ['telemetry-year', '--days', '30'],
];

const startedAt = performance.now();
for (const [name, ...words] of runs) {
  process.stdout.write(`\n== ${[name, ...words.map(word => word.replace(/.*\//, ''))].join(' ')}\n`);
  const program = join(import.meta.dirname, `${name}.js`);
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', program, ...words], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) {
    process.exitCode = 1;
    say(name, 'FAILED');
  }
}
say('all together', `${Math.round((performance.now() - startedAt) / 60_000)} minutes`);
