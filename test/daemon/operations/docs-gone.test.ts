import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { type TestContext, test } from 'node:test';
import { addRepo, startDaemon, until } from '../../support/daemon.ts';
import { afterAll, gitRepository, type Workspace } from '../../support/repository.ts';

const shared = await startDaemon(afterAll);
const { client } = shared;
const repo = 'shop';

async function repository(t: TestContext, text: string): Promise<Workspace> {
  const workspace = gitRepository(t, text);
  await addRepo(t, shared, { root: workspace.root, id: repo });
  await until('it is indexed and watched', async () => {
    const { repos } = await client.daemon.listRepos({});
    const one = repos.find(({ id }) => id === repo);
    return one?.status === 'ready' && one.watching !== 'off' && one.pendingChanges === 0;
  });
  assert.deepEqual(await stale(), [], 'nothing is stale before anything went');
  return workspace;
}

/** `rawText reason suggestion` of each stale reference. */
async function stale(): Promise<readonly string[]> {
  const { reports } = await client.docs.stale({ repo, sync: true });
  return reports.flatMap(report =>
    report.stale.map(({ rawText, reason, suggestion }) => [rawText, reason, suggestion ?? '-'].join(' ')),
  );
}

test('a member that its type has from another is gone with the name of its type', async t => {
  const { write, path } = await repository(
    t,
    `-- package.json --
{ "name": "shop", "main": "src/cart.ts" }
-- src/base.ts --
export class Base {
  reset(): void {}
}
-- src/cart.ts --
import { EventEmitter } from 'node:events';
import { Base } from './base.js';
export class Cart extends Base {
  add(name: string): readonly string[] {
    const lines = name.split('\\n').map(line => line.trim());
    return lines.filter(line => line.length > 0 && !line.startsWith('#'));
  }
}
export class Till extends EventEmitter {
  pay(name: string): string {
    const paid = name.toUpperCase().trim().slice(1).concat(name);
    return paid.length > 3 ? paid : paid + name;
  }
}
-- docs/guide.md --
\`Cart.add()\`, \`Cart.reset\`, \`Till.emit()\`, \`Till.IO\` and \`Base.reset()\`.

\`\`\`ts
import { Cart } from 'shop';
Cart.reset();
\`\`\`
`,
  );
  const before = readFileSync(path('src/cart.ts'), 'utf8');
  write('src/cart.ts', before.replace('class Cart', 'class Basket').replace('class Till', 'class Desk'));
  assert.deepEqual(await stale(), [
    'Cart.add() symbol_renamed Basket.add',
    'Cart.reset symbol_renamed Basket.reset',
    'Till.emit() symbol_renamed Desk.emit',
    'Cart symbol_renamed Basket',
    'Cart.reset symbol_renamed Basket.reset',
  ]);
  write('src/cart.ts', before.slice(0, before.indexOf('export class Cart')));
  assert.deepEqual(await stale(), [
    'Cart.add() symbol_deleted -',
    'Cart.reset symbol_deleted -',
    'Till.emit() symbol_deleted -',
    'Cart symbol_deleted -',
    'Cart.reset symbol_deleted -',
  ]);
  write('src/cart.ts', before);
  assert.deepEqual(await stale(), [], 'what is back is meant again');
});

const shortTree = `-- pyproject.toml --
[project]
name = "shop"
-- shop/__init__.py --
-- shop/api.py --
def two():
    return 2


def three():
    return 3


class Box:
    def lid(self):
        return 1


def main():
    return 0 + 0
-- shop/run.py --
def main():
    return 0 + 0
-- docs/guide.md --
\`shop.api.two()\`, \`two()\`, \`shop.api.three()\`, \`shop.api.Box\`, \`shop.api.Box.lid\`, \`Box.lid\` and \`shop.api.main()\`.
`;

/** What the documents say once all of it is elsewhere, and `three` has another name. */
const followed = [
  'shop.api.two() symbol_moved shop.more.two',
  'shop.api.three() symbol_renamed shop.api.drei',
  'shop.api.Box symbol_moved shop.more.Box',
  'shop.api.Box.lid symbol_moved shop.more.Box.lid',
  'shop.api.main() symbol_deleted -',
];
const moved = `def two():
    return 2


class Box:
    def lid(self):
        return 1


def main():
    return 0 + 0
`;
const left = 'def drei():\n    return 3\n';

