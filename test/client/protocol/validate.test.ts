import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText } from '../../../client/protocol/decode-text.ts';
import { Fault, type FaultReason, type Problem } from '../../../client/protocol/faults.ts';
import { nearest } from '../../../client/protocol/nearest.ts';
import type { Operation } from '../../../client/protocol/operation.ts';
import { findOperation, type OperationName, operations } from '../../../client/protocol/registry.ts';
import { validateInput } from '../../../client/protocol/validate.ts';

function refusalOf(
  name: OperationName,
  input: Readonly<Record<string, unknown>>,
  bodyFields: readonly string[] = [],
  problems?: readonly Problem[],
): { reason: FaultReason; problems: readonly Problem[] } {
  const invalidAs = (field: string) => (bodyFields.includes(field) ? 'invalidBody' : 'invalidParameter');
  try {
    const accepted = validateInput(operations[name] as Operation, {
      input,
      invalidAs,
      ...(problems === undefined ? {} : { problems }),
    });
    return assert.fail(`accepted: ${JSON.stringify(accepted)}`);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { reason: error.reason, problems: error.extras.details?.['problems'] as readonly Problem[] };
  }
}

const accept = (name: OperationName, input: Readonly<Record<string, unknown>>): unknown =>
  validateInput(operations[name] as Operation, { input, invalidAs: () => 'invalidParameter' });

test('what callers leave out, handlers find', () => {
  assert.deepEqual(accept('symbols.search', { q: 'x' }), {
    q: 'x',
    ...{ limit: 50, depth: 1, includeExternal: false, merge: 'prefer-first', refresh: false },
    ...{ repoStateMode: 'full', sync: false },
  });
  assert.deepEqual(accept('indexing.index', { language: undefined }), { force: false, language: 'auto', sync: false });
  assert.deepEqual(accept('symbols.refs', { id: 'Server.close', includeTests: false }), {
    id: 'Server.close',
    includeTests: false,
    includeDefinition: false,
    limit: 500,
    merge: 'prefer-first',
    sync: false,
  });
  assert.deepEqual(accept('jobs.list', {}), { limit: 20 });
});

test('a comma list is a list', () => {
  assert.deepEqual((accept('symbols.search', { q: 'x', kinds: 'class,method' }) as { kinds: unknown }).kinds, [
    'class',
    'method',
  ]);
  assert.deepEqual((accept('symbols.search', { q: 'x', kinds: ['class'] }) as { kinds: unknown }).kinds, ['class']);
  const { problems } = refusalOf('symbols.search', { q: 'x', kinds: 'class,,klass' });
  assert.deepEqual(
    problems.map(problem => problem.path),
    ['kinds[1]', 'kinds[2]'],
  );
});

const refused: readonly (readonly [name: OperationName, input: string, path: string, message: RegExp])[] = [
  ['symbols.search', '{}', 'q', /^is required$/],
  ['symbols.search', '{"q":7}', 'q', /^must be text; it must be 1 to 1024 characters/],
  ['symbols.search', '{"q":"x","limit":"5"}', 'limit', /an integer from 1 to 10000/],
  ['symbols.search', '{"q":"x","limit":1.5}', 'limit', /an integer/],
  ['symbols.search', '{"q":"x","limit":null}', 'limit', /an integer/],
  ['symbols.search', '{"q":"x","sync":1}', 'sync', /true or false/],
  ['symbols.search', '{"q":"x","repoStateMode":"Full"}', 'repoStateMode', /head, full; did you mean full\?/],
  ['symbols.search', '{"q":"a\\u0000b"}', 'q', /NUL/],
  ['symbols.search', '{"q":"x","limt":5}', 'limt', /did you mean limit\?/],
  ['symbols.search', '{"q":"x","__proto__":{"limit":1}}', '__proto__', /not a field/],
  ['symbols.search', '{"q":"x","constructor":1}', 'constructor', /not a field/],
  ['symbols.search', '{"q":"x","hasOwnProperty":1}', 'hasOwnProperty', /not a field/],
  ['system.health', '{"verbose":true}', 'verbose', /there are none/],
  ['daemon.addRepo', '{"root":"src/app"}', 'root', /absolute path/],
  ['daemon.addRepo', '{"root":"/src","id":"Über"}', 'id', /must be of a-z, 0-9, dots, dashes and underscores/],
  ['jobs.list', '{"status":"done"}', 'status', /queued, running, completed, failed, cancelled/],
];

