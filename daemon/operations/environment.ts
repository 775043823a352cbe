import type { TypescriptWorkspace } from '../analysis/typescript-workspace.ts';
import { packagesSeen } from '../backends/python-packages.ts';
import { rootGone } from '../jobs/standing-root.ts';
import type { IndexerPlans } from './doctor/indexer-checks.ts';
import { measuredLanguages } from './environment/languages.ts';
import { missingPackages } from './environment/missing-packages.ts';
import { type ToldPython, toldPython } from './environment/python.ts';
import { notBuilt, workspaceAdvice } from './environment/workspace.ts';
import type { Handlers, RequestContext } from './handler.ts';
import { notIndexed } from './repository-faults.ts';
import { isGone, isHosted, type ServedRepositories, type ServedRepository, servedOf } from './served-repository.ts';
import { completeness, notReady } from './symbols/answers.ts';
import type { SymbolsHandlers } from './symbols.ts';

export type EnvironmentHandlers = Pick<Handlers, Extract<keyof Handlers, `environment.${string}`>>;

export interface EnvironmentOptions {
  readonly repositories: ServedRepositories;
  readonly precise: IndexerPlans;
  readonly symbols: Pick<SymbolsHandlers, 'asking'>;
  /** What the daemon was started in. */
  readonly environment: NodeJS.ProcessEnv;
}

export function environmentHandlers({
  repositories,
  precise,
  environment,
  symbols: { asking },
}: EnvironmentOptions): EnvironmentHandlers {
  const see = packagesSeen(environment);
  const pythonOf = (repository: ServedRepository): Promise<ToldPython> =>
    toldPython(repository, { see, environment, survey: () => precise.survey(repository) });
  const workspace = async (context: RequestContext): Promise<TypescriptWorkspace | undefined> =>
    asking.watched(context, () => asking.readPool.workspace(asking.asked(context), context.signal));
  return {
    'environment.languages': async (_, context) => {
      const repository = servedOf(repositories, context);
      const { snapshot, record, follow, unlisted } = repository; // of this moment
      if (snapshot === undefined) throw notIndexed(repository);
      const { counts, snapshotId } = snapshot;
      const indexers = precise.survey(repository);
      const missing =
        isGone(repository) || isHosted(repository)
          ? noneMissing
          : await missingPackages(
              record.root,
              counts,
              () => workspace(context),
              async () => (await pythonOf(repository)).found,
            );
      const { unsure, ...measured } = measuredLanguages({ id: record.id, counts, indexers, missing });
      const behind = { dirtyFiles: follow?.status().pendingChanges ?? 0, unlisted };
      return {
        ...measured,
        snapshotId,
        completeness: completeness(snapshot, behind, unsure),
        timestamp: context.now.toISOString(),
      };
    },
    'environment.typescriptMonorepo': async (_, context) => {
      const { record } = servedOf(repositories, context);
      if (context.snapshot === undefined) throw notReady();
      const found = await workspace(context);
      if (found === undefined) throw notReady();
      const paths = (some: TypescriptWorkspace['packages']): string[] => some.map(({ path }) => path);
      return {
        isMonorepo: found.type !== 'none',
        workspaceType: found.type,
        taskRunner: found.runner,
        hasRootTsconfig: found.hasRootTsconfig,
        packages: paths(found.packages),
        packagesWithTsconfig: paths(found.packages.filter(({ hasTsconfig }) => hasTsconfig)),
        recommendation: workspaceAdvice(found, await notBuilt(record.root, found)),
        snapshotId: context.snapshot.snapshotId,
        timestamp: context.now.toISOString(),
      };
    },
    'environment.pythonEnv': async (_, context) => {
      const repository = servedOf(repositories, context);
      if (isGone(repository)) throw rootGone(repository.record);
      const { folder, found } = await pythonOf(repository);
      const { files, requirements } = folder;
      return {
        activeVenv: found.activeVenv,
        isActive: found.isActive,
        detectedVenvs: [...folder.environments],
        hasPyproject: files.includes('pyproject.toml'),
        hasRequirements: requirements.length > 0,
        hasPipfile: files.includes('Pipfile'),
        packageManager: found.manager,
        recommendation: found.recommendation,
        timestamp: context.now.toISOString(),
      };
    },
  };
}

const noneMissing: Awaited<ReturnType<typeof missingPackages>> = new Map();
