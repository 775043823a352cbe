import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultScipLimits, type ScipLimits, scipLimitKeys } from '../../../../daemon/extract/scip/limits.ts';
import { ScipProblem } from '../../../../daemon/extract/scip/problem.ts';
import { readText } from './scip-text.ts';
import { bytesOf, number, packed, run, tag, varint } from './wire-bytes.ts';

const tool = run(1, run(2, run(1, 'tool'), run(2, '1')));
const symbol = 's m p v f().';
const occurrence = run(2, packed(1, 0, 1, 2), run(2, symbol), number(3, 1));
const good = run(2, run(1, 'good.ts'), occurrence);
/** What the lines of an index begin with that has `good` in it, at this place. */
const goodLines = (at: number): string[] => [`${at} good.ts utf-16`, `  0:1-0:2 1 ${symbol}`];

function document(...parts: readonly Uint8Array[]): Uint8Array {
  return bytesOf(tool, run(2, run(1, 'a.ts'), ...parts));
}

function nested(field: number, depth: number, content: Uint8Array): Uint8Array {
  let bytes = content;
  for (let at = 0; at < depth; at++) bytes = bytesOf(tag(field, 3), bytes, tag(field, 4));
  return bytes;
}

/** What it is, its bytes, and what the refusal says first: kind, then a part of its words. */
const refused: readonly (readonly [string, Uint8Array, string, RegExp])[] = [
  ['nothing', bytesOf(), 'invalid', /No bytes/],
  ['JSON', bytesOf('{"documents": []}'), 'invalid', /JSON/],
  ['an ELF program', bytesOf('\x7fELF\x02\x01\x01\0\0\0'), 'invalid', /A program/],
  ['zstd', Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 4, 0]), 'invalid', /zstd/],
  ['gzip that is not told as such', Uint8Array.from([0x1f, 0x8b, 8, 0]), 'invalid', /gzip/],
  ['nine random bytes', Uint8Array.from([0x9a, 3, 0xf1, 0x77, 0x08, 0xee, 0x12, 0x5c, 0x30]), 'invalid', /longer/],
  ['text', bytesOf('hello, world'), 'invalid', /./],
  ['field 0', bytesOf(tool, Uint8Array.from([0, 0])), 'invalid', /number that none/],
  ['field 0 in a document', document(Uint8Array.from([2, 0])), 'invalid', /number that none/],
  [
    'a tag of six bytes',
    bytesOf(tool, Uint8Array.from([0xfa, 0x80, 0x80, 0x80, 0x80, 0, 0])),
    'invalid',
    /number that none/,
  ],
  [
    'a number of eleven bytes',
    document(tag(6, 0), Uint8Array.from([...Array(10).fill(0x80), 1])),
    'invalid',
    /ten bytes/,
  ],
  ['metadata that is a number', number(1, 5), 'invalid', /not written as SCIP/],
  ['a document that is a number', bytesOf(tool, number(2, 5)), 'invalid', /not written as SCIP/],
  ['a path that is a number', bytesOf(tool, run(2, number(1, 5))), 'invalid', /not written as SCIP/],
  ['roles that are a string', document(run(2, run(3, 'x'))), 'invalid', /not written as SCIP/],
  [
    'a range that is eight bytes',
    document(run(2, tag(1, 1), Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0))),
    'invalid',
    /not written/,
  ],
  ['a wire type that there is not', document(tag(9, 7), Uint8Array.of(0)), 'invalid', /not written as SCIP/],
  ['a document longer than the index', bytesOf(tool, tag(2, 2), varint(99), Uint8Array.of(0)), 'invalid', /longer/],
  ['a string longer than its document', document(tag(4, 2), varint(9), Uint8Array.of(0)), 'invalid', /longer/],
  [
    'a string longer than its occurrence',
    document(run(2, tag(2, 2), varint(9), Uint8Array.of(0)), occurrence),
    'invalid',
    /longer/,
  ],
  ['a length below 0', document(tag(4, 2), varint(-1)), 'invalid', /longer/],
  [
    'a length of six bytes',
    document(tag(4, 2), Uint8Array.from([0x81, 0x80, 0x80, 0x80, 0x80, 0]), Uint8Array.of(0)),
    'invalid',
    /longer/,
  ],
  ['a document of a length of 2^32', bytesOf(tool, tag(2, 2), varint(2 ** 32)), 'too large', /4294967296|message of/],
  [
    'a field that runs out of the packed range',
    document(run(2, run(1, Uint8Array.of(0x80)), run(2, symbol))),
    'invalid',
    /./,
  ],
  [
    'a number that goes on behind its occurrence',
    document(run(2, run(2, symbol), tag(3, 0), Uint8Array.of(0x80)), number(9, 1)),
    'invalid',
    /longer/,
  ],
  ['a number that goes on behind the index', bytesOf(tool, tag(9, 0), Uint8Array.of(0x80)), 'invalid', /longer/],
  [
    'a range longer than its occurrence',
    document(run(2, tag(8, 2), varint(9), number(1, 1)), occurrence),
    'invalid',
    /longer/,
  ],
  [
    'a range whose number goes on behind it',
    document(run(2, run(8, tag(1, 0), Uint8Array.of(0x80)), number(3, 1))),
    'invalid',
    /longer/,
  ],
  ['a group without end', bytesOf(tool, tag(9, 3), number(1, 1)), 'invalid', /longer/],
  ['a group without end in a document', document(tag(9, 3), number(1, 1)), 'invalid', /longer/],
  ['a group without beginning', bytesOf(tool, tag(9, 4)), 'invalid', /not written as SCIP/],
  [
    'groups that end crosswise',
    document(tag(9, 3), tag(10, 3), tag(9, 4), tag(10, 4)),
    'invalid',
    /without having begun/,
  ],
  ['groups 200 deep', document(nested(9, 200, number(1, 1))), 'too large', /nested too deeply/],
  ['groups 200 deep beside documents', bytesOf(tool, nested(9, 200, number(1, 1))), 'too large', /nested too deeply/],
  ['an unknown field of 8 bytes, cut off', bytesOf(tool, tag(9, 1), Uint8Array.of(1, 2)), 'invalid', /longer/],
  ['an unknown string, cut off', bytesOf(tool, tag(9, 2), varint(1000), Uint8Array.of(1, 2)), 'invalid', /longer/],
  ['no metadata', good, 'unacceptable', /No metadata/],
  ['metadata after documents', bytesOf(good, tool), 'unacceptable', /No metadata/],
  ['external symbols before metadata', bytesOf(run(3, run(1, symbol)), tool), 'unacceptable', /No metadata/],
  ['an unknown field alone', number(9, 1), 'unacceptable', /No metadata/],
  ['a version from the future', bytesOf(run(1, number(1, 3)), good), 'unacceptable', /version of SCIP/],
  ['an unknown text encoding', bytesOf(run(1, number(4, 17)), good), 'unacceptable', /Text encoding 17/],
  [
    'no document that can be taken in',
    bytesOf(tool, run(2, run(1, '/etc/passwd'))),
    'unacceptable',
    /None of its documents.*path/,
  ],
];

