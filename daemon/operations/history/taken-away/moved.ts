import { dialectOf } from '../../../extract/dialect.ts';
import { familyOf } from '../../../model/families.ts';
import type { FileDiff } from '../../../model/history.ts';
import { baseName } from '../../../model/paths.ts';
import type { Defined } from '../../../store/graph/snapshot-graph.ts';
import { lookingFor } from '../../analysis/gone-file.ts';
import type { CodeSide } from '../../readers/changed-code.ts';
import { type Head, inItsPlace, isExported, isTakenOut } from './head.ts';
import { left, type TakenAway } from './taken.ts';
import {
  importersOf,
  importsOf,
  isHandedOnThere,
  isIndexed,
  lookingInVain,
  moduleAt,
  usersElsewhere,
} from './users.ts';

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
        isElsewhere(inItsPlace(head, file, before, slot), before.definitions[slot]!.hash),
    );
    return slots.length === 0 ? [] : [{ file, before, path, slots }];
  });
  return moved.flatMap(({ file, before, path, slots }) => {
    const document = graph.documentAt(before.path);
    const isThere = slots.some(slot => isIndexed(head, before.definitions[slot]!.hash));
    if (isThere && before.path !== path && moduleAt(before.path) === moduleAt(path)) return [];
    const near = isThere && document !== undefined ? importersOf(head, document) : undefined;
    const lookers = near ?? lookingFor(graph, before.path, before.facts(), slots);
    if (lookers.length === 0) return [];
    return slots.flatMap(slot => {
      const { name, kind, nameRange, range } = before.definitions[slot]!;
      const [line, lines] = [nameRange.startLine + 1, range.endLine - range.startLine + 1];
      const { hash } = inItsPlace(head, file, before, slot)[0]!;
      const users = near === undefined ? lookingInVain(head, before, slot) : usersBehind(head, before, slot, near);
      return left({ change: 'moved', hash, name, container: '', kind, path, line, lines, exported: true }, users);
    });
  });
}

/** Whether a file defines then what it did, under another identity. */
function isElsewhere(there: readonly Defined[], hash: string): boolean {
  return there.length > 0 && there.every(one => one.hash !== hash);
}

/** Of an index of before: who has it right from where it was, by the name that the file has where it is imported, unless it is handed on there. */
function usersBehind(head: Head, from: CodeSide, slot: number, near: readonly string[]): readonly string[] {
  const { name } = from.definitions[slot]!;
  if (isHandedOnThere(head, from, name)) return [];
  if (from.path.endsWith('.rs') && head.uses.isNewlyImported(name)) return [];
  const isNear = new Set(near);
  return usersElsewhere(head, from, slot).filter(one => isNear.has(one) && mayImportFrom(head, one, name, from.path));
}

/** A package is found by its own name, wherever it lies, and what another hands on by that one's. */
function mayImportFrom(head: Head, path: string, name: string, from: string): boolean {
  if (!byFile.has(familyOf(dialectOf(from)))) return true;
  const meant = importsOf(head, path).filter(one => one.name === name || one.name === 'default');
  const called = baseName(moduleAt(from));
  const lastIn = (specifier: string): string | undefined =>
    specifier
      .replace(/\.[cm]?[jt]sx?$/, '')
      .split(/[/.]+/)
      .at(-1);
  return meant.length === 0 || meant.some(({ specifier }) => lastIn(specifier) === called);
}

const byFile: ReadonlySet<string> = new Set(['ecmascript', 'python']);
