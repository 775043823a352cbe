import type { GitAvailability } from '../../backends/git.ts';
import type { Finding } from '../finding.ts';
import { isUnseen, troubleIn, unseen } from './looking.ts';

const check = 'git';
const without = 'ignore rules are followed without it, history is not';

/** Whether git answers. Where a folder of ours is in the way of asking it, nothing is wrong with git. */
export function gitCheck(git: GitAvailability): Finding {
  if (git.available) return { check, status: 'pass', message: `git answers in ${git.latencyMs} ms` };
  if (isUnseen(git.cause)) return unseen(check);
  const trouble = troubleIn(git.cause);
  const message =
    trouble === undefined
      ? `git is missing or too old: ${without}; install it where the PATH of the daemon leads`
      : `git can’t be asked, for ${trouble}: ${without}; make room, or let SVC_HOME be written`;
  return { check, status: 'warn', message };
}
