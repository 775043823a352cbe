import { run } from './history.ts';
import { describe, type Operation, plan } from './operations.ts';
import { shrink } from './shrink.ts';

/** What is kept of a seed. */
export interface Verdict {
  readonly seed: number;
  readonly operations: number;
  readonly ok: boolean;
  /** Barriers compared, and those at which the daemon said that it was behind. */
  readonly compared: number;
  /** Documents of which an indexer had a say, over all comparisons. */
  readonly precise: number;
  readonly stale: readonly string[];
  /** Barriers at which the kernel refused something. */
  readonly spoilt: number;
  /** What differed, and the shortest history found that makes it differ. */
  /** What a time limit ended: the seed is to be judged again where there is more time. */
  readonly tooSlow?: string;
  readonly failure?: string;
  readonly history?: readonly string[];
}

/** Runs the history of a seed; one that fails is made shorter in at most `attempts` further runs. */
export async function judge(seed: number, count: number, attempts: number): Promise<Verdict> {
  const operations = plan(seed, count);
  const { compared, precise, spoilt, stale, failure, tooSlow } = await run(operations);
  const ok = failure === undefined && tooSlow === undefined;
  const verdict = { seed, operations: count, ok, compared, precise, spoilt, stale };
  if (tooSlow !== undefined) return { ...verdict, tooSlow: `operation ${tooSlow.at}, ${tooSlow.what}` };
  if (failure === undefined) return verdict;
  // A run that could not even begin says nothing of the history.
  const fails = async (some: readonly Operation[]) =>
    run(some).then(
      outcome => outcome.failure !== undefined,
      () => false,
    );
  const needed = await shrink(operations.slice(0, failure.at + 1), fails, attempts);
  return { ...verdict, failure: failure.what, history: needed.map(describe) };
}

/** A verdict for people. */
export function report({ seed, tooSlow, failure = tooSlow, history = [] }: Verdict): string {
  return `seed ${seed}\n${failure}\nafter\n${history.join('\n')}`;
}
