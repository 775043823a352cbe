import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { placesOf } from '../../client/paths.ts';
import type { OutputOf } from '../../client/protocol/operation.ts';
import type { OperationName, Operations } from '../../client/protocol/registry.ts';
import type { Clock } from '../../daemon/clock.ts';
import type { Handlers } from '../../daemon/operations/handler.ts';
import type { IndexServer } from '../../daemon/operations/index-server/served-index.ts';
import { indexUploadHandlers } from '../../daemon/operations/index-server/uploading.ts';
import { createDispatcher, type Dispatcher, type DispatchRequest } from '../../daemon/server/dispatch.ts';
import { type Indexing, openIndexing } from '../../daemon/server/open-indexing.ts';
import { openService } from '../../daemon/server/open-service.ts';
import { type DaemonState, openState } from '../../daemon/server/open-state.ts';
import { type Home, quiet, temporaryHome } from './daemon.ts';
import type { Cleanup } from './repository.ts';

/** A real daemon in this process, over a home that another may have had before, with an index server that permits everything. */
export interface HostedDaemon {
  readonly home: Pick<Home, 'places' | 'env'>;
  readonly state: DaemonState;
  readonly indexing: Indexing;
  /** For listeners. */
  readonly door: Dispatcher;
  /** Resolves with the answer; rejects with the fault. */
  ask<N extends OperationName>(
    operation: N,
    input: Readonly<Record<string, unknown>>,
    more?: Partial<DispatchRequest>,
  ): Promise<OutputOf<Operations[N]>>;
  /** The same for an answer that is a text. */
  text(operation: OperationName): Promise<string>;
  upload(
    repo: string,
    body: Uint8Array | Readable,
    more?: { readonly commit?: string; readonly encoding?: string; readonly abort?: AbortController },
  ): Promise<OutputOf<Operations['indexServer.upload']>>;
  /** Of the folder of a repository, names sorted, but for what readers keep there; undefined where there is no such folder. */
  filesOf(repo: string): readonly string[] | undefined;
  /** What lies in the folder of bodies that come. */
  uploads(): readonly string[];
  close(): Promise<void>;
}

type AskWords = [input: Readonly<Record<string, unknown>>, more?: Partial<DispatchRequest>];

export interface HostedOptions {
  readonly home?: Pick<Home, 'places' | 'env'>;
  readonly clock?: Clock;
  /** Ids that the configuration of the index server names. */
  readonly configured?: readonly string[];
  readonly mostBytes?: number;
}

export async function hostedDaemon(test: Cleanup, options: HostedOptions = {}): Promise<HostedDaemon> {
  const home = options.home ?? temporaryHome(test);
  const state = openState({
    ...{ places: home.places, environment: home.env, version: '0.1.0', build: 'test', isAutoStarted: false },
    ...(options.clock === undefined ? {} : { clock: options.clock }),
  })!;
  const { clock, observe, config } = state;
  const heardBefore = new Set(process.listeners('worker'));
  const indexing = openIndexing(state);
  const service = await openService(state, indexing, () => {});
  indexing.jobs.recover();
  indexing.keep.start(indexing.jobs, 0);
  indexing.hosted.start();
  const { repositories, hosted, jobs } = indexing;
  const server = { isConfigured: (id: string) => options.configured?.includes(id) === true } as IndexServer;
  const uploads = () => ({ mostBytes: options.mostBytes ?? config.values().limits.scip_bytes, jobWaitMs: 600_000 });
  const uploading = indexUploadHandlers({ indexServers: { get: () => server }, hosted, jobs, clock, uploads });
  const { query_seconds, answer_bytes } = config.values().limits;
  const door = createDispatcher({
    handlers: () => uploading as Handlers,
    limits: () => ({ queryMs: query_seconds * 1000, jobWaitMs: 600_000, answerBytes: answer_bytes }),
    ...{ repositories, clock, observe, version: '0.1.0', subscribe: state.hub.subscribe },
    callsVersion: () => undefined,
    leadersWork: state.leadersWork,
    lookAt: () => {},
  });
  const text = async (
    operation: OperationName,
    input: Readonly<Record<string, unknown>> = {},
    more: Partial<DispatchRequest> = {},
  ): Promise<string> => {
    const reply = await (operation in uploading ? door : service.dispatcher).dispatch({
      ...{ requestId: randomUUID(), operation, input, principal: { kind: 'owner' }, abort: new AbortController() },
      invalidAs: () => 'invalidParameter',
      ...more,
    });
    if (reply.kind !== 'document') throw new Error(reply.kind);
    return Buffer.from(reply.body as Uint8Array).toString();
  };
  const ask = async <N extends OperationName>(operation: N, ...rest: AskWords) =>
    JSON.parse(await text(operation, ...rest)) as OutputOf<Operations[N]>;
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    await indexing.stopWriting(0);
    service.socket.close();
    await indexing.close();
    state.deaths.endedInOrder();
    await state.copy.close();
    state.database.close();
    state.lock.release();
    state.log.close();
    // It counted its threads for as long as it lived, as the only daemon of a process does.
    for (const one of process.listeners('worker')) if (!heardBefore.has(one)) process.off('worker', one);
  };
  test.after(close);
  return {
    ...{ home, state, indexing, door: service.dispatcher, ask, text, close },
    upload: (repo, body, { abort, ...more } = {}) =>
      ask(
        'indexServer.upload',
        { repo, body: body instanceof Readable ? body : Readable.from(piecesOf(body)), ...more },
        abort === undefined ? {} : { abort },
      ),
    filesOf: repo =>
      namesIn(join(repositories.hostedFile(repo, ''), '..'))?.filter(name => !/-(?:wal|shm)$/.test(name)),
    uploads: () => namesIn(join(home.places.data, 'uploads')) ?? [],
  };
}

/** The home at a path, which is there already. */
export function homeAt(path: string): Pick<Home, 'places' | 'env'> {
  const env = { ...process.env, SVC_HOME: path, SVC_HTTP_PORT: '0', ...quiet };
  return { env, places: placesOf({ env, uid: process.getuid?.() ?? 0, home: path, temporary: '/tmp' }) };
}

/** As they come off a socket. */
export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

const pieceBytes = 16 * 1024;

function namesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder).sort();
  } catch {
    return undefined;
  }
}
