import type { Clock } from '../../clock.ts';
import { defaultParseSteps, stuckAfterMs } from '../../extract/budget.ts';
import { historyFileOf } from '../../store/history/history-file.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { StoreError } from '../../store/store-faults.ts';
import type { RememberedMatch } from '../../store/telemetry/call-store.ts';
import type { CallContext } from '../../workers/port.ts';
import { affectedAnswer } from '../analysis/affected.ts';
import { type AnalysisCall, analyse, analysed } from '../analysis/analyses.ts';
import { contentDigest } from '../content-digest.ts';
import { type DecisionsCall, decisionAnswers } from '../decisions/decision-answers.ts';
import { type DocsCall, docsReading } from '../docs/docs-reading.ts';
import { type OwnershipChecksCall, ownershipChecks } from '../doctor/ownership-checks.ts';
import { workspaceTold } from '../environment/workspace.ts';
import { type MemberRowsCall, memberRows } from '../federation/member-rows.ts';
import { type HistoricalCall, historical } from '../history/historical.ts';
import { type EntriesCall, modelEntries } from '../history/model-entries.ts';
import { patienceFor } from '../history/patience.ts';
import { answerList } from '../index-server/answer-list.ts';
import type { ListCall } from '../index-server/list-call.ts';
import { knownModule } from '../ownership/asked-files.ts';
import { ownershipFiles } from '../ownership/ownership-files.ts';
import { ownershipStates } from '../ownership/ownership-state.ts';
import { type Asked, answerReferences, codeSymbol, definitionSource, notReady } from '../symbols/answers.ts';
import { symbolSearch } from '../symbols/search.ts';
import { type CallsAtCall, callsAtPlaces } from '../telemetry/calls-at-places.ts';
import {
  type CallsSummary,
  callsSummary,
  changedMatches,
  type StrangersSummary,
  strangersIn,
} from '../telemetry/calls-summary.ts';
import { type MatchEventsCall, matchedEvents } from '../telemetry/matched-events.ts';
import { type ChangedPaths, changedFiles } from './changed-files.ts';
import { type Compared, type ComparisonCall, comparisons } from './comparison.ts';
import { extractionAside } from './extraction-aside.ts';
import { type HeadSettings, type HeadTree, headTrees } from './head-trees.ts';
import { HistoryTrouble } from './history-trouble.ts';
import { keepAtRest } from './keep-at-rest.ts';
import { openReaders } from './open-readers.ts';
import type { AffectedCall, FollowCall, HeadSymbolCall, NameCall, ReferencesCall, SearchCall } from './read-calls.ts';
import { readHistories } from './read-histories.ts';
import type { ReadTrouble, Told } from './read-pool.ts';
import { encoded, type Json, json, type MoreOfAnswer, type Reply, text, trouble, withMore } from './read-replies.ts';
import { readiness } from './readiness.ts';

/** What the worker keeps in memory of a file: facts and texts for long lists, and rows for searches. */
const cacheBytes = { lists: 24 * 2 ** 20, searches: 32 * 2 ** 20 } as const;

