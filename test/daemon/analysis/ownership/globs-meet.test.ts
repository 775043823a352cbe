import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declaredOwners } from '../../../../daemon/analysis/ownership/declared-owners.ts';
import { globsMeet } from '../../../../daemon/analysis/ownership/globs-meet.ts';
import { fitsGlob } from '../../../../daemon/model/fits-glob.ts';
import { codeowners } from './codeowners-rows.ts';

const names = ['a', 'b', 'a.ts', 'b.js'];
const folders = ['', 'a/', 'b/', 'a/b/', 'b/a/', 'a/a/'];
const files = folders.flatMap(folder => names.map(name => folder + name));

const globs = [
  ...['**', '*', '**/*', '*.ts', '**/*.ts', 'a/**', 'a/*', 'a/**/*.js', '**/a/*', '?/b/*.ts', 'a/b/?.ts', '**/b/**'],
  ...['c/**', 'a/b/c/**', '*.md', 'a/b/a.ts', '**/a?ts', 'b*', '*/*'],
];
const patterns = [
  ...['*', '/*', '*.ts', '/*.js', 'a', 'a/', '/a', '/a/', 'a/b', '/a/b/', '/a/*', '/a/**', '**/b', '/a/**/b.js', 'b*'],
  ...['/a/b/*.ts', '/?/', '*.md', '/c/', 'c', '/a/a.ts', '/*/a.ts'],
];

test('a glob and a pattern of CODEOWNERS meet wherever some file fits both', () => {
  for (const pattern of patterns) {
    const { ofFile } = declaredOwners(codeowners(`${pattern} @one`));
    const owned = new Set(files.filter(file => ofFile(file).kind === 'owned'));
    for (const glob of globs) {
      const both = files.find(file => fitsGlob(glob, file) && owned.has(file));
      if (both !== undefined) assert.ok(globsMeet(glob, pattern), `${glob} and ${pattern}: ${both}`);
    }
  }
});

const apart: readonly (readonly [glob: string, pattern: string])[] = [
  ['a/**', '/b/'],
  ['a/**', '/b'],
  ['*.ts', '*.js'],
  ['a/*.ts', '/a/*.js'],
  ['a/b/*', '/a/*'],
  ['*', '/a/b'],
  ['**/*.py', '*.proto'],
  ['**/{a,b}.py', '/proto/**/*.proto'],
  ['a?', 'b*'],
  ['docs/**', '/src/docs/'],
  ['a/*.ts', 'a.ts/b'],
];

for (const [glob, pattern] of apart) {
  test(`${glob} and ${pattern} have no file in common`, () => {
    assert.equal(globsMeet(glob, pattern), false);
  });
}

test('patterns of very many stars are held against each other soon', () => {
  const many = Array.from({ length: 500 }, () => '**/*a').join('/');
  assert.equal(globsMeet(`${many}/b`, `/${many}/c`), true, 'what lies below c may be called b');
});
