import { isAbsolute } from 'node:path';
import { durationText } from '../../client/protocol/duration.ts';
import { Fault, invalid } from '../../client/protocol/faults.ts';
import { nearest } from '../../client/protocol/nearest.ts';
import type { OutputOf } from '../../client/protocol/operation.ts';
import type { Operations } from '../../client/protocol/registry.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Federation, Member } from '../model/federation.ts';
import type { MemberState } from '../store/member-file.ts';
import { endOf, jobFailed } from './awaited-job.ts';
import type { FederatedName } from './federation/member-view.ts';
import { stalenessOf } from './federation/staleness.ts';
import { unknownMember } from './federation/unknown-member.ts';
import type { FederationSynced, Federations, MemberSynced } from './federations.ts';
import { fix } from './finding.ts';
import { encodedAnswer, type Handlers, type RequestContext } from './handler.ts';
import { warned } from './history/told.ts';

export type FederationHandlers = Pick<Handlers, Extract<keyof Handlers, `federation.${string}`>>;

export interface FederationOptions {
  readonly federations: Federations;
  readonly jobs: Pick<JobQueue, 'get' | 'ended'>;
}

/** Federations are kept here and synchronised in jobs; what is asked of their repositories together their worker answers. */
export function federationHandlers(options: FederationOptions): FederationHandlers {
  const { federations } = options;
  const answered = asked(federations);
  return {
    'federation.list': () => {
      const names = federations.list().map(({ name }) => name);
      return { federations: names, count: names.length };
    },
    'federation.create': ({ name, description }, { now }) => {
      federations.create(name, description);
      return { name, description, status: 'created' as const, timestamp: now.toISOString() };
    },
    'federation.delete': async ({ name }, { now }) => {
      federationNamed(federations, name);
      await federations.remove(name);
      return { name, status: 'deleted' as const, timestamp: now.toISOString() };
    },
    'federation.rename': ({ name, newName }, { now }) => {
      federationNamed(federations, name);
      federations.rename(name, newName);
      return { name: newName, formerName: name, status: 'renamed' as const, timestamp: now.toISOString() };
    },
    'federation.add': ({ name, path, repoId, tags = [] }, { now }) => {
      federationNamed(federations, name);
      if (path !== undefined && !isAbsolute(path)) {
        throw invalid('invalidBody', [{ path: 'path', message: 'must be an absolute path' }]);
      }
      if (path === undefined && repoId === undefined) {
        throw invalid('invalidBody', [{ path: 'path', message: 'either this or repoId must be given' }]);
      }
      const member = federations.addMember(name, { path, repoId, tags });
      const { addedAt, ...told } = memberTold(federations, member, undefined);
      return {
        ...{ repoId: told.repoId, repoUid: told.repoUid, path: told.path, tags: told.tags, addedAt },
        ...{ source: told.source, timestamp: now.toISOString() },
      };
    },
    'federation.remove': async ({ name, repoId }, { now }) => {
      memberNamed(federationNamed(federations, name), repoId);
      await federations.removeMember(name, repoId);
      return { name, repoId, status: 'removed' as const, timestamp: now.toISOString() };
    },
    'federation.status': async ({ name }, { now }) => {
      const federation = federationNamed(federations, name);
      const states = await statesOf(federations);
      const { members, description, createdAt } = federation;
      const compatible = members.filter(member => federations.compatibilityOf(member).status === 'ok').length;
      const synced = members.map(({ repoId, repoUid }) => ({ repoId, syncedAt: states.get(repoUid)?.syncedAt }));
      return {
        ...{ name, description, createdAt: new Date(createdAt).toISOString(), repoCount: members.length },
        repos: members.map(member => memberTold(federations, member, states.get(member.repoUid))),
        compatibility: { compatible, incompatible: members.length - compatible },
        staleness: stalenessOf(synced, now.getTime()),
        timestamp: now.toISOString(),
      };
    },
    'federation.repos': async ({ name, includeCompatibility }) => {
      const { members } = federationNamed(federations, name);
      const states = await statesOf(federations);
      const repos = members.map(member => {
        const told = memberTold(federations, member, states.get(member.repoUid));
        if (!includeCompatibility) return told;
        const { schemaVersion, ...compatibility } = federations.compatibilityOf(member);
        return { ...told, compatibility: { ...compatibility, schemaVersion: schemaVersion ?? null } };
      });
      return { repos, count: repos.length };
    },
    'federation.modules': answered('federation.modules'),
    'federation.ownership': answered('federation.ownership'),
    'federation.hotspots': answered('federation.hotspots'),
    'federation.decisions': answered('federation.decisions'),
    'federation.sync': async ({ name, force, dryRun, repoIds }, context) => {
      const federation = federationNamed(federations, name);
      const repoUids = repoIds?.map(repoId => memberNamed(federation, repoId).repoUid);
      const job = await federations.sync(federation, { federation: name, repoUids, force, dryRun }, context.signal);
      const ended = await endOf(options.jobs, job.id, context);
      if (ended.state !== 'completed') throw jobFailed(ended, 'The synchronisation failed');
      const { members } = ended.result as FederationSynced;
      const warnings = await warningsOf(federations, federation, repoIds, context);
      const count = (status: MemberSynced['status']): number => members.filter(one => one.status === status).length;
      return {
        results: members.map(({ durationMs, reason, ...told }) => ({
          ...told,
          duration: durationText(durationMs),
          reason: reason ?? null,
        })),
        summary: {
          ...{ success: count('success'), failed: count('failed'), skipped: count('skipped') },
          total: members.length,
        },
        ...{ jobId: job.id, dryRun, ...warned(warnings), timestamp: context.now.toISOString() },
      };
    },
  };
}

