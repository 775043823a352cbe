import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { EdgeMark } from '../../model/federation.ts';
import { timeOf } from './contract-answers.ts';
import type { FederationView } from './member-view.ts';
import { edgeOf } from './seen-edges.ts';

type In<Name extends keyof Operations> = InputOf<Operations[Name]>;
type Out<Name extends keyof Operations> = OutputOf<Operations[Name]>;

/** What is answered to somebody who says something of an edge: whoever asks here keeps it. All throw `resourceNotFound`. */

export function suppressAnswer(
  view: FederationView,
  { edgeId, reason }: In<'contracts.suppress'>,
): Out<'contracts.suppress'> {
  edgeOf(view, edgeId);
  return { edgeId, suppressed: true, reason, timestamp: timeOf(view) };
}

export function unsuppressAnswer(
  view: FederationView,
  { edgeId }: In<'contracts.unsuppress'>,
): Out<'contracts.unsuppress'> {
  known(view, edgeId, 'suppressed');
  return { edgeId, suppressed: false, timestamp: timeOf(view) };
}

export function verifyAnswer(view: FederationView, { edgeId }: In<'contracts.verify'>): Out<'contracts.verify'> {
  const { confidence } = edgeOf(view, edgeId);
  return { edgeId, verified: true, previousConfidence: confidence, newConfidence: 1, timestamp: timeOf(view) };
}

export function unverifyAnswer(view: FederationView, { edgeId }: In<'contracts.unverify'>): Out<'contracts.unverify'> {
  const edge = known(view, edgeId, 'verified');
  return {
    ...{ edgeId, verified: false, previousConfidence: edge?.confidence ?? 1 },
    ...{ newConfidence: edge?.foundConfidence ?? 0, timestamp: timeOf(view) },
  };
}

/** What was said of an edge can be taken back also while nobody finds that any more. */
function known(view: FederationView, edgeId: number, mark: EdgeMark['mark']) {
  const isMarked = view.marks.some(one => one.edgeId === edgeId && one.mark === mark);
  return isMarked ? view.edges().find(({ id }) => id === edgeId) : edgeOf(view, edgeId);
}
