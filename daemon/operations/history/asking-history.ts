import { amount } from '../../../client/protocol/amount.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import type { InputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { Config } from '../../config-schema.ts';
import type { BlamedContent } from '../../store/history/history-writer.ts';
import { type EncodedAnswer, encodedAnswer, type RequestContext } from '../handler.ts';
import { HistoryTrouble } from '../readers/history-trouble.ts';
import type { EncodedBytes } from '../readers/read-pool.ts';
import { notReady } from '../symbols/answers.ts';
import type { Asking } from '../symbols/asking.ts';
import type { HistoricalCall, HistoricalName, HistorySettings } from './historical.ts';
import type { Histories, HistoryAt } from './histories.ts';
import { type IgnoredRevisions, ignoredRevisions } from './ignored-revisions.ts';

/** How handlers ask what hangs on history. */
export interface AskingHistory {
  readonly histories: Histories;
  /** Answers from HEAD's history as it is now. Throws `preconditionFailed` where there is none. */
  answer<Name extends HistoricalName>(
    operation: Name,
    input: InputOf<Operations[Name]>,
    context: RequestContext,
  ): Promise<EncodedAnswer>;
}

export interface AskingHistoryOptions {
  readonly asking: Asking;
  readonly histories: Histories;
  /** The configuration in force. */
  readonly inForce: () => Config;
  /** Queues what takes longer than anybody waits. */
  readonly queueRefresh: (scope: 'ownership', repo: string) => void;
}

/** What is asked of git of one HEAD. */
interface Wanting {
  readonly at: HistoryAt;
  readonly ignored: IgnoredRevisions;
}

/** So long somebody waits for git to say who wrote what. */
const longestBlameMs = 8000;

export function createAskingHistory({ asking, histories, inForce, queueRefresh }: AskingHistoryOptions): AskingHistory {
  const ask = <Name extends HistoricalName>(
    call: HistoricalCall<Name>,
    context: RequestContext,
  ): Promise<EncodedBytes> =>
    Promise.resolve(asking.watched(context, () => asking.readPool.historical(call, context.signal)));
  /** Has git say what an answer would be better for, as far as there is time; what is left is a job's. */
  const found = async (wanted: readonly BlamedContent[], asked: Wanting, context: RequestContext): Promise<void> => {
    const { at, ignored } = asked;
    const timeIsUp = AbortSignal.any([context.signal, AbortSignal.timeout(longestBlameMs)]);
    const onProgress = (done: number, total: number): void =>
      context.onProgress({
        message: `Asking git who wrote what: ${done} of ${amount(total, 'file')}`,
        fraction: done / total,
      });
    try {
      await histories.blame(at, wanted, ignored.hashes, { signal: timeIsUp, isAwaited: true, onProgress });
    } catch (error) {
      if (context.signal.aborted || !timeIsUp.aborted) throw error;
      queueRefresh('ownership', context.repository.id);
    }
  };
  const answered = async <Name extends HistoricalName>(
    operation: Name,
    input: InputOf<Operations[Name]>,
    context: RequestContext,
  ): Promise<EncodedAnswer> => {
    const at = await committed(histories, context);
    const ignored = ignoredRevisions(at.top);
    const settings = historySettings(inForce());
    const call = { operation, asked: asking.asked(context), input, at, ignored: ignored.digest, settings };
    const { bytes, wanted = [] } = await ask(call, context);
    if (wanted.length === 0) return encodedAnswer(bytes);
    await found(wanted, { at, ignored }, context);
    return encodedAnswer((await ask(call, context)).bytes);
  };
  return {
    histories,
    answer: async (operation, input, context) => {
      if (context.snapshot === undefined) throw notReady();
      try {
        return await answered(operation, input, context);
      } catch (error) {
        if (!(error instanceof HistoryTrouble)) throw error;
        const at = await histories.at(context.repository);
        await histories.damaged(at.historyFile);
        return answered(operation, input, context);
      }
    },
  };
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
export function historySettings({ hotspots }: Config): HistorySettings {
  return {
    halfPoints: {
      churn: hotspots.churn_half,
      authors: hotspots.authors_half,
      coupling: hotspots.coupling_half,
      cyclomatic: hotspots.cyclomatic_half,
    },
  };
}
