import type { InputOf } from '../../../client/protocol/operation.ts';
import type { OperationName, Operations } from '../../../client/protocol/registry.ts';
import type { LinkedContracts } from '../../analysis/contracts/link-contracts.ts';
import type {
  ContractEdge,
  EdgeMark,
  Federation,
  Member,
  MemberContracts,
  MemberRows,
} from '../../model/federation.ts';

/** Operations that the federation worker answers out of what is known of members. */
export type FederatedName =
  | 'federation.modules'
  | 'federation.ownership'
  | 'federation.hotspots'
  | 'federation.decisions'
  | Exclude<Extract<OperationName, `contracts.${string}`>, 'contracts.diff'>;

/** A question about a federation; plain values, so that it crosses to the worker. */
export interface FederatedCall<Name extends FederatedName = FederatedName> {
  readonly operation: Name;
  readonly input: InputOf<Operations[Name]>;
  readonly federation: Federation;
  readonly marks: readonly EdgeMark[];
  /** Milliseconds. */
  readonly now: number;
}

/** What is known of one member. */
export interface MemberKnowledge {
  readonly stamp: string;
  readonly syncedAt: number;
  readonly rows: MemberRows;
  readonly contracts: MemberContracts;
}

export interface KnownMember extends Member {
  /** Undefined before its first synchronisation. */
  readonly known: MemberKnowledge | undefined;
}

/** A federation as questions are answered from it. */
export interface FederationView {
  readonly federation: Federation;
  /** By their ids. */
  readonly members: readonly KnownMember[];
  readonly marks: readonly EdgeMark[];
  /** Milliseconds. */
  readonly now: number;
  memberAt(repoUid: string): KnownMember | undefined;
  linked(): LinkedContracts;
  /** All edges, suppressed ones too. */
  edges(): readonly SeenEdge[];
}

/** An edge with what people have said of it. */
export interface SeenEdge extends ContractEdge {
  /** As it was found; `confidence` is 1 once it is verified. */
  readonly foundConfidence: number;
  readonly suppression: EdgeMark | undefined;
  readonly verification: EdgeMark | undefined;
}
