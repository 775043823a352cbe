import { test } from 'node:test';
import { atTheLimits, explodeAll } from '../fault/bombs.ts';

test('no body makes the daemon take 200 MB more, or hold its event loop for 250 ms, as large as bodies may be (P36)', context =>
  explodeAll(context, atTheLimits));
