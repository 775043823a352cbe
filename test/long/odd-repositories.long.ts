import { test } from 'node:test';
import { oddRepositories } from '../fault/odd-repositories.ts';
import { ask } from '../fault/odd-repositories-asked.ts';

test('a daemon indexes each repository that is made odd, and answers all that is asked about them (P41)', t =>
  ask(t, oddRepositories));
