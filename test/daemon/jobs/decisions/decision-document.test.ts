import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consequencesIn, readDecision, textOf } from '../../../../daemon/extract/decisions/read-decision.ts';
import {
  decisionDocument,
  type NewDecision,
  ownStyle,
  tidied,
} from '../../../../daemon/jobs/decisions/decision-document.ts';
import type { DecisionFormat, DecisionStyle } from '../../../../daemon/model/decision.ts';

const stamp = { number: '12', date: '2026-01-31' };
const plain: NewDecision = {
  title: 'Keep sessions in Redis',
  status: 'accepted',
  context: 'They are lost.\n\n- on each deployment',
  decision: 'In Redis.',
  consequences: ['Redis must be there', 'One more thing\nto back up'],
  modules: ['packages/auth', '@root'],
};
const style = (more: Partial<DecisionStyle> = {}): DecisionStyle => ({ ...ownStyle, ...more });

const written: readonly (readonly [what: string, style: DecisionStyle, document: string])[] = [
  [
    'MADR 4, without a document to follow',
    ownStyle,
    `---
status: accepted
date: 2026-01-31
affected-modules:
  - packages/auth
  - "@root"
---

# Keep sessions in Redis

## Context and Problem Statement

They are lost.

- on each deployment

## Decision Outcome

In Redis.

### Consequences

* Redis must be there
* One more thing
  to back up
`,
  ],
  [
    'Nygard, in the words of those that are there',
    style({
      format: 'nygard',
      bullet: '-',
      isCapital: true,
      titleNumber: { before: '', width: 1, after: '. ' },
      headings: { context: 'Kontext', decision: 'Entscheidung' },
    }),
    `# 12. Keep sessions in Redis

Date: 2026-01-31

## Status

Accepted

## Kontext

They are lost.

- on each deployment

## Entscheidung

In Redis.

## Consequences

- Redis must be there
- One more thing
  to back up

## Affected modules

- \`packages/auth\`
- \`@root\`
`,
  ],
  [
    'MADR 2, underlined',
    style({ format: 'madr2', isUnderlined: true, titleNumber: { before: 'ADR-', width: 4, after: ': ' } }),
    `ADR-0012: Keep sessions in Redis
================================

* Status: accepted
* Date: 2026-01-31

Context and Problem Statement
-----------------------------

They are lost.

- on each deployment

Decision Outcome
----------------

In Redis.

### Consequences

* Redis must be there
* One more thing
  to back up

Affected modules
----------------

* \`packages/auth\`
* \`@root\`
`,
  ],
];

for (const [what, how, document] of written) {
  test(`a decision is written as ${what}`, () => {
    assert.equal(decisionDocument(plain, stamp, how), document);
    const windows = decisionDocument(plain, stamp, { ...how, lineEnd: '\r\n' });
    assert.equal(windows, document.replaceAll('\n', '\r\n'));
  });
}

