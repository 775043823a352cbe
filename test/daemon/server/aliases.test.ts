import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import { startDaemon, type TestDaemon, until } from '../../support/daemon.ts';
import { gitRepository } from '../../support/repository.ts';

const tree = `
-- src/sum.ts --
export function total(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
export const small = 1;
-- src/other.ts --
export function greet(name: string): string {
  return 'hello ' + name;
}
`;

async function idOf({ client }: TestDaemon, name: string): Promise<string> {
  let id: string | undefined;
  await until(`${name} is found`, async () => {
    const { results } = await client.symbols.search({ q: name, sync: true });
    id = results.find(one => one.name === name)?.id;
    return id !== undefined;
  });
  return id!;
}

/** What became of a symbol: `here`, `gone`, or the id that took its place. */
async function fateOf({ client }: TestDaemon, id: string): Promise<string> {
  try {
    await client.symbols.get({ id, sync: true });
    return 'here';
  } catch (error) {
    assert.ok(error instanceof Fault && error.row.status === 410, String(error));
    const { replacedBy } = error.extras.details as { readonly replacedBy?: string };
    return replacedBy ?? 'gone';
  }
}

test('an old id of what was renamed or moved names the new one, and lives again after a checkout', async context => {
  const daemon = await startDaemon(context);
  const { root, path, git } = gitRepository(context, tree);
  await daemon.client.daemon.addRepo({ root, id: 'app' });
  await until('it is watched', async () => (await daemon.client.daemon.listRepos({})).repos[0]?.watching === 'native');
  const [total, small, greet] = [await idOf(daemon, 'total'), await idOf(daemon, 'small'), await idOf(daemon, 'greet')];
  const text = readFileSync(path('src/sum.ts'), 'utf8');

  writeFileSync(path('src/sum.ts'), text.replace('total', 'addUp').replace('small', 'tiny'));
  const addUp = await idOf(daemon, 'addUp');
  assert.equal(await fateOf(daemon, total), addUp, 'renamed in its file');
  assert.equal(await fateOf(daemon, small), 'gone', 'too short to tell');

  writeFileSync(path('src/sum.ts'), text.replace('total', 'summed').replace('small', 'tiny'));
  const summed = await idOf(daemon, 'summed');
  assert.deepEqual([await fateOf(daemon, addUp), await fateOf(daemon, total)], [summed, summed], 'no chains');

  renameSync(path('src/other.ts'), path('src/greeting.ts'));
  await until('the moved file is indexed', async () => (await idOf(daemon, 'greet')) !== greet);
  const moved = await idOf(daemon, 'greet');
  assert.equal(await fateOf(daemon, greet), moved, 'the file was renamed');
  mkdirSync(path('lib'));
  renameSync(path('src/greeting.ts'), path('lib/greeting.ts'));
  await until('it moved again', async () => (await idOf(daemon, 'greet')) !== moved);
  const again = await idOf(daemon, 'greet');
  assert.deepEqual([await fateOf(daemon, moved), await fateOf(daemon, greet)], [again, again], 'moved to a folder');

  git('checkout', '--quiet', '--', '.');
  await until('the first state is back', async () => (await fateOf(daemon, total)) === 'here');
  assert.deepEqual([await fateOf(daemon, small), await fateOf(daemon, greet)], ['here', 'here']);
  assert.equal(await fateOf(daemon, summed), total, 'and what was there meanwhile leads back');
});

