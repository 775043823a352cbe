import { test } from 'node:test';
import { callWhileLeaving } from '../fault/leaving-leaders.ts';

test('a thousand calls around the moments at which daemons leave: each succeeds (P9)', t => callWhileLeaving(t, 20));
