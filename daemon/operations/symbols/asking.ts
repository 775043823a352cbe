import { quote } from '../../../client/paths.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import type { Clock } from '../../clock.ts';
import type { UnlistedPath } from '../../jobs/unlisted.ts';
import { symbolId } from '../../model/identity.ts';
import type { Tombstone } from '../../store/daemon-db.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { StoreError } from '../../store/store-faults.ts';
import { fix } from '../finding.ts';
import type { RequestContext } from '../handler.ts';
import type { HeadSettings } from '../readers/head-trees.ts';
import { type OpenReaders, openReaders } from '../readers/open-readers.ts';
import type { ReadPool } from '../readers/read-pool.ts';
import type { CallsAsked } from '../telemetry/calls-asked.ts';
import { type Asked, hashOfId, notReady } from './answers.ts';
import { theOneNamed } from './find-symbol.ts';

/** What questions about symbols need beside the request. */
export interface AskingOptions {
  readonly clock: Clock;
  readonly readPool: ReadPool;
  /** HMAC key of cursors, hex. */
  readonly cursorSecret: string;
  readonly tombstone: (context: RequestContext, symbolHash: string) => Tombstone | undefined;
  /** Files known to have changed since the snapshot. */
  readonly dirtyFiles: (context: RequestContext) => number;
  /** What lies in the tree and can't be listed. */
  readonly unlisted?: (context: RequestContext) => readonly UnlistedPath[];
  /** What is known of calls of the repository in production. */
  readonly calls?: (context: RequestContext) => CallsAsked | undefined;
  /** What it takes to read HEAD's files. */
  readonly headSettings: (context: RequestContext) => HeadSettings;
  /** An index file turned out to be damaged, or in nobody's reach, while it was read: time to see whether it must be rebuilt. */
  readonly onDamage?: (context: RequestContext, error: StoreError) => void;
}

/** How handlers ask an index: from a request to the symbol that it means, and what is said where there is none. */
export interface Asking {
  readonly readPool: ReadPool;
  readonly readers: OpenReaders<IndexReader>;
  asked(context: RequestContext): Asked;
  /** What it takes to read what git has of the repository. */
  headSettings(context: RequestContext): HeadSettings;
  /** Does `work`, and tells who looks after index files where one is damaged. What can be answered at once is: a promise to wait for would cost more than a row. */
  watched<T>(context: RequestContext, work: () => T | Promise<T>): T | Promise<T>;
  /** Reads on this thread. Throws `notReady` before the first snapshot. */
  read<T>(context: RequestContext, work: (reader: IndexReader) => T): T;
  /**
   * Closes the connections of an index file and drops what is kept beside them; the main thread's at once. Tells whether
   * there were any.
   */
  forget(indexFile: string): Promise<boolean>;
  /** Answers about the symbol that an id says, or a name, which the worker knows. */
  identified<T>(
    id: string,
    context: RequestContext,
    answer: (hash: string, question: Asked) => T | Promise<T>,
  ): T | Promise<T>;
  /** Throws what is to be said of a symbol that the work tree has not: a search of HEAD may have led to it. */
  notHere(context: RequestContext, hash: string, question: Asked): Promise<never>;
}

/** Facts and texts that the main thread keeps in memory, per index file. */
const cacheBytes = 8 * 1024 * 1024;

