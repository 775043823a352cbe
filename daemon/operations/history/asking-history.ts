import { Fault } from '../../../client/protocol/faults.ts';
import type { InputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { LoadedConfig } from '../../config.ts';
import type { BlamedContent } from '../../model/history.ts';
import { type EncodedAnswer, encodedAnswer, type RequestContext } from '../handler.ts';
import { configuredPeople } from '../ownership/people-settings.ts';
import type { Compared, ComparisonCall } from '../readers/comparison.ts';
import type { EncodedBytes } from '../readers/read-pool.ts';
import { notReady } from '../symbols/answers.ts';
import type { Asking } from '../symbols/asking.ts';
import { contentKey, forgoneContents } from './forgone.ts';
import type { HistoricalCall, HistoricalName, HistorySettings } from './historical.ts';
import type { Histories, HistoryAt } from './histories.ts';
import { type IgnoredRevisions, ignoredRevisions } from './ignored-revisions.ts';
import { mendHistory } from './mend-history.ts';
import { patienceFor } from './patience.ts';

/** How handlers ask what hangs on history. */
export interface AskingHistory {
  /** Answers from HEAD's history as it is now. Throws `preconditionFailed` where there is none. */
  answer<Name extends HistoricalName>(
    operation: Name,
    input: InputOf<Operations[Name]>,
    context: RequestContext,
  ): Promise<EncodedAnswer>;
  /** The same about what two revisions differ in. Throws `resourceNotFound` for one that is not here as well. */
  answerBetween<Name extends HistoricalName>(
    operation: Name,
    input: InputOf<Operations[Name]>,
    revisions: Pick<ComparisonCall, 'base' | 'head'>,
    context: RequestContext,
  ): Promise<EncodedAnswer>;
}

export interface AskingHistoryOptions {
  readonly asking: Asking;
  readonly histories: Histories;
  readonly config: () => LoadedConfig;
}

/** What an answer was made of. */
interface Asked {
  readonly at: HistoryAt;
  readonly ignored: IgnoredRevisions;
  readonly compared: Compared | undefined;
}

/** Files that git is asked about in nobody's name. */
const mostLater = 1000;
const mostWaiting = 20;

export function createAskingHistory({ asking, histories, config }: AskingHistoryOptions): AskingHistory {
  const ask = <Name extends HistoricalName>(
    call: HistoricalCall<Name>,
    context: RequestContext,
  ): Promise<EncodedBytes> =>
    Promise.resolve(asking.watched(context, () => asking.readPool.historical(call, context.signal)));
  const forgone = forgoneContents();
  /** Has git say what an answer would be better for, as far as there is time. */
  const findOut = async (
    wanted: readonly BlamedContent[],
    { at, ignored, compared }: Asked,
    context: RequestContext,
    longestMs: number,
  ): Promise<void> => {
    const timeIsUp = AbortSignal.any([context.signal, AbortSignal.timeout(longestMs)]);
    const onProgress = (done: number, total: number): void =>
      context.onProgress({ message: `Asking git who wrote what: ${done} of ${total}`, fraction: done / total });
    const asked = { commit: compared?.mergeBase, signal: timeIsUp, isAwaited: true, onProgress };
    try {
      const { failed } = await histories.blame(at, wanted, ignored.hashes, asked);
      forgone.add(at.historyFile, wanted, failed, context.now);
    } catch (error) {
      if (context.signal.aborted || !timeIsUp.aborted) throw error;
    }
  };
  /** What git is asked in nobody's name: one after the other, and no longer a list than somebody may still want. */
  const waiting = new Set<string>();
  let background: Promise<void> = Promise.resolve();
  /** Has git say the rest for whoever asks next. What goes wrong, who asks and waits for it hears. */
  const findOutLater = (wanted: readonly BlamedContent[], { at, ignored, compared }: Asked, now: Date): void => {
    const key = `${at.historyFile} ${compared === undefined ? '' : `${compared.mergeBase} ${compared.head}`}`;
    if (wanted.length === 0 || waiting.has(key) || waiting.size >= mostWaiting) return;
    waiting.add(key);
    const asked = { commit: compared?.mergeBase, signal: new AbortController().signal, isAwaited: false };
    background = background
      .then(() => histories.blame(at, wanted.slice(0, mostLater), ignored.hashes, asked))
      .then(({ failed }) => forgone.add(at.historyFile, wanted, failed, now))
      .catch(() => {})
      .finally(() => waiting.delete(key));
  };
  const worthAsking = ({ wanted = [] }: EncodedBytes, { historyFile }: HistoryAt, now: Date) => {
    const untellable = forgone.of(historyFile, now);
    return untellable === undefined ? wanted : wanted.filter(one => !untellable.has(contentKey(one)));
  };
  const answered = async <Name extends HistoricalName>(
    question: Question<Name>,
    at: HistoryAt,
    context: RequestContext,
  ): Promise<EncodedAnswer> => {
    const { operation, input, compare } = question;
    const compared = compare === undefined ? undefined : await compare(at);
    const ignored = ignoredRevisions(at.top);
    const settings = historySettings(config());
    const isSynced = context.isSynced === true;
    const call = { operation, asked: asking.asked(context), input, at, ignored, settings, compared, isSynced };
    const asked = { at, ignored, compared };
    const askNow = () => ask({ ...call, untellable: forgone.of(at.historyFile, context.now) }, context);
    let told = await askNow();
    const wanted = worthAsking(told, at, context.now);
    const patienceMs = patienceFor(isSynced, told.compares ?? 0);
    if (wanted.length > 0 && patienceMs > 0) {
      await findOut(wanted, asked, context, patienceMs);
      told = await askNow();
    }
    findOutLater(worthAsking(told, at, context.now), asked, context.now);
    return encodedAnswer(told.bytes, told.treeId);
  };
  const answer = async <Name extends HistoricalName>(
    question: Question<Name>,
    context: RequestContext,
  ): Promise<EncodedAnswer> => {
    if (context.snapshot === undefined) throw notReady();
    const at = await committed(histories, context);
    try {
      return await answered(question, at, context);
    } catch (error) {
      await mendHistory(histories, at, error);
      return answered(question, await committed(histories, context), context);
    }
  };
  return {
    answer: (operation, input, context) => answer({ operation, input }, context),
    answerBetween: (operation, input, revisions, context) => {
      const compare = async (at: HistoryAt): Promise<Compared> => {
        const settings = asking.headSettings(context);
        const found = await asking.readPool.compare({ at, settings, ...revisions }, context.signal);
        if (found.head !== at.head) await histories.include(at, [found.head], context.signal);
        return found;
      };
      return answer({ operation, input, compare }, context);
    },
  };
}

interface Question<Name extends HistoricalName> {
  readonly operation: Name;
  readonly input: InputOf<Operations[Name]>;
  /** Of a question about what two revisions differ in. */
  readonly compare?: (at: HistoryAt) => Promise<Compared>;
}

/** Where the history is; there is one. */
async function committed(histories: Histories, { repository, signal }: RequestContext): Promise<HistoryAt> {
  const at = await abortable(histories.at(repository), signal);
  if (at.head !== undefined) return at;
  throw new Fault('preconditionFailed', 'Nothing has been committed on this branch yet, so it has no history', {
    details: { reason: 'unborn_head' },
  });
}

/** Whoever stops waiting leaves the work to those who still do. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) return leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

/** What of the configuration such answers hang on. */
export function historySettings(config: LoadedConfig): HistorySettings {
  const { hotspots } = config.values;
  return {
    people: configuredPeople(config),
    halfPoints: {
      churn: hotspots.churn_half,
      authors: hotspots.authors_half,
      coupling: hotspots.coupling_half,
      cyclomatic: hotspots.cyclomatic_half,
    },
  };
}
