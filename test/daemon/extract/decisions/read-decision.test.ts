import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consequencesIn, readDecision, textOf } from '../../../../daemon/extract/decisions/read-decision.ts';
import type { DecisionText } from '../../../../daemon/model/decision.ts';

const read = (text: string): DecisionText => readDecision(Buffer.from(text));

/** What a document says, in one value. */
function said(text: string) {
  const { title, numbers, status, rawStatus, date, modules, sections, style, links, problems } = read(text);
  return {
    ...{ title, numbers, status, rawStatus, modules },
    date: date?.slice(0, 10),
    context: textOf(sections, 'context'),
    decision: textOf(sections, 'decision'),
    consequences: consequencesIn(sections),
    format: style.format,
    links: links.map(({ relation, label, target }) => [relation, label, target]),
    problems: problems.map(({ code }) => code),
  };
}

const nothingElse = { numbers: [], modules: [], consequences: [], links: [], problems: [] };

test('Nygard, as adr-tools writes it', () => {
  const text = `# 12. Move billing to its own service

Date: 2019-03-04

## Status

Accepted

Supersedes [7. Bill in the shop](0007-bill-in-the-shop.md)

Amended by [15. Bill by the hour](0015-bill-by-the-hour.md)

## Context

The shop is slow on the first of each month.

Nobody knows why.

## Decision

Billing becomes a service.

## Consequences

Two deployments.

One more queue:

- with retries
- without order
`;
  assert.deepEqual(said(text), {
    title: 'Move billing to its own service',
    numbers: ['12'],
    status: 'accepted',
    rawStatus: text.slice(text.indexOf('Accepted'), text.indexOf('\n\n## Context')),
    date: '2019-03-04',
    modules: [],
    context: 'The shop is slow on the first of each month.\n\nNobody knows why.',
    decision: 'Billing becomes a service.',
    consequences: ['Two deployments.', 'One more queue:', 'with retries', 'without order'],
    format: 'nygard',
    links: [
      ['supersedes', '7. Bill in the shop', '0007-bill-in-the-shop.md'],
      ['amended by', '15. Bill by the hour', '0015-bill-by-the-hour.md'],
    ],
    problems: [],
  });
});

test('MADR 2, with its metadata in a list', () => {
  const text = `# Use a queue between shop and billing

* Status: superseded by [ADR-0005](0005-use-a-log.md)
* Deciders: Ada, Bo
* Date: 2020-05-06

Technical Story: #42

## Context and Problem Statement

Orders get lost. How do we keep them?

## Considered Options

* A queue
* Prayer

## Decision Outcome

Chosen option: "A queue", because it keeps them.

### Positive Consequences

* Nothing is lost

### Negative Consequences

* It must be run
  by somebody

## Links

* Refined by [ADR-0004](0004-name-queues.md)
`;
  assert.deepEqual(said(text), {
    title: 'Use a queue between shop and billing',
    ...nothingElse,
    status: 'superseded',
    rawStatus: 'superseded by [ADR-0005](0005-use-a-log.md)',
    date: '2020-05-06',
    context: 'Orders get lost. How do we keep them?',
    decision: 'Chosen option: "A queue", because it keeps them.',
    consequences: ['Nothing is lost', 'It must be run\nby somebody'],
    format: 'madr2',
    links: [
      ['superseded by', 'ADR-0005', '0005-use-a-log.md'],
      ['refined by', 'ADR-0004', '0004-name-queues.md'],
    ],
  });
});

const madr = (front: string, rest = ''): string => `---
${front}
---
# Answer in JSON

## Context and Problem Statement

Clients differ.

## Decision Outcome

JSON.

### Consequences

* Good, because all know it
* Bad, because dates are texts
${rest}`;

