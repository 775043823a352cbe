import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { type Cleanup, temporaryFolder } from '../support/repository.ts';
import type { EvidencedIndexes } from './evidence.ts';
import { indexTree, type MadeIndex } from './indexer.ts';
import type { Operation } from './operations.ts';

type ScipOperation = Extract<Operation, { readonly kind: 'scip' }>;

/** A program in the place of an indexer that hands over what the oracle has made. */
export function standIn(scope: Cleanup) {
  const folder = temporaryFolder(scope);
  const [program, file, ran] = [folder.path('indexer'), folder.path('index.scip'), folder.path('ran')];
  const script = `while [ "$1" != --output ]; do shift; done\n/bin/cp ${file} "$2"\n: > ${ran}\n`;
  writeFileSync(program, `#!/bin/sh\n${script}`, { mode: 0o755 });
  let made: MadeIndex | undefined;
  return {
    program,
    /** Has the daemon index the tree and run it. A daemon that is killed over that may have taken it in or not: it does it again. */
    async hand(
      root: string,
      { seed, isLate, isKilled }: ScipOperation,
      fresh: EvidencedIndexes,
      index: (force: boolean) => Promise<void>,
      kill: () => Promise<void>,
    ) {
      const now = indexTree(root, seed);
      if (!isLate || made === undefined) made = now;
      writeFileSync(file, made.bytes);
      rmSync(ran, { force: true });
      if (isKilled) {
        const ended = index(true).catch(() => {});
        await new Promise(resolve => setTimeout(resolve, seed * 150));
        await kill();
        await ended;
      }
      await index(isKilled || seed === 0);
      // Nothing of its languages, or nothing new in them: then nobody has run it.
      if (existsSync(ran)) await fresh.arrive(file);
    },
  };
}
