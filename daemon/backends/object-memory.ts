import { type GitObject, isRead, type ReadObjects } from './git-objects.ts';

/**
 * What objects said lately: what a full hash names, and what comes of it by ancestors and peeling, never changes. Two commits
 * have most of their trees and blobs in common.
 */
export interface ObjectMemory {
  /** Reads by way of `read` what is not remembered. Names are full hashes, with what git knows of ancestors and peeling. */
  through(read: ReadObjects): ReadObjects;
  /** `object` is what `name` leads to. */
  keep(name: string, object: GitObject): void;
}

const limits = { eachBytes: 256 * 1024, bytes: 16 * 2 ** 20, objects: 20_000, restMs: 120_000 } as const;

export function createObjectMemory(): ObjectMemory {
  const objects = new Map<string, GitObject>();
  let bytes = 0;
  let atRest: NodeJS.Timeout | undefined;
  const forget = (): void => {
    objects.clear();
    bytes = 0;
  };
  const keep: ObjectMemory['keep'] = (name, object) => {
    if (lengthOf(object) > limits.eachBytes) return;
    bytes += lengthOf(object) - lengthOf(objects.get(name));
    objects.delete(name);
    objects.set(name, object);
    for (const [oldest, { bytes: gone }] of objects) {
      if (bytes <= limits.bytes && objects.size <= limits.objects) break;
      objects.delete(oldest);
      bytes -= gone?.length ?? 0;
    }
  };
  const stay = (): void => {
    clearTimeout(atRest);
    atRest = setTimeout(forget, limits.restMs).unref();
  };
  return {
    keep,
    through: read => async (names, asked) => {
      stay();
      const found = new Map<string, GitObject | undefined>();
      for (const name of names) {
        const known = objects.get(name);
        if (known === undefined) continue;
        if (!isRead(known, asked)) found.set(name, { ...known, bytes: undefined });
        else if (known.bytes !== undefined) found.set(name, known);
      }
      const left = [...new Set(names)].filter(name => !found.has(name));
      const fresh = left.length === 0 ? [] : await read(left, asked);
      for (const [at, name] of left.entries()) {
        const object = fresh[at];
        found.set(name, object);
        if (object !== undefined) keep(name, object);
      }
      return names.map(name => found.get(name));
    },
  };
}

function lengthOf(object: GitObject | undefined): number {
  return object?.bytes?.length ?? 0;
}