/** What is to be said of the contracts that are known now, of all members or of some. */
async function warningsOf(
  federations: Federations,
  federation: Federation,
  repoIds: readonly string[] | undefined,
  { now, signal }: RequestContext,
) {
  const listed = async (repoId: string | undefined) => {
    const input = { name: federation.name, limit: 0, ...(repoId === undefined ? {} : { repoId }) };
    const about = { federation, marks: federations.marks(federation), now: now.getTime() };
    const bytes = await federations.answer({ operation: 'contracts.list', input, ...about }, signal);
    return (JSON.parse(new TextDecoder().decode(bytes)) as OutputOf<Operations['contracts.list']>).warnings ?? [];
  };
  return (await Promise.all((repoIds ?? [undefined]).map(listed))).flat();
}

/** Handlers of what the worker answers. */
export function asked(federations: Federations) {
  return <Name extends FederatedName>(operation: Name): Handlers[Name] => {
    const handler = async (
      input: Parameters<Handlers[Name]>[0] & { readonly name: string },
      context: RequestContext,
    ) => {
      const federation = federationNamed(federations, input.name);
      const call = { operation, input, federation, marks: federations.marks(federation), now: context.now.getTime() };
      return encodedAnswer(await federations.answer(call, context.signal));
    };
    return handler as unknown as Handlers[Name];
  };
}

/** Throws `resourceNotFound` where there is none. */
export function federationNamed(federations: Pick<Federations, 'get' | 'list'>, name: string): Federation {
  const found = federations.get(name);
  if (found !== undefined) return found;
  const names = federations.list().map(one => one.name);
  const meant = nearest(name, names);
  throw new Fault(
    'resourceNotFound',
    `There is no federation ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    {
      details: { federations: names },
      suggestedFixes: [
        fix('svc federation list', 'Show the federations'),
        fix(`svc federation create ${name}`, 'Make it', false),
      ],
    },
  );
}

export function memberNamed(federation: Federation, repoId: string): Member {
  const found = federation.members.find(member => member.repoId === repoId);
  if (found === undefined) throw unknownMember(federation.name, repoId);
  return found;
}

async function statesOf(federations: Federations): Promise<ReadonlyMap<string, MemberState>> {
  return new Map((await federations.states()).map(state => [state.repoUid, state]));
}

function memberTold(federations: Federations, member: Member, state: MemberState | undefined) {
  const { repoId, repoUid, path, tags, addedAt } = member;
  const syncedAt = state?.syncedAt;
  return {
    ...{ repoId, repoUid, path, tags: [...tags], addedAt: new Date(addedAt).toISOString() },
    source: federations.sourceOf(member),
    lastSynced: syncedAt === undefined ? null : new Date(syncedAt).toISOString(),
    problem: state?.problem ?? null,
  };
}
