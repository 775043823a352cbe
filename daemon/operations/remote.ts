import { isAbsolute } from 'node:path';
import { quote } from '../../client/paths.ts';
import { durationText } from '../../client/protocol/duration.ts';
import { Fault, faultTable, invalid } from '../../client/protocol/faults.ts';
import type { OutputOf } from '../../client/protocol/operation.ts';
import type { remote } from '../../client/protocol/remote.ts';
import type { Observe } from '../events.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { StoredJob } from '../store/daemon-db.ts';
import { endOf, jobFailed } from './awaited-job.ts';
import { fix } from './finding.ts';
import type { Handlers, RequestContext } from './handler.ts';
import type { Mirror, Mirrors, Synced } from './mirrors.ts';

export type RemoteHandlers = Pick<Handlers, Extract<keyof Handlers, `remote.${string}`>>;

export interface RemoteOptions {
  readonly mirrors: Mirrors;
  readonly jobs: Pick<JobQueue, 'get' | 'ended'>;
  readonly observe: Observe;
}

type Told = OutputOf<(typeof remote)['remote.list']>['remotes'][number];
type SyncResult = OutputOf<(typeof remote)['remote.sync']>['results'][number];

/** Mirrors are synchronised in jobs: a caller that stops waiting leaves its job running. */
export function remoteHandlers(options: RemoteOptions): RemoteHandlers {
  const { mirrors, observe } = options;
  return {
    'remote.add': async ({ id, url, remoteRepo = id, tokenFile, sync }, context) => {
      if (tokenFile !== undefined && !isAbsolute(tokenFile)) {
        throw invalid('invalidBody', [{ path: 'tokenFile', message: 'must be an absolute path' }]);
      }
      mirrors.add({ id, url: checkedUrl(url), remoteRepo, tokenFile });
      observe({ kind: 'repository.changed', repo: id, change: 'added' });
      const result = sync ? added(id, await synced(id, mirrors.sync(id, false), options, context)) : null;
      return { remote: told(there(mirrors, id)), sync: result, timestamp: context.now.toISOString() };
    },
    'remote.sync': async ({ id, full }, context) => {
      const asked = id === undefined ? mirrors.list() : [there(mirrors, id)];
      const begun = asked.map(({ repository: { record } }) => ({ id: record.id, job: mirrors.sync(record.id, full) }));
      const results: SyncResult[] = [];
      for (const one of begun) {
        const outcome = await synced(one.id, one.job, options, context);
        results.push(id === undefined ? outcome.result : succeeded(outcome));
      }
      return { results, timestamp: context.now.toISOString() };
    },
    'remote.list': (_, { now }) => {
      const remotes = mirrors.list().map(told);
      return { remotes, total: remotes.length, timestamp: now.toISOString() };
    },
    'remote.remove': async ({ id }, { now }) => {
      there(mirrors, id);
      await mirrors.remove(id);
      return { id, status: 'removed' as const, timestamp: now.toISOString() };
    },
  };
}

/** The schema lets through what looks like an address and is none. */
function checkedUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isPlain = parsed !== undefined && parsed.search === '' && parsed.hash === '' && parsed.username === '';
  if (isPlain) return url.replace(/\/+$/, '');
  throw invalid('invalidBody', [{ path: 'url', message: 'must be an address without a query, such as https://host' }]);
}

function there(mirrors: Mirrors, id: string): Mirror {
  const found = mirrors.get(id);
  if (found !== undefined) return found;
  throw new Fault('resourceNotFound', `${JSON.stringify(id)} is no mirror`, {
    suggestedFixes: [fix('svc remote list', 'Show the mirrors')],
  });
}

function told({ repository, remote, commit }: Mirror): Told {
  const { snapshot, record } = repository;
  const { url, remoteRepo, tokenFile, syncSeq, syncedAt, error } = remote;
  return {
    ...{ id: record.id, url, remoteRepo, commit },
    tokenFile: tokenFile ?? null,
    syncSeq: syncSeq ?? null,
    syncedAt: syncedAt === undefined ? null : new Date(syncedAt).toISOString(),
    status: error !== undefined ? 'failed' : syncedAt === undefined ? 'never-synced' : 'synced',
    error: error ?? null,
    symbolCount: snapshot?.counts.symbols ?? 0,
    fileCount: snapshot?.counts.documents ?? 0,
  };
}

interface Outcome {
  readonly result: SyncResult;
  /** Set where it failed. */
  readonly fault: Fault | undefined;
}

async function synced(
  id: string,
  job: StoredJob,
  { mirrors, jobs }: RemoteOptions,
  context: RequestContext,
): Promise<Outcome> {
  const ended = await endOf(jobs, job.id, context);
  if (ended.state === 'completed') {
    const { durationMs, ...result } = ended.result as Synced;
    return { result: { id, ...result, duration: durationText(durationMs), error: null }, fault: undefined };
  }
  const fault = faultOf(id, ended, mirrors.failure(ended));
  const took = (ended.completedAt ?? 0) - (ended.startedAt ?? ended.completedAt ?? 0);
  const failed = { status: 'failed' as const, mode: null, syncSeq: null, filesChanged: 0 };
  return { result: { id, ...failed, duration: durationText(took), error: fault.message }, fault };
}

/** Why a synchronisation came to nothing, with the way to try again. */
function faultOf(id: string, ended: StoredJob, thrown: unknown): Fault {
  const { reason, message, extras } =
    thrown instanceof Fault ? thrown : jobFailed(ended, 'The mirror could not be read');
  return new Fault(reason, message, {
    ...extras,
    ...(faultTable[reason].retry === 'never' ? {} : { retryAfterSeconds: extras.retryAfterSeconds ?? 60 }),
    suggestedFixes: [fix(`svc remote sync ${quote(id)}`, 'Try again: what was mirrored before is as it was')],
  });
}

/** One that could not be read is there all the same: what was given is kept, and asked again. */
function added(id: string, { result, fault }: Outcome): SyncResult {
  if (fault === undefined) return result;
  const { reason, message, extras } = fault;
  throw new Fault(reason, `${id} is registered as a mirror, and nothing could be read yet. ${message}`, {
    ...extras,
    suggestedFixes: [
      fix(`svc remote sync ${quote(id)}`, 'Try again'),
      fix(`svc remote remove ${quote(id)}`, 'Mirror it no longer, as before adding it with something else'),
    ],
  });
}

function succeeded({ result, fault }: Outcome): SyncResult {
  if (fault !== undefined) throw fault;
  return result;
}
