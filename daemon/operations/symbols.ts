import { quote } from '../../client/paths.ts';
import { Fault } from '../../client/protocol/faults.ts';
import type { CodeSymbol } from '../../client/protocol/shapes.ts';
import type { Lsp } from '../backends/lsp.ts';
import type { Clock } from '../clock.ts';
import { symbolId } from '../model/identity.ts';
import type { RepositoryRecord } from '../model/repository.ts';
import { hasCatalogue } from '../store/catalogue/file.ts';
import type { Tombstone } from '../store/daemon-db.ts';
import { type IndexReader, worthKeeping } from '../store/index-reader.ts';
import { StoreError } from '../store/store-faults.ts';
import { fix } from './finding.ts';
import { type EncodedAnswer, encodedAnswer, type Handlers, type RequestContext } from './handler.ts';
import type { HeadSettings } from './readers/head-trees.ts';
import { openReaders } from './readers/open-readers.ts';
import type { ReadPool } from './readers/read-pool.ts';
import {
  type Asked,
  answerFewReferences,
  codeSymbol,
  definitionSource,
  hashOfId,
  notReady,
  snapshotFor,
} from './symbols/answers.ts';
import { externalOf, externalSymbol } from './symbols/external-symbol.ts';
import { theOneNamed } from './symbols/find-symbol.ts';
import type { WarmedSearch } from './symbols/search.ts';
import { askServer, type ServerSaid } from './symbols/server-references.ts';

/** What the handlers of symbols need beside the request. */
export interface SymbolsOptions {
  readonly clock: Clock;
  readonly readPool: ReadPool;
  readonly lsp: Pick<Lsp, 'references'>;
  /** How long a question waits for a language server, whatever that does afterwards. */
  readonly serverMs: () => number;
  /** HMAC key of cursors, hex. */
  readonly cursorSecret: string;
  readonly tombstone: (context: RequestContext, symbolHash: string) => Tombstone | undefined;
  /** Files known to have changed since the snapshot. */
  readonly dirtyFiles: (context: RequestContext) => number;
  /** Files of the tree whose names can't be listed. */
  readonly unlistedFiles?: (context: RequestContext) => number;
  /** What it takes to read HEAD's files. */
  readonly headSettings: (context: RequestContext) => HeadSettings;
  /** An index file turned out to be damaged, or in nobody's reach, while it was read: time to see whether it must be rebuilt. */
  readonly onDamage?: (context: RequestContext, error: StoreError) => void;
}

export type SymbolsHandlers = Pick<Handlers, 'symbols.get' | 'symbols.search' | 'symbols.refs'> & {
  /** Loads what searches of the repository's snapshot need; tells how much that is. */
  readonly warm: (context: RequestContext) => Promise<WarmedSearch>;
  /**
   * Closes the connections of an index file and drops what is kept beside them; the main thread's at once. Tells whether
   * there were any.
   */
  readonly forget: (indexFile: string) => Promise<boolean>;
  /** To be told of each publication: what is warm stays warm, and a large index is made ready for its first search. */
  readonly published: (
    repository: RepositoryRecord,
    snapshot: { readonly seq: number; readonly snapshotId: string },
    symbolCount: number,
  ) => void;
  readonly close: () => void;
};

/** Facts and texts that the main thread keeps in memory, per index file. */
const cacheBytes = 8 * 1024 * 1024;
/** What the main thread reads itself: anything longer would hold up its event loop. */
const shortAnswer = { documents: 64, rows: 500 } as const;