test('a section that is empty is left out where the format lets it', () => {
  const bare: NewDecision = { ...plain, context: '', decision: '', consequences: [], modules: [] };
  const madr = ['Context and Problem Statement', 'Decision Outcome'];
  for (const [format, headings] of [
    ['nygard', ['Status', 'Context', 'Decision', 'Consequences']],
    ['madr2', madr],
    ['madr3', madr],
    ['madr4', madr],
  ] as const) {
    const document = decisionDocument(bare, stamp, style({ format }));
    const found = [...document.matchAll(/^##+ (.*)/gm)].map(([, heading]) => heading);
    assert.deepEqual(found, headings, format);
    assert.deepEqual(consequencesIn(readDecision(Buffer.from(document)).sections), []);
  }
});

test('lists have the bullets of the style, that of the metadata a bullet of its own', () => {
  const bulletsOf = (how: Partial<DecisionStyle>): readonly string[] => {
    const document = decisionDocument({ ...plain, context: 'They are lost.' }, stamp, style(how));
    return [...document.matchAll(/^([-*+]) (\S+)/gm)].map(([, bullet, word]) => `${bullet} ${word}`);
  };
  const modules = (bullet: string): readonly string[] => [`${bullet} \`packages/auth\``, `${bullet} \`@root\``];
  assert.deepEqual(bulletsOf({ format: 'nygard', bullet: '+' }), ['+ Redis', '+ One', ...modules('+')]);
  const madr2 = bulletsOf({ format: 'madr2', bullet: '-', metadataBullet: '*' });
  assert.deepEqual(madr2, ['* Status:', '* Date:', '- Redis', '- One', ...modules('-')]);
});

/** What is given, and how it stands in the document. */
const titles: readonly (readonly [title: string, markdown: string])[] = [
  ['../../etc/x', '../../etc/x'],
  ['-rf', '-rf'],
  ['.', '.'],
  ['😀🚀', '😀🚀'],
  ['שלום', 'שלום'],
  ['Use\r\n  two\tlines', 'Use two lines'],
  ['---\nstatus: accepted', '--- status: accepted'],
  ['<script>alert(1)</script>', '\\<script>alert(1)\\</script>'],
  ['{{x}} and {% y %}', '\\{\\{x}} and \\{% y %}'],
  ['`a` *b* [c](d) \\e', '\\`a\\` \\*b\\* \\[c\\](d) \\\\e'],
  ['snake_case and _this_', 'snake_case and \\_this\\_'],
  ['R&D &amp; C#', 'R&D \\&amp; C#'],
  ['closed #', 'closed \\#'],
  ['#', '\\#'],
  ['12. Angry men', '12\\. Angry men'],
  ['12 – Angry men', '&#49;2 – Angry men'],
  ['ADR-7: x', 'ADR\\-7: x'],
  ['Status: rejected', 'Status: rejected'],
  ['Decision', 'Decision'],
  ['é'.repeat(500), 'é'.repeat(500)],
];

test('behind a number a title keeps what might be taken for part of that', () => {
  for (const title of ['- x', ': x', '– x', '12. x', 'ADR-7: x', '.']) {
    const titleNumber = { before: 'ADR ', width: 1, after: ' ' };
    const document = decisionDocument({ ...plain, title }, stamp, style({ titleNumber }));
    const read = readDecision(Buffer.from(document));
    assert.deepEqual([read.title, read.numbers], [title, ['12']], document.split('\n', 7).at(-1));
  }
});

test('any title stands in one line, and reads as it was given', () => {
  for (const [title, markdown] of titles) {
    const decision = tidied({ ...plain, title });
    const document = decisionDocument(decision, stamp, ownStyle);
    assert.ok(document.includes(`\n# ${markdown}\n`), title);
    const read = readDecision(Buffer.from(document));
    assert.deepEqual([read.title, read.numbers, read.status], [decision.title, [], 'accepted'], title);
  }
});

/** Parts of texts that mean something to Markdown, and some that don't. */
const parts = [
  ...['# ', '## ', '### ', '## Decision', '### Consequences', '####### x', '#', '\n', '\n', '\n', '\n\n', '---', '==='],
  ...['-', '=', '- ', '* ', '1. ', '> ', '```', '````', '~~~', '```js', '`', '``', '\\', '\\\\', '\\#', '\\`', '|'],
  ...['<script>', '</script>', '<!--', '-->', '<pre', '<?', '<b>', '\\<script>', '{{x}}', '&amp;', '_', '[a](b)'],
  ...['word', 'Status: x', ' ', '  ', '    ', '\t', 'é', '😀', '\r\n', '\r', '0', 'Context', ':', '"', "'", '\u202e'],
  ...['---\nstatus: rejected\n---', '\u001b[31m', '\u0085', '\ud800'],
];
const modules = [
  'a',
  'a/b',
  '@root',
  'we`ird',
  'x, y',
  '- z',
  '"q"',
  'no',
  'a b',
  '`a`',
  'k: v #c',
  '0',
  '*a',
  '[x](y)',
];

/** A source of numbers below 1 that a seed decides (Lehmer, Mathematical methods in large-scale computing units, 1951). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function stylesOf(next: () => number): DecisionStyle {
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)]!;
  return {
    format: one<DecisionFormat>(['nygard', 'madr2', 'madr3', 'madr4']),
    lineEnd: one(['\n', '\r\n']),
    isUnderlined: next() < 0.5,
    bullet: one(['*', '-', '+']),
    metadataBullet: one([undefined, '*', '-', '+']),
    isCapital: next() < 0.5,
    titleNumber: one([
      undefined,
      { before: '', width: 1, after: '. ' },
      { before: 'ADR-', width: 3, after: ': ' },
      { before: '[ADR ', width: 1, after: '] ' },
      { before: 'ADR', width: 1, after: ' ' },
    ]),
    headings: {},
  };
}

test('what is read of a document is what it was written of, in each style, whatever it is', () => {
  const seed = 1 + Math.floor(Math.random() * 1_000_000);
  const next = numbersFrom(seed);
  const some = (items: readonly string[], most: number): string[] =>
    Array.from({ length: Math.floor(next() * most) }, () => items[Math.floor(next() * items.length)]!);
  for (let round = 0; round < 3000; round++) {
    const decision = tidied({
      title: some(parts, 12).join(''),
      status: (['proposed', 'accepted', 'deprecated', 'superseded'] as const)[round % 4]!,
      context: some(parts, 25).join(''),
      decision: some(parts, 25).join(''),
      consequences: [1, 2, 3].map(() => some(parts, 14).join('')).filter(text => text.trim() !== ''),
      modules: some(modules, 3),
    });
    if (decision.title === '') continue;
    const how = stylesOf(next);
    const document = decisionDocument(decision, stamp, how);
    const { title, status, date, sections, modules: affected } = readDecision(Buffer.from(document));
    const read = {
      ...{ title, status, modules: affected },
      context: textOf(sections, 'context'),
      decision: textOf(sections, 'decision'),
      consequences: consequencesIn(sections),
    };
    assert.deepEqual(read, decision, `seed ${seed}, round ${round}: ${JSON.stringify([how, document])}`);
    assert.equal(date, '2026-01-31T00:00:00.000Z');
  }
});
