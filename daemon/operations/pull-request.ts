import type { Handlers } from './handler.ts';
import type { AskingHistory } from './history/asking-history.ts';

export type PullRequestHandlers = Pick<Handlers, 'pr.summary'>;

export function pullRequestHandlers({ answerBetween }: AskingHistory): PullRequestHandlers {
  return {
    'pr.summary': (input, context) =>
      answerBetween('pr.summary', input, { base: input.baseBranch, head: input.headBranch }, context),
  };
}
