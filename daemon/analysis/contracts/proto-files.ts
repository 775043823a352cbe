import type { ProtoOutline } from '../../model/contract.ts';
import type { DeclaredContract, LinkedMember } from '../../model/federation.ts';
import { keptBy } from '../../model/kept-by.ts';

/** A `.proto` file of a repository. */
export interface ProtoFile {
  readonly member: string;
  readonly contract: DeclaredContract;
  readonly outline: ProtoOutline;
}

export const protoFilesOf = keptBy(({ uid, contracts }: LinkedMember): readonly ProtoFile[] =>
  contracts.declared.flatMap(contract =>
    contract.outline.type === 'proto' ? [{ member: uid, contract, outline: contract.outline }] : [],
  ),
);
