import assert from 'node:assert/strict';
import { Fault, type FaultReason } from '../../../client/protocol/faults.ts';

export const rejects = (reply: Promise<unknown>, reason: FaultReason) =>
  assert.rejects(reply, (error: unknown) => error instanceof Fault && error.reason === reason);

export const commandsOf = ({ extras }: Fault) => extras.suggestedFixes?.map(({ command }) => command);
