import type { DefinitionFact } from '../../../model/facts.ts';
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
  /** Whether one of the files that the change writes at some paths has something of that name from somewhere else then. */
  isHandedOnAt(isMeant: (path: string) => boolean, name: string): boolean;
  /** Whether a changed file imports something of that name, or all of something, and did not. */
  isNewlyImported(name: string): boolean;
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
  const read = files.flatMap(file => {
    const { before, after } = sidesOf(file);
    return typeof after === 'object' ? [{ before, after }] : [];
  });
  const put = once(() => new Set(read.flatMap(namesPutIn)));
  const putAnywhere = once(() => {
    const names = files.flatMap(file => {
      const { before, after } = sidesOf(file);
      const path = fromRoot(file.path) ?? '';
      const document = asInHead.has(path) ? graph.documentAt(path) : undefined;
      const there = document === undefined ? after : graph.factsOf(document);
      if (typeof there !== 'object') return [];
      const earlier = new Set(typeof before === 'object' ? before.definitions.map(one => placeIn(before, one)) : []);
      return there.definitions.flatMap(one => (earlier.has(placeIn(there, one)) ? [] : [one.name]));
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
    isHandedOnAt: (isMeant, name) =>
      read.some(({ after }) => isMeant(after.path) && (after.sources.has(name) || after.sources.has('*'))),
    isNewlyImported: name =>
      read.some(({ before, after }) => {
        const earlier = typeof before === 'object' ? before.sources : undefined;
        return [name, '*'].some(one => after.sources.has(one) && earlier?.has(one) !== true);
      }),
    hasMoved: path => changed.get(path)?.from !== undefined,
    isPut: name => put().has(name),
    isPutAnywhere: name => putAnywhere().has(name),
  };
}

type Placed = Pick<DefinitionFact, 'name' | 'container'>;

/** A name with that of what it stands in. */
function placeIn({ definitions }: { readonly definitions: readonly Placed[] }, { name, container }: Placed): string {
  return `${definitions[container]?.name ?? ''}.${name}`;
}

/** Of what stands at the top of a file and did not before. */
function namesPutIn({ before, after }: { readonly before: CodeSides['before']; readonly after: CodeSide }) {
  const earlier = new Set(typeof before === 'object' ? before.hashesThere : []);
  return after.definitions.flatMap(({ name, container, hash }) => (container < 0 && !earlier.has(hash) ? [name] : []));
}