for (const [what, bytes, kind, message] of refused)
  test(`refuses ${what}`, async () => {
    const problem = await problemOf(bytes);
    assert.equal(problem.kind, kind, problem.message);
    assert.match(problem.message, message);
    assert.ok(problem.remedy.length > 20);
    assert.ok(problem.offset >= 0 && problem.offset <= bytes.length, String(problem.offset));
  });

const small: ScipLimits = {
  bytes: 10_000,
  documents: 3,
  messageBytes: 2_000,
  occurrences: 4,
  symbols: 3,
  symbolBytes: 1_000,
  nesting: 5,
};
const named = (name: string): Uint8Array => run(2, packed(1, 0, 1, 2), run(2, `s m p v ${name}.`));

/** What it is, its bytes, the limit that it breaks; one less of it is fine. */
const large: readonly (readonly [string, (size: number) => Uint8Array, number, keyof ScipLimits])[] = [
  ['bytes', size => bytesOf(tool, ...Array(size).fill(run(9, 'x'.repeat(996)))), 10, 'bytes'],
  ['documents', size => bytesOf(tool, good, ...Array(size - 1).fill(run(2))), 4, 'documents'],
  ['a text', size => document(run(5, 'x'.repeat(size * 200))), 10, 'messageBytes'],
  ['occurrences', size => document(...Array.from({ length: size }, (_, at) => range(at, 1, 2))), 5, 'occurrences'],
  ['symbols', size => document(...[...'abcde'].slice(0, size).map(named)), 4, 'symbols'],
  ['externals', size => bytesOf(tool, ...Array(size).fill(run(3, run(1, symbol)))), 4, 'symbols'],
  ['symbols’ bytes', size => document(named('x'.repeat(size * 100))), 10, 'symbolBytes'],
  ['groups', size => document(nested(9, size, number(1, 1))), 6, 'nesting'],
];

