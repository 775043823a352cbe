import { renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Cleanup, temporaryFolder } from '../support/repository.ts';
import type { Orders } from './stand-in.ts';

export interface StandIn {
  /** What makes a Node.js process, and those that it starts, obey. */
  readonly env: { readonly NODE_OPTIONS: string; readonly SVC_STAND_IN: string };
  give(orders: Orders): void;
}

/** Orders for the stand-in of the kernel, which the processes that bear its environment follow from now on. */
export function standIn(test: Cleanup, orders: Orders): StandIn {
  const file = temporaryFolder(test).path('orders.json');
  const give = (next: Orders): void => {
    writeFileSync(`${file}.new`, JSON.stringify(next));
    renameSync(`${file}.new`, file);
  };
  give(orders);
  const preload = fileURLToPath(new URL('./stand-in.js', import.meta.url));
  return { env: { NODE_OPTIONS: `--import ${preload}`, SVC_STAND_IN: file }, give };
}
