import type { FileDiff } from '../../../model/history.ts';
import { once } from '../../../model/once.ts';
import type { CodeSide, CodeSides } from '../../readers/changed-code.ts';
import type { HistoricalSnapshot } from '../historical.ts';

/** What the files of a change that are not as the index has them use by some name, as far as the head was read. */
export interface UsesAtHead {
  /** Whether the file at a path may still use what it had by that name: of a file that is as the index has it, it does. */
  still(path: string, name: string): boolean;
  /** The same of what is there still, at another place: a changed file counts where it imports that from where it did. */
  stillThere(path: string, name: string): boolean;
  /** Files that import something of that name. */
  importing(name: string): readonly string[];
  /** Whether the change writes the file at a path, moves it or takes it away. */
  isChanged(path: string): boolean;
  /** Whether the file at a path may have from somewhere else then what it had by that name itself. */
  mayHandOn(path: string, name: string): boolean;
  /** Whether the change moves the file that was at a path. */
  hasMoved(path: string): boolean;
  /** Whether the change puts a definition of that name at the top of a file that the index has otherwise. */
  isPut(name: string): boolean;
  /** Whether it puts one somewhere, into a base class for one: then whoever calls something of that name may mean that. */
  isPutAnywhere(name: string): boolean;
}

export function usesAtHead(
  { comparison, fromRoot, graph }: HistoricalSnapshot,
  files: readonly FileDiff[],
): UsesAtHead {
  const { asInHead, sidesOf } = comparison!;
  const changed = new Map<string, FileDiff>();
  for (const file of files) {
    for (const path of [file.path, file.from]) if (path !== undefined) changed.set(fromRoot(path) ?? '', file);
  }
  const read = [...new Set(changed.values())].flatMap(file => {
    const { before, after } = sidesOf(file);
    return typeof after === 'object' ? [{ before, after }] : [];
  });
  const put = once(() => new Set(read.flatMap(namesPutIn)));
  const putAnywhere = once(() => {
    const names = [...new Set(changed.values())].flatMap(file => {
      const { before, after } = sidesOf(file);
      const document = asInHead.has(fromRoot(file.path) ?? '') ? graph.documentAt(fromRoot(file.path)!) : undefined;
      const there = document === undefined ? after : graph.factsOf(document);
      if (typeof there !== 'object') return [];
      const earlier = new Set(typeof before === 'object' ? before.definitions.map(({ name }) => name) : []);
      return there.definitions.flatMap(({ name }) => (earlier.has(name) ? [] : [name]));
    });
    return new Set(names);
  });
  const isAsIndexed = (path: string): boolean => !changed.has(path) || asInHead.has(path);
  /** Of a changed file: whether it imports that from where it did; undefined where it did not, or nobody knows. */
  const importsAsBefore = (path: string, name: string): boolean | undefined => {
    const { before, after } = sidesOf(changed.get(path)!);
    const from = typeof before === 'object' ? before.sources.get(name) : undefined;
    if (from === undefined || typeof after !== 'object') return undefined;
    return after.sources.get(name)?.some(one => from.includes(one)) ?? false;
  };
  return {
    still: (path, name) => {
      if (isAsIndexed(path)) return true;
      const { after } = sidesOf(changed.get(path)!);
      if (after === 'none') return false;
      if (typeof after !== 'object') return true;
      return after.names.has(name) && (importsAsBefore(path, name) ?? true);
    },
    stillThere: (path, name) => isAsIndexed(path) || importsAsBefore(path, name) === true,
    importing: name => read.flatMap(({ after }) => (after.sources.has(name) ? [after.path] : [])),
    isChanged: path => changed.has(path),
    mayHandOn: (path, name) => {
      const file = changed.get(path);
      const after = file === undefined ? undefined : sidesOf(file).after;
      return typeof after === 'object' && (after.sources.has(name) || after.sources.has('*'));
    },
    hasMoved: path => changed.get(path)?.from !== undefined,
    isPut: name => put().has(name),
    isPutAnywhere: name => putAnywhere().has(name),
  };
}

/** Of what stands at the top of a file and did not before. */
function namesPutIn({ before, after }: { readonly before: CodeSides['before']; readonly after: CodeSide }) {
  const earlier = new Set(typeof before === 'object' ? before.hashesThere : []);
  return after.definitions.flatMap(({ name, container, hash }) => (container < 0 && !earlier.has(hash) ? [name] : []));
}
