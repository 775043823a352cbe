import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { briefNode } from '../../support/daemon.ts';
import { gitRepository, temporaryFolder } from '../../support/repository.ts';
import { manyFiles } from './indexed-tree.ts';

const indexOnce = fileURLToPath(new URL('./index-once.js', import.meta.url));
const shuffle = new URL('./shuffled-folders.js', import.meta.url).href;

interface Circumstances {
  readonly workers?: number;
  readonly linkedAlone?: number;
  readonly env?: NodeJS.ProcessEnv;
  readonly preload?: string;
}

const circumstances: Readonly<Record<string, Circumstances>> = {
  'another time zone': { env: { TZ: 'Pacific/Apia' } },
  'another language': { env: { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' } },
  'no language': { env: { LC_ALL: 'C' } },
  'one worker': { workers: 1 },
  'four workers': { workers: 4 },
  'a thread that links beside another': { linkedAlone: 0 },
  'folders in another order': { preload: shuffle },
};

async function indexed(
  root: string,
  { workers = 2, linkedAlone = 4_000, env = {}, preload }: Circumstances = {},
): Promise<string> {
  const [program = '', ...flags] = briefNode;
  const words = [
    ...flags,
    ...(preload === undefined ? [] : ['--import', preload]),
    indexOnce,
    root,
    `${workers}`,
    `${linkedAlone}`,
  ];
  const run = promisify(execFile)(program, words, { env: { ...process.env, ...env } });
  const { stdout, stderr } = await run;
  assert.doesNotMatch(stderr, /Warning/);
  return stdout;
}

/** Names that one bucket of a snapshot's hash has, and that Turkish sorts the other way round. */
const sortedApart = '-- ıi.ts --\nexport const dotless = 1;\n-- ia.ts --\nexport const dotted = 1;\n';

test('the same tree has the same snapshot id, and the same rows (P55)', async t => {
  const odd = '-- I/ı.ts --\nexport const İ = 1;\n-- z/ä.ts --\nexport const ä = 1;\n-- Z.ts --\nexport const z = 1;\n';
  const tree = gitRepository(
    t,
    `${odd}${sortedApart}${manyFiles(12)}\n-- ignored/kept.py --\nx = 1\n-- .gitignore --\nignored/\n`,
  );
  tree.git('add', '--force', 'ignored/kept.py');
  tree.commit('all');
  const expected = await indexed(tree.root);
  assert.match(expected, /^sha256:[0-9a-f]{64} [0-9a-f]{64}\n$/);
  const elsewhere = temporaryFolder(t);
  execFileSync('git', ['clone', '--quiet', tree.root, elsewhere.path('an other/place')]);
  assert.equal(await indexed(elsewhere.path('an other/place')), expected, 'another path');
  for (const [what, given] of Object.entries(circumstances))
    assert.equal(await indexed(tree.root, given), expected, what);
  const plain = temporaryFolder(t);
  cpSync(tree.root, plain.path('tree'), { recursive: true, filter: from => basename(from) !== '.git' });
  const walked = await indexed(plain.path('tree'));
  assert.equal(await indexed(plain.path('tree'), { preload: shuffle, workers: 4 }), walked, 'no git tells an order');
  tree.write('src/f3.ts', 'export const changed = 1;\n');
  assert.notEqual(await indexed(tree.root), expected);
});
