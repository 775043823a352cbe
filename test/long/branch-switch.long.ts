import { test } from 'node:test';
import { switchBranches } from '../fault/branch-switch.ts';

test('a branch switch of 10,000 files is published whole, and switching back parses nothing (P15)', t =>
  switchBranches(t, 10_000));
