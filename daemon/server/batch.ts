import type { Answer } from './rpc-message.ts';

/** Requests of one batch that run at the same time. */
const width = 16;

/**
 * Runs the messages of a batch, `width` at a time; its answers leave as one list when the last of them is there, and not at
 * all when none is due. `take` must answer each message once.
 */
export function runBatch(
  messages: readonly unknown[],
  take: (message: unknown, answer: (parts: Answer) => void) => void,
  finish: (parts: Answer) => void,
): void {
  const answers: (string | Uint8Array)[] = [];
  let next = 0;
  let left = messages.length;
  const takeNext = (): void => {
    if (next >= messages.length) return;
    take(messages[next++], parts => {
      if (parts !== undefined) answers.push(answers.length === 0 ? '[' : ',', ...parts);
      left--;
      if (left > 0) setImmediate(takeNext);
      else finish(answers.length === 0 ? undefined : [...answers, ']']);
    });
  };
  for (let lane = 0; lane < Math.min(width, messages.length); lane++) takeNext();
}
