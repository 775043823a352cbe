import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { PlannedIndexer } from '../../jobs/scip/plan-precise.ts';
import type { Finding } from '../finding.ts';
import type { RequestContext } from '../handler.ts';
import { registrationAround } from '../repository-faults.ts';
import { idsOf, isPrecise, type ServedRepository } from '../served-repository.ts';
import { daemonChecks } from './daemon.ts';
import { indexerChecks, runningCheck, wayToPrecise } from './indexer-checks.ts';
import type { Installation } from './installation.ts';
import { ifReadable } from './looking.ts';
import { repositoryChecks } from './repository.ts';
import { withShortage } from './surroundings.ts';

type Tier = 'fast' | 'standard' | 'full';
type DoctorReply = OutputOf<Operations['system.doctor']>;
type FixReply = OutputOf<Operations['system.doctorFix']>;

export interface Doctor {
  examine(
    tier: Tier | undefined,
    repository: ServedRepository | undefined,
    context: RequestContext,
  ): Promise<DoctorReply>;
  /** The remedies as a script. Arguments are single-quoted; the service never runs it. */
  script(repository: ServedRepository | undefined, context: RequestContext): Promise<FixReply>;
}

/** What the doctor looks at beside the repository. */
export type DoctorOptions = Installation;

export function createDoctor(options: DoctorOptions): Doctor {
  const findings = async (
    repository: ServedRepository | undefined,
    context: RequestContext,
  ): Promise<readonly Finding[]> =>
    withShortage([
      ...(await daemonChecks(options, repository, context.now)),
      ...(repository === undefined
        ? [withoutOne(context, options.repositories)]
        : await repositoryChecks(repository, options, context)),
    ]);
  return {
    async examine(tier, repository, context) {
      const planned =
        repository?.snapshot === undefined ? [] : ifReadable(() => options.precise.plan(repository, 'auto'), []);
      const isObserved = repository !== undefined && ifReadable(() => options.telemetry.isObserved(repository), false);
      const requirements = tierRequirements(repository, isObserved);
      const trouble = repository && options.precise.trouble(repository.record.id);
      const found: readonly Finding[] = [
        ...(await findings(repository, context)),
        ...runningCheck(trouble),
        ...indexerChecks(repository, planned, tier ?? 'fast', options.config().values.index),
        ...tierFindings(tier ?? 'fast', repository, planned, requirements),
      ];
      const issues = found.filter(({ status }) => status === 'warn' || status === 'fail');
      const count = (status: Finding['status']) => found.filter(one => one.status === status).length;
      const failed = count('fail');
      const warnings = count('warn');
      return {
        status: failed > 0 ? 'unhealthy' : warnings > 0 ? 'degraded' : 'healthy',
        timestamp: context.now.toISOString(),
        tier: tier ?? 'fast',
        checks: found.map(({ check, status, message }) => ({ name: check, status, message })),
        issues: issues.map(({ check, status, message, fixes = [] }) => ({
          check,
          severity: status === 'fail' ? 'error' : 'warning',
          message,
          suggestedFixes: [...fixes],
        })),
        summary: { total: found.length, passed: count('pass'), warnings, failed },
        tierRequirements: requirements,
      };
    },
    async script(repository, context) {
      const issues = (await findings(repository, context)).filter(
        ({ status }) => status === 'warn' || status === 'fail',
      );
      const commands = issues.flatMap(({ fixes = [] }) =>
        fixes.map(({ command, description, safe }) => ({ command, description, safe })),
      );
      const distinct = [...new Map(commands.map(one => [one.command, one])).values()];
      const lines = distinct.flatMap(({ command, description, safe }) => [
        `# ${oneLine(description)}${safe ? '' : ' (look before you run it)'}`,
        safe ? command : `# ${command}`,
      ]);
      return {
        script: ['#!/bin/sh', 'set -eu', ...lines, ''].join('\n'),
        safe: distinct.every(({ safe }) => safe),
        commands: distinct,
        timestamp: context.now.toISOString(),
      };
    },
  };
}

/** The daemon alone is examined: there is nothing to say of a repository but how to register one, or how to ask about each. */
function withoutOne({ withoutRepository }: RequestContext, repositories: Installation['repositories']): Finding {
  const check = 'repository.registered';
  const { named, directory } = withoutRepository ?? {};
  const folder = named ?? directory;
  const add = folder === undefined ? undefined : registrationAround(folder);
  if (named !== undefined || add !== undefined) {
    const why = add?.why === undefined ? '' : `; ${add.why}`;
    const message = `${folder} lies in no registered repository: the daemon alone was examined${why}`;
    return { check, status: 'warn', message, fixes: add?.fixes ?? [] };
  }
  const ids = idsOf(repositories);
  return {
    check,
    status: 'info',
    message:
      ids.length === 0
        ? 'no repository is registered: svc repo add, in one'
        : `the daemon alone was examined; each repository with svc doctor --repo ID, over HTTP /doctor?repo=ID: ${ids.slice(0, 20).join(', ')}`,
  };
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

function tierRequirements(
  repository: ServedRepository | undefined,
  isObserved: boolean,
): DoctorReply['tierRequirements'] {
  const isIndexed = repository?.snapshot !== undefined;
  const hasIndexer = repository !== undefined && isPrecise(repository);
  return {
    fast: {
      met: isIndexed,
      requires: ['tree-sitter', 'an index'],
      ...(isIndexed ? {} : { missing: ['an index'] }),
    },
    standard: { met: hasIndexer, requires: ['a SCIP index'], ...(hasIndexer ? {} : { missing: ['a SCIP index'] }) },
    full: {
      met: hasIndexer && isObserved,
      requires: ['a SCIP index', 'telemetry'],
      ...(hasIndexer && isObserved
        ? {}
        : { missing: [...(hasIndexer ? [] : ['a SCIP index']), ...(isObserved ? [] : ['telemetry'])] }),
    },
  };
}

/** Only the tier that was asked for can be missing; the others are told as what they would take. */
function tierFindings(
  asked: Tier,
  repository: ServedRepository | undefined,
  planned: readonly PlannedIndexer[],
  requirements: DoctorReply['tierRequirements'],
): readonly Finding[] {
  const way = repository === undefined ? undefined : wayToPrecise(planned, repository.record.id);
  const wordsOf = (missing: string): string =>
    missing === 'a SCIP index' && way !== undefined ? `${missing} (${way})` : missing;
  return Object.entries(requirements).map(([tier, { met, missing = [] }]) => ({
    check: `tier.${tier}`,
    status: met
      ? ('pass' as const)
      : tier === asked && repository !== undefined
        ? ('fail' as const)
        : ('info' as const),
    message: met ? 'available' : `needs ${missing.map(wordsOf).join(' and ')}`,
  }));
}
