import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** A preload under which folders are listed in another order each time, as file systems may. */
const listed = fs.readdirSync as (...words: readonly unknown[]) => unknown[];
const shuffled = (...words: readonly unknown[]): unknown[] =>
  listed(...words)
    .map(entry => ({ entry, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ entry }) => entry);
Object.assign(fs, { readdirSync: shuffled });
syncBuiltinESMExports();
