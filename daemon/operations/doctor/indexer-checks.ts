import { quote } from '../../../client/paths.ts';
import type { SuggestedFix } from '../../../client/protocol/faults.ts';
import type { LspHealth } from '../../backends/lsp-health.ts';
import type { Config } from '../../config-schema.ts';
import { isMisconfigured, type KnownIndexer, type PlannedIndexer, wordsFor } from '../../jobs/scip/plan-precise.ts';
import { type Finding, fix } from '../finding.ts';
import type { ServedRepository } from '../served-repository.ts';

type Tier = 'fast' | 'standard' | 'full';

/** What indexers there are for a repository. */
export interface IndexerPlans {
  plan(repository: ServedRepository, language: string): readonly PlannedIndexer[];
  /** The indexers alone: of none is told whether it has work. */
  survey(repository: ServedRepository): readonly KnownIndexer[];
  /** What is wrong with running them at all, in public words. */
  trouble(id: string): string | undefined;
}

/**
 * One check for each indexer that knows a language of the repository: what its last run did not do is a warning until one
 * is good again, what it lacks where tier fast is not enough.
 */
export function indexerChecks(
  repository: ServedRepository | undefined,
  plans: readonly PlannedIndexer[],
  tier: Tier,
  { background_indexers }: Pick<Config['index'], 'background_indexers'>,
): readonly Finding[] {
  if (repository === undefined) return [];
  return plans.map(planned => {
    const { indexer, found, not, isFresh, trouble } = planned;
    const check = `indexer.${indexer.name}`;
    if (not === undefined) {
      const version = found?.version === undefined ? '' : ` ${found.version}`;
      const runs = background_indexers ? 'it runs after changes, or with svc index' : 'it runs with svc index';
      const state = isFresh ? 'its facts are those of the files' : runs;
      const message = `${indexer.name}${version}: ${state}`;
      if (trouble === undefined) return { check, status: 'pass', message };
      const fixes = afterTrouble(planned, repository.record.id);
      return { check, status: 'warn', message: `${message}; its last run: ${trouble}`, fixes };
    }
    return {
      check,
      status: isLacked(planned, tier) ? 'warn' : 'info',
      message: wordsFor(planned),
      fixes: remedies(planned, repository.record.id),
    };
  });
}

/** Whether the user wants one that can't be had. */
function isLacked(planned: PlannedIndexer, tier: Tier): boolean {
  if (planned.not === 'left_out') return false;
  return isMisconfigured(planned) || (tier !== 'fast' && planned.servedFiles === 0);
}

/** The command that brings an index nearer: of an indexer that can run, or else of the first that can be made to. */
export function wayToPrecise(plans: readonly PlannedIndexer[], id: string): string | undefined {
  if (plans.some(({ not }) => not === undefined)) return `svc index --repo ${quote(id)}`;
  return plans.flatMap(planned => remedies(planned, id))[0]?.command;
}

/** Said where something is wrong: where none runs there is nothing to say. */
export function runningCheck(trouble: string | undefined): readonly Finding[] {
  if (trouble === undefined) return [];
  const fixes = [fix('svc config show', 'See which may run: index.use_indexers', true)];
  return [{ check: 'indexers', status: 'warn', message: trouble, fixes }];
}

/** Those that are installed or configured, each as it answered a greeting. One that the user wants and can't have is a warning. */
export function languageServersCheck(servers: readonly LspHealth[]): Finding {
  const told = servers.map(({ name, version, problem, latencyMs }) =>
    problem === undefined
      ? `${name}${version === undefined ? '' : ` (${version})`} answers in ${latencyMs} ms`
      : problem,
  );
  const isLacking = servers.some(({ isConfigured, isPending, available }) => isConfigured && !isPending && !available);
  return {
    check: 'language-servers',
    status: isLacking ? 'warn' : 'info',
    message:
      told.length === 0 ? 'none is configured or found, which only references with merge=union want' : told.join('; '),
  };
}

/** One that gave no facts runs again when it is asked; one that gave some would give the same. */
function afterTrouble({ isFresh }: PlannedIndexer, id: string) {
  const again = fix(`svc index --repo ${quote(id)}`, 'Run it again');
  return [fix('svc daemon logs', 'See what it wrote last'), ...(isFresh ? [] : [again])];
}

/** Commands that let one run that doesn't; none where it runs, or where a configuration has to be put right. */
export function remedies(planned: KnownIndexer, id: string): readonly SuggestedFix[] {
  const { indexer, not } = planned;
  switch (not) {
    case 'missing':
      if (isMisconfigured(planned)) return [];
      return indexer.install.startsWith('see ') ? [] : [fix(indexer.install, `Install ${indexer.name}`, false)];
    case 'untrusted':
      return [fix(`svc repo trust ${quote(id)}`, `Let ${indexer.name} run code of the repository`, false)];
    case 'left_out':
    case 'no_project':
    case undefined:
      return [];
  }
}