export function createAsking(options: AskingOptions): Asking {
  const { readPool } = options;
  const readers = openReaders({ cacheBytes, clock: options.clock }, reader => reader);
  const asked = (context: RequestContext): Asked => askedOf(context, options);
  return {
    readPool,
    readers,
    asked,
    headSettings: options.headSettings,
    watched: (context, work) => {
      const fail = (error: unknown): never => {
        if (error instanceof StoreError && (error.trouble === 'corrupt' || error.trouble === 'unreadable')) {
          options.onDamage?.(context, error);
        }
        throw error;
      };
      try {
        const answer = work();
        return answer instanceof Promise ? answer.catch(fail) : answer;
      } catch (error) {
        return fail(error);
      }
    },
    read: (context, work) => {
      if (context.snapshot === undefined) throw notReady();
      return readers.guard(context.repository.indexFile, work);
    },
    forget: async indexFile => {
      const wasOpen = readers.forget(indexFile);
      return (await readPool.forget(indexFile)) || wasOpen;
    },
    identified: (id, context, answer) => {
      const question = asked(context);
      if (isId(id)) return answer(hashOfId(id), question);
      if (context.snapshot === undefined) throw notReady();
      const { repo } = question;
      return readPool
        .named({ asked: question, name: id }, context.signal)
        .then(named => answer(theOneNamed(named, id, repo.id, question.unlisted), question));
    },
    notHere: async (context, hash, question) => {
      const fault = absent(context, hash, options);
      const isCommitted = async (): Promise<boolean> => {
        if (context.repository.root === '') return false;
        const head = options.headSettings(context);
        return (await readPool.headSymbol({ asked: question, hash, head }, context.signal)) !== undefined;
      };
      throw (await isCommitted().catch(() => false)) ? committedAlone(fault, symbolId(question.repo.id, hash)) : fault;
    },
  };
}

function askedOf(context: RequestContext, options: AskingOptions): Asked {
  const { repository, snapshot, now } = context;
  return {
    repo: { id: repository.id, indexFile: repository.indexFile, key: repository.worktreeKey },
    current: snapshot === undefined ? undefined : { seq: snapshot.seq, snapshotId: snapshot.snapshotId },
    cursorSecret: options.cursorSecret,
    dirtyFiles: options.dirtyFiles(context),
    unlisted: options.unlisted?.(context) ?? [],
    now: now.getTime(),
    calls: options.calls?.(context),
  };
}

export const isId = (text: string): boolean => /^svc:.+:sym:[0-9a-f]{32}$/s.test(text);

/** Gone where an earlier snapshot had it, else unknown. */
function absent(context: RequestContext, hash: string, options: AskingOptions): Fault {
  const stone = options.tombstone(context, hash);
  if (stone === undefined)
    return unknownSymbol(
      context.repository.id,
      'No symbol of this repository has that id',
      options.dirtyFiles(context) > 0,
    );
  const replacedBy = stone.replacedBy === undefined ? undefined : symbolId(context.repository.id, stone.replacedBy);
  return new Fault('symbolGone', 'The symbol was in an earlier snapshot and is gone', {
    details: { goneAt: new Date(stone.goneAt).toISOString(), ...(replacedBy === undefined ? {} : { replacedBy }) },
    ...(replacedBy === undefined
      ? { suggestedFixes: [searchAnew] }
      : {
          suggestedFixes: [fix(`svc symbol ${quote(replacedBy)}`, 'Show what took its place')],
          drilldowns: [{ label: 'What took its place', query: `/symbol/${encodeURIComponent(replacedBy)}` }],
        }),
  });
}

/** As gone or as unknown as the fault says, where the work tree is meant. */
function committedAlone({ reason, extras }: Fault, id: string): Fault {
  const { suggestedFixes = [], drilldowns = [] } = extras;
  const query = `/symbol/${encodeURIComponent(id)}?repoStateMode=head`;
  const message = 'HEAD has the symbol, and the work tree has not: repoStateMode=head shows it, without references';
  return new Fault(reason, message, {
    ...extras,
    suggestedFixes: [
      fix(`svc symbol --repo-state-mode head ${quote(id)}`, 'Show the symbol as committed'),
      ...suggestedFixes,
    ],
    drilldowns: [{ label: 'The symbol as committed', query }, ...drilldowns],
  });
}

/** Told wrong, unless the tree has what the index has not: then it may be newer. */
export function unknownSymbol(repo: string, what: string, isBehind: boolean): Fault {
  const catchUp = fix(`svc index --repo ${quote(repo)}`, 'Bring the index up to date');
  const age = { label: 'How old the index is', query: `/index/status?repo=${encodeURIComponent(repo)}` };
  return new Fault('symbolNotFound', `${what}: check it, or search for its name`, {
    suggestedFixes: isBehind ? [searchAnew, catchUp] : [searchAnew],
    ...(isBehind ? { drilldowns: [age] } : {}),
  });
}

const searchAnew = fix('svc help search', 'Ids come from searches: look the symbol up by its name');
