import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../../../daemon/config.ts';
import { createListeners, type ListenersOptions } from '../../../daemon/server/listeners.ts';
import { fakeClock } from '../../support/fake-clock.ts';

test('a step that fails keeps none behind it from being taken', async () => {
  const { values } = loadConfig({ file: '', environment: { SVC_HTTP_ENABLED: 'false' } });
  let asked = 0;
  const listeners = createListeners({
    config: () => {
      asked += 1;
      if (asked === 1) throw new Error('nobody expects it');
      return values;
    },
    clock: fakeClock(),
  } as unknown as ListenersOptions);
  const [failing, next] = [listeners.openOwn(), listeners.openOwn()];
  await assert.rejects(failing, /nobody expects it/);
  await next;
  await listeners.settled();
  assert.equal(asked, 2);
});
