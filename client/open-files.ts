import { readFileSync } from 'node:fs';

/** With so many a daemon of one small repository has room for all that it does at once, and for questions. */
export const leastFiles = 80;

/** How many files this process may have open at once, and up to how many it may allow itself. */
export interface FileLimits {
  readonly most: number;
  readonly hard: number;
}

/** Undefined where the system does not tell. Throws where no more may be open. */
export function fileLimits(): FileLimits | undefined {
  const [, most, hard] = /^Max open files +(\S+) +(\S+)/m.exec(readLimits()) ?? [];
  return most === undefined || hard === undefined ? undefined : { most: numberOf(most), hard: numberOf(hard) };
}

function numberOf(word: string): number {
  return word === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(word);
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
