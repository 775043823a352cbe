import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExportedSymbol } from '../../../../daemon/analysis/unwired/claims.ts';
import { UnwiredExports, type UnwiredQuestion } from '../../../../daemon/analysis/unwired/unwired.ts';
import { familyOf } from '../../../../daemon/model/families.ts';
import type { WiredDocument } from '../../../../daemon/model/wiring.ts';
import { spokenWord } from '../../../../daemon/model/word-hash.ts';
import { randomFrom } from '../../../support/synthetic.ts';
import { type Files, leadsIn, numbering, wiredFiles } from './wired-files.ts';

const paths = ['main', 'index', 'a', 'b', 'c', 'd', 'e', 'f', 'one.test', 'test/help'].map(name => `${name}.ts`);
const names = ['f', 'g', 'h'];

for (const [language, seed] of [
  ['typescript', 1],
  ['typescript', 2],
  ['python', 3],
  ['cpp', 4],
  ['java', 5],
] as const) {
  test(`${language}: what is kept through edits is what is found anew (seed ${seed})`, () => {
    const random = randomFrom(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const numbers = numbering();
    const kept = new UnwiredExports();
    const model = {};
    const texts: Record<string, string> = Object.fromEntries(paths.map(path => [path, '']));
    let before: readonly WiredDocument[] = [];
    let unwired = 0;
    for (let edit = 0; edit < 200; edit++) {
      texts[pick(paths)] = randomFile(pick, random);
      const made = wiredFiles(defined(texts), language, numbers).documents;
      const documents = made.map((one, at) => (isSame(one, before[at]) ? before[at]! : one));
      before = documents;
      const question = questionAbout(documents, model);
      const found = kept.at(question).exported.map(told);
      assert.deepEqual(found, new UnwiredExports().at(question).exported.map(told), `edit ${edit}`);
      unwired += found.filter(one => one.claim !== undefined).length;
    }
    assert.ok(unwired > 200);
  });
}

/** Without uses of what nothing defines, in any file. */
function defined(texts: Files): Files {
  const all = new Set(
    Object.entries(texts).flatMap(([path, text]) =>
      text.split('\n').flatMap(line => {
        const [, name] = /^(?:export \* as )?(\w+)(?: from \S+)?$/.exec(line) ?? [];
        return name === undefined ? [] : [`${path}:${name}`];
      }),
    ),
  );
  const isMeant = (line: string): boolean => {
    const [, target] = /-> (\S+)/.exec(line) ?? [];
    return target === undefined || all.has(target);
  };
  return Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [path, text.split('\n').filter(isMeant).join('\n')]),
  );
}

function randomFile(pick: <T>(list: readonly T[]) => T, random: () => number): string {
  const own = names.filter(() => random() < 0.7);
  const users = ['top', ...own];
  const lines = [...own];
  for (let count = Math.floor(random() * 4); count > 0; count--) {
    const place = `${pick(paths)}:${pick(names)}`;
    lines.push(
      `${pick(users)} -> ${place}${random() < 0.3 ? ' read' : ''}`,
      `import ${random() < 0.2 ? '* ' : ''}${place.split(':')[0]!}`,
    );
  }
  const name = pick([...names, '*']);
  if (random() < 0.4 && !own.includes(name)) lines.push(`export ${name} from ${pick(paths)}`);
  if (
    name !== '*' &&
    random() < 0.2 &&
    !lines.includes(name) &&
    !lines.some(line => line.startsWith(`export ${name} `))
  ) {
    lines.push(`export * as ${name} from ${pick(paths)}`);
  }
  if (own.includes('f') && random() < 0.5) lines.push('start f');
  if (random() < 0.1) lines.push(`import ? ${pick(names)}`, `open ${pick(names)}`);
  return lines.join('\n');
}

function questionAbout(documents: readonly WiredDocument[], model: object): UnwiredQuestion {
  const at = (path: string): readonly number[] => [paths.indexOf(path)];
  const roots = {
    ...{ entries: at('main.ts'), modules: at('d.ts'), programs: at('e.ts') },
    ...{ open: at('a.ts'), offered: at('b.ts'), loaded: at('c.ts') },
  };
  return {
    ...leadsIn(documents),
    model,
    surroundingsOf: () => ({
      roots,
      audienceOf: ({ path }) => (path === 'b.ts' ? 'somebody' : 'nobody'),
      isTakenByTests: () => false,
    }),
    nameOf: ({ in: graph, at: index }) => String(graph.names[index]),
    isShownAt: () => true,
    spokenIn: ({ openNames, language }) => ({
      words: openNames.map(name => spokenWord(familyOf(language), String(name))),
      ...{ affixes: [], isLookedInto: false, heirs: openNames.length > 1 ? 'all' : 'none' },
    }),
    finderOf: () => undefined,
    foreignBasesOf: () => [],
    unreadNear: () => [],
  };
}

function told({ site, claim }: ExportedSymbol) {
  return { symbol: `${site.in.path} ${site.in.symbols[site.at]}`, claim: claim && { ...claim, site: site.at } };
}

/** Documents whose texts and uses are the same are the same object in a snapshot after another. */
function isSame(one: WiredDocument, other: WiredDocument | undefined): boolean {
  return other !== undefined && JSON.stringify(one) === JSON.stringify(other);
}