export function symbolsHandlers(options: SymbolsOptions): SymbolsHandlers {
  const readers = openReaders({ cacheBytes, clock: options.clock }, reader => reader);
  /** What can be answered at once is: a promise to wait for would cost more than a row. */
  const watched = <T>(context: RequestContext, work: () => T | Promise<T>): T | Promise<T> => {
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
  };
  const asked = (context: RequestContext): Asked => askedOf(context, options);
  const read = <T>(context: RequestContext, work: (reader: IndexReader) => T): T => {
    if (context.snapshot === undefined) throw notReady();
    return readers.guard(context.repository.indexFile, work);
  };
  const saidByServer = async (hash: string, question: Asked, context: RequestContext) => {
    const row = read(context, reader => reader.symbol(question.repo.key, snapshotFor(reader, question).seq, hash));
    return row === undefined
      ? undefined
      : askServer(options.lsp, context.repository, row, {
          signal: context.signal,
          longestMs: options.serverMs(),
        });
  };
  /** Answers about the symbol that an id says, or a name, which the worker knows. */
  const identified = <T>(
    id: string,
    context: RequestContext,
    answer: (hash: string, question: Asked) => T | Promise<T>,
  ): T | Promise<T> => {
    const question = asked(context);
    if (isId(id)) return answer(hashOfId(id), question);
    if (context.snapshot === undefined) throw notReady();
    const { repo } = question;
    return options.readPool
      .named({ asked: question, name: id }, context.signal)
      .then(named => answer(theOneNamed(named, id, repo.id), question));
  };

  const symbolOfHead = async (id: string, context: RequestContext) => {
    if (context.snapshot === undefined) throw notReady();
    const head = options.headSettings(context);
    const question = asked(context);
    const { repo } = question;
    const named = () => options.readPool.named({ asked: question, name: id, head }, context.signal);
    const hash = isId(id) ? hashOfId(id) : theOneNamed(await named(), id, repo.id);
    const found = await options.readPool.headSymbol({ asked: question, hash, head }, context.signal);
    if (found === undefined) throw unknownSymbol(repo.id, 'HEAD has no symbol with that id', false);
    return encodedAnswer(found.bytes, found.treeId);
  };
  /** Of a symbol that the work tree has not: a search of HEAD may have led to it. */
  const notHere = async (context: RequestContext, hash: string, question: Asked): Promise<never> => {
    const fault = absent(context, hash, options);
    const isCommitted = async (): Promise<boolean> => {
      const head = options.headSettings(context);
      return (await options.readPool.headSymbol({ asked: question, hash, head }, context.signal)) !== undefined;
    };
    throw (await isCommitted().catch(() => false)) ? committedAlone(fault, symbolId(question.repo.id, hash)) : fault;
  };

  const forget = async (indexFile: string): Promise<boolean> => {
    const wasOpen = readers.forget(indexFile);
    return (await options.readPool.forget(indexFile)) || wasOpen;
  };

  return {
    'symbols.get': (input, context) =>
      watched<EncodedAnswer | CodeSymbol>(context, () => {
        if (input.repoStateMode === 'head') return symbolOfHead(input.id, context);
        return identified(input.id, context, (hash, question) =>
          read(context, reader => {
            options.readPool.expectSearch(question);
            const { repo } = question;
            const snapshot = snapshotFor(reader, question);
            const row = reader.symbol(repo.key, snapshot.seq, hash);
            if (row !== undefined) return codeSymbol(row, repo.id, snapshot.snapshotId, definitionSource(reader));
            const outside = reader.external(repo.key, snapshot.seq, hash);
            if (outside === undefined) return notHere(context, hash, question);
            return externalSymbol(externalOf(outside), repo.id, snapshot.snapshotId);
          }),
        );
      }),
    'symbols.search': (input, context) =>
      watched(context, async () => {
        if (context.snapshot === undefined) throw notReady();
        if (input.refresh) await forget(context.repository.indexFile);
        const head = input.repoStateMode === 'head' ? options.headSettings(context) : undefined;
        const question = asked(context);
        if (head !== undefined && context.holds !== undefined) {
          const treeId = await options.readPool.headTree(question, head, context.signal);
          if (treeId !== undefined && context.holds(treeId)) return encodedAnswer('', treeId);
        }
        const { bytes, treeId } = await options.readPool.search({ asked: question, input, head }, context.signal);
        return encodedAnswer(bytes, treeId);
      }),
    /**
     * Uses of a constructor are the calls of its class: `new X()` names the class, and of several constructors the one
     * that takes what is passed (`store/constructors.ts`). What only a name ties to the symbol comes last.
     */
    'symbols.refs': (input, context) =>
      watched(context, () =>
        identified(input.id, context, (hash, question) => {
          options.readPool.expectSearch(question);
          const whole = { ...input, id: symbolId(question.repo.id, hash) };
          const listed = async (said?: ServerSaid) => {
            const bytes = await options.readPool.references({ asked: question, input: whole, said }, context.signal);
            return bytes === undefined ? notHere(context, hash, question) : encodedAnswer(bytes);
          };
          if (input.merge === 'union') return saidByServer(hash, question, context).then(listed);
          if (input.limit > shortAnswer.rows) return listed();
          const few = read(context, reader =>
            reader.together(() => answerFewReferences(reader, question, whole, shortAnswer.documents)),
          );
          if (few === undefined) return notHere(context, hash, question);
          return few === 'many' ? listed() : few;
        }),
      ),
    warm: async context =>
      watched(context, async () => {
        read(context, reader => reader.snapshot(context.repository.worktreeKey));
        const bytes = await options.readPool.warm(asked(context), context.signal);
        if (bytes === undefined) throw notReady();
        return JSON.parse(new TextDecoder().decode(bytes)) as WarmedSearch;
      }),
    forget,
    published: ({ id, indexFile, worktreeKey }, current, symbolCount) => {
      const repo = { id, indexFile, key: worktreeKey };
      const asked = { repo, current, cursorSecret: options.cursorSecret, dirtyFiles: 0, now: 0 };
      const isWithoutFile = symbolCount >= worthKeeping && !hasCatalogue(indexFile, worktreeKey);
      if (isWithoutFile) options.readPool.prepare(asked);
      else options.readPool.keepWarm(asked);
    },
    close: readers.close,
  };
}

function askedOf(context: RequestContext, options: SymbolsOptions): Asked {
  const { repository, snapshot, now } = context;
  return {
    repo: { id: repository.id, indexFile: repository.indexFile, key: repository.worktreeKey },
    current: snapshot === undefined ? undefined : { seq: snapshot.seq, snapshotId: snapshot.snapshotId },
    cursorSecret: options.cursorSecret,
    dirtyFiles: options.dirtyFiles(context),
    unlistedFiles: options.unlistedFiles?.(context) ?? 0,
    now: now.getTime(),
  };
}

const isId = (text: string): boolean => /^svc:.+:sym:[0-9a-f]{32}$/s.test(text);

/** Gone where an earlier snapshot had it, else unknown. */
function absent(context: RequestContext, hash: string, options: SymbolsOptions): Fault {
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
      ? {}
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
function unknownSymbol(repo: string, what: string, isBehind: boolean): Fault {
  const search = fix('svc help search', 'Ids come from searches: look the symbol up by its name');
  const catchUp = fix(`svc index --repo ${quote(repo)}`, 'Bring the index up to date');
  const age = { label: 'How old the index is', query: `/index/status?repo=${encodeURIComponent(repo)}` };
  return new Fault('symbolNotFound', `${what}: check it, or search for its name`, {
    suggestedFixes: isBehind ? [search, catchUp] : [search],
    ...(isBehind ? { drilldowns: [age] } : {}),
  });
}
