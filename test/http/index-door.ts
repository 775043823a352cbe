import assert from 'node:assert/strict';
import type { Admission, AskedOfIndex, IndexDoor } from '../../client/protocol/caller.ts';
import type { RawAnswer } from './listener.ts';

export const key = { kind: 'key', id: 'svc_key_1', scope: 'read', repos: ['*'] } as const;

export function doorOf(
  admission: Admission,
  seen: AskedOfIndex[] = [],
  secret?: string,
): { readonly name: string; readonly door: IndexDoor } {
  return {
    name: 'mine',
    door: {
      admit(asked) {
        seen.push(asked);
        return admission;
      },
      isSecret: text => text === secret,
    },
  };
}

/** Every error of the group has its body. */
export function codeOf(answer: RawAnswer, label = ''): string {
  assert.equal(answer.headers['content-type'], 'application/json', label);
  const body = JSON.parse(answer.body) as { error: { code: string; message: string } };
  assert.deepEqual(Object.keys(body), ['error'], label);
  assert.deepEqual(Object.keys(body.error), ['code', 'message'], label);
  assert.match(body.error.code, /^[a-z_]+$/, label);
  assert.notEqual(body.error.message, '', label);
  return body.error.code;
}