test('a problem names its place and what would do', () => {
  for (const [name, input, path, message] of refused) {
    const { reason, problems } = refusalOf(name, JSON.parse(input) as Record<string, unknown>);
    assert.equal(reason, 'invalidParameter');
    assert.deepEqual(
      problems.map(problem => problem.path),
      [path],
      input,
    );
    assert.match(problems[0]!.message, message, input);
  }
});

test('it is 422 only where every problem is in the body', () => {
  assert.equal(
    refusalOf('indexing.index', { force: 'yes', language: 'x' }, ['force', 'language']).reason,
    'invalidBody',
  );
  assert.equal(refusalOf('indexing.index', { force: 'yes', sync: 'x' }, ['force']).reason, 'invalidParameter');
  const mixed = refusalOf('indexing.index', { force: 'yes' }, ['force'], [{ path: 'sync', message: 'twice' }]);
  assert.equal(mixed.reason, 'invalidParameter');
  assert.deepEqual(
    mixed.problems.map(problem => problem.path),
    ['sync', 'force'],
  );
});

test('what the transport found is said once, in its words', () => {
  const found = { path: 'q', message: 'is given more than once' };
  assert.deepEqual(refusalOf('symbols.search', {}, [], [found]).problems, [found]);
});

test('a hostile input makes no endless answer', () => {
  const input = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`field${at}`, at]));
  assert.equal(refusalOf('jobs.list', input).problems.length, 50);
  const [long] = refusalOf('jobs.list', { ['x'.repeat(100_000)]: 1 }).problems;
  assert.ok(long!.path.length < 200);
});

test('text is read strictly by the type that it stands for', () => {
  const readings: readonly (readonly [type: string, text: string, value: unknown])[] = [
    ['integer', '7', 7],
    ['integer', '-7', -7],
    ['integer', '0', 0],
    ['integer', '9007199254740991', 9007199254740991],
    ...['9007199254740992', '1e3', '0x10', '1.5', '1.0', '07', '-0', '+7', ' 7', '7 ', '', '٧', 'NaN', 'Infinity'].map(
      text => ['integer', text, text] as const,
    ),
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ...['TRUE', 'yes', '1', '', ' true'].map(text => ['boolean', text, text] as const),
    ['number', '0.85', 0.85],
    ['number', '-1', -1],
    ...['NaN', '1e3', '.5', '1.', '0x1', 'Infinity', ''].map(text => ['number', text, text] as const),
    ['string', 'true', 'true'],
  ];
  for (const [type, text, value] of readings) assert.equal(decodeText({ type }, text), value, `${type} ${text}`);
});

test('the nearest name is near', () => {
  const names = ['limit', 'kinds', 'cursor', 'repoStateMode'];
  const meanings: readonly (readonly [asked: string, meant: string | undefined])[] = [
    ['limt', 'limit'],
    ['ilmit', 'limit'],
    ['LIMIT', 'limit'],
    ['kind', 'kinds'],
    ['repo_state_mode', 'repoStateMode'],
    ['language', undefined],
    ['x', undefined],
    ['limit'.repeat(100), undefined],
  ];
  for (const [asked, meant] of meanings) assert.equal(nearest(asked, names), meant, asked);
});

test('no name of the language is an operation', () => {
  for (const name of ['__proto__', 'constructor', 'toString', '', 'symbols', 'Symbols.get']) {
    assert.equal(findOperation(name), undefined, name);
  }
  assert.equal(findOperation('symbols.get'), operations['symbols.get']);
});
