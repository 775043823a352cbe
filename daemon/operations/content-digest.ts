import { hash } from 'node:crypto';

/** The same for answers that say the same, whenever that was. */
export function contentDigest(answer: object): string {
  return hash('sha256', JSON.stringify({ ...answer, timestamp: '' }));
}
