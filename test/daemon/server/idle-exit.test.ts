import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDaemonRecord } from '../../../client/paths.ts';
import { runDaemon } from '../../../daemon/main.ts';
import { callWhileLeaving } from '../../fault/leaving-leaders.ts';
import { bearer, beginUpload } from '../../support/begun-upload.ts';
import { callerIn, type Home, temporaryHome, until } from '../../support/daemon.ts';
import { fakeClock } from '../../support/fake-clock.ts';

const minuteMs = 60_000;

/** A daemon in this process as a client starts one, on a clock that the test moves. */
async function autoStarted(home: Home) {
  const clock = fakeClock();
  const { places, env } = home;
  const end: { code: number | undefined } = { code: undefined };
  const start = { places, environment: env, version: '0.1.0', build: 'test', isAutoStarted: true, clock };
  void runDaemon(start).then(code => {
    end.code = code;
  });
  const caller = callerIn(home);
  await until('it answers', async () => {
    await clock.advance(0);
    return caller.call('system.health', {}).catch(() => undefined);
  });
  return {
    clock,
    caller,
    end,
    /** Has nobody left who keeps it, and leaves in order. */
    async leaves(): Promise<void> {
      await until('it has seen that it is idle, and left', async () => {
        await clock.advance(minuteMs);
        return end.code !== undefined;
      });
      assert.equal(end.code, 0);
    },
  };
}

test('a daemon that nobody needs leaves after half an hour; a subscription and a connection keep it (P9)', async t => {
  const { clock, caller, end, leaves } = await autoStarted(temporaryHome(t, { SVC_HTTP_ENABLED: 'false' }));
  const stop = await caller.subscribe(() => {});
  await clock.advance(90 * minuteMs);
  assert.equal(end.code, undefined, 'while somebody listens');
  stop();
  await clock.advance(90 * minuteMs);
  assert.equal(end.code, undefined, 'while somebody is connected');
  await caller.close();
  await leaves();
});

test('an upload that comes and a repository that is kept keep a daemon that nobody is connected to (P9)', async t => {
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'true' });
  home.configure('[index_server]\nenabled = true\n');
  const { clock, caller, end, leaves } = await autoStarted(home);
  await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
  await caller.close();
  const { url } = readDaemonRecord(home.places)!;
  const upload = await beginUpload(t, home.places, 'acme/x');
  await clock.advance(90 * minuteMs);
  assert.equal(end.code, undefined, 'while an upload comes');
  assert.equal(await upload.finish(), 200);
  await clock.advance(90 * minuteMs);
  assert.equal(end.code, undefined, 'while it keeps a repository');
  const removing = { method: 'DELETE', headers: bearer(home.places) };
  assert.equal((await fetch(`${url}/index/repos/acme/x`, removing)).status, 200);
  await leaves();
});

test('two hundred calls around the moments at which daemons leave: each succeeds (P9)', t => callWhileLeaving(t, 4));
