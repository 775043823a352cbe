import { test } from 'node:test';
import { rightOrNone, wholeShare } from '../daemon/store/damaged-answers.ts';
import { damageIndexes } from '../fault/damaged-indexes.ts';

test('four hundred flipped bits, a hundred pages and a hundred cuts while no daemon runs change no answer (P20)', t =>
  damageIndexes(t, wholeShare, 40, 21));

test('as many in a file that nothing seals give right answers or none (P20)', t => rightOrNone(t, wholeShare));
