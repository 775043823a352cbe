import { resolve } from 'node:path';
import { type TreeShape, writeLargeTree } from './large-tree.ts';
import { benchArguments, milliseconds, say, timed } from './measure.ts';

/**
 * Writes a large made-up git repository, with two branches (`main`, `other`) that differ in every file. The folder is
 * emptied before.
 *
 *   node dist/test/bench/generate.js <folder> [--files 10000] [--symbols 100000]
 */
const { operands, flag } = benchArguments();
const [folder] = operands;
if (folder === undefined) throw new Error('generate.js <folder> [--files N] [--symbols N]');
const shape: TreeShape = { files: flag('files', 10_000), symbols: flag('symbols', 100_000) };
const { ms } = await timed(() => writeLargeTree(resolve(folder), shape));
say(`${shape.files} files`, `${shape.symbols} symbols`, milliseconds(ms));
