import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDecisionFiles } from '../../../../daemon/jobs/decisions/decision-files.ts';
import { decisionsOf, greatestIn } from '../../../../daemon/jobs/decisions/decisions.ts';
import { type FolderStyle, folderStyle } from '../../../../daemon/jobs/decisions/folder-style.ts';
import { newName, sharingNumber } from '../../../../daemon/jobs/decisions/new-name.ts';
import { temporaryFolder } from '../../../support/repository.ts';

const title = 'Schön: "Ein" Titel, it’s';

/** The style of a tree's folder, and what is called how in it. */
async function inTree(
  t: Parameters<typeof temporaryFolder>[0],
  names: readonly string[],
  texts: readonly string[] = [],
) {
  const files = names.map((name, at) => `-- docs/adr/${name} --\n${texts[at] ?? '# A\n\n## Status\n\naccepted\n'}`);
  const { root } = temporaryFolder(t, `-- docs/adr/ --\n${files.join('\n')}`);
  const { files: seen, folders } = await createDecisionFiles().read(root, '', new AbortController().signal);
  const decisions = decisionsOf(seen);
  const style = folderStyle(decisions, folders.written);
  const greatest = greatestIn(decisions);
  return { style, greatest, name: nameIn(style, names, greatest) };
}

function nameIn({ naming }: FolderStyle, names: readonly string[], greatest: number, of = title) {
  const { file, id } = newName({ naming, title: of, date: '2026-01-31', greatest }, names);
  return [file, id];
}

/** Names of a folder, and the next one. */
const folders: readonly (readonly [names: readonly string[], file: string, id: string])[] = [
  [[], '001-schon-ein-titel-its.md', 'ADR-001'],
  [['0001-a.md', '0009-b.md'], '0010-schon-ein-titel-its.md', 'ADR-010'],
  [['001-a.md', '007-b.md', '005-c.md'], '008-schon-ein-titel-its.md', 'ADR-008'],
  [['adr-998-a.md', 'adr-999-b.md'], 'adr-1000-schon-ein-titel-its.md', 'ADR-1000'],
  [['ADR-1_a_b.markdown'], 'ADR-2_schon_ein_titel_its.markdown', 'ADR-002'],
  [['adr001-a.md', 'adr002-b.md'], 'adr003-schon-ein-titel-its.md', 'ADR-003'],
  [['0001-a.md', 'ADR-99999999999999999999.md'], '0002-schon-ein-titel-its.md', 'ADR-002'],
  [['20200131-a-b.md'], '20260131-schon-ein-titel-its.md', 'ADR-20260131-schon-ein-titel-its'],
  [
    ['2020-01-31-a.md', '2026-01-31-schon-ein-titel-its.md'],
    '2026-01-31-schon-ein-titel-its-2.md',
    'ADR-2026-01-31-schon-ein-titel-its-2',
  ],
  [['use-a-queue.md'], '001-schon-ein-titel-its.md', 'ADR-001'],
  [['0001-a.md', '0002-b.md', '0003-c.md', '4-odd.md'], '0005-schon-ein-titel-its.md', 'ADR-005'],
  [['0001-a.md', '0002-b.md', '0003-c.markdown'], '0004-schon-ein-titel-its.md', 'ADR-004'],
  [['0001-a.md', '0002-b.markdown'], '0003-schon-ein-titel-its.markdown', 'ADR-003'],
];

test('a new decision is called as its folder calls them', async t => {
  for (const [names, file, id] of folders) {
    assert.deepEqual((await inTree(t, names)).name, [file, id], names.join());
  }
});

test('numbers go on behind the greatest that is seen, in a name or in a title, whoever bears it', async t => {
  const { style, name } = await inTree(t, ['use-a-queue.md'], ['# 31. Queue\n\n## Status\n\naccepted\n']);
  assert.deepEqual(name, ['032-schon-ein-titel-its.md', 'ADR-032']);
  assert.deepEqual(nameIn(style, ['0040-link-or-folder.md', '0050-picture.png'], 31)[1], 'ADR-041');
});

/** Documents of a folder, and of categories in it, and the number of the next one. */
const numbers: readonly (readonly [what: string, names: readonly string[], file: string])[] = [
  ['each category has its own', ['0001-a.md', '0002-b.md', 'ui/0001-c.md', 'ui/0007-d.md'], '0003-t.md'],
  ['two categories have, and nothing lies outside', ['ui/0001-a.md', 'backend/0001-b.md'], '0001-t.md'],
  ['they go on through all', ['0001-a.md', '0003-b.md', 'old/0002-c.md', 'ui/0004-d.md'], '0005-t.md'],
];

test('numbers of categories count only where they go on through all of them', async t => {
  for (const [what, names, file] of numbers) {
    const { style, greatest } = await inTree(t, names);
    assert.equal(nameIn(style, [], greatest, 't')[0], file, what);
  }
});