/** What the read worker serves. */
export function createReadService(clock: Clock) {
  // Files of HEAD: a few, and seldom.
  const pool = extractionAside({ size: 1, stuckAfterMs: stuckAfterMs(defaultParseSteps) });
  const readers = openReaders({ cacheBytes: cacheBytes.lists, clock }, reader => ({
    reader,
    search: symbolSearch(reader, cacheBytes.searches),
    heads: headTrees(reader, pool),
  }));
  const histories = readHistories(clock);
  const declared = ownershipFiles();
  const sources = { histories, owners: ownershipStates(declared) };
  const compared = comparisons(histories);
  const changes = changedFiles(pool);
  const ready = readiness(readers, clock);
  const asked = keepAtRest(clock, () => readers.all().map(({ reader }) => reader));
  type Kept = ReturnType<typeof readers.of>;
  /** `work` makes the JSON of an answer; undefined where there is none. */
  const answer = ({ repo }: Asked, work: (kept: Kept) => Json | undefined, treeId?: string): Reply => {
    asked();
    try {
      return encoded(readers.guard(repo.indexFile, work), treeId);
    } catch (error) {
      return trouble(error);
    }
  };
  const readyFor = ({ repo, current }: Asked): Promise<void> | undefined =>
    current === undefined ? undefined : ready.of({ indexFile: repo.indexFile, key: repo.key, seq: current.seq });
  const warm = async (asked: Asked): Promise<Reply> => {
    await readyFor(asked);
    return answer(asked, ({ search }) => json(search.warm(asked)));
  };
  const docs = docsReading();
  const decisions = decisionAnswers(declared.settings, (question, moduleId) => {
    asked();
    readers.guard(question.repo.indexFile, ({ reader }) => analysed(reader, question, of => knownModule(of, moduleId)));
  });
  const historyTrouble = (error: unknown, historyFile: string | undefined): ReadTrouble => {
    if (!(error instanceof HistoryTrouble)) return trouble(error);
    if (historyFile !== undefined) histories.forget(historyFile);
    return { kind: 'history trouble', trouble: error.trouble, message: error.message };
  };
  const told = async <Value>(historyFile: string | undefined, work: () => Promise<Value>): Promise<Told<Value>> => {
    try {
      return { kind: 'told', told: await work() };
    } catch (error) {
      return historyTrouble(error, historyFile);
    }
  };
  /** What takes many reads of an index, and may hang on its history. */
  const ofIndex = <Value>(
    { asked: { repo }, at }: Pick<EntriesCall, 'asked' | 'at'>,
    work: (reader: IndexReader) => Promise<Value>,
  ): Promise<Told<Value>> =>
    told(at?.historyFile, async () => {
      try {
        return await work(readers.of(repo.indexFile).reader);
      } catch (error) {
        if (error instanceof StoreError) readers.forget(repo.indexFile);
        throw error;
      }
    });
  /** What is no answer by itself. */
  const ofCalls = <Value>({ repo }: Asked, work: (reader: IndexReader) => Value): Told<Value> => {
    try {
      return { kind: 'told', told: readers.guard(repo.indexFile, ({ reader }) => work(reader)) };
    } catch (error) {
      return trouble(error);
    }
  };
  /** Does something with the tree of HEAD, which git may have to be asked for. */
  const withHead = async (
    { repo: { indexFile, key } }: Asked,
    head: HeadSettings,
    then: (tree: HeadTree, begun: Kept) => Reply,
  ): Promise<Reply> => {
    let begun: Kept;
    let tree: HeadTree;
    try {
      begun = readers.of(indexFile);
      tree = await begun.heads.of(key, head);
    } catch (error) {
      if (error instanceof StoreError) readers.forget(indexFile);
      return trouble(error);
    }
    return then(tree, begun);
  };
  /** `work` makes the JSON of an answer about the tree of HEAD. */
  const answerHead = (
    asked: Asked,
    head: HeadSettings,
    work: (kept: Kept, tree: HeadTree) => Json | undefined,
  ): Promise<Reply> =>
    withHead(asked, head, (tree, begun) =>
      answer(
        asked,
        kept => {
          // Another file may have taken this one's place while git was asked.
          if (kept !== begun) throw notReady();
          return work(kept, tree);
        },
        treeIdOf(tree),
      ),
    );
  /** What two revisions differ in, with what of the code could be read by then; `readOn` has the rest read for whoever asks next. */
  const comparisonFor = async (between: Compared, { at, ignored, isSynced, asked }: HistoricalCall) => {
    const comparing = compared.of(between, at);
    comparing.catch(() => {}); // it is awaited below, and git is at it meanwhile
    await histories.of(at, ignored).prepare(between);
    const comparison = await comparing;
    const readCode = async (): Promise<void> =>
      compared.readCode(comparison, { reader: readers.of(asked.repo.indexFile).reader, pool });
    const patienceMs = patienceFor(isSynced, comparison.files.length);
    if (patienceMs > 0) await within(patienceMs, readCode(), clock);
    const readOn = (): void => {
      if (patienceMs === 0) readCode().catch(() => {});
    };
    return { comparison, readOn };
  };
  return {
    search: ({ asked, input, head }: SearchCall): Reply | Promise<Reply> => {
      if (head !== undefined) return answerHead(asked, head, ({ search }, tree) => search.answer(asked, input, tree));
      const found = (): Reply => answer(asked, ({ search }) => search.answer(asked, input));
      const made = readyFor(asked);
      return made === undefined ? found() : made.then(found);
    },
    headSymbol: ({ asked, hash, head }: HeadSymbolCall) =>
      answerHead(asked, head, ({ reader }, { catalogue, snapshot }) => {
        const row = reader.symbolIn(catalogue(), hash);
        return json(row && codeSymbol(row, asked.repo.id, snapshot.snapshotId, definitionSource(reader)));
      }),
    headTree: ({ asked, head }: { readonly asked: Asked; readonly head: HeadSettings }) =>
      withHead(asked, head, tree => encoded(new Uint8Array(0), treeIdOf(tree))),
    references: ({ asked, input, said }: ReferencesCall) =>
      answer(asked, ({ reader }) => json(reader.together(() => answerReferences(reader, asked, input, said)))),
    list: (call: ListCall): Reply | Promise<Reply> => {
      const { indexFile, key } = call.file;
      const page = (): Reply => {
        asked();
        try {
          const earlierFile = (file: string): IndexReader => readers.of(file).reader;
          return encoded(
            readers.guard(indexFile, ({ reader, search: { layersOf } }) =>
              json(reader.together(() => answerList({ reader, layersOf }, call, earlierFile))),
            ),
            undefined,
          );
        } catch (error) {
          return trouble(error);
        }
      };
      const made = ready.asListed({ indexFile, key, seq: call.of.fileSeq }, call.as);
      return made === undefined ? page() : made.then(page);
    },
    workspace: (asked: Asked) =>
      answer(asked, ({ reader }) => json(reader.together(() => workspaceTold(reader, asked)))),
    ownershipChecks: (call: OwnershipChecksCall) => ownershipChecks(declared, call),
    analyse: (call: AnalysisCall) =>
      answer(call.asked, ({ reader }) => {
        const told = analyse(reader, call);
        return typeof told === 'string' ? text(told) : json(told);
      }),
    compare: (call: ComparisonCall) => told(call.at.historyFile, () => compared.compare(call)),
    modelEntries: (call: EntriesCall, { signal }: CallContext) =>
      ofIndex(call, reader => modelEntries(reader, sources, call, () => signal.throwIfAborted())),
    memberRows: (call: MemberRowsCall, { signal }: CallContext) =>
      ofIndex(call, reader => memberRows(reader, sources, call, () => signal.throwIfAborted())),
    callsSummary: (question: Asked): Told<CallsSummary> =>
      ofCalls(question, reader => analysed(reader, question, callsSummary)),
    strangersIn: (question: Asked): Told<StrangersSummary> =>
      ofCalls(question, reader => analysed(reader, question, strangersIn)),
    changedMatches: (question: Asked): Told<readonly RememberedMatch[]> =>
      ofCalls(question, reader => analysed(reader, question, changedMatches)),
    callsAt: (call: CallsAtCall): Told<readonly (number | null)[]> =>
      ofCalls(call.asked, reader => callsAtPlaces(reader, call)),
    matchEvents: (call: MatchEventsCall): Told<number> => ofCalls(call.asked, reader => matchedEvents(reader, call)),
    historical: async ({ call }: { readonly call: HistoricalCall }): Promise<Reply> => {
      let more: MoreOfAnswer = {};
      try {
        const between = call.compared && (await comparisonFor(call.compared, call));
        const comparison = between?.comparison;
        const reply = answer(call.asked, ({ reader }) => {
          const { output, wanted } = historical(reader, sources, call, comparison);
          // It hangs on history and on files beside the snapshot.
          const treeId = typeof output === 'string' || comparison !== undefined ? undefined : contentDigest(output);
          more = { treeId, compares: comparison?.files.length, ...(wanted.length === 0 ? {} : { wanted }) };
          return typeof output === 'string' ? text(output) : json(output);
        });
        between?.readOn();
        return withMore(reply, more);
      } catch (error) {
        return historyTrouble(error, call.at.historyFile);
      }
    },
    affected: async ({ asked, input, head }: AffectedCall): Promise<Reply> => {
      const { indexFile, key } = asked.repo;
      let change: ChangedPaths;
      try {
        change = await changes.of(input, head, readers.of(indexFile).reader, key);
      } catch (error) {
        if (error instanceof StoreError) readers.forget(indexFile);
        return trouble(error);
      }
      return answer(asked, ({ reader }) => json(analysed(reader, asked, of => affectedAnswer(of, input, change))));
    },
    named: ({ asked, name, head }: NameCall): Reply | Promise<Reply> => {
      const named = ({ reader, search }: Kept, tree?: HeadTree) =>
        json(reader.together(() => search.named(asked, name, tree)));
      return head === undefined ? answer(asked, kept => named(kept)) : answerHead(asked, head, named);
    },
    decisions: async (call: DecisionsCall, { signal }: CallContext): Promise<Reply> => {
      try {
        const { reply, digest } = await decisions.answer(call, signal);
        return encoded(json(reply), digest);
      } catch (error) {
        return trouble(error);
      }
    },
    docs: async (call: DocsCall, { signal }: CallContext): Promise<Reply> => {
      asked();
      const { indexFile } = call.asked.repo;
      let leave = (): void => {};
      try {
        const held = readers.hold(indexFile);
        leave = held.leave;
        const told = await docs.answer(held.kept.reader, call, signal);
        return encoded(json(told?.output), told?.treeId);
      } catch (error) {
        if (error instanceof StoreError) readers.forget(indexFile);
        return trouble(error);
      } finally {
        leave();
      }
    },
    warm,
    keepWarm: (asked: Asked): Reply | Promise<Reply> =>
      readers.has(asked.repo.indexFile) ? warm(asked) : { kind: 'absent' },
    follow: async ({ before, asked: next }: FollowCall): Promise<boolean> => {
      if (!readers.has(before)) return false;
      await readyFor(next);
      return true;
    },
    forget: (indexFile: string) => {
      histories.forget(historyFileOf(indexFile));
      return readers.forget(indexFile);
    },
  };
}

function treeIdOf({ commit, snapshot }: HeadTree): string {
  return `${commit} ${snapshot.snapshotId}`;
}

/** Waits for some work, and no longer than so long: what is left of it goes on. */
async function within(ms: number, work: Promise<void>, clock: Clock): Promise<void> {
  let cancel = (): void => {};
  const timeIsUp = new Promise<void>(resolve => {
    cancel = clock.after(ms, resolve);
  });
  work.catch(() => {});
  await Promise.race([work, timeIsUp]).finally(cancel);
}
