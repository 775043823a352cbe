import { doors } from './doors.ts';
import { hostileData } from './hostile-data.ts';
import { oneDaemon } from './one-daemon.ts';
import type { Promised } from './promised.ts';
import { storage } from './storage.ts';
import { trueAnswers } from './true-answers.ts';

export const promises: readonly Promised[] = [...oneDaemon, ...trueAnswers, ...storage, ...doors, ...hostileData];
