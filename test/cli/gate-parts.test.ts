import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../cli/commands.ts';
import { baselineText, newFindings, readBaseline } from '../../cli/gate/baseline.ts';
import type { Finding } from '../../cli/gate/findings.ts';
import { brokenAt } from '../../cli/gate/json-place.ts';
import { writeOutcome } from '../../cli/gate/report.ts';
import { thresholdsOf } from '../../cli/gate/thresholds.ts';
import { Fault } from '../../client/protocol/faults.ts';

test('thresholds are told by metric, each once, as whole numbers', () => {
  assert.deepEqual(thresholdsOf('cognitive=25'), { cognitive: 25 });
  assert.deepEqual(thresholdsOf(' cyclomatic = 15 , lines=0,parameters=7'), {
    cyclomatic: 15,
    lines: 0,
    parameters: 7,
  });
  for (const text of [
    '',
    'cognitive',
    'cognitive=',
    'cognitive=x',
    'cognitive=-1',
    'cognitive=1.5',
    'depth=3',
    '=3',
    'lines=1,',
    'lines=1,lines=2',
    'constructor=1',
  ]) {
    assert.throws(() => thresholdsOf(text), UsageError, text);
  }
});

const finding = (name: string, value?: number, more: Partial<Finding> = {}): Finding => ({
  ...{ rule: 'complexity/cognitive', path: 'a.ts', line: 3, name, message: name, limit: 10 },
  ...(value === undefined ? {} : { value }),
  ...more,
});

test('a baseline is what was written, sorted, whatever order findings came in', () => {
  const findings = [finding('b', 12), finding('a', 30), finding('u', undefined, { rule: 'unwired', id: 'ff' })];
  const text = baselineText('app', {}, findings);
  assert.equal(text, baselineText('app', {}, findings.toReversed()));
  assert.deepEqual(JSON.parse(text), {
    baselineVersion: 1,
    repository: 'app',
    bounds: {},
    findings: [
      { rule: 'complexity/cognitive', path: 'a.ts', name: 'a', value: 30 },
      { rule: 'complexity/cognitive', path: 'a.ts', name: 'b', value: 12 },
      { rule: 'unwired', path: 'a.ts', name: 'u', id: 'ff' },
    ],
  });
  assert.deepEqual(readBaseline(text, 'f').findings, JSON.parse(text).findings);
  assert.deepEqual(readBaseline(baselineText('app', {}, []), 'f'), { repository: 'app', bounds: {}, findings: [] });
});

test('the place where JSON breaks is known, and none where it does not', () => {
  const broken: readonly (readonly [text: string, at: number])[] = [
    ['', 0],
    ['  none', 2],
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ['{a:1}', 1],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['[1}', 2],
    ['[01]', 2],
    ['"a\nb"', 0],
    ['"\\x"', 0],
    ['1 1', 2],
    ['{"a":[{}', 8],
    ['{"a":', 5],
    ['['.repeat(100_000), 100_000],
    [`"${'a'.repeat(100_000)}`, 0],
  ];
  for (const [text, at] of broken) {
    assert.throws(() => JSON.parse(text), SyntaxError, text.slice(0, 20));
    assert.equal(brokenAt(text), at, text.slice(0, 20));
  }
  for (const text of ['{}', ' [ ] ', '"\\u00e9\\""', '-1.5e+3', '{"a":[1,{"b":null}],"c":true}', '[[],[{}],""]']) {
    assert.equal(brokenAt(text), undefined, text);
    JSON.parse(text);
  }
});

test('what a baseline knows is no finding, as long as it has not grown or become more', () => {
  const known = readBaseline(
    baselineText('app', {}, [
      finding('f', 20),
      finding('<anonymous>', 12),
      finding('<anonymous>', 30),
      finding('x', undefined, { rule: 'unwired', id: 'aa', path: 'old.ts' }),
    ]),
    'f',
  );
  const names = (findings: readonly Finding[]) =>
    newFindings(findings, known).map(({ name, value }) => `${name} ${value}`);
  assert.deepEqual(names([finding('f', 20, { line: 90 })]), [], 'lines move');
  assert.deepEqual(names([finding('f', 11)]), []);
  assert.deepEqual(names([finding('f', 21)]), ['f 21']);
  assert.deepEqual(names([finding('f', 20, { path: 'b.ts' })]), ['f 20']);
  assert.deepEqual(names([finding('f', 20, { rule: 'complexity/lines' })]), ['f 20']);
  assert.deepEqual(names([finding('<anonymous>', 11), finding('<anonymous>', 29)]), []);
  assert.deepEqual(names([finding('<anonymous>', 13), finding('<anonymous>', 14)]), ['<anonymous> 13']);
  assert.deepEqual(names([finding('<anonymous>', 5), finding('<anonymous>', 5), finding('<anonymous>', 5)]), [
    '<anonymous> 5',
  ]);
  assert.deepEqual(names([finding('x', undefined, { rule: 'unwired', id: 'aa', path: 'new.ts' })]), [], 'by its id');
  assert.deepEqual(names([finding('x', undefined, { rule: 'unwired', id: 'bb', path: 'old.ts' })]), [], 'by its name');
  assert.deepEqual(names([finding('x', undefined, { rule: 'unwired', id: 'bb', path: 'new.ts' })]), ['x undefined']);
});

