import { quote } from '../../client/paths.ts';
import type { LspHealth } from '../backends/lsp-health.ts';
import { type PlannedIndexer, wordsFor } from '../jobs/index-precise.ts';
import { type Finding, fix } from './finding.ts';
import type { ServedRepository } from './served-repository.ts';

/** What indexers there are for a repository. */
export interface IndexerPlans {
  plan(repository: ServedRepository, language: string): readonly PlannedIndexer[];
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
  tier: 'fast' | 'standard' | 'full',
): readonly Finding[] {
  if (repository === undefined) return [];
  return plans.map(planned => {
    const { indexer, found, not, isFresh, trouble } = planned;
    const check = `indexer.${indexer.name}`;
    if (not === undefined) {
      const version = found?.version === undefined ? '' : ` ${found.version}`;
      const state = isFresh ? 'its facts are those of the files' : 'it runs after changes, or with svc index';
      const message = `${indexer.name}${version}: ${state}`;
      if (trouble === undefined) return { check, status: 'pass', message };
      const fixes = afterTrouble(planned, repository.record.id);
      return { check, status: 'warn', message: `${message}; its last run: ${trouble}`, fixes };
    }
    return {
      check,
      status: tier === 'fast' || planned.servedFiles > 0 ? 'info' : 'warn',
      message: wordsFor(planned),
      fixes: remedies(planned, repository.record.id),
    };
  });
}

/** The command that brings an index nearer: of an indexer that can run, or else of the first that can be made to. */
export function wayToPrecise(plans: readonly PlannedIndexer[], id: string): string | undefined {
  if (plans.some(({ not }) => not === undefined)) return `svc index --repo ${quote(id)}`;
  return plans.flatMap(planned => remedies(planned, id))[0]?.command;
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

function remedies({ indexer, not }: PlannedIndexer, id: string) {
  switch (not) {
    case 'missing':
      return indexer.install.startsWith('see ') ? [] : [fix(indexer.install, `Install ${indexer.name}`, false)];
    case 'untrusted':
      return [fix(`svc repo trust ${quote(id)}`, `Let ${indexer.name} run code of the repository`, false)];
    case 'no_project':
    case undefined:
      return [];
  }
}