test('what is short and moved as it was is followed, and what was renamed beside it as well', async t => {
  const { write } = await repository(t, shortTree);
  write('shop/more.py', moved);
  write('shop/api.py', left);
  assert.deepEqual(await stale(), followed);
});

test('what is short is followed whichever file is seen first', async t => {
  const { write } = await repository(t, shortTree);
  write('shop/api.py', left);
  assert.equal((await stale()).includes('shop.api.two() symbol_deleted -'), true);
  write('shop/more.py', moved);
  assert.deepEqual(await stale(), followed);
});

test('a module of Python hands on what it imports under that name, and what it looks up', async t => {
  const { write } = await repository(
    t,
    `-- pyproject.toml --
[project]
name = "shop"
-- shop/__init__.py --
-- shop/api.py --
class Order:
    def total(self):
        return 1 + 2


class Rate:
    def of(self):
        return 3 + 4


class Cart:
    def add(self):
        return 5 + 6
-- shop/looked.py --
class Looked:
    pass
-- docs/guide.md --
\`shop.api.Order\`, \`shop.api.Rate\`, \`shop.api.Rate.of()\`, \`shop.api.Cart\` and \`shop.looked.Looked\`.

\`\`\`python
from shop.api import Cart as C, Order as O, Rate as R
C().add()
C.add
\`\`\`
`,
  );
  write('shop/models.py', readMoved);
  write('shop/api.py', importing);
  write('shop/looked.py', 'def __getattr__(name):\n    return find(name)\n');
  assert.deepEqual(await stale(), [
    'shop.api.Order symbol_moved shop.models.Order',
    'shop.api.Cart symbol_renamed shop.api.Basket',
    'Cart symbol_renamed Basket',
    'Order symbol_moved -',
    'C.add symbol_renamed -',
  ]);
});

const readMoved = `class Order:
    def total(self):
        return 1 + 2


class Rate:
    def of(self):
        return 3 + 4
`;
const importing = `from shop.models import Order as _Order, Rate


class Basket:
    def add(self):
        return 5 + 6
`;

test('what functions take or make for themselves under the name of what went is left open, but for where documents import it', async t => {
  const { write } = await repository(
    t,
    `-- package.json --
{ "name": "shop", "main": "src/store.ts" }
-- src/store.ts --
export function getDefaults(): readonly string[] {
  return ['log'];
}
export function openStore(options: { parts: (getParts: () => readonly string[]) => readonly string[] }) {
  return options.parts(getDefaults);
}
-- docs/guide.md --
\`getDefaults\` is handed to \`openStore\`.

\`\`\`ts
import { getDefaults } from 'shop';
\`\`\`
`,
  );
  write(
    'src/store.ts',
    `export function openStore(options: { parts: (getParts: () => readonly string[]) => readonly string[] }) {
  const getDefaults = (): readonly string[] => ['log'];
  return options.parts(getDefaults);
}
`,
  );
  assert.deepEqual(await stale(), ['getDefaults symbol_deleted -']);
  write('src/store.ts', 'export const openStore = (): string[] => [];\n// getDefaults is no more.\n');
  assert.deepEqual(await stale(), ['getDefaults symbol_deleted -', 'getDefaults symbol_deleted -']);
});

test('a member means what its type has it from, and is stale with that', async t => {
  const { write, path } = await repository(
    t,
    `-- src/cart.py --
class Stored:
    def load(self, name):
        return name


class Kept(Stored):
    def keep(self, name):
        lines = [line.strip() for line in name.split(",")]
        return [line for line in lines if line and not line.startswith("#")]


class Cart(Kept):
    def add(self, name):
        return name
-- docs/guide.md --
\`Cart.add()\`, \`Cart.keep()\` and \`Cart.load\`.
`,
  );
  const meant = async (): Promise<readonly (string | undefined)[]> =>
    (await client.docs.file({ repo, path: 'docs/guide.md', sync: true })).symbols.map(({ name }) => name);
  assert.deepEqual(await meant(), ['Cart.add', 'Kept.keep', 'Stored.load']);
  const before = readFileSync(path('src/cart.py'), 'utf8');
  write('src/cart.py', before.replace('def keep', 'def hold').replace('def load', 'def reload_all_of'));
  assert.deepEqual(await stale(), [
    'Cart.keep() symbol_renamed Cart.hold',
    'Cart.load symbol_renamed Cart.reload_all_of',
  ]);
});

