import { test } from 'node:test';
import { switchBranches } from './branch-switch.ts';

test('a branch switch of 300 files is published whole, and switching back parses nothing (P15)', t =>
  switchBranches(t, 300));
