import { statSync } from 'node:fs';
import { type IgnoreSources, ignoreFilesAbove } from '../../../watch/ignore.ts';
import type { Git } from '../../backends/git.ts';
import { findRepository, type GitRepository } from '../../backends/git-repository.ts';
import { type Surroundings, surroundingsOf, trackedButIgnored } from '../discover.ts';
import { indexPrint } from './git-hold.ts';

/** What decides which files of a tree are watched, as far as it does not lie in the tree. */
export interface TreeRules {
  /** Without exceptions before the first refresh. */
  current(): Omit<IgnoreSources, 'root'>;
  repository(): GitRepository | undefined;
  /** The ignore files outside the tree, and the configuration that says which they are. */
  files(): readonly string[];
  /** Reads anew what has changed since it was read, `known` for other reasons to. What differs now: */
  refresh(known?: 'changed'): Promise<'nothing' | 'exceptions' | 'rules'>;
}

interface Rules {
  readonly surroundings: Surroundings;
  readonly exceptions: readonly string[];
  /** What it was read from, as it was before. */
  readonly indexPrint: string;
  readonly filePrints: string;
  readonly gitPrint: string;
}

const restAfterFailureMs = 10_000;

export async function openTreeRules(root: string, git: Git, closed: readonly string[]): Promise<TreeRules> {
  const read = async (): Promise<Rules> => {
    const prints = printsOf(await surroundingsOf(root, { git, closed }));
    const surroundings = await surroundingsOf(root, { git, closed }); // no older than the prints; configuration is remembered
    const exceptions = await trackedButIgnored(surroundings, { git, closed });
    return { surroundings, exceptions, ...prints };
  };
  // What git tracks although it is ignored is read once the ignore files are watched that decide it. Without git the tree
  // is watched all the same, by these alone; a root that is gone may come back.
  const surroundings = await surroundingsOf(root, { git, closed })
    .catch(() => surroundingsOf(root, { closed }))
    .catch(() => nowhere(root, closed));
  let rules: Rules = { surroundings, exceptions: [], ...printsOf(surroundings) };
  let last: Promise<unknown> = Promise.resolve();
  let restUntilMs = 0;
  const renew: TreeRules['refresh'] = async known => {
    const prints = printsOf(rules.surroundings);
    const sameFiles = prints.filePrints === rules.filePrints;
    const sameGit = prints.gitPrint === '' || prints.gitPrint === rules.gitPrint;
    const isSame = sameFiles && sameGit && prints.indexPrint === rules.indexPrint;
    if (known === undefined && (isSame || performance.now() < restUntilMs)) return 'nothing';
    const before = rules;
    rules = await read();
    if (!sameFiles || !sameGit || textOf(before.surroundings) !== textOf(rules.surroundings)) return 'rules';
    return JSON.stringify(before.exceptions) === JSON.stringify(rules.exceptions) ? 'nothing' : 'exceptions';
  };
  return {
    current: () => ({ ...rules.surroundings.sources, exceptions: rules.exceptions }),
    repository: () => rules.surroundings.repository,
    files: () => filesOf(rules.surroundings),
    /** One after the other: what is read later counts. git may fail now and then: what was known stays for a while. */
    refresh(known) {
      const renewed = last
        .then(() => renew(known))
        .catch(() => {
          restUntilMs = performance.now() + restAfterFailureMs;
          return 'nothing' as const;
        });
      last = renewed;
      return renewed;
    },
  };
}

function nowhere(root: string, closed: readonly string[]): Surroundings {
  return {
    root,
    repository: undefined,
    closedGit: undefined,
    prefix: '',
    sources: { root, closed },
    configuration: [],
  };
}

function printsOf(surroundings: Surroundings): Pick<Rules, 'indexPrint' | 'filePrints' | 'gitPrint'> {
  return {
    gitPrint: gitPrint(surroundings.root),
    indexPrint: indexPrint(surroundings.repository?.gitDir),
    filePrints: filesOf(surroundings).map(printOf).join(),
  };
}

/** Changes where git comes, goes, or can be used no more; '' where no descriptor is to be had to look with. */
function gitPrint(root: string): string {
  try {
    return JSON.stringify(findRepository(root));
  } catch {
    return '';
  }
}

function filesOf({ sources, configuration }: Surroundings): readonly string[] {
  return [...configuration, ...(sources.excludeFiles ?? []), ...ignoreFilesAbove(sources)];
}

function printOf(file: string): string {
  try {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? '' : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
  } catch {
    return '';
  }
}

function textOf({ sources }: Surroundings): string {
  return JSON.stringify(sources);
}
