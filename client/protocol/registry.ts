import { affected } from './affected.ts';
import { analysis } from './analysis.ts';
import { architecture } from './architecture.ts';
import { contractDiff } from './contract-diff.ts';
import { contractEdges } from './contract-edges.ts';
import { contracts } from './contracts.ts';
import { daemon } from './daemon.ts';
import { decisions } from './decisions.ts';
import { delta } from './delta.ts';
import { docs } from './docs.ts';
import { environment } from './environment.ts';
import { federation } from './federation.ts';
import { federationLists } from './federation-lists.ts';
import { hotspots } from './hotspots.ts';
import { indexServer } from './index-server.ts';
import { indexing } from './indexing.ts';
import { jobs } from './jobs.ts';
import type { Operation } from './operation.ts';
import { ownership } from './ownership.ts';
import { pullRequest } from './pull-request.ts';
import { refresh } from './refresh.ts';
import { remote } from './remote.ts';
import { responsibilities } from './responsibilities.ts';
import { symbols } from './symbols.ts';
import { system } from './system.ts';
import { telemetry } from './telemetry.ts';
import { tokens } from './tokens.ts';
import { unwired } from './unwired.ts';
import { usage } from './usage.ts';

/** Every operation of the service, by its JSON-RPC method name. */
export const operations = {
  ...system,
  ...indexing,
  ...delta,
  ...symbols,
  ...analysis,
  ...affected,
  ...unwired,
  ...architecture,
  ...hotspots,
  ...ownership,
  ...pullRequest,
  ...refresh,
  ...responsibilities,
  ...environment,
  ...decisions,
  ...docs,
  ...jobs,
  ...daemon,
  ...indexServer,
  ...tokens,
  ...remote,
  ...federation,
  ...federationLists,
  ...contracts,
  ...contractEdges,
  ...contractDiff,
  ...telemetry,
  ...usage,
};

export type Operations = typeof operations;
export type OperationName = keyof Operations;

export const operationNames = Object.keys(operations) as OperationName[];

/** The definition of a name that came from outside; undefined for anything that is no operation (`__proto__` included). */
export function findOperation(name: string): Operation | undefined {
  return Object.hasOwn(operations, name) ? operations[name as OperationName] : undefined;
}
