import type { CodeSymbol } from '../../client/protocol/shapes.ts';
import type { Lsp } from '../backends/lsp.ts';
import { symbolId } from '../model/identity.ts';
import type { RepositoryRecord } from '../model/repository.ts';
import { hasCatalogue } from '../store/catalogue/file.ts';
import { worthKeeping } from '../store/index-reader.ts';
import { type EncodedAnswer, encodedAnswer, type Handlers, type RequestContext } from './handler.ts';
import {
  type Asked,
  answerFewReferences,
  codeSymbol,
  definitionSource,
  hashOfId,
  notReady,
  snapshotFor,
} from './symbols/answers.ts';
import { type Asking, type AskingOptions, createAsking, isId, unknownSymbol } from './symbols/asking.ts';
import { externalOf, externalSymbol } from './symbols/external-symbol.ts';
import { theOneNamed } from './symbols/find-symbol.ts';
import type { WarmedSearch } from './symbols/search.ts';
import { askServer, type ServerSaid } from './symbols/server-references.ts';

/** What the handlers of symbols need beside the request. */
export interface SymbolsOptions extends AskingOptions {
  readonly lsp: Pick<Lsp, 'references'>;
  /** How long a question waits for a language server, whatever that does afterwards. */
  readonly serverMs: () => number;
}

export type SymbolsHandlers = Pick<Handlers, 'symbols.get' | 'symbols.search' | 'symbols.refs'> & {
  /** How they ask, for who asks more of the same index. */
  readonly asking: Asking;
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

/** What the main thread reads itself: anything longer would hold up its event loop. */
const shortAnswer = { documents: 64, rows: 500 } as const;

export function symbolsHandlers(options: SymbolsOptions): SymbolsHandlers {
  const asking = createAsking(options);
  const { asked, identified, notHere, read, readers, watched } = asking;
  const saidByServer = async (hash: string, question: Asked, context: RequestContext) => {
    const row = read(context, reader => reader.symbol(question.repo.key, snapshotFor(reader, question).seq, hash));
    return row === undefined
      ? undefined
      : askServer(options.lsp, context.repository, row, {
          signal: context.signal,
          longestMs: options.serverMs(),
        });
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
        if (input.refresh) await asking.forget(context.repository.indexFile);
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
    asking,
    forget: asking.forget,
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