test('MADR 3 and 4, with it in front matter', () => {
  const common = {
    title: 'Answer in JSON',
    ...nothingElse,
    context: 'Clients differ.',
    decision: 'JSON.',
    consequences: ['Good, because all know it', 'Bad, because dates are texts'],
  };
  assert.deepEqual(said(madr('status: rejected\ndate: 2022-01-31\ndeciders: Ada\nconsulted: Bo')), {
    ...common,
    ...{ status: 'deprecated', rawStatus: 'rejected', date: '2022-01-31', format: 'madr3' },
  });
  const fourth = madr(
    `# These are optional.
status: "superseded by ADR-0123"
date: 2024-02-29 # when it was decided
decision-makers: [Ada, 'Bo, the elder']
affected-modules:
  - packages/api
  - "@root"`,
    '\n### Confirmation\n\nA test.\n',
  );
  assert.deepEqual(said(fourth), {
    ...common,
    ...{ status: 'superseded', rawStatus: 'superseded by ADR-0123', date: '2024-02-29', format: 'madr4' },
    decision: 'JSON.',
    modules: ['packages/api', '@root'],
    links: [['superseded by', 'ADR-0123', '']],
  });
  assert.deepEqual(read(fourth).metadata, [
    ['status', 'superseded by ADR-0123'],
    ['date', '2024-02-29'],
    ['decision-makers', 'Ada, Bo, the elder'],
    ['affected-modules', 'packages/api, @root'],
  ]);
  assert.deepEqual(
    read(fourth).sections.map(({ heading, level, kind }) => [heading, level, kind]),
    [
      ['Context and Problem Statement', 2, 'context'],
      ['Decision Outcome', 2, 'decision'],
      ['Consequences', 3, 'consequences'],
      ['Confirmation', 3, undefined],
    ],
  );
});

test('headings with lines under them, Windows’ line ends, and a mark of the byte order', () => {
  const text =
    '\ufeffADR 3: Log in UTC\n=================\n\nStatus\n------\n\nproposed\n\nContext\n---\nZones.\n\n---\n\nMore.\n\nDecision\n---\nUTC.\n';
  const { style, content } = read(text.replaceAll('\n', '\r\n'));
  assert.deepEqual(
    [style.isUnderlined, style.lineEnd, style.titleNumber, content.startsWith('ADR')],
    [true, '\r\n', { before: 'ADR ', width: 1, after: ': ' }, true],
  );
  assert.deepEqual(said(text.replaceAll('\n', '\r\n')), {
    title: 'Log in UTC',
    ...nothingElse,
    numbers: ['3'],
    status: 'proposed',
    rawStatus: 'proposed',
    date: undefined,
    context: 'Zones.\n\n---\n\nMore.',
    decision: 'UTC.',
    format: 'nygard',
  });
});

/** Text of a section, and how many lists with `-`, `*` and `+` stand in it. */
const lists: readonly (readonly [what: string, text: string, counts: readonly [number, number, number]])[] = [
  ['none', 'Words - and * more.', [0, 0, 0]],
  ['one, whatever its items have below them', '* a\n  b\n\n  - c\n\n* d\ne\n* f', [0, 1, 0]],
  ['two with a paragraph between them', '- a\n\nWords.\n\n- b', [2, 0, 0]],
  ['another bullet begins another', '+ a\n- b', [1, 0, 1]],
  ['lists of sections below', '* a\n\n### Good\n\n* b\n\n### Bad\n\n* c', [0, 3, 0]],
  ['rules, emphasis and code are none', '* * *\n\n- - -\n\n*a* b\n\n```\n- a\n```', [0, 0, 0]],
];

test('the lists of a document are told apart by their bullets', () => {
  for (const [what, text, [dashes, stars, pluses]] of lists) {
    const { style } = read(`# A\n\n* Status: accepted\n\n## Context\n\n${text}\n`);
    assert.deepEqual(style.lists, { '-': dashes, '*': stars, '+': pluses }, what);
    assert.equal(style.metadataBullet, '*');
  }
});

/** What other languages call the parts, and what becomes of them. */
const languages: readonly (readonly [string, string, string, string, string, DecisionText['status']])[] = [
  ['Status', 'Kontext', 'Entscheidung', 'Konsequenzen', 'Akzeptiert', 'accepted'],
  ['Statut', 'Contexte', 'Décision', 'Conséquences', 'Proposé', 'proposed'],
  ['Estado', 'Contexto', 'Decisión', 'Consecuencias', 'Rechazado', 'deprecated'],
  ['Status', 'Contexto', 'Decisão', 'Consequências', 'Substituída por [ADR-2](0002-b.md)', 'superseded'],
  ['Stato', 'Contesto', 'Decisione', 'Conseguenze', 'Accettato', 'accepted'],
  ['Статус', 'Контекст', 'Решение', 'Последствия', 'Принято', 'accepted'],
  ['状态', '背景', '决策', '后果', '2017-11-23 提议\n2017-11-25 已接受', 'accepted'],
  ['ステータス', 'コンテキスト', '決定', '影響', '却下', 'deprecated'],
];

