import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runDaemon } from '../../../daemon/main.ts';
import { callWhileLeaving } from '../../fault/leaving-leaders.ts';
import { callerIn, temporaryHome, until } from '../../support/daemon.ts';
import { fakeClock } from '../../support/fake-clock.ts';

const minuteMs = 60_000;

test('a daemon that nobody needs leaves after half an hour; a subscription and a connection keep it (P9)', async t => {
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
  const clock = fakeClock();
  let exitCode: number | undefined;
  const { places, env } = home;
  const running = runDaemon({ places, environment: env, version: '0.1.0', build: 'test', isAutoStarted: true, clock });
  void running.then(code => {
    exitCode = code;
  });
  const subscriber = callerIn(home);
  await until('it answers', async () => {
    await clock.advance(0);
    return subscriber.call('system.health', {}).catch(() => undefined);
  });
  const stop = await subscriber.subscribe(() => {});
  await clock.advance(90 * minuteMs);
  assert.equal(exitCode, undefined, 'while somebody listens');
  stop();
  await clock.advance(90 * minuteMs);
  assert.equal(exitCode, undefined, 'while somebody is connected');
  await subscriber.close();
  await until('the daemon has seen it go', async () => {
    await clock.advance(minuteMs);
    return exitCode !== undefined;
  });
  assert.equal(exitCode, 0);
});

test('two hundred calls around the moments at which daemons leave: each succeeds (P9)', t => callWhileLeaving(t, 4));
