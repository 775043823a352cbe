import { doors } from './doors.ts';
import { greed } from './greed.ts';
import { hostileRepositories } from './hostile-repositories.ts';
import { oneDaemon } from './one-daemon.ts';
import type { Promised } from './promised.ts';
import { storage } from './storage.ts';
import { takenIn } from './taken-in.ts';
import { trueAnswers } from './true-answers.ts';
import { wholeDaemon } from './whole-daemon.ts';

export const promises: readonly Promised[] = [
  ...oneDaemon,
  ...trueAnswers,
  ...storage,
  ...doors,
  ...greed,
  ...hostileRepositories,
  ...takenIn,
  ...wholeDaemon,
];
