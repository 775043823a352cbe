import type { Finding } from '../finding.ts';
import type { ServedRepository } from '../served-repository.ts';

/** What was found stays until the index that took its place has been compared to its end. */
export function verification({ verified }: ServedRepository): Finding {
  const check = 'index.verification';
  if (verified?.trouble !== undefined) {
    return {
      check,
      status: 'warn',
      message: `damage was found, and what was damaged is made anew: ${verified.trouble}`,
    };
  }
  if (verified?.at === undefined) return { check, status: 'info', message: 'rows have not all been compared yet' };
  return { check, status: 'pass', message: `all rows held their digests at ${new Date(verified.at).toISOString()}` };
}