test('of a file that is gone a finding is known by its name, once, wherever it stands by now', () => {
  const known = readBaseline(baselineText('app', {}, [finding('f', 20, { path: 'gone.ts' }), finding('g', 20)]), 'f');
  const names = (findings: readonly Finding[]) =>
    newFindings(findings, known, path => path === 'gone.ts').map(({ name, value, path }) => `${path} ${name} ${value}`);
  assert.deepEqual(names([finding('f', 20, { path: 'b.ts' })]), []);
  assert.deepEqual(names([finding('f', 21, { path: 'b.ts' })]), ['b.ts f 21'], 'it has grown');
  assert.deepEqual(names([finding('f', 19, { path: 'b.ts' }), finding('f', 20, { path: 'c.ts' })]), ['b.ts f 19']);
  assert.deepEqual(names([finding('f', 20, { path: 'b.ts', rule: 'complexity/lines' })]), ['b.ts f 20']);
  assert.deepEqual(names([finding('g', 20, { path: 'b.ts' })]), ['b.ts g 20'], 'its file is still there');
});

test('what is no baseline says where', () => {
  const whole = { baselineVersion: 1, repository: 'app', findings: [{ rule: 'r', path: 'p', name: 'n' }] };
  const one = (more: object) => JSON.stringify({ ...whole, findings: [whole.findings[0], more] });
  const rows: readonly (readonly [string, RegExp])[] = [
    ['', /^b\.json: 1:1: is no JSON$/],
    ['{\n  "baselineVersion": 1,\n  }', /^b\.json: 3:3: is no JSON$/],
    ['[]', /^b\.json: is no baseline/],
    ['{"version": 1}', /^b\.json: is no baseline/],
    [JSON.stringify({ ...whole, baselineVersion: 2 }), /^b\.json: baselineVersion: is 2, and this svc reads 1$/],
    [JSON.stringify({ ...whole, repository: 1 }), /^b\.json: repository: must be a text$/],
    ['root:x:0\n', /^b\.json: (?:1:1: )?is no JSON$/],
    [`\ufeff${JSON.stringify({ ...whole, findings: {} })}`, /^b\.json: findings: must be a list$/],
    [JSON.stringify({ ...whole, bounds: [] }), /^b\.json: bounds: must be an object$/],
    [JSON.stringify({ ...whole, bounds: { lines: '3' } }), /^b\.json: bounds\.lines: must be a number$/],
    [JSON.stringify({ ...whole, findings: {} }), /^b\.json: findings: must be a list$/],
    [one([]), /^b\.json: findings\[1\]: must be an object$/],
    [one({ rule: 'r', path: 3, name: 'n' }), /^b\.json: findings\[1\]\.path: must be a text$/],
    [one({ rule: 'r', path: 'p', name: 'n', value: '3' }), /^b\.json: findings\[1\]\.value: must be a number$/],
    [one({ rule: 'r', path: 'p', name: 'n', id: 3 }), /^b\.json: findings\[1\]\.id: must be a text$/],
  ];
  for (const [text, message] of rows) {
    assert.throws(
      () => readBaseline(text, 'b.json'),
      (error: unknown) => error instanceof Fault && error.reason === 'misconfigured' && message.test(error.message),
      text,
    );
  }
});

test('findings are written for people, scripts, programs, GitHub and code scanning', () => {
  const findings = [finding('run\u001b', 12, { path: 'src/a b,c.ts', message: 'run: 100% \n::x' })];
  const written = (format: 'human' | 'plain' | 'json', other?: 'github' | 'sarif') => {
    let [out, err] = ['', ''];
    const terminal = {
      ...{ isColored: false, isTty: false, isLive: false, liveColumns: () => 80, columns: 80 },
      out(text: string) {
        out += text;
      },
      err(text: string) {
        err += text;
      },
    };
    const outcome = { failed: true, findings, known: 2, notes: ['1 finding'] };
    writeOutcome({ terminal, format, version: '1.2.3' }, other, outcome);
    return { out, err };
  };
  assert.deepEqual(written('human'), { out: 'src/a b,c.ts:3:1: error: run: 100% \\n::x\n', err: '1 finding\n' });
  assert.deepEqual(written('plain'), { out: 'src/a b,c.ts:3\tcomplexity/cognitive\trun\\u{1b}\t12\t10\n', err: '' });
  assert.deepEqual(JSON.parse(written('json').out), { failed: true, findings, known: 2, notes: ['1 finding'] });
  assert.equal(
    written('human', 'github').out,
    '::error file=src/a b%2Cc.ts,line=3,title=svc complexity/cognitive::run: 100%25 %0A::x\n',
  );
  const { runs } = JSON.parse(written('human', 'sarif').out);
  assert.deepEqual(
    [runs[0].tool.driver.rules, runs[0].results[0].ruleId],
    [[{ id: 'complexity/cognitive' }], 'complexity/cognitive'],
  );
  const { artifactLocation, region } = runs[0].results[0].locations[0].physicalLocation;
  assert.deepEqual([artifactLocation.uri, region.startLine], ['src/a%20b%2Cc.ts', 3]);
});
