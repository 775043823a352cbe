import { chmodSync, existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { until } from './daemon.ts';
import { type Cleanup, temporaryFolder } from './repository.ts';

/** A git that can be held: while it is, whoever asks what HEAD holds or what is tracked waits. */
export interface HeldGit {
  /** For the daemon's environment. */
  readonly path: string;
  /** Holds it, starts what waits for it, and returns once it does. */
  holding<T>(ask: () => Promise<T>): Promise<{ readonly answer: Promise<T> }>;
  release(): void;
}

export function heldGit(test: Cleanup): HeldGit {
  const folder = temporaryFolder(test);
  const [held, asked] = [folder.path('held'), folder.path('asked')];
  const wait = `while [ -e '${held}' ]; do : > '${asked}'; sleep 0.02; done`;
  folder.write('git', `#!/bin/sh\ncase "$1" in ls-tree | ls-files) ${wait} ;; esac\nexec '${realGit}' "$@"\n`);
  chmodSync(folder.path('git'), 0o755);
  return {
    path: [folder.root, process.env['PATH']].join(delimiter),
    async holding(ask) {
      folder.write('held', '');
      const answer = ask();
      answer.catch(() => {});
      await until('git is asked', () => existsSync(asked));
      return { answer };
    },
    release: () => folder.remove('held'),
  };
}

const realGit = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map(folder => `${folder}/git`)
  .find(existsSync);
