import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { type Cleanup, temporaryFolder } from '../support/repository.ts';

/** A program in the place of an indexer. */
export interface StandIn {
  readonly program: string;
  /** The index that it hands over from now on. Absolute path of the file that holds it. */
  prepare(bytes: Uint8Array): string;
  /** Whether it ran since. */
  hasRun(): boolean;
}

/** A program that hands over as its index what it was given. */
export function standIn(scope: Cleanup): StandIn {
  const folder = temporaryFolder(scope);
  const [program, file, ran] = [folder.path('indexer'), folder.path('index.scip'), folder.path('ran')];
  const script = `while [ "$1" != --output ]; do shift; done\n/bin/cp ${file} "$2"\n: > ${ran}\n`;
  writeFileSync(program, `#!/bin/sh\n${script}`, { mode: 0o755 });
  return {
    program,
    prepare(bytes) {
      writeFileSync(file, bytes);
      rmSync(ran, { force: true });
      return file;
    },
    hasRun: () => existsSync(ran),
  };
}
