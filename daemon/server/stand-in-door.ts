import { hash, timingSafeEqual } from 'node:crypto';
import type { IndexDoor } from '../../client/protocol/caller.ts';
import { Fault } from '../../client/protocol/faults.ts';

/** Until there are keys: the daemon token opens the index server, and nothing else does. */
export function standInDoor(isGuarded: () => boolean, tokenDigest: () => Uint8Array): IndexDoor {
  return {
    admit({ authorization }) {
      const owner = { verdict: { kind: 'owner' }, remaining: undefined } as const;
      if (!isGuarded()) return owner;
      const token = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1];
      if (token !== undefined && timingSafeEqual(hash('sha256', token, 'buffer'), tokenDigest())) return owner;
      const verdict =
        authorization === undefined
          ? new Fault('missingToken', 'An access token is required')
          : new Fault('invalidToken', 'The access token is not valid');
      return { verdict, remaining: undefined };
    },
  };
}