test('ids that a file had under another path and name lead back to what is there again, in whatever order that is seen', async context => {
  const daemon = await startDaemon(context);
  const { root, path, git } = gitRepository(context, tree);
  await daemon.client.daemon.addRepo({ root, id: 'app' });
  await until('it is watched', async () => (await daemon.client.daemon.listRepos({})).repos[0]?.watching === 'native');
  const text = readFileSync(path('src/sum.ts'), 'utf8');
  const there = async () => {
    const old = await idOf(daemon, 'small');
    renameSync(path('src/sum.ts'), path('src/q.ts'));
    await until('the file moved', async () => (await fateOf(daemon, old)) !== 'here');
    const between = await idOf(daemon, 'small');
    writeFileSync(path('src/q.ts'), `${text.replace('total', 'addUp')}export const more = [1, 2, 3];\n`);
    return { old, between, last: await idOf(daemon, 'addUp'), also: await idOf(daemon, 'more') };
  };
  const back = async ({ old, between, last }: Awaited<ReturnType<typeof there>>) => {
    await until('it is back', async () => (await fateOf(daemon, old)) === 'here');
    await until('the other is gone', async () => (await fateOf(daemon, last)) !== 'here');
    assert.deepEqual(await fatesOf(daemon, [between, last]), [old, await idOf(daemon, 'total')]);
  };

  const together = await there();
  rmSync(path('src/q.ts'));
  git('checkout', '--quiet', '--', '.');
  await back(together);
  const additionFirst = await there();
  git('checkout', '--quiet', '--', '.');
  await until('both are there', async () => (await fateOf(daemon, additionFirst.old)) === 'here');
  rmSync(path('src/q.ts'));
  await back(additionFirst);
  const deletionFirst = await there();
  rmSync(path('src/q.ts'));
  await until('none is there', async () => (await fateOf(daemon, deletionFirst.also)) === 'gone');
  git('checkout', '--quiet', '--', '.');
  await back(deletionFirst);
});

const python = `
-- m.py --
def total(values, rate, floor):
    result = 0
    for value in values:
        result += value * rate
    return max(result, floor)


class Box:
    def __init__(self, size):
        self.size = size

    def half(self):
        return self.size / 2
-- n.py --
limit = 1
`;

test('an old id leads on where a merge brings a renamed file with an edit, and where a function goes to another file', async context => {
  const daemon = await startDaemon(context);
  const { root, path, git } = gitRepository(context, python);
  git('checkout', '--quiet', '-b', 'topic');
  git('mv', 'm.py', 'p.py');
  appendFileSync(path('p.py'), '# appended\n');
  git('commit', '--quiet', '--all', '--message', 'rename');
  git('checkout', '--quiet', '-');
  await daemon.client.daemon.addRepo({ root, id: 'app' });
  await until('it is watched', async () => (await daemon.client.daemon.listRepos({})).repos[0]?.watching === 'native');
  const names = ['total', 'Box', 'half'];
  const old = await idsOf(daemon, names);

  git('merge', '--quiet', 'topic');
  await until('the merge is seen', async () => (await fateOf(daemon, old[0]!)) !== 'here');
  const merged = await idsOf(daemon, names);
  assert.deepEqual(await fatesOf(daemon, old), merged);

  const [total, others] = halves(readFileSync(path('p.py'), 'utf8'), '\n\n\n');
  writeFileSync(path('n.py'), `limit = 1\n\n\n${total}\n`);
  await until(
    'the copy is seen',
    async () => (await daemon.client.symbols.search({ q: 'total', sync: true })).results.length === 2,
  );
  writeFileSync(path('p.py'), others);
  await until('the move is over', async () => (await fateOf(daemon, merged[0]!)) !== 'here');
  const moved = await idOf(daemon, 'total');
  assert.deepEqual(await fatesOf(daemon, [old[0]!, merged[0]!]), [moved, moved], 'the copy first, and no chains');

  writeFileSync(path('n.py'), 'limit = 1\n');
  assert.equal(await fateOf(daemon, moved), 'gone');
  writeFileSync(path('o.py'), total);
  const back = await idOf(daemon, 'total');
  assert.deepEqual(await fatesOf(daemon, [old[0]!, moved]), [back, back], 'the deletion first');
});

async function idsOf(daemon: TestDaemon, names: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push(await idOf(daemon, name));
  return ids;
}

function fatesOf(daemon: TestDaemon, ids: readonly string[]): Promise<readonly string[]> {
  return Promise.all(ids.map(id => fateOf(daemon, id)));
}

function halves(text: string, between: string): readonly [string, string] {
  const at = text.indexOf(between);
  return [text.slice(0, at), text.slice(at + between.length)];
}
