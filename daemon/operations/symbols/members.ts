import type { Member } from '../../../client/protocol/shapes.ts';
import { symbolId } from '../../model/identity.ts';
import type { Catalogue } from '../../store/catalogue/columns.ts';
import type { FoundDefinition } from '../../store/catalogue/rows.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { codeSymbol, definitionSource } from './answers.ts';

/** So many members are told of all hits together. */
export const mostMembers = 10_000;

export interface MembersOf {
  readonly repo: string;
  readonly snapshotId: string;
  /** 1: none; 2: the members of the hits; 3: theirs, too. */
  readonly depth: number;
}

type Read = Pick<IndexReader, 'members' | 'rows' | 'identity'>;

/** By hit what stands in it, each behind what it is a member of; empty where none are asked for. */
export function membersOfHits(
  reader: Read,
  catalogue: Catalogue,
  hits: readonly FoundDefinition[],
  of: MembersOf,
): readonly (readonly Member[])[] {
  if (of.depth === 1) return [];
  let room = mostMembers;
  return hits.map(hit => {
    const [row] = reader.rows(catalogue, [hit]);
    const members: Member[] = [];
    addMembers(reader, catalogue, { definition: hit.definition, id: symbolId(of.repo, row!.hash), depth: 2 }, of, {
      add: member => {
        members.push(member);
        room--;
      },
      isFull: () => room === 0,
    });
    return members;
  });
}

function addMembers(
  reader: Read,
  catalogue: Catalogue,
  container: { readonly definition: number; readonly id: string; readonly depth: number },
  of: MembersOf,
  list: { readonly add: (member: Member) => void; readonly isFull: () => boolean },
): void {
  const { id: parentId, depth } = container;
  const found = reader.members(catalogue, container.definition);
  const rows = reader.rows(catalogue, found);
  const source = definitionSource(reader);
  for (const [at, { definition }] of found.entries()) {
    if (list.isFull()) return;
    const symbol = codeSymbol(rows[at]!, of.repo, of.snapshotId, source);
    list.add({ ...symbol, depth, parentId });
    if (depth < of.depth) addMembers(reader, catalogue, { definition, id: symbol.id, depth: depth + 1 }, of, list);
  }
}
