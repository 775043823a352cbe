import { renameSync, writeFileSync } from 'node:fs';
import { copyFile, tableOfRegistry } from './table.ts';

/** Run by the build: leaves the registry as JSON beside the commands. */
const beside = `${copyFile}.${process.pid}`;
writeFileSync(beside, JSON.stringify(await tableOfRegistry()));
renameSync(beside, copyFile);
