import type { FileDiff } from '../../../model/history.ts';
import { once } from '../../../model/once.ts';
import { type Head, inItsPlace, isTakenOut, linesTakenOut } from './head.ts';
import type { TakenAway } from './taken.ts';
import { isIndexed, lookingInVain, sorted, unaware, usersBefore } from './users.ts';

/**
 * The outermost of what a file defined in lines that are taken away, and nothing defines any more. What only came to stand in
 * something else, its lines as they were, would tell of the same change once more, and what only takes other parameters is another
 * overload of the same.
 */
export function removedFrom(head: Head, file: FileDiff, redeclared: Set<string>): readonly TakenAway[] {
  const { before } = head.comparison!.sidesOf(file);
  if (typeof before !== 'object' || head.defined(file) === undefined) return [];
  const { path, definitions } = before;
  const isRemoved = [...definitions.keys()].map(slot => isTakenOut(head, file, before, slot));
  const seen = new Set<string>();
  return definitions.flatMap(({ hash, name, kind, container, nameRange, range, exported }, slot) => {
    if (isRemoved[slot] !== true || isRemoved[container] === true || seen.has(hash)) return [];
    const anew = inItsPlace(head, file, before, slot).find(one => !before.hashesThere.includes(one.hash));
    if (anew !== undefined) redeclared.add(anew.hash);
    if (anew !== undefined) return [];
    seen.add(hash);
    const [line, lines] = [nameRange.startLine + 1, linesTakenOut(range, file.hunks)];
    const users = once(() => {
      // Who calls a member is mostly told by its name alone.
      if (container >= 0 && head.uses.isPutAnywhere(name)) return [];
      if (!isIndexed(head, hash)) return lookingInVain(head, before, slot);
      if (head.uses.isPut(name)) return sorted(unaware(head, before, slot));
      return sorted([...usersBefore(head, before, slot), ...(exported ? head.uses.importing(name) : [])]);
    });
    const within = definitions[container]?.name ?? '';
    return [{ change: 'removed' as const, hash, name, container: within, kind, path, line, lines, exported, users }];
  });
}
