import { test } from 'node:test';
import { fullDisks, onFullDisk } from '../fault/full-disks.ts';

for (const kind of fullDisks) test(`a daemon on a full disk (${kind})`, t => onFullDisk(t, kind));
