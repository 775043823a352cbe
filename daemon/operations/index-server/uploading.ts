import { Readable } from 'node:stream';
import { Fault, invalid } from '../../../client/protocol/faults.ts';
import type { Clock } from '../../clock.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import { isServedId, servedIdRule } from '../../model/repo-pattern.ts';
import type { StoredJob } from '../../store/daemon-db.ts';
import { endOf, jobFailed } from '../awaited-job.ts';
import type { RequestContext } from '../handler.ts';
import type { IndexServerHandlers } from '../index-server.ts';
import type { HostedIndexes, TakenIn, UploadBegun } from './hosted-indexes.ts';
import { receiveBody, tooLarge } from './receive-body.ts';
import type { IndexServer, IndexServers } from './served-index.ts';
import { codingOf, refuseOtherCoding } from './upload-codings.ts';

export interface IndexUploadOptions {
  readonly indexServers: IndexServers;
  readonly hosted: HostedIndexes;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly uploads: () => UploadLimits;
}

export interface UploadLimits {
  /** Of a body as it comes; what it inflates to is bounded by the same. */
  readonly mostBytes: number;
  /** How long a request waits for its job once all bytes are there. */
  readonly jobWaitMs: number;
}

type UploadInput = Parameters<IndexServerHandlers['indexServer.upload']>[0];

/**
 * Takes in indexes that somebody sends, and deletes them. What a request brings lies in a file before anything is made of
 * it; once all of it is there its job goes on, whoever waits for it.
 */
export function indexUploadHandlers(
  options: IndexUploadOptions,
): Pick<IndexServerHandlers, 'indexServer.upload' | 'indexServer.delete'> {
  const { hosted, clock } = options;
  const timestamp = (): number => Math.floor(clock.now().getTime() / 1000);
  return {
    'indexServer.upload': async (input, context) => {
      const { id, body, coding } = checked(input, serverOf(options, context), options.uploads());
      const upload = hosted.begin(id);
      const job = await received(upload, { body, coding, commit: input.commit ?? '' }, options, context);
      const told = await takenIn(upload, job, options, context);
      return {
        data: {
          repo_id: id,
          commit: told.commit,
          languages: [...told.languages],
          stats: told.stats,
          duration_ms: told.durationMs,
          upload_type: 'full' as const,
          warnings: [...told.warnings],
        },
        meta: { timestamp: timestamp(), sync_seq: told.syncSeq },
      };
    },
    'indexServer.delete': async ({ repo: id }, context) => {
      refuseConfigured(serverOf(options, context), id);
      await hosted.delete(id);
      return { data: { id, status: 'deleted' as const }, meta: { timestamp: timestamp() } };
    },
  };
}

function serverOf({ indexServers }: IndexUploadOptions, { indexServer }: RequestContext): IndexServer {
  const server = indexServers.get(indexServer);
  if (server === undefined) throw new Fault('indexServerOff', 'No indexes are served here');
  return server;
}

/** What an upload is, as far as it shows before its first byte. */
function checked({ repo: id, body, encoding, length = 0 }: UploadInput, server: IndexServer, limits: UploadLimits) {
  if (!isServedId(id)) throw invalid('invalidParameter', [{ path: 'repo', message: `must be ${servedIdRule}` }]);
  refuseConfigured(server, id);
  const coding = codingOf(encoding);
  if (!(body instanceof Readable)) {
    throw new Fault('preconditionFailed', 'An upload comes over HTTP, as the body of its request', {
      details: { reason: 'no_body' },
    });
  }
  if (length > limits.mostBytes) throw tooLarge(limits.mostBytes);
  return { id, body, coding };
}

function refuseConfigured(server: IndexServer, id: string): void {
  if (!server.isConfigured(id)) return;
  throw new Fault('configRepo', `${id} stands in the configuration: its index is that of its tree`);
}

interface Sent {
  readonly body: Readable;
  readonly coding: string | undefined;
  readonly commit: string;
}

/** Has all of the body, and its job queued; or nothing of it is left. */
async function received(
  upload: UploadBegun,
  { body, coding, commit }: Sent,
  { uploads }: IndexUploadOptions,
  context: RequestContext,
): Promise<StoredJob> {
  try {
    const signal = AbortSignal.any([context.signal, upload.signal]);
    const { bytes, head } = await receiveBody(body, upload.file, { mostBytes: uploads().mostBytes, signal });
    if (bytes === 0) throw new Fault('invalidScip', 'The upload is empty', { details: { reason: 'empty' } });
    refuseOtherCoding(coding, head);
    signal.throwIfAborted();
    return upload.takeIn(commit);
  } catch (error) {
    await upload.end();
    throw error;
  }
}

async function takenIn(
  upload: UploadBegun,
  job: StoredJob,
  { jobs, clock, uploads }: IndexUploadOptions,
  context: RequestContext,
): Promise<TakenIn> {
  const { jobWaitMs } = uploads();
  const late = new AbortController();
  const stop = clock.after(jobWaitMs, () => late.abort(notYet(job.id, jobWaitMs)));
  const signal = AbortSignal.any([context.signal, late.signal]);
  const ended = await endOf(jobs, job.id, { signal, onProgress: context.onProgress }).finally(stop);
  await upload.ended;
  if (ended.state === 'completed') return ended.result as TakenIn;
  if (upload.signal.aborted) throw upload.signal.reason;
  const failure = upload.failure();
  if (ended.state === 'failed' && failure !== undefined) throw asInvalidScip(failure);
  throw jobFailed(ended, 'The upload could not be taken in');
}

function notYet(jobId: string, waitedMs: number): Fault {
  return new Fault('timeout', `The upload is being taken in still, after ${waitedMs / 1000} s: its job goes on`, {
    details: { jobId, timeoutMs: waitedMs },
  });
}

/** What the reader of indexes finds wrong with the bytes, or with what they say, has a reason of its own here. */
function asInvalidScip(failure: unknown): unknown {
  if (!(failure instanceof Fault)) return failure;
  if (failure.reason !== 'invalidParameter' && failure.reason !== 'invalidBody') return failure;
  return new Fault('invalidScip', failure.message, failure.extras);
}
