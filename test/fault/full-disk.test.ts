import { test } from 'node:test';
import { fullDisks, onFullDisk } from './full-disks.ts';

/** The best of them; the long run takes all. */
test(`a daemon on a full disk (${fullDisks[0]})`, t => onFullDisk(t, fullDisks[0]!));
