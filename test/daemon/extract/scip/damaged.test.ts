import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { scipChunks } from '../../../../daemon/extract/scip/chunks.ts';
import { defaultScipLimits } from '../../../../daemon/extract/scip/limits.ts';
import { ScipProblem } from '../../../../daemon/extract/scip/problem.ts';
import { type PartOf, type ScipIndex, scipBytes } from '../../../support/scip.ts';
import { linesOf, readText } from './scip-text.ts';

const whole = scipBytes(smallIndex());
const expectedLines = [
  'ts 1 file://h/p utf-16',
  '0 src/a.ts typescript utf-8',
  '  0:6-0:7 1 ts npm p 1.0.0 src/`a.ts`/A# in 0:0-9:1',
  '  2:6-2:7 9 local 1',
  '  300:6-301:700 1 ts npm p 1.0.0 src/`a.ts`/A#m().',
  '  ts npm p 1.0.0 src/`a.ts`/A# {"kind":7,"displayName":"A","documentation":["Class A","second"],"signature":"class A"}',
  '  ts npm p 1.0.0 src/`a.ts`/A#m(). {"related":[["ts npm p 1.0.0 src/`a.ts`/A#","isReference","isImplementation"]]}',
  '  local 1 {"within":"ts npm p 1.0.0 src/`a.ts`/A#m()."}',
  '1 src/b.ts utf-16',
  '  text "const größe = 1;"',
  '  0:6-0:11 1 ts npm p 1.0.0 src/`b.ts`/größe.',
  'external ts npm q 2 `q.ts`/Q# {"documentation":["of q"]}',
];

test('reads the same in pieces of every size', async () => {
  const lines = await readText(whole);
  assert.deepEqual(lines, expectedLines);
  for (const pieceBytes of [1, 2, 3, 7, 16, 64, 1000])
    assert.deepEqual(await readText(whole, defaultScipLimits, pieceBytes), lines, String(pieceBytes));
});

test('refuses an index that is cut off anywhere but between its fields', async () => {
  const lines = await readText(whole);
  const ends = new Set<number>();
  for (let length = 0; length < whole.length; length++) {
    const cut = await readText(whole.subarray(0, length)).catch((problem: unknown) => problem);
    if (Array.isArray(cut)) {
      ends.add(length);
      assert.deepEqual(cut, lines.slice(0, cut.length));
    } else assert.ok(cut instanceof ScipProblem && cut.kind === 'invalid', `${length}: ${cut}`);
  }
  // After the metadata, after each document; one external symbol follows.
  assert.equal(ends.size, 3);
});

test('says what is wrong with a thousand damaged indexes, or reads them', async () => {
  const random = numbersFrom(20_261_122);
  const counts = new Map<string, number>();
  for (let seed = 0; seed < 1000; seed++) {
    const damaged = mutated(whole, random);
    const result = await readText(damaged, defaultScipLimits, 1 + random(200)).then(
      () => 'read',
      (problem: unknown) => (problem instanceof ScipProblem ? problem.kind : Promise.reject(problem)),
    );
    counts.set(result, (counts.get(result) ?? 0) + 1);
  }
  for (const kind of ['read', 'invalid']) assert.ok(counts.get(kind)! > 100, `${kind}: ${counts.get(kind)}`);
});

test('reads files, plain and gzip alike, and tells damaged gzip', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-scip-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = (name: string, bytes: Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };
  const lines = await readText(whole);
  const zipped = gzipSync(whole);
  assert.deepEqual(await linesOf(scipChunks(file('a.scip', whole))), lines);
  assert.deepEqual(await linesOf(scipChunks(file('a.scip.gz', zipped))), lines);
  for (const bytes of [
    zipped.subarray(0, zipped.length - 20),
    Buffer.concat([zipped.subarray(0, 40), Buffer.alloc(99)]),
  ])
    await assert.rejects(linesOf(scipChunks(file('b.scip.gz', bytes))), { name: 'ScipProblem', kind: 'invalid' });
  await assert.rejects(linesOf(scipChunks(file('empty', Buffer.alloc(0)))), { name: 'ScipProblem', kind: 'invalid' });
  await assert.rejects(linesOf(scipChunks(join(folder, 'none'))), { code: 'ENOENT' });
});

test('a small gzip file that inflates to a large one stops at the limit', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-scip-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'bomb');
  // An unknown field of 100 MB, which nobody needs to have in memory.
  writeFileSync(
    path,
    gzipSync(Buffer.concat([whole, Buffer.from([0x7a, 0x80, 0xc2, 0xd7, 0x2f]), Buffer.alloc(100e6)])),
  );
  const before = process.memoryUsage().rss;
  await assert.rejects(linesOf(scipChunks(path), { ...defaultScipLimits, bytes: 80e6 }), { kind: 'too large' });
  assert.ok(process.memoryUsage().rss - before < 60e6);
});

test('lets go of the file when whoever takes the index fails', async () => {
  let isClosed = false;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield whole;
    } finally {
      isClosed = true;
    }
  }
  await assert.rejects(linesOf(chunks(), { ...defaultScipLimits, documents: 1 }), { kind: 'too large' });
  assert.equal(isClosed, true);
});

function smallIndex(): PartOf<ScipIndex> {
  const [a, b, c] = ['src/`a.ts`/A#', 'src/`a.ts`/A#m().', 'src/`b.ts`/größe.'].map(tail => `ts npm p 1.0.0 ${tail}`);
  return {
    metadata: { toolInfo: { name: 'ts', version: '1', arguments: ['--token', 'x'] }, projectRoot: 'file://u:pw@h/p' },
    documents: [
      {
        relativePath: 'src/a.ts',
        language: 'typescript',
        positionEncoding: 1,
        occurrences: [
          { range: [0, 6, 7], symbol: a!, symbolRoles: 1, enclosingRange: [0, 0, 9, 1] },
          { range: [300, 6, 301, 700], symbol: b!, symbolRoles: 1 },
          { range: [2, 6, 7], symbol: 'local 1', symbolRoles: 9 },
        ],
        symbols: [
          {
            symbol: a!,
            kind: 7,
            displayName: 'A',
            documentation: ['Class A', 'second'],
            signatureDocumentation: { text: 'class A' },
          },
          { symbol: b!, relationships: [{ symbol: a!, isReference: true, isImplementation: true }] },
          { symbol: 'local 1', enclosingSymbol: b! },
        ],
      },
      {
        relativePath: 'src/b.ts',
        text: 'const größe = 1;',
        occurrences: [{ range: [0, 6, 11], symbol: c!, symbolRoles: 1 }],
      },
    ],
    externalSymbols: [{ symbol: 'ts npm q 2 `q.ts`/Q#', documentation: ['of q'] }],
  };
}

/** A run of whole numbers below a bound, the same for the same seed (mulberry32). */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** One to four times: a byte changed, some left out, some repeated, or a run of 255. */
function mutated(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  let result = Buffer.from(bytes);
  for (let times = 1 + random(4); times > 0; times--) {
    const at = random(result.length);
    const length = 1 + random(12);
    const [before, behind] = [result.subarray(0, at), result.subarray(at + length)];
    const kind = random(4);
    if (kind === 0) result[at] = random(256);
    else if (kind === 1) result = Buffer.concat([before, behind]);
    else if (kind === 2) result = Buffer.concat([before, result.subarray(at, at + length), result.subarray(at)]);
    else result = Buffer.concat([before, Buffer.alloc(length, 0xff), behind]);
  }
  return result;
}