/** Titles, and the words of a name. */
const slugs: readonly (readonly [string, string])[] = [
  ['../../etc/x', 'etc-x'],
  ['CON', 'con'],
  ['.', 'decision'],
  ['-rf', 'rf'],
  ['😀', 'decision'],
  ['使用消息队列', '使用消息队列'],
  ['Использовать очередь!', 'использовать-очередь'],
  ['Ёлка и й'.normalize('NFD'), 'ёлка-и-й'.normalize('NFC')],
  ['Ὀδυσσεύς ΟΔΟΣ', 'ὀδυσσεύς-οδος'],
  ['שלום\u200f עולם', 'שלום-עולם'],
  ['हिन्दी शब्द', 'हिन्दी-शब्द'],
  ['한국어'.normalize('NFD'), '한국어'.normalize('NFC')],
  ['ｶﾞｲﾄﾞ Ｌｏｇ', 'ガイド-log'],
  ['\u3164\u200b', 'decision'],
  ['İstanbul Straße Œuvre', 'istanbul-strasse-œuvre'],
  ['\u0301 a\u202e', 'a'],
  ['使'.repeat(500), '使'.repeat(32)],
  ['𠀀'.repeat(500), '𠀀'.repeat(24)],
  ['नि'.repeat(500), 'नि'.repeat(16)],
  [`a${'\u0f71'.repeat(500)}`, 'a'],
  [`к${'\u0301'.repeat(500)}`, 'decision'],
  [`${'word '.repeat(100)}`, 'word-word-word-word-word-word-word-word-word-word-word-word'],
  ['x'.repeat(500), 'x'.repeat(60)],
  ['é'.repeat(500), 'e'.repeat(60)],
  ['a\u0000b\nc', 'a-b-c'],
];

test('any title makes a name that is one everywhere', async t => {
  const { style } = await inTree(t, []);
  for (const [of, slug] of slugs) assert.equal(nameIn(style, [], 0, of)[0], `001-${slug}.md`, of);
});

test('a name is the same where the disk takes it apart', () => {
  const file = '001-ёлка.md'.normalize('NFC');
  assert.deepEqual(sharingNumber(file, [file.normalize('NFD'), '1-other.md']), ['1-other.md']);
  const naming = { kind: 'date', dateGap: '-', after: '-', wordGap: '-', ending: '.md' } as const;
  const day = '2026-01-31';
  const next = newName({ naming, title: 'Ёлка', date: day, greatest: 0 }, [`${day}-ёлка.md`.normalize('NFD')]);
  assert.equal(next.file, `${day}-ёлка-2.md`.normalize('NFC'));
});

const nygard = (number: number) => `# ${number}. A\n\n## Status\n\nAccepted\n\n## Context\n\nx\n`;
const madr = '---\nstatus: accepted\n---\n\n# A\n\n## Context and Problem Statement\n\nx\n';

test('a folder is written as most of its last documents are, and as the newest of these', async t => {
  const formatOf = async (texts: readonly string[]) => {
    const names = texts.map((_, at) => `${String(at + 1).padStart(4, '0')}-a.md`);
    const { style, model } = (await inTree(t, names, texts)).style;
    return [style.format, model];
  };
  assert.deepEqual(await formatOf([]), ['madr4', undefined]);
  assert.deepEqual(await formatOf([nygard(1), nygard(2), madr]), ['nygard', 'docs/adr/0002-a.md'], 'one odd one');
  assert.deepEqual(await formatOf([nygard(1), madr]), ['madr4', 'docs/adr/0002-a.md'], 'of as many the newest');
  const changed = [...[1, 2, 3, 4, 5, 6].map(nygard), madr, madr, madr];
  assert.deepEqual(await formatOf(changed), ['madr4', 'docs/adr/0009-a.md'], 'it has changed its ways');
  assert.deepEqual(await formatOf(['# A\n', '# B\n']), ['madr4', 'docs/adr/0002-a.md'], 'nothing to follow but modes');
});

/** Documents of a folder from the first to the newest, and the bullet of the next one's lists. */
const listed = (text: string, ...lists: readonly string[]): string =>
  `${text}\n## Consequences\n\n${lists.join('\n\nWords.\n\n')}\n`;
const madr2 = '# A\n\n+ Status: accepted\n\n## Context and Problem Statement\n\nx\n';
const bulleted: readonly (readonly [what: string, texts: readonly string[], bullet: string])[] = [
  ['an empty folder', [], '*'],
  ['Nygard without a list', [nygard(1)], '-'],
  ['MADR without a list', [madr], '*'],
  ['the newest has none', [listed(nygard(1), '* a'), nygard(2)], '*'],
  ['pluses', [listed(nygard(1), '+ a')], '+'],
  ['as most lists have it, not the newest', [listed(nygard(1), '* a', '* b'), listed(nygard(2), '- a')], '*'],
  ['whatever format they stand in', [listed(madr, '- a', '- b'), nygard(2), listed(nygard(3), '* a')], '-'],
  ['of as many the newest', [listed(nygard(1), '- a'), listed(nygard(2), '* a'), nygard(3)], '*'],
  ['those of old documents too', [...Array(6).fill(listed(nygard(1), '* a')), listed(nygard(7), '- a', '- b')], '*'],
  ['of no known format', [listed('# A\n', '- a')], '-'],
  ['a list of metadata where there are no others', [madr2], '+'],
  ['which others go before', [listed(madr2, '- a')], '-'],
];

test('lists have the bullet that most lists of the folder have', async t => {
  for (const [what, texts, bullet] of bulleted) {
    const names = texts.map((_, at) => `${String(at + 1).padStart(4, '0')}-a.md`);
    assert.equal((await inTree(t, names, texts)).style.style.bullet, bullet, what);
  }
});
