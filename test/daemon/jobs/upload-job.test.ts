import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rejectionsOf } from '../../../daemon/jobs/upload/upload-job.ts';

test('what an upload left out is told with examples that say something, and without any where none does', () => {
  const sample = (reason: 'symbol' | 'document: path', path: string, detail: string) =>
    ({ reason, path, detail }) as const;
  const samples = [
    ...Array.from({ length: 7 }, () => sample('symbol', '', '')),
    sample('document: path', '../x', 'climbs out'),
    sample('document: path', 'a.ts', ''),
    ...Array.from({ length: 7 }, (_, at) => sample('document: path', '', `no. ${at}`)),
  ];
  const told = rejectionsOf({ rejected: { counts: { symbol: 87, 'document: path': 9 }, samples } });
  assert.deepEqual(told, [
    'left out, symbol: 87 times',
    'left out, document: path: 9 times ("../x": climbs out; "a.ts"; no. 0; no. 1; no. 2)',
  ]);
});
