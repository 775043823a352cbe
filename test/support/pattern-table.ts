import { parentPort } from 'node:worker_threads';
import { declaredOwners } from '../../daemon/analysis/ownership/declared-owners.ts';
import { globsMeet } from '../../daemon/analysis/ownership/globs-meet.ts';
import { scoreOf, searchedText, searchTerms } from '../../daemon/analysis/text-search.ts';
import { parseCodeowners } from '../../daemon/extract/codeowners.ts';
import { either, fitsGlob } from '../../daemon/model/fits-glob.ts';
import { anyText, fitsName } from '../../daemon/model/name-pattern.ts';
import { fitsPattern } from '../../daemon/model/repo-pattern.ts';
import { pathMatcher, segmentMatcher } from '../../watch/wildmatch.ts';

/** Patterns that users and repositories give, each held against subjects of 10 kB by everything that takes one. */

const atoms = [
  '*',
  '*a',
  '*ab',
  '?*',
  '*?',
  '*[ab]',
  '**',
  'a*',
  '(a+)+',
  '(a|a)*',
  '.*',
  '[a-z]*',
  '{a,b}',
  '+(a)',
  '@(a|*)',
];
const folders = ['**/', '**/a/', '**/*a*/', '*/', 'a/**/', '**/**/', '{a,*}/', '?/', 'a*/', '[ab]/'];
/** Each is repeated, and ends in what no subject has. */
export const patterns: readonly string[] = [
  ...atoms.flatMap(atom => [12, 60].map(times => `${atom.repeat(times)}Z`)),
  ...folders.flatMap(folder => [12, 60].map(times => `${folder.repeat(times)}Z`)),
  ...['^(a+)+$', '(?:a*)*b', '(.*)*\\1', '\\', '[', '[!', '{', '((((', ']]', '!a', '#', 'a\\*b'],
];

const subjects: readonly string[] = ['a'.repeat(10_000), 'a/'.repeat(5_000), `${'ab'.repeat(100)}/`.repeat(50)];

const longestPath = 4096;

type Match = (pattern: string, subject: string) => unknown;

/** Whatever holds something against a pattern of somebody else's. */
export const matchers: Readonly<Record<string, Match>> = {
  'a name of an ignore rule': (pattern, subject) => segmentMatcher(pattern)(subject),
  'a path of an ignore rule': (pattern, subject) => pathMatcher(pattern)(subject.split('/')),
  'a glob of a project': (pattern, subject) => either(pattern).some(one => fitsGlob(one, subject)),
  'two globs': (pattern, subject) => globsMeet(pattern, subject.slice(0, 200)),
  'a bot': (pattern, subject) =>
    fitsName(
      [...pattern].map(one => (one === '*' ? anyText : one)),
      [...subject],
    ),
  CODEOWNERS: (pattern, subject) => {
    const file = parseCodeowners(Buffer.from(`${pattern} @x\n`), 'CODEOWNERS');
    return declaredOwners(file).ofFile(subject.slice(0, longestPath));
  },
  'the repositories of a key': (pattern, subject) => fitsPattern(subject, pattern),
  'a search of texts': (pattern, subject) =>
    scoreOf(searchTerms(pattern), { title: searchedText(subject), text: searchedText(subject) }),
};

export interface Took {
  readonly what: string;
  readonly ms: number;
}

/** The slowest of all. */
export function heldAll(): Took {
  let slowest: Took = { what: '', ms: 0 };
  for (const [by, match] of Object.entries(matchers)) {
    for (const pattern of patterns) {
      for (const subject of subjects) {
        const started = performance.now();
        match(pattern, subject);
        const ms = performance.now() - started;
        if (ms > slowest.ms) slowest = { what: `${by}: ${pattern.slice(0, 40)} against ${subject.slice(0, 10)}`, ms };
      }
    }
  }
  return slowest;
}

parentPort?.postMessage(heldAll());
