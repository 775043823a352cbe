import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Aliases, createAliases } from '../jobs/aliases/aliases.ts';
import { createMovedDocuments, type MovedDocuments } from '../jobs/aliases/moved-documents.ts';
import { type GoneName, isNameable } from '../jobs/aliases/rename-evidence.ts';
import type { Published } from '../jobs/engine.ts';
import { lastDescriptorAt, namesOfTypes } from '../model/identity.ts';
import type { DaemonDatabase, SyncEntry } from '../store/daemon-db.ts';
import { exchangeMs } from '../store/daemon-records.ts';
import type { GoneDefinitionRow } from '../store/gone-definitions.ts';
import type { StoredSnapshot } from '../store/publication.ts';

/** What is remembered of publications: which there were, and which symbols went with them and where to. */
export interface History {
  /** To be told at a start of the snapshot that is there: a daemon that died may have published it without noting it. */
  resume(uid: string, published: PublishedIn): void;
  /** Takes one in. Resolves when all of it is written; rejects when it can't be. */
  record(uid: string, at: PublishedIn, published: Published): Promise<void>;
  forget(uid: string): void;
}

/** A snapshot, and the index file that it is in. */
export interface PublishedIn {
  readonly snapshot: StoredSnapshot;
  readonly epoch: string;
}

/** A switch of branches takes a hundred thousand symbols away: they are written a few at a time, and others get through. */
const symbolsAtOnce = 1000;

/** What is there again while that is there still which had taken its place. */
interface Original {
  readonly hash: string;
  readonly atMs: number;
}

/** What is back before that goes which had taken its place: the watcher may see it in either order. */
const mostOriginals = 10_000;

type Records = Pick<DaemonDatabase, 'lastSync' | 'appendSync' | 'recordGone' | 'recordDefinitions'>;

/** `forgettingMs`: the time of day by which what is old is forgotten. */
export function openHistory(database: Records, forgettingMs?: () => number): History {
  const aliases = new Map<string, Aliases>();
  const originals = new Map<string, Map<string, Original>>();
  const moved = new Map<string, MovedDocuments>();
  let last: Promise<unknown> = Promise.resolve();
  const aliasesOf = (uid: string): Aliases => {
    const known = aliases.get(uid) ?? createAliases();
    aliases.set(uid, known);
    return known;
  };
  const movedOf = (uid: string): MovedDocuments => {
    const known = moved.get(uid) ?? createMovedDocuments();
    moved.set(uid, known);
    return known;
  };
  const originalsOf = (uid: string): Map<string, Original> => {
    const known = originals.get(uid) ?? new Map<string, Original>();
    originals.set(uid, known);
    return known;
  };
  return {
    resume: (uid, published) => {
      if (database.lastSync(uid)?.snapshotId === published.snapshot.snapshotId) return;
      database.appendSync(uid, entryOf(published));
    },
    async record(uid, at, { gone, moved: followed, evidence }) {
      const { publishedAt } = at.snapshot;
      database.appendSync(uid, entryOf(at));
      const known = aliasesOf(uid);
      const renamed = known.match(evidence, publishedAt);
      const hashes = [...new Set([...gone, ...renamed.keys()])];
      const successorOf = (hash: string): string | undefined => renamed.get(hash) ?? followed.get(hash);
      // Of a switch of branches no evidence tells what appeared, but what something was moved to is there.
      const revived = [...evidence.appeared.map(({ hash }) => hash), ...followed.values()];
      // Nothing of it can be told again: documents know what went by its name alone.
      const names = evidence.names.filter(isNameable).map(one => goneRow(one, successorOf(one.hash)));
      const replaced = new Map([...known.likely(), ...renamed]);
      const documents = movedOf(uid).match(evidence.documents, publishedAt);
      database.recordDefinitions(uid, { gone: names, replaced, back: revived, documents }, publishedAt);
      const origins = originalsOf(uid);
      for (const [hash, { atMs }] of origins) if (publishedAt - atMs > exchangeMs) origins.delete(hash);
      const write = async (): Promise<void> => {
        for (let from = 0; from < Math.max(hashes.length, revived.length); from += symbolsAtOnce) {
          if (from > 0) await nextTurn();
          const stones = hashes.slice(from, from + symbolsAtOnce).map(symbolHash => ({
            symbolHash,
            replacedBy: successorOf(symbolHash) ?? origins.get(symbolHash)?.hash,
            goneAt: publishedAt,
          }));
          const back = revived.slice(from, from + symbolsAtOnce);
          if (stones.length + back.length === 0) continue;
          for (const [successor, hash] of database.recordGone(uid, stones, back, publishedAt, forgettingMs?.())) {
            if (origins.size < mostOriginals) origins.set(successor, { hash, atMs: publishedAt });
          }
        }
      };
      const written = last.then(write, write);
      last = written;
      await written;
    },
    forget: uid => {
      aliases.delete(uid);
      moved.delete(uid);
      originals.delete(uid);
    },
  };
}

/** A symbol that went, as documents may name it. */
function goneRow(
  { hash, name, tail, kind, path, exported }: GoneName,
  replacedBy: string | undefined,
): Omit<GoneDefinitionRow, 'goneAt'> {
  const containers = namesOfTypes(tail.slice(0, lastDescriptorAt(tail)));
  return { hash, name, containers, kind, path, exported, replacedBy };
}

export function entryOf({ snapshot, epoch }: PublishedIn): Omit<SyncEntry, 'seq'> {
  const { seq: fileSeq, snapshotId, evidenceId, publishedAt } = snapshot;
  return { snapshotId, evidenceId, publishedAt, epoch, fileSeq };
}
