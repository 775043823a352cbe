import type { Turns } from './inbox.ts';
import type { Answer } from './rpc-message.ts';

/** Requests of one batch that run at the same time. */
const width = 16;

/**
 * Runs the messages of a batch, `width` at a time, each in its turn; its answers leave as one list when the last of them is
 * there, and not at all when none is due. `take` must answer each message once.
 */
export function runBatch(
  messages: readonly unknown[],
  turns: Turns,
  take: (message: unknown, answer: (parts: Answer) => void) => void,
  finish: (parts: Answer) => void,
): void {
  const answers: (string | Uint8Array)[] = [];
  let next = 0;
  let left = messages.length;
  const takeNext = (): boolean => {
    if (next >= messages.length) return false;
    take(messages[next++], parts => {
      if (parts !== undefined) answers.push(answers.length === 0 ? '[' : ',', ...parts);
      left--;
      if (left === 0) finish(answers.length === 0 ? undefined : [...answers, ']']);
      else if (next < messages.length) turns.enter(takeNext);
    });
    return false;
  };
  for (let lane = 0; lane < Math.min(width, messages.length); lane++) turns.enter(takeNext);
}
