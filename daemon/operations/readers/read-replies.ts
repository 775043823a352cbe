import { StoreError } from '../../store/store-faults.ts';
import { Transferred } from '../../workers/port.ts';
import type { EncodedBytes, ReadAnswer, ReadTrouble } from './read-pool.ts';

/** An answer as the worker gives it. */
export type Reply = ReadAnswer | Transferred<ReadAnswer>;

export function trouble(error: unknown): ReadTrouble {
  if (error instanceof StoreError) return { kind: 'trouble', trouble: error.trouble, message: error.message };
  throw error;
}

/** An answer, encoded, in memory of its own, which can move to another thread. */
export type Json = Uint8Array<ArrayBuffer>;

/** The JSON of an answer; undefined where there is none. */
export function json(output: object | undefined): Json | undefined {
  return output === undefined ? undefined : text(JSON.stringify(output));
}

export type MoreOfAnswer = Pick<EncodedBytes, 'treeId' | 'wanted' | 'compares'>;

export function withMore(reply: Reply, more: MoreOfAnswer): Reply {
  if (!(reply instanceof Transferred)) return reply;
  return new Transferred<ReadAnswer>({ ...reply.value, ...more } as ReadAnswer, reply.buffers);
}

export function text(output: string): Json {
  return new TextEncoder().encode(output);
}

export function encoded(bytes: Json | undefined, treeId: string | undefined): Reply {
  if (bytes === undefined) return { kind: 'absent' };
  return new Transferred<ReadAnswer>({ kind: 'encoded', bytes, treeId }, [bytes.buffer]);
}
