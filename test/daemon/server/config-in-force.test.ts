import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { openConfig } from '../../../daemon/server/config-in-force.ts';
import { temporaryFolder } from '../../support/repository.ts';

test('a reload takes over what is asked for each time; the rest waits for the next start, and says so', t => {
  const { path } = temporaryFolder(t);
  const file = path('config.toml');
  const write = (text: string): void => writeFileSync(file, text);
  write('[http]\nport = 9790\n');
  const config = openConfig({ file, environment: {} });
  assert.equal(config.fileState().remedy, undefined);

  write('[http]\nport = 9790\n[log]\nlevel = "error"\n');
  assert.match(config.fileState().remedy!, /^kill -HUP \d+, or svc daemon restart$/);
  assert.equal(config.values().log.level, 'info');
  config.reload();
  assert.equal(config.values().log.level, 'error');
  assert.equal(config.loaded().origins.get('log.level'), `${file}:4`);
  assert.equal(config.fileState().remedy, undefined);

  write('[http]\nport = 9791\n[limits]\nquery_seconds = 7\n');
  assert.equal(config.fileState().remedy, 'svc daemon restart');
  config.reload();
  assert.deepEqual([config.values().http.port, config.values().limits.query_seconds], [9790, 7]);
  assert.equal(config.values().log.level, 'info');
  assert.equal(config.loaded().origins.get('http.port'), `${file}:2`);
  assert.equal(config.fileState().remedy, 'svc daemon restart', 'as long as it waits');

  write('[http]\nprot = 1\n');
  config.reload();
  assert.match(config.problem()!, /prot/);
  assert.equal(config.values().limits.query_seconds, 7);
  assert.match(config.fileState().problem!, /prot/);
});
