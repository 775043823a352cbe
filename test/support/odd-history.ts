import { gone, type PlannedCommit } from './history.ts';

const many = (from: number, to: number, word = 'line'): string =>
  Array.from({ length: to - from }, (_, index) => `${word} ${from + index}\n`).join('');

const sub = (digit: string, length: number) => ({ submodule: digit.repeat(length) });

/** A history in which there is one of everything that histories have; `hashLength` is that of the repository. */
export const oddHistory = (hashLength: number): Readonly<Record<string, PlannedCommit>> => ({
  root: {
    parents: [],
    puts: {
      'a.ts': many(0, 40),
      'b.ts': many(100, 140),
      'swap/one': many(200, 230, 'one'),
      'swap/two': many(300, 330, 'two'),
      'Case.ts': many(400, 420),
      'deep/er/file.ts': many(500, 520),
      empty: '',
      'no-newline': 'one\ntwo\nthree',
      'binary.bin': Buffer.from('\0\x01\x02 binary \xff', 'latin1'),
      link: { link: 'a.ts' },
      'becomes-link': 'target\n',
      'becomes-file': { link: 'elsewhere' },
      'stays-same-bytes': { link: 'same' },
      script: '#!/bin/sh\n',
      module: sub('1', hashLength),
      'becomes-module': 'text\n',
    },
  },
  'renamed, unchanged': { puts: { 'a.ts': gone, 'moved/a.ts': many(0, 40) } },
  'renamed, with an edit': { puts: { 'moved/a.ts': gone, 'moved/again.ts': `${many(0, 39)}edited\n` } },
  'renamed a third time': { puts: { 'moved/again.ts': gone, 'c.ts': `${many(0, 38)}edited\nmore\n` } },
  swapped: { puts: { 'swap/one': many(300, 330, 'two'), 'swap/two': many(200, 230, 'one') } },
  'swapped back by way of others': {
    puts: {
      'swap/one': gone,
      'swap/two': gone,
      'swap/three': many(300, 330, 'two'),
      'swap/four': many(200, 230, 'one'),
    },
  },
  'another case': { puts: { 'Case.ts': gone, 'case.ts': many(400, 420) } },
  copied: { puts: { 'copy.ts': many(100, 140) } },
  'copied, and the first edited': { puts: { 'copy-2.ts': many(100, 140), 'b.ts': `${many(100, 139)}edited\n` } },
  'empty commit': { puts: {} },
  'file became a link': { puts: { 'becomes-link': { link: 'target' } } },
  'link became a file': { puts: { 'becomes-file': many(600, 605), 'stays-same-bytes': 'same' } },
  'only the mode': { puts: { script: { executable: '#!/bin/sh\n' } } },
  'mode and content': { puts: { script: '#!/bin/sh\necho\n' } },
  'module moved on': { puts: { module: sub('2', hashLength) } },
  'file became a module': { puts: { 'becomes-module': sub('3', hashLength) } },
  'module went': { puts: { module: gone } },
  'binary changed': { puts: { 'binary.bin': Buffer.from('\0\x03 other', 'latin1') } },
  'text became binary': { puts: { 'no-newline': Buffer.from('one\ntwo\0', 'latin1') } },
  'binary became text': { puts: { 'no-newline': 'one\ntwo\n' } },
  'newline taken away': { puts: { 'no-newline': 'one\ntwo' } },
  'binary renamed': { puts: { 'binary.bin': gone, 'renamed.bin': Buffer.from('\0\x03 other', 'latin1') } },
  'odd names': {
    puts: {
      'tab\there': '1\n',
      'new\nline': '2\n',
      'M\tnew\n:100644': '3\n',
      'quote"\\': '4\n',
      ' space ': '5\n',
      'näme/ü\u2028.ts': '6\n',
      'bytes\udcff\udc80.ts': '7\n',
      '-rf': '8\n',
      ':(top)magic': '9\n',
      '*.ts': '10\n',
      '\x01\x1b[31m': '11\n',
    },
  },
  'odd names renamed': {
    puts: {
      'tab\there': gone,
      'tab\tthere': '1\n',
      'new\nline': gone,
      'new\n\nline': '2\n',
      '-rf': gone,
      '--help': '8\n',
      'bytes\udcff\udc80.ts': gone,
      'bytes\udcfe.ts': '7\n',
    },
  },
  'lines end in another way': { puts: { 'deep/er/file.ts': many(500, 520).replaceAll('\n', '\r\n') } },
  'a folder moved': { puts: { 'deep/er/file.ts': gone, 'shallow/file.ts': many(500, 520).replaceAll('\n', '\r\n') } },
  'a file for a folder': { puts: { swap: 'now a file\n' } },
  'no name': { author: ' <>', puts: { 'b.ts': `${many(100, 139)}again\n` } },
  'odd author': {
    author: 'Zoë "Z" \\ \udcff\u2028, Jr. <zoë@example.com>',
    puts: { 'b.ts': `${many(100, 138)}again\n` },
  },
  'long ago': { at: 0, puts: { 'b.ts': `${many(100, 137)}again\n` } },
  'another root': { parents: [], at: 1_600_000_000, puts: { 'other/root.ts': many(700, 720), 'c.ts': 'theirs\n' } },
  'roots joined': { parents: ['long ago', 'another root'], puts: { 'other/root.ts': many(700, 720) } },
  left: {
    parents: ['roots joined'],
    puts: { 'b.ts': `left\n${many(100, 137)}again\n`, 'c.ts': gone, 'left.ts': many(0, 38) },
  },
  right: { parents: ['roots joined'], puts: { 'b.ts': `right\n${many(100, 137)}again\n` } },
  third: { parents: ['roots joined'], puts: { 'third.ts': many(800, 810) } },
  'conflict solved': { parents: ['left', 'right'], puts: { 'b.ts': `both\n${many(100, 136)}merged\n` } },
  octopus: {
    parents: ['conflict solved', 'right', 'third'],
    puts: { 'third.ts': many(800, 810), 'evil.ts': 'of a merge\n' },
  },
  'after it': {
    puts: { 'evil.ts': 'of a merge\nafter it\n', '.mailmap': 'Real Name <real@example.com> <test@example.com>\n' },
  },
});

