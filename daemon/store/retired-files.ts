import { dirname, join } from 'node:path';

/** Where an index file lies that another took the place of, for as long as it can still be asked. */
export function retiredFile(indexFile: string, epoch: string): string {
  return join(dirname(indexFile), `index-${epoch}.db`);
}
