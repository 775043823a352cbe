import { test } from 'node:test';
import { explodeAll } from './bombs.ts';

const mib = 1024 * 1024;

test('no body makes the daemon take 200 MB more, or hold its event loop for 250 ms (P36)', context =>
  explodeAll(context, { body: mib, artifact: mib, frame: 2 * mib, inflated: 80 * mib, documents: 5000 }));
