import { dialectOf } from '../../../extract/dialect.ts';
import { familyOf } from '../../../model/families.ts';
import type { FileDiff } from '../../../model/history.ts';
import { exportsByName, type Head, isExported } from './head.ts';
import { left, type TakenAway } from './taken.ts';
import { lookingInVain, usersElsewhere } from './users.ts';

/**
 * What others could name and cannot then, though it is there: its file exports it no more, in languages in which a word or a list says
 * so, or it is private.
 */
export function withdrawnFrom(head: Head, file: FileDiff): readonly TakenAway[] {
  const { before } = head.comparison!.sidesOf(file);
  const path = head.fromRoot(file.path);
  if (typeof before !== 'object' || path === undefined) return [];
  const isByName = exportsByName(path);
  if (!isByName && !hidesByWord.has(familyOf(dialectOf(path)))) return [];
  const now = new Map(head.defined(file)?.map(one => [one.hash, one]));
  const isAsThen = head.comparison!.asInHead.has(path);
  return [...before.definitions.keys()].flatMap(slot => {
    const { name, kind, visibility } = before.definitions[slot]!;
    const hash = before.hashesThere[slot]!;
    const there = now.get(hash);
    if (there === undefined) return [];
    const isHidden = isByName
      ? isExported(before, slot) && !there.exported
      : visibility !== 'private' && there.visibility === 'private';
    if (!isHidden) return [];
    const users = isByName && isAsThen ? lookingInVain(head, before, slot) : usersElsewhere(head, before, slot);
    const line = there.nameRange.startLine + 1;
    const outside = isByName ? users : users.filter(one => !mayNamePrivate(path, one));
    const container = there.within;
    return left({ change: 'unexported', hash, name, container, kind, path, line, lines: 1, exported: true }, outside);
  });
}

const hidesByWord: ReadonlySet<string> = new Set(['jvm', 'csharp', 'php', 'rust']);

/** Modules of Rust that lie in another. */
function mayNamePrivate(path: string, user: string): boolean {
  if (!path.endsWith('.rs')) return false;
  const folder = path.replace(/(?:\/(?:mod|lib|main))?\.rs$/, '').replace(/^(?:mod|lib|main)$/, '');
  return folder === '' || user.startsWith(`${folder}/`);
}