test('headings and words of other languages', () => {
  for (const [statusName, contextName, decisionName, consequencesName, word, status] of languages) {
    const text = `# 1. Ü\n\n## ${statusName}\n\n${word}\n\n## ${contextName}\n\nc\n\n## ${decisionName}\n\nd\n\n## ${consequencesName}\n\n- e\n`;
    const { context, decision, consequences, status: found, problems } = said(text);
    assert.deepEqual([context, decision, consequences, found, problems], ['c', 'd', ['e'], status, []], contextName);
  }
});

/** Statuses as people write them. */
const statuses: readonly (readonly [raw: string, status: DecisionText['status'], isKnown?: false])[] = [
  ['', 'accepted'],
  ['ACCEPTED', 'accepted'],
  ['**Accepted** on 2024-01-02', 'accepted'],
  ['✅ Accepted', 'accepted'],
  ['`✅ Accepted`', 'accepted'],
  ['Accepted, supersedes ADR-3', 'accepted'],
  ['Accepted\n\nSuperseded by [3. x](0003-x.md)', 'superseded'],
  ['Superceded by 3', 'superseded'],
  ['Replaced by ADR-9', 'superseded'],
  ['Withdrawn', 'deprecated'],
  ['in review', 'proposed'],
  ['on hold', 'proposed'],
  ['whatever', 'proposed', false],
  ['{proposed | rejected | accepted | deprecated | … | superseded by [ADR-0005](0005-x.md)}', 'proposed', false],
  ['Proposed, Accepted, Deprecated or Superseded', 'proposed', false],
  ['__proto__', 'proposed', false],
];

test('a status comes to one of four, whatever its words', () => {
  for (const [raw, status, isKnown = true] of statuses) {
    const found = read(`# A\n\n## Status\n\n${raw}\n\n## Context\n`);
    assert.deepEqual(
      [found.status, found.rawStatus, found.problems.some(({ code }) => code === 'unknown_status')],
      [status, raw, !isKnown],
      raw,
    );
  }
});

const dates: readonly (readonly [string, string | undefined])[] = [
  ['2024-01-31', '2024-01-31T00:00:00.000Z'],
  ['`2021-04-12`', '2021-04-12T00:00:00.000Z'],
  ['2024-02-29T10:30:00+02:00', '2024-02-29T08:30:00.000Z'],
  ['2024/1/5', '2024-01-05T00:00:00.000Z'],
  ['31.1.2024', '2024-01-31T00:00:00.000Z'],
  ['5 January 2024', '2024-01-05T00:00:00.000Z'],
  ['Jan. 5th, 2024', '2024-01-05T00:00:00.000Z'],
  ['2024年1月5日', '2024-01-05T00:00:00.000Z'],
  ['9999-12-31', '9999-12-31T00:00:00.000Z'],
  ['2024-13-45', undefined],
  ['2023-02-29', undefined],
  ['2023-02-30', undefined],
  ['31.4.2024', undefined],
  ['30 February 2024', undefined],
  ['2024-01-31T24:00', undefined],
  ['2024-01-31 10:60', undefined],
  ['2024-01-31T23:59:60Z', undefined],
  ['2024-01-31T10:30+24:00', undefined],
  ['0000-01-01', undefined],
  ['9999-12-31T23:59:59-14:00', undefined],
  ['1/2/2024', undefined],
  ['YYYY-MM-DD', undefined],
  ['yesterday', undefined],
];

test('dates, and what is none', () => {
  for (const [text, date] of dates) {
    const found = read(`---\nstatus: accepted\ndate: "${text}"\n---\n# A\n`);
    assert.deepEqual(
      [found.date, found.problems.map(({ code }) => code)],
      [date, date === undefined ? ['bad_date'] : []],
      text,
    );
  }
});

