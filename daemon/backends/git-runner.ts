import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isClosed } from '../model/closed.ts';
import { once } from '../model/once.ts';
import type { CheckoutSettings } from './git-config.ts';
import { lastOf, printOf, type ReadConfig, rememberConfig } from './git-config-file.ts';
import { createDialogues, type Dialogue } from './git-dialogue.ts';
import { closedStore } from './git-files.ts';
import { isShallow, shallowFile } from './git-history.ts';
import type { ReadObjects } from './git-objects.ts';
import { createObjectReader } from './git-objects.ts';
import { isStopped } from './git-parts.ts';
import type { RunOverObjects } from './git-process.ts';
import { askGit, GitClosed, GitFailed, type GitRun, gitEnvironment } from './git-process.ts';
import type { GitRepository } from './git-repository.ts';
import { makeAttributesShadow, makeBlank, makeShadow, makeSharedShadow } from './git-shadow.ts';

export interface GitOptions {
  /** Folder for shadow git folders; made when needed, mode 0700. */
  readonly shadowFolder: string;
  /** Program to run; default `git`, found on PATH. */
  readonly program?: string;
  /** Where programs and the user's own git configuration are looked for; default the process's. */
  readonly environment?: NodeJS.ProcessEnv;
}

export interface GitCall {
  readonly signal?: AbortSignal | undefined;
  /** `background`: git waits while others want the processor. */
  readonly priority?: 'background' | undefined;
}

/** A question with a short answer, or one whose answer grows with the tree. */
export type Shape = (run: GitRun) => Promise<string>;

/** Holds a dialogue with a process of git over the repository's objects. Rejects as `Dialogues.hold` does. */
export type HoldDialogue = (
  repository: GitRepository,
  args: readonly string[],
  dialogue: Dialogue,
  mostBytes: number,
) => Promise<void>;

/** git as the questions need it: where it runs, over what, and for how long it stays. */
export interface Runner {
  readonly program: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly readConfig: ReadConfig;
  /** Asks git without any repository. */
  blank(args: readonly string[], call: GitCall, timeoutMs: number): Promise<string>;
  /** Runs git over the repository's objects, and no index. */
  overObjects(call: GitCall): RunOverObjects;
  /**
   * `overObjects`, for walks through history: one that is cut short ends where it was cut, as git has it, and what fails
   * in a partial clone is `incomplete`.
   */
  overHistory(call: GitCall): RunOverObjects;
  /** As `overHistory`, by a process that stays for a while. */
  holding(call: GitCall): HoldDialogue;
  /** Reads the repository's objects. */
  objectsOf(repository: GitRepository, call: GitCall): ReadObjects;
  /**
   * Reads objects as `objectsOf` does, by one process for all of these repositories: what any of them has under a full
   * hash. Names are full hashes, with what git knows of ancestors and peeling.
   */
  objectsAmong(repositories: readonly GitRepository[]): Runner['objectsOf'];
  /** A run over the repository's objects by which attributes can be asked for. */
  withAttributes(repository: GitRepository, settings: CheckoutSettings, call: GitCall): Promise<GitRun>;
  /** Holds a dialogue with a process that stays for a while, and goes sooner where another `basis` is meant. */
  hold(repository: GitRepository, run: GitRun, basis: string, dialogue: Dialogue): Promise<void>;
  /** `overObjects`, with the repository's index; an empty answer where there is no index, or none that git can read, or no git. */
  inShadow(repository: GitRepository, args: readonly string[], call: GitCall, shape: Shape): Promise<string>;
  close(): Promise<void>;
}

/** A path with all of its attributes is some hundred bytes. */
const attributeBytes = 1024 ** 3;

