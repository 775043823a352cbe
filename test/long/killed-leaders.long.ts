import { test } from 'node:test';
import { killLeaders } from '../fault/killed-leaders.ts';

test('twenty leaders killed under ten looping clients: each call succeeds, and no two lead at once (P1)', t =>
  killLeaders(t, 20, 10));
