import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decisionName, mayBeDecision } from '../../../../daemon/extract/decisions/file-name.ts';

const number = (before: string, width: number, after: string, wordGap = '-', ending = '.md') => ({
  kind: 'number' as const,
  number: { before, width, after },
  wordGap,
  ending,
});

test('names of files: the number or the date that they begin with, and how they are made', () => {
  const table: readonly (readonly [string, string | undefined, unknown])[] = [
    ['0001-use-a-queue.md', '1', number('', 4, '-')],
    ['001-use.md', '1', number('', 3, '-')],
    ['adr-012-use-a-queue.md', '12', number('adr-', 3, '-')],
    ['ADR-7_use_a_queue.markdown', '7', number('ADR-', 1, '_', '_', '.markdown')],
    ['adr001-add-a-log.md', '1', number('adr', 3, '-')],
    ['0003. Use a queue.md', '3', number('', 4, '. ', ' ')],
    ['12.md', '12', number('', 2, '-')],
    ['ADR-99999999999999999999.md', '9'.repeat(20), number('ADR-', 20, '-')],
    ['20200131-use-a-log.md', '2020-01-31', { kind: 'date', dateGap: '', after: '-', wordGap: '-', ending: '.md' }],
    ['2020-01-31-use.md', '2020-01-31', { kind: 'date', dateGap: '-', after: '-', wordGap: '-', ending: '.md' }],
    ['20201345-use.md', '20201345', number('', 8, '-')],
    ['ADR-0x1.md', undefined, undefined],
    ['use-a-queue.md', undefined, undefined],
    ['1st-of-may.md', undefined, undefined],
  ];
  for (const [name, told, naming] of table) {
    const found = decisionName(name);
    assert.deepEqual([found.digits ?? found.date, found.naming], [told, naming], name);
  }
  assert.equal(decisionName('ADR-0x1.md').stem, '0x1');
});

test('pages about the folder, and those for making others, are no decisions', () => {
  const decisions = [
    ...['0001-a.md', '0000-use-adrs.md', 'use-a-queue.md', 'ADR-0x1.md', '0007-template.md', '20200131-index.md'],
    ...['template-engines.md', 'a.MD', '0005-use-template-engine.markdown'],
  ];
  const others = [
    ...['README.md', 'index.md', 'template.md', 'adr-template.md', 'adr-template-bare.md', '0000-template.md'],
    ...['0000-adr-template.md', 'madr-template.md', '.hidden.md', '0001-a.png', '0001-a.md.bak', '0001-a'],
  ];
  for (const name of decisions) assert.equal(mayBeDecision(name), true, name);
  for (const name of others) assert.equal(mayBeDecision(name), false, name);
});
