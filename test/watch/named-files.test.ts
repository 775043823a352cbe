import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { test } from 'node:test';
import { watchNamedFiles } from '../../watch/named-files.ts';
import { until } from '../support/daemon.ts';
import { temporaryFolder } from '../support/repository.ts';

test('what is closed follows nothing any more, whoever still comes with files', async t => {
  const { path } = temporaryFolder(t, '-- a --\n');
  const heard: string[] = [];
  const closed = watchNamedFiles(file => heard.push(`closed: ${file}`));
  const open = watchNamedFiles(file => heard.push(file));
  t.after(() => open.close());
  await closed.close();
  closed.follow([path('a')]);
  open.follow([path('a')]);
  await until('the open one hears of it', () => {
    appendFileSync(path('a'), 'x');
    return heard.includes(path('a'));
  });
  assert.deepEqual([...new Set(heard)], [path('a')]);
  await closed.close();
});