export function createRunner(options: GitOptions): Runner {
  const program = options.program ?? 'git';
  const environment = options.environment ?? process.env;
  const runIn = (gitDir: string, extra: NodeJS.ProcessEnv, args: readonly string[], call: GitCall): GitRun => ({
    program,
    arguments: args,
    cwd: gitDir,
    env: { ...gitEnvironment(environment, options.shadowFolder), GIT_DIR: gitDir, ...extra },
    signal: call.signal,
    priority: call.priority,
  });
  const blank: Runner['blank'] = async (args, call, timeoutMs) =>
    askGit({ ...runIn(makeBlank(options.shadowFolder), {}, args, call), timeoutMs });
  const readConfig = rememberConfig((args, signal) => blank(args, { signal }, 10_000));
  const overObjects: Runner['overObjects'] = call => async (repository, args, shape) => {
    try {
      const hash = await objectFormat(readConfig, repository, call);
      const shadow = makeShadow(options.shadowFolder, repository, { hash });
      return await shape(runIn(shadow, {}, args, call));
    } catch (error) {
      const exitCode = error instanceof GitFailed ? error.exitCode : undefined;
      const closed = isClosed(error) || exitCode !== undefined ? closedStore(repository) : undefined;
      throw closed === undefined ? error : new GitClosed(closed, repository, exitCode);
    }
  };
  const overHistory: Runner['overHistory'] = call => async (repository, args, shape) => {
    const cut = isShallow(repository) ? { GIT_SHALLOW_FILE: shallowFile(repository) } : {};
    try {
      return await overObjects(call)(repository, args, run => shape({ ...run, env: { ...run.env, ...cut } }));
    } catch (error) {
      if (error instanceof GitClosed || !isStopped(error) || !(await isPartial(readConfig, repository, call)))
        throw error;
      const { message, exitCode } = error;
      throw new GitFailed('incomplete', `${message}: the clone is partial`, exitCode);
    }
  };
  /** Whether git runs over the repository where it has no index: then it is the index that it can't read. */
  const runsWithout = (repository: GitRepository, call: GitCall): Promise<boolean> =>
    overObjects(call)(repository, ['ls-files', '--cached'], askGit).then(
      () => true,
      () => false,
    );
  const objects = createObjectReader();
  // What is remembered beside it is remembered for as long.
  const objectsShared = createObjectReader({ idleMs: 120_000 });
  const dialogues = createDialogues({ idleMs: 120_000 });
  const storesOf = (repository: GitRepository): string => printOf(alternatesOf(repository), 'refuse links');
  const objectsOf: Runner['objectsOf'] = (repository, call) => (names, limits) =>
    overObjects(call)(repository, ['cat-file', '--batch'], run =>
      objects.read({ ...run, stores: storesOf(repository) }, names, limits),
    );
  const objectsAmong: Runner['objectsAmong'] = repositories => {
    const formatOf = (one: GitRepository) => objectFormat(readConfig, one, {}).catch(() => undefined);
    const formats = once(() => Promise.all(repositories.map(formatOf)));
    const shadows = new Map<string, string>();
    const shadowFor = async (hash: 'sha1' | 'sha256'): Promise<string> => {
      const known = await formats();
      const alike = repositories.filter((_, at) => known[at] === hash);
      const shadow = shadows.get(hash) ?? makeSharedShadow(options.shadowFolder, alike, { hash });
      shadows.set(hash, shadow);
      return shadow;
    };
    return (repository, call) => async (names, limits) => {
      const hash = await objectFormat(readConfig, repository, call);
      const run = { ...runIn(await shadowFor(hash), {}, ['cat-file', '--batch'], call), stores: '' };
      const found = await objectsShared.read(run, names, limits).catch(error => {
        shadows.delete(hash);
        return noneFailed(error);
      });
      const missing = names.filter((_, at) => found[at] === undefined);
      if (missing.length === 0) return found;
      // What is wrong with one is not to be the others' harm, and one may borrow from elsewhere by now: its own process knows.
      const own = (await objectsOf(repository, call)(missing, limits)).values();
      return names.map((_, at) => found[at] ?? own.next().value);
    };
  };
  return {
    program,
    environment,
    blank,
    readConfig,
    overObjects,
    overHistory,
    objectsOf,
    objectsAmong,
    holding: call => (repository, args, dialogue, mostBytes) =>
      overHistory(call)(repository, args, run =>
        dialogues.hold({ ...run, stores: storesOf(repository) }, dialogue, mostBytes),
      ),
    close: async () => {
      await Promise.all([objects.close(), objectsShared.close(), dialogues.close()]);
    },
    hold: (repository, run, basis, dialogue) =>
      dialogues.hold({ ...run, stores: `${storesOf(repository)} ${basis}` }, dialogue, attributeBytes),
    async withAttributes(repository, settings, call) {
      const hash = await objectFormat(readConfig, repository, call);
      const attributes = { own: settings.ownAttributes, users: settings.userAttributes };
      const { shadow, users } = makeAttributesShadow(options.shadowFolder, repository, { hash }, attributes);
      return runIn(shadow, {}, ['-c', `core.attributesFile=${users}`], call);
    },
    async inShadow(repository, args, call, shape) {
      const index = join(repository.gitDir, 'index');
      const stat = lstatSync(index, { throwIfNoEntry: false });
      if (stat === undefined || !stat.isFile()) return '';
      try {
        const withIndex = (run: GitRun): Promise<string> =>
          shape({ ...run, env: { ...run.env, GIT_INDEX_FILE: index } });
        return await overObjects(call)(repository, args, withIndex);
      } catch (error) {
        if (error instanceof GitFailed && error.reason === 'missing') return '';
        if (isStopped(error) && (await runsWithout(repository, call))) return '';
        throw error;
      }
    },
  };
}

/** Nothing found, where git failed. */
function noneFailed(error: unknown): readonly undefined[] {
  if (error instanceof GitFailed && error.reason === 'failed') return [];
  throw error;
}

/** Where a repository names further folders with objects of it: git reads that once. */
function alternatesOf({ commonDir }: GitRepository): string {
  return join(commonDir, 'objects/info/alternates');
}

async function objectFormat(
  readConfig: ReadConfig,
  { commonDir }: GitRepository,
  call: GitCall,
): Promise<'sha1' | 'sha256'> {
  const lines = await readConfig(join(commonDir, 'config'), 'refuse links', call.signal);
  return lastOf(lines, 'extensions.objectformat')?.toLowerCase() === 'sha256' ? 'sha256' : 'sha1';
}

/** Whether the repository was made to fetch objects when they are asked for: git here never does. */
async function isPartial(readConfig: ReadConfig, { commonDir }: GitRepository, call: GitCall): Promise<boolean> {
  const lines = await readConfig(join(commonDir, 'config'), 'refuse links', call.signal);
  return lines.some(([key]) => /^(?:extensions\.partialclone|remote\..*\.(?:promisor|partialclonefilter))$/s.test(key));
}