test('what a package of JavaScript has from another one and exports is that one’s, and not gone from the first', async t => {
  const { write, remove } = await repository(
    t,
    `-- package.json --
{ "name": "root", "private": true, "workspaces": ["packages/*"] }
-- packages/core/package.json --
{ "name": "@acme/core", "main": "src/index.ts" }
-- packages/core/src/index.ts --
export class Client {}
export const open = (): Client => new Client();
-- packages/react/package.json --
{ "name": "@acme/react", "main": "src/index.ts", "dependencies": { "@acme/core": "*" } }
-- packages/react/src/index.ts --
export * from '@acme/core';
export { Provider } from './provider.js';
-- packages/react/src/provider.ts --
export class Provider {}
-- docs/guide.md --
\`\`\`ts
import { Client, Provider } from '@acme/react';
\`\`\`
`,
  );
  const meant = async (): Promise<readonly (string | undefined)[]> =>
    (await client.docs.file({ repo, path: 'docs/guide.md', sync: true })).symbols.map(({ filePath }) => filePath);
  assert.deepEqual(await meant(), ['packages/core/src/index.ts', 'packages/react/src/provider.ts']);
  remove('packages/react/src/provider.ts');
  write('packages/core/src/provider.ts', 'export class Provider {}\nexport class Other {}\n');
  write('packages/react/src/index.ts', "export { Client, Other as Provider } from '@acme/core';\n");
  assert.deepEqual(await stale(), []);
  assert.deepEqual(await meant(), ['packages/core/src/index.ts', 'packages/core/src/provider.ts']);
});

test('sections that tell of changes name what went on purpose', async t => {
  const { write } = await repository(
    t,
    `-- src/cart.ts --
export class OldCart {}
export const other = 1;
-- README.md --
# Shop
\`OldCart\` holds things.
## Upgrade guidelines
\`OldCart\` is gone.
### 0.37.x to 0.38.0
\`OldCart\` is to go.
## Use
\`OldCart\` once more.
`,
  );
  write('src/cart.ts', 'export const other = 1;\n');
  const { reports } = await client.docs.stale({ repo, sync: true });
  assert.deepEqual(
    reports.flatMap(report => report.stale.map(({ line }) => line)),
    [2, 8],
  );
});

test('what is exported under another name as well is known by that', async t => {
  const { write } = await repository(
    t,
    `-- package.json --
{ "name": "shop", "main": "src/index.ts" }
-- src/index.ts --
export { errorExchange } from './exchanges.js';
-- src/exchanges.ts --
export const errorExchange = (): number => 1;
-- docs/guide.md --
\`errorExchange\` tells.

\`\`\`ts
import { errorExchange } from 'shop';
\`\`\`
`,
  );
  write('src/index.ts', "export { mapExchange, mapExchange as errorExchange } from './exchanges.js';\n");
  write('src/exchanges.ts', 'export const mapExchange = (times: number): number[] => [times, 1, 2];\n');
  assert.deepEqual(await stale(), []);
  const { symbols } = await client.docs.file({ repo, path: 'docs/guide.md', sync: true });
  assert.deepEqual(
    symbols.map(({ name }) => name),
    ['mapExchange', 'mapExchange'],
  );
  write('src/index.ts', "export { mapExchange } from './exchanges.js';\n");
  assert.equal((await stale()).length, 2);
});

