import { oneDaemon } from './one-daemon.ts';
import { trueAnswers } from './true-answers.ts';
import { storage } from './storage.ts';
import { doors } from './doors.ts';
import { greed } from './greed.ts';
import { hostileRepositories } from './hostile-repositories.ts';
import { takenIn } from './taken-in.ts';
import { wholeDaemon } from './whole-daemon.ts';
import type { Promised } from './promised.ts';

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
