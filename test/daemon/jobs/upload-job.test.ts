import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noTwins, twinsAmong } from '../../../daemon/jobs/upload/twins.ts';
import { warningsOf } from '../../../daemon/jobs/upload/upload-job.ts';
import type { RepoPath } from '../../../daemon/model/paths.ts';

test('what an upload left out is told with examples that say something, and without any where none does', () => {
  const sample = (reason: 'symbol' | 'document: path', path: string, detail: string) =>
    ({ reason, path, detail }) as const;
  const samples = [
    ...Array.from({ length: 7 }, () => sample('symbol', '', '')),
    sample('document: path', '../x', 'climbs out'),
    sample('document: path', 'a.ts', ''),
    ...Array.from({ length: 7 }, (_, at) => sample('document: path', '', `no. ${at}`)),
  ];
  const told = warningsOf({ rejected: { counts: { symbol: 87, 'document: path': 9 }, samples }, twins: noTwins });
  assert.deepEqual(told, [
    'left out, symbol: 87 times',
    'left out, document: path: 9 times ("../x": climbs out; "a.ts"; no. 0; no. 1; no. 2)',
  ]);
});

test('paths that are one where file names are compared without letter case or Unicode form are told', () => {
  const told = (...paths: readonly string[]) => {
    const twins = twinsAmong(paths as readonly RepoPath[]);
    return warningsOf({ rejected: { counts: {}, samples: [] }, twins });
  };
  assert.deepEqual(told('src/a.ts', 'src/b.ts', 'src-a.ts', 'ſ.ts', 's.ts'), []);
  const means =
    'by letter case or Unicode form alone: two files here, and one where file names are compared without these';
  assert.deepEqual(told('src/a.ts', 'src/A.ts'), [`1 path differs from another ${means} ("src/a.ts" and "src/A.ts")`]);
  assert.deepEqual(told('é.ts', 'b', 'E\u0301.ts', 'e\u0301.ts'), [
    `2 paths differ from another ${means} ("é.ts" and "E\u0301.ts"; "é.ts" and "e\u0301.ts")`,
  ]);
});
