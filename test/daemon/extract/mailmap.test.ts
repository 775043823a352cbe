import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { test } from 'node:test';
import { mailmapFiles, parseMailmap } from '../../../daemon/extract/mailmap.ts';
import { gitRepository, temporaryFolder } from '../../support/repository.ts';

/** Files, and people that their lines may be about; git says what becomes of these. */
const rows: readonly (readonly [what: string, mailmap: string, people: readonly string[]])[] = [
  ['a name for an address', 'Proper Name <commit@email.xx>', ['Any <commit@email.xx>', 'Any <other@email.xx>']],
  [
    'an address for an address',
    '<proper@email.xx> <commit@email.xx>',
    ['Any <commit@email.xx>', 'Any <proper@email.xx>'],
  ],
  ['both for an address', 'Proper <proper@email.xx> <commit@email.xx>', ['Any <commit@email.xx>']],
  [
    'both for a name and an address',
    'Proper <proper@email.xx> Commit Name <commit@email.xx>',
    [
      'Commit Name <commit@email.xx>',
      'CoMmIt NaMe <CoMmIt@EmAiL.xX>',
      'Other <commit@email.xx>',
      'Commit  Name <commit@email.xx>',
    ],
  ],
  [
    'the example of the documentation',
    'Joe R. Developer <joe@example.com>\nJane Doe <jane@example.com> <jane@laptop.(none)>\nJane Doe <jane@example.com> <jane@desktop.(none)>\nJoe R. Developer <joe@example.com> Joe <bugs@example.com>\nJane Doe <jane@example.com> Jane <bugs@example.com>',
    [
      'Joe Developer <joe@example.com>',
      'Jane Doe <jane@laptop.(none)>',
      'Jane D. <jane@desktop.(none)>',
      'Joe <bugs@example.com>',
      'Jane <bugs@example.com>',
      'Jill <bugs@example.com>',
    ],
  ],
  [
    'comments',
    '# Not <a@x>\n  # Not either <b@x>\nC <c@x> # behind\nD <d@x> # behind <e@x>',
    ['N <a@x>', 'N <b@x>', 'N <c@x>', 'N <d@x>', 'N <e@x>', '# behind <e@x>'],
  ],
  ['blanks', '\n  \n\t A  B \t <p@x> \t<a@x>  \r\nC<c@x>\n <q@x>   <d@x>', ['N <a@x>', 'N <c@x>', 'N <d@x>']],
  ['blanks in addresses', 'A < a@x>\nB < p@x > <b@x>', ['N <a@x>', 'N <b@x>']],
  ['two lines for an address add up', 'A <a@x>\n<p@x> <a@x>\n<q@x> <b@x>\nB <b@x>', ['N <a@x>', 'N <b@x>']],
  ['the later of two lines counts', 'A <a@x>\nB <a@x>\n<p@x> <a@x>\n<q@x> <a@x>', ['N <a@x>']],
  ['for a name and an address it counts alone', 'A <p@x> N <a@x>\n<q@x> n <a@x>', ['N <a@x>', 'O <a@x>']],
  ['a name apart from the rest', 'A <p@x> N <a@x>\nB <q@x> <a@x>\nO <a@x>', ['N <a@x>', 'O <a@x>']],
  ['an address for a name and an address', '<p@x> N <a@x>', ['N <a@x>', 'O <a@x>']],
  ['no chain is followed', 'A <b@x> <a@x>\nC <b@x>', ['N <a@x>', 'N <b@x>']],
  ['an address alone', '<a@x>', ['N <a@x>']],
  [
    'broken lines',
    'A a@x\nB <b@x\nC c@x>\n<<d@x>>\nE <>\nF <p@x> <f@x',
    ['N <a@x>', 'N <b@x>', 'N <c@x>', 'N <d@x>', 'N <f@x>', 'N <p@x>'],
  ],
  ['three addresses', 'A <a@x>mid<b@x>end<c@x>', ['N <a@x>', 'mid <b@x>', 'N <b@x>', 'N <c@x>']],
  [
    'letters that ASCII has not',
    'A <p@x> é <a@x>\nÉ <b@x>\nC <c@É>',
    ['é <a@x>', 'É <a@x>', 'N <b@x>', 'N <c@É>', 'N <c@é>'],
  ],
  ['a mark of byte order', '\ufeffA <a@x>\nB <b@x>', ['N <a@x>', 'N <b@x>']],
  [
    'names of members of objects',
    '__proto__ <p@x> constructor <__proto__>\nA <constructor>',
    ['constructor <__proto__>', 'N <constructor>', 'N <__proto__>'],
  ],
  ['a long line', `${'A'.repeat(900)} <a@x>\nB <b@x>`, ['N <a@x>', 'N <b@x>']],
  ['a line that does not end', 'A <a@x>\nB <b@x>', ['N <b@x>']],
  ['nothing', '', ['N <a@x>']],
];

for (const [what, mailmap, people] of rows) {
  test(`mailmap, as git has it: ${what}`, t => {
    const { git, write } = gitRepository(t);
    write('.mailmap', mailmap);
    const map = parseMailmap(Buffer.from(mailmap));
    const mapped = people.map(text => {
      const [, name, email] = /^(.*) <(.*)>$/.exec(text) as unknown as [string, string, string];
      const person = map.of({ name, email });
      return `${person.name} <${person.email}>`;
    });
    assert.deepEqual(mapped, git('check-mailmap', ...people).split('\n'));
  });
}

test('mailmap: what git ends a text at, and what is no UTF-8', () => {
  const map = parseMailmap(
    Buffer.concat([Buffer.from('A <p@x> <a@x>\0 N <b@x>\n'), Buffer.from([0xff]), Buffer.from(' <c@x>')]),
  );
  assert.deepEqual(map.of({ name: 'N', email: 'a@x' }), { name: 'A', email: 'p@x' });
  assert.deepEqual(map.of({ name: 'N', email: 'b@x' }), { name: 'N', email: 'b@x' });
  assert.deepEqual(map.of({ name: 'N', email: 'c@x' }), { name: '\ufffd', email: 'c@x' });
});

test('mailmap: the file of a tree is read when it has changed, and not through a link, as git does not', t => {
  const { root, write, remove, path, git } = gitRepository(t);
  const files = mailmapFiles();
  const nameIn = (top: string) => files.of(top).mailmap.of({ name: 'N', email: 'a@x' }).name;
  assert.deepEqual([nameIn(root), files.of(root).notRead], ['N', undefined]);
  write('.mailmap', 'A <a@x>\n');
  assert.equal(nameIn(root), 'A');
  write('.mailmap', 'B <a@x>\n');
  assert.equal(nameIn(root), 'B');
  remove('.mailmap');
  write('elsewhere', 'C <a@x>\n');
  symlinkSync('elsewhere', path('.mailmap'));
  assert.deepEqual([nameIn(root), files.of(root).notRead], ['N', 'is a symbolic link']);
  assert.equal(git('check-mailmap', 'N <a@x>'), 'N <a@x>');
  const large = temporaryFolder(t);
  large.write('.mailmap', 'A <a@x>\n'.padEnd(1024 * 1024 + 1, '#'));
  assert.deepEqual([nameIn(large.root), files.of(large.root).notRead], ['N', 'is larger than 1048576 bytes']);
});
