import type { Promised } from './promised.ts';

/** Answers are true: P11 to P19. */
export const trueAnswers: readonly Promised[] = [];
