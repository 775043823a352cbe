import type { FileDiff } from '../../../model/history.ts';
import { lookingFor } from '../../analysis/gone-file.ts';
import { type Head, inItsPlace, isExported, isTakenOut } from './head.ts';
import { left, type TakenAway } from './taken.ts';
import { importersOf, isIndexed, lookingInVain, usersElsewhere } from './users.ts';

/** Of more files that a change moves, the others are not looked for. */
const mostMoved = 25;

/** What is known by where its file lies, or by the package that this names, where either is another then. */
export function movedFrom(head: Head, files: readonly FileDiff[]): readonly TakenAway[] {
  const { comparison, graph, fromRoot } = head;
  const moved = files.flatMap(file => {
    const { before } = comparison!.sidesOf(file);
    const path = fromRoot(file.path);
    if (path === undefined || typeof before !== 'object' || file.kind === 'deleted') return [];
    const slots = [...before.definitions.keys()].filter(
      slot =>
        isExported(before, slot) &&
        !head.remains(before.definitions[slot]!.hash) &&
        !isTakenOut(head, file, before, slot) &&
        inItsPlace(head, file, before, slot).length > 0,
    );
    return slots.length === 0 ? [] : [{ file, before, path, slots }];
  });
  return moved.slice(0, mostMoved).flatMap(({ file, before, path, slots }) => {
    const document = graph.documentAt(before.path);
    const isThere = slots.some(slot => isIndexed(head, before.definitions[slot]!.hash));
    const looking = isThere && document !== undefined ? importersOf(head, document) : undefined;
    const isLookedFor = looking?.length ?? lookingFor(graph, before.path, before.facts(), slots).length;
    if (isLookedFor === 0) return [];
    return slots.flatMap(slot => {
      const { name, kind, nameRange, range } = before.definitions[slot]!;
      const [line, lines] = [nameRange.startLine + 1, range.endLine - range.startLine + 1];
      const { hash } = inItsPlace(head, file, before, slot)[0]!;
      const users = isThere ? usersElsewhere(head, before, slot) : lookingInVain(head, before, slot);
      return left({ change: 'moved', hash, name, container: '', kind, path, line, lines, exported: true }, users);
    });
  });
}
