import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLinker } from '../../../daemon/link/linker.ts';
import type { Manifest } from '../../../daemon/link/manifest.ts';
import type { MountedDocument } from '../../../daemon/model/document.ts';
import { manifestOf, mountFile } from '../../support/linked-tree.ts';
import { randomFrom } from '../../support/synthetic.ts';

const leaves = ['a.ts', 'b.ts', 'in/c.ts', 'in/d.ts', 'p/e.py', 'p/f.py'];
const barrels = ['index.ts', 'in/index.ts', 'p/__init__.py'];
const names = ['x', 'y', 'z', 'T'];
/** Under what is remembered where `./index` leads from the root. */
const userImport = '\0./index';

/** Contents change, files neither come nor go: for so long is remembered where modules lie, and what lies behind barrels. */
for (const seed of [1, 2, 3]) {
  test(`what is remembered of modules and barrels gives the links that a look at all of them gives (seed ${seed})`, async () => {
    const random = randomFrom(seed);
    const tree = new Map<string, MountedDocument>();
    const change = async (path: string) => tree.set(path, (await mountFile(path, contentOf(path, random)))!);
    for (const path of [...leaves, ...barrels]) await change(path);
    tree.set('user.ts', (await mountFile('user.ts', "import { x, y, z, T } from './index';\nx + y + z as T;\n"))!);
    tree.set('user.py', (await mountFile('user.py', 'from p import x, y, z, T\nx + y + z + T\n'))!);
    const remembered: Remembered = { barrels: new Map(), places: new Map() };
    let isKept = 0;
    let isFoundAgain = 0;
    for (let step = 0; step < 120; step++) {
      const before = [...remembered.barrels.values()];
      const place = remembered.places.get(userImport);
      await change(random() < 0.8 ? pick(leaves, random) : pick(barrels, random));
      assert.deepEqual(
        linksOf(tree, remembered),
        linksOf(tree, { barrels: new Map(), places: new Map() }),
        `step ${step}`,
      );
      if (before.some(barrel => [...remembered.barrels.values()].includes(barrel))) isKept++;
      if (place !== undefined && place === remembered.places.get(userImport)) isFoundAgain++;
    }
    assert.ok(isKept > 60, `${isKept}`);
    assert.ok(isFoundAgain === 119, `${isFoundAgain}`);
  });
}

type Remembered = Pick<Manifest, 'barrels' | 'places'>;

function linksOf(tree: ReadonlyMap<string, MountedDocument>, remembered: Remembered) {
  const linker = createLinker(manifestOf(tree.values(), [], remembered));
  return [...tree.keys()].map(path => {
    const { targets, questions } = linker.link(path);
    return { path, targets, questions: questions.map(({ question }) => question.key).sort() };
  });
}

function contentOf(path: string, random: () => number): string {
  const some = names.filter(() => random() < 0.4);
  if (path.endsWith('__init__.py')) return some.map(() => `from ${pick(['.e', '.f'], random)} import *\n`).join('');
  if (path.endsWith('.py')) return some.map(name => `${name} = ${Math.floor(random() * 9)}\n`).join('');
  if (!path.endsWith('index.ts')) {
    const assigned = random() < 0.1 ? 'const all = { x: 1 };\nexport = all;\n' : '';
    return assigned || some.map(name => `export const ${name} = ${Math.floor(random() * 9)};\n`).join('');
  }
  const modules = path.startsWith('in/') ? ['./c', './d', '../b'] : ['./a', './b', './in', './in/d'];
  const own = random() < 0.2 ? 'export const z = 0;\n' : '';
  return own + modules.map(one => (random() < 0.6 ? `export * from '${one}';\n` : '')).join('');
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)]!;
}