for (const [what, make, size, limit] of large)
  test(`bounds ${what}`, async () => {
    await readText(make(size - 1), small);
    const problem = await problemOf(make(size), small);
    assert.equal(problem.kind, 'too large', problem.message);
    const raise = limit === 'nesting' ? 'Run the indexer again' : `raise ${scipLimitKeys[limit]}`;
    assert.ok(problem.remedy.includes(raise), problem.remedy);
  });

/** Paths that are no place in a repository. */
const paths = [
  '',
  '.',
  '..',
  '../x',
  'a/../../b',
  'a/./b',
  'a//b',
  'a/',
  '/etc/passwd',
  'C:\\x',
  'c:/x',
  '\\\\srv\\x',
  'a\0b',
  '.git/config',
  'sub/.GIT/config',
  `${'é'.repeat(2048)}x`,
];

test('leaves out documents whose paths are no place in a repository', async () => {
  for (const path of paths) {
    const lines = await readText(bytesOf(tool, run(2, run(1, path), occurrence), good));
    const label = path.slice(0, 200);
    const expected = [
      'tool 1  utf-16',
      ...goodLines(1),
      `rejected document: path | ${label} | ${JSON.stringify(path.slice(0, 100))}`,
    ];
    assert.deepEqual(lines, expected, label);
  }
  const longest = `${'é'.repeat(2047)}x/`.slice(0, 2047).concat('xx');
  assert.equal((await readText(bytesOf(tool, run(2, run(1, longest)))))[1], `0 ${longest} utf-16`);
});

const range = (...values: readonly number[]): Uint8Array => run(2, packed(1, ...values), run(2, symbol));
const symbolOf = (text: string | Uint8Array): Uint8Array => run(2, packed(1, 0, 1, 2), run(2, text));

/** What stands in a document beside what is good, and why it is rejected. */
const rejected: readonly (readonly [string, Uint8Array, readonly string[]])[] = [
  ['a range of no number', run(2, run(2, symbol)), ['occurrence: range']],
  ['a range of one number', range(1), ['occurrence: range']],
  ['a range of two numbers', range(1, 2), ['occurrence: range']],
  ['a range of five numbers', range(1, 2, 3, 4, 5), ['occurrence: range']],
  ['a range of a thousand numbers', range(...Array(1000).fill(1)), ['occurrence: range']],
  ['a line below 0', range(-1, 2, 3), ['occurrence: range']],
  ['a column below 0', range(1, -2, 3), ['occurrence: range']],
  ['an end column before the start', range(1, 3, 2), ['occurrence: range']],
  ['an end line before the start', range(2, 0, 1, 5), ['occurrence: range']],
  ['the last line that 32 bits can tell', range(2 ** 31 - 1, 0, 1), ['occurrence: range']],
  ['a column that no text has', range(0, 2 ** 30, 1, 0), ['occurrence: range']],
  ['no symbol', run(2, packed(1, 0, 1, 2)), ['occurrence: no symbol']],
  ['an empty symbol', symbolOf(''), ['occurrence: no symbol']],
  ['a malformed symbol', symbolOf('s m p v x'), ['symbol', 'occurrence: symbol']],
  ['a nameless local', symbolOf('local '), ['occurrence: symbol']],
  ['a symbol of 1 MB', symbolOf(`s m p v ${'x'.repeat(1e6)}.`), ['symbol', 'occurrence: symbol']],
  [
    'an enclosing range of one number',
    bytesOf(run(2, packed(1, 0, 1, 2), run(2, symbol), number(3, 1), packed(7, 1))),
    ['enclosing range'],
  ],
  ['information without symbol', run(3, run(6, 'x')), ['symbol']],
  ['information of a malformed symbol', run(3, run(1, 'x')), ['symbol']],
];

for (const [what, bytes, reasons] of rejected)
  test(`leaves out ${what} and keeps the rest`, async () => {
    const lines = await readText(bytesOf(tool, run(2, run(1, 'good.ts'), occurrence, bytes), good));
    const kept = lines.filter(line => !line.startsWith('rejected'));
    assert.deepEqual(kept, ['tool 1  utf-16', ...goodLines(0), ...goodLines(1)]);
    assert.deepEqual(
      lines.filter(line => line.startsWith('rejected')).map(line => /^rejected (.*?) \|/.exec(line)?.[1]),
      reasons,
    );
  });

async function problemOf(bytes: Uint8Array, limits: ScipLimits = defaultScipLimits): Promise<ScipProblem> {
  const lines = await readText(bytes, limits).catch((problem: unknown) => problem);
  if (lines instanceof ScipProblem) return lines;
  throw new assert.AssertionError({ message: `Not refused: ${lines}` });
}
