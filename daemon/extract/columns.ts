import type { Tree } from 'web-tree-sitter';
import { errorTypeId, memoryOf, readTree } from './parser-memory.ts';
import type { Runtime } from './parsers.ts';
import { vocabularyOf } from './vocabulary.ts';

/** The nodes of a tree in preorder; see `SyntaxTree`. Below a token none are listed. */
export type Columns = Readonly<ReturnType<typeof emptyColumns>>;

/** How many nodes of a grammar's first trees are copied both ways before the quick one is believed. */
const trialNodes = 1000;

/** Nodes copied both ways by now, by grammar; infinite where the two were not the same. */
const trials = new WeakMap<object, number>();

/**
 * Copies a tree. The parser's memory is read as it lies, an eighth of what the library's cursor takes; that the library's
 * structures lie there as expected is seen on the first trees of each grammar, and where they don't, the cursor has to do.
 */
export function copyColumns(tree: Tree, runtime: Runtime): Columns {
  const tried = trials.get(tree.language) ?? 0;
  const read = Number.isFinite(tried) ? copyFromMemory(tree, runtime) : undefined;
  if (read === undefined) return copyByCursor(tree);
  if (tried >= trialNodes) return read;
  const walked = copyByCursor(tree);
  trials.set(tree.language, isSame(read, walked) ? tried + walked.size : Number.POSITIVE_INFINITY);
  return walked;
}

/** Undefined where the runtime doesn't look as expected. */
export function copyFromMemory(tree: Tree, runtime: Runtime): Columns | undefined {
  const { named } = vocabularyOf(tree);
  const memory = memoryOf(tree, runtime);
  if (memory === undefined) return undefined;
  const columns = emptyColumns(tree.rootNode.descendantCount);
  return { ...columns, size: readTree(memory, named, columns) };
}

/** The library's own way through the tree: slower, and the measure of the other. */
export function copyByCursor(tree: Tree): Columns {
  const { named } = vocabularyOf(tree);
  const columns = emptyColumns(tree.rootNode.descendantCount);
  const { after, parent, depth, start, end, type, fieldOf } = columns;
  const cursor = tree.walk();
  let size = 0;
  let above = -1;
  try {
    for (;;) {
      const node = size++;
      const typeId = cursor.nodeTypeId;
      type[node] = typeId === errorTypeId ? named.length - 1 : typeId;
      parent[node] = above;
      depth[node] = above < 0 ? 0 : Math.min(depth[above]! + 1, 65535);
      fieldOf[node] = cursor.currentFieldId;
      start[node] = cursor.startIndex;
      end[node] = cursor.endIndex;
      if (named[type[node]!] === 1 && cursor.gotoFirstChild()) {
        above = node;
        continue;
      }
      after[node] = size;
      while (!cursor.gotoNextSibling()) {
        if (above < 0 || !cursor.gotoParent()) return { ...columns, size };
        after[above] = size;
        above = parent[above]!;
      }
    }
  } finally {
    cursor.delete();
  }
}

function emptyColumns(room: number) {
  return {
    size: 0,
    after: new Int32Array(room),
    parent: new Int32Array(room),
    depth: new Uint16Array(room),
    start: new Int32Array(room),
    end: new Int32Array(room),
    type: new Uint16Array(room),
    fieldOf: new Uint16Array(room),
  };
}

function isSame(one: Columns, other: Columns): boolean {
  const { size, ...columns } = one;
  const names = Object.keys(columns) as (keyof typeof columns)[];
  return size === other.size && names.every(name => one[name].every((value, node) => value === other[name][node]));
}