/** Files that are edited, moved, copied, taken away and brought together. */
export function randomHistory(seed: number, length: number): Readonly<Record<string, PlannedCommit>> {
  let state = seed;
  const below = (limit: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
  const plan: Record<string, PlannedCommit> = {};
  const trees = new Map<string, ReadonlyMap<string, string>>();
  const names: string[] = [];
  for (let index = 0; index < length; index++) {
    const joins = index > 3 && below(6) === 0;
    const parents = index === 0 ? [] : [names[Math.max(0, names.length - 1 - below(3))]!];
    if (joins) parents.push(names[below(names.length)]!);
    const files = new Map(parents.flatMap(parent => [...trees.get(parent)!]));
    const before = new Map(trees.get(parents[0] ?? '') ?? []);
    for (let edit = below(5); edit >= 0; edit--) {
      const paths = [...files.keys()];
      const path = paths[below(Math.max(1, paths.length))];
      const place = `${'abc'[below(3)]}/${'xyz'[below(3)]}${below(4)}`;
      const text = path === undefined ? '' : files.get(path)!;
      const lines = text.split('\n');
      lines.splice(below(lines.length), below(4), ...Array.from({ length: below(12) }, () => `${below(30)}`));
      const action = below(5);
      if (path === undefined || action === 0) files.set(place, lines.join('\n'));
      else if (action === 1) files.set(path, lines.join('\n'));
      else if (action === 2) files.delete(path);
      else {
        files.delete(path);
        files.set(place, action === 3 ? text : lines.join('\n'));
      }
    }
    const puts: Record<string, PlannedCommit['puts'][string]> = {};
    for (const path of before.keys()) if (!files.has(path)) puts[path] = gone;
    for (const [path, text] of files) if (before.get(path) !== text) puts[path] = text;
    const name = `commit ${index}`;
    plan[name] = { parents, puts };
    trees.set(name, files);
    names.push(name);
  }
  return plan;
}
