import type { RepoPath } from '../model/paths.ts';
import type { FinishedBatch } from '../store/link-batch.ts';

/** A thread that links documents of one tree beside the one that publishes them. */
export interface LinkHelper {
  link(paths: readonly RepoPath[]): Promise<FinishedBatch>;
  close(): Promise<void>;
}

/** What the heap of a thread that links may grow by before it collects garbage, in place of twice what is in use. */
export const linkingSlackBytes = 96 * 2 ** 20;

/** So many neighbours are linked by one thread: they share most of what they look into. */
const rangeLength = 512;

/**
 * Links documents by `link` from the front while helpers come towards it from the back. Batches are in the order of the
 * paths. What a helper fails at is linked here, and fails here if it must.
 */
export async function linkRanges(
  paths: readonly RepoPath[],
  link: (range: readonly RepoPath[]) => Promise<FinishedBatch>,
  helpers: readonly LinkHelper[],
  onLinked: (paths: number) => void,
): Promise<readonly FinishedBatch[]> {
  const starts = Array.from({ length: Math.ceil(paths.length / rangeLength) }, (_, at) => at * rangeLength);
  const batches: FinishedBatch[] = [];
  const left: number[] = [];
  let linked = 0;
  const by = async (one: Pick<LinkHelper, 'link'>, start: number): Promise<void> => {
    const range = paths.slice(start, start + rangeLength);
    batches[start / rangeLength] = await one.link(range);
    linked += range.length;
    onLinked(linked);
  };
  const help = async (helper: LinkHelper): Promise<void> => {
    for (let start = starts.pop(); start !== undefined; start = starts.pop()) {
      const mine = start;
      const isDone = await by(helper, mine).then(
        () => true,
        () => false,
      );
      if (isDone) continue;
      left.push(mine);
      return;
    }
  };
  const helped = helpers.map(help);
  for (let start = starts.shift(); start !== undefined; start = starts.shift()) await by({ link }, start);
  await Promise.all(helped);
  for (const start of left) await by({ link }, start);
  return batches;
}
