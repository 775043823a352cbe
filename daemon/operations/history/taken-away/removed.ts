import type { FileDiff } from '../../../model/history.ts';
import { once } from '../../../model/once.ts';
import { exportsAtHead } from './handed-on.ts';
import { exportsByName, type Head, inItsPlace, isTakenOut, linesTakenOut } from './head.ts';
import type { TakenAway } from './taken.ts';
import { importsOf, isHandedOnThere, isIndexed, lookingInVain, sorted, unaware, usersBefore } from './users.ts';

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
    if (anew !== undefined) {
      redeclared.add(anew.hash);
      return [];
    }
    seen.add(hash);
    const [line, lines] = [nameRange.startLine + 1, linesTakenOut(range, file.hunks)];
    // Another is the default then.
    const hasDefault =
      container < 0 && exported && exportsByName(path) && exportsAtHead(head, file)?.own.has('default');
    const users = once(() => {
      // Who calls a member is mostly told by its name alone.
      if (container >= 0 && head.uses.isPutAnywhere(name)) return [];
      if (!isIndexed(head, hash)) return lookingInVain(head, before, slot);
      if (isHandedOnThere(head, before, name)) return [];
      if (head.uses.isPut(name)) return sorted(unaware(head, before, slot));
      const found = usersBefore(head, before, slot).filter(one => !hasDefault || importsByName(head, one, name));
      return sorted([...found, ...(exported ? head.uses.importing(name) : [])]);
    });
    const within = definitions[container]?.name ?? '';
    return [{ change: 'removed' as const, hash, name, container: within, kind, path, line, lines, exported, users }];
  });
}

/** Whether a file means it, and not whatever is the default. */
function importsByName(head: Head, path: string, name: string): boolean {
  const imports = importsOf(head, path);
  return imports.some(one => one.name === name) || !imports.some(one => one.name === 'default');
}