test('a name that is imported from a file is that file’s, whatever it is written like, and goes with its uses', async t => {
  const { write, path } = await repository(
    t,
    `-- s.ts --
export function parse(text: string): readonly string[] {
  const lines = text.split('\\n').map(line => line.trim());
  return lines.filter(line => line.length > 0 && !line.startsWith('#'));
}
-- other.ts --
export function parse(count: number): number {
  return count * 2;
}
-- all.ts --
export * from './s.ts';
-- shop/__init__.py --
-- shop/x.py --
def target(text):
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]
-- docs/p.md --
\`\`\`ts
import { parse } from "../s";
parse();
\`\`\`

\`\`\`ts
import {
  parse,
} from "../s.js";
const all = parse("a");
\`\`\`

\`\`\`js
const { parse: read } = require("../all");
read();
\`\`\`

\`\`\`ts
import { parse } from "../other.ts";
import { parse as ours } from "./ours.ts";
parse(1);
\`\`\`

\`\`\`py
from shop.x import target
target("a")
\`\`\`

\`\`\`py
from shop.x import target as aim
aim("a")
\`\`\`
`,
  );
  const { symbols } = await client.docs.file({ repo, path: 'docs/p.md' });
  const shown = symbols.map(({ line, name, filePath }) => `${line} ${filePath} ${name}`);
  assert.deepEqual(shown, [
    ...['2 s.ts parse', '3 s.ts parse', '8 s.ts parse', '10 s.ts parse', '19 other.ts parse', '21 other.ts parse'],
    ...['25 shop/x.py target', '26 shop/x.py target', '30 shop/x.py target'],
  ]);
  write('s.ts', readFileSync(path('s.ts'), 'utf8').replace('parse', 'decode'));
  write('shop/x.py', readFileSync(path('shop/x.py'), 'utf8').replace('target', 'goal'));
  const { reports } = await client.docs.stale({ repo, sync: true });
  const found = reports.flatMap(one => one.stale.map(({ line, written, suggestion }) => [line, written, suggestion]));
  assert.deepEqual(found, [
    ...[2, 3, 8, 10].map(line => [line, 'parse', 'decode']),
    ...[25, 26, 30].map(line => [line, 'target', 'goal']),
  ]);
});

test('links to a document that was moved as it was lead on, however often that was', async t => {
  const { write, path, remove } = await repository(
    t,
    `-- docs/guide.md --
How things are done.
-- docs/twin.md --
Said twice.
-- docs/other.md --
Said twice.
-- README.md --
[guide](docs/guide.md#how), \`docs/guide.md\`, [page](docs/guide), [twin](docs/twin.md)
`,
  );
  const moveTo = (from: string, to: string): void => {
    mkdirSync(dirname(path(to)), { recursive: true });
    renameSync(path(from), path(to));
  };
  moveTo('docs/guide.md', 'docs/handbook.md');
  remove('docs/twin.md');
  remove('docs/other.md');
  write('docs/both.md', 'Said twice.\n');
  assert.deepEqual(await stale(), [
    'docs/guide.md file_moved docs/handbook.md',
    'docs/guide.md file_moved docs/handbook.md',
    'docs/guide file_moved -',
    'docs/twin.md file_missing -',
  ]);
  moveTo('docs/handbook.md', 'docs/use/handbook.md');
  assert.deepEqual((await stale()).slice(0, 1), ['docs/guide.md file_moved docs/use/handbook.md']);
  write('docs/use/handbook.md', 'How things are done by now.\n');
  assert.deepEqual((await stale()).slice(0, 1), ['docs/guide.md file_moved docs/use/handbook.md']);
  remove('docs/use/handbook.md');
  assert.deepEqual(await stale(), ['docs/guide.md file_missing -', 'docs/twin.md file_missing -']);
});

test('members of an enumeration go with its name', async t => {
  const { write } = await repository(
    t,
    `-- src/state.ts --
export enum OrderState {
  Open = 'open',
  Paid = 'paid',
}
export const first = OrderState.Open;
-- docs/guide.md --
\`OrderState.Open\` comes before \`OrderState.Paid\`; [![b](../../../actions/ci.yml)](../../../actions/ci.yml)
`,
  );
  write(
    'src/state.ts',
    "export enum OrderStatus {\n  Open = 'open',\n  Paid = 'paid',\n}\nexport const first = OrderStatus.Open;\n",
  );
  assert.deepEqual(await stale(), [
    'OrderState.Open symbol_renamed OrderStatus.Open',
    'OrderState.Paid symbol_renamed OrderStatus.Paid',
  ]);
});