/** What a document may be like: its title, its status, and what is said of it. */
const odd: readonly (readonly [what: string, text: string | Uint8Array, title: string | undefined, codes: string])[] = [
  ['nothing', '', undefined, 'no_title'],
  ['no title', '## Status\n\naccepted\n\n## Context\n\nx\n', undefined, 'no_title'],
  ['a heading of the seventh rank', '####### A\n\n## Status\n\naccepted\n', undefined, 'no_title'],
  ['a title of the second rank', '## 4. A\n\n### Status\n\naccepted\n', 'A', ''],
  ['a title in front matter', '---\ntitle: "ADR001: A log"\n---\n## Context\n', 'A log', ''],
  ['a title that is a section’s name', '# Decision\n\n## Status\n\naccepted\n', 'Decision', ''],
  ['sections of the first rank', '# A\n\n# Status\n\naccepted\n\n# Context\n\nx\n', 'A', ''],
  ['no line end', '# A', 'A', ''],
  ['old line ends', '# A\r\r## Status\r\raccepted\r', 'A', ''],
  ['two numbers', '---\nid: adr-7\n---\n# 8. A\n\n## Status\n\naccepted\n', 'A', ''],
  ['open front matter', '---\nstatus: accepted\n\n# A\n', 'A', 'front_matter_unclosed'],
  ['a line on top', '---\n\n# A\n\n## Status\n\naccepted\n', 'A', ''],
  ['anchors', '---\na: &a [x, x]\nb: &b [*a, *a]\nstatus: *b\n---\n# A\n', 'A', 'unknown_status'],
  ['tabs', '---\nstatus:\taccepted\n---\n#\tA\n', 'A', ''],
  ['a status below a comment', '# A\n\n## Status\n\n<!-- one of:\naccepted -->\n\nproposed\n', 'A', ''],
  ['a heading in code', '# A\n\n```\n## Status\n```\n\n## Context\n', 'A', ''],
  ['code without an end', '# A\n\n```\n\n## Status\n\naccepted\n', 'A', ''],
  ['a comment without an end', '# A\n\n<!-- x\n\n## Status\n\naccepted\n', 'A', ''],
  [
    'bytes that are no UTF-8',
    Buffer.concat([Buffer.from('# A '), Buffer.from([0xff, 0xfe, 0x0a])]),
    'A \ufffd\ufffd',
    'not_utf8',
  ],
  ['a replacement character of its own', '# A \ufffd\n', 'A \ufffd', ''],
  ['escapes and entities', '# A \\*b\\* &amp; `\\*` &#65;\n', 'A *b* & `\\*` A', ''],
  ['marks that close it', '# A ##\n', 'A', ''],
  ['a date and nothing else', '# A\n\n2021-04-12\n', 'A', ''],
];

test('what is odd is a problem and no more', () => {
  for (const [what, text, title, codes] of odd) {
    const found = readDecision(Buffer.from(text));
    assert.deepEqual([found.title, found.problems.map(({ code }) => code).join()], [title, codes], what);
  }
  assert.deepEqual(read('---\nid: adr-7\n---\n# 8. A\n').numbers, ['8', '7']);
  assert.equal(read('# A\n\n2021-04-12\n').date, '2021-04-12T00:00:00.000Z');
  assert.equal(read('# A\n\n```\n\n## Status\n\nrejected\n').status, 'deprecated', 'an open fence hides nothing');
});

test('a large document is read to a bound, and a character that this parts is not told as broken', () => {
  const large = read(`# A\n\n## Status\n\nproposed\n\n## Context\n\nx${'é'.repeat(300_000)}`);
  assert.deepEqual(
    [large.title, large.status, large.problems.map(({ code }) => code), large.content.length],
    ['A', 'proposed', ['cut'], 131_091],
  );
  assert.ok(!large.content.includes('\ufffd'));
});

/** What would take minutes if some part of reading went back over what it has read. */
const lengthy: readonly (readonly [string, string])[] = [
  ['fences that nothing ends', '```a\n'.repeat(50_000)],
  ['fences of falling length', Array.from({ length: 700 }, (_, n) => '`'.repeat(703 - n)).join('\n')],
  ['marks of code', `# ${'` `` ``` '.repeat(20_000)}`],
  ['quotes in front matter', `---\na: ["${'\\"'.repeat(60_000)}\n---\n`],
  ['backslashes', `## Context\n\n${'\\'.repeat(120_000)}x${'\\'.repeat(120_000)}<script>`],
  ['marks behind a heading', `# ${'#'.repeat(250_000)}b`],
  ['headings', '## Status\n'.repeat(25_000)],
  ['links', '## Links\n\n'.concat('[a]('.repeat(60_000))],
  ['items', '## Consequences\n\n'.concat('- a\n'.repeat(60_000))],
  ['blanks', `# A${' '.repeat(250_000)}b`],
  ['lines of the preamble', `# A\n\n${'a: b\n'.repeat(50_000)}`],
];

test('what is long is read once', () => {
  for (const [what, text] of lengthy) {
    const { sections, content } = read(text);
    const parts = [textOf(sections, 'context'), ...consequencesIn(sections)];
    assert.equal(content, text, what);
    assert.ok(
      parts.every(part => part.length <= text.length && !part.includes('\r')),
      what,
    );
  }
});
