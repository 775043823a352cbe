import type { Tree } from 'web-tree-sitter';
import type { Runtime } from './parsers.ts';

/** The walk of a tree, one call each; positions in UTF-16 units. */
export interface Cursor {
  typeId(): number;
  fieldId(): number;
  start(): number;
  end(): number;
  toFirstChild(): boolean;
  toNextSibling(): boolean;
  toParent(): boolean;
  close(): void;
}

/** The quickest cursor that the runtime allows. */
export function openCursor(tree: Tree, runtime: Runtime): Cursor {
  return openDirectCursor(tree, runtime) ?? openPublicCursor(tree);
}

/**
 * web-tree-sitter's cursor copies its four words into WebAssembly before each call and back after it, which costs more
 * than the walk itself (1.2 of 4.3 seconds for 2,700 files). Between calls of one walk the words may as well stay where
 * they are: the runtime's functions are called as the cursor calls them, and the cursor gets its words back at the end.
 * Undefined where the runtime doesn't look as expected. One such cursor is open at a time.
 */
export function openDirectCursor(tree: Tree, runtime: Runtime): Cursor | undefined {
  const address = (tree as unknown as Record<number, number>)[0];
  const call = runtimeCalls(runtime);
  if (call === undefined || address === undefined) return undefined;
  // Where the words lie; asking writes to that place, so it comes before the walk.
  const words = call._ts_init() >> 2;
  const cursor = tree.walk() as ReturnType<Tree['walk']> & Record<number, number>;
  return {
    typeId: () => call._ts_tree_cursor_current_node_type_id_wasm(address),
    fieldId: () => call._ts_tree_cursor_current_field_id_wasm(address),
    start: () => call._ts_tree_cursor_start_index_wasm(address),
    end: () => call._ts_tree_cursor_end_index_wasm(address),
    toFirstChild: () => call._ts_tree_cursor_goto_first_child_wasm(address) === 1,
    toNextSibling: () => call._ts_tree_cursor_goto_next_sibling_wasm(address) === 1,
    toParent: () => call._ts_tree_cursor_goto_parent_wasm(address) === 1,
    close() {
      for (let word = 0; word < 4; word++) cursor[word] = call.HEAP32[words + word]!;
      cursor.delete();
    },
  };
}

/** The cursor as the library offers it: slower, and the measure of the other. */
export function openPublicCursor(tree: Tree): Cursor {
  const cursor = tree.walk();
  return {
    typeId: () => cursor.nodeTypeId,
    fieldId: () => cursor.currentFieldId,
    start: () => cursor.startIndex,
    end: () => cursor.endIndex,
    toFirstChild: () => cursor.gotoFirstChild(),
    toNextSibling: () => cursor.gotoNextSibling(),
    toParent: () => cursor.gotoParent(),
    close: () => cursor.delete(),
  };
}

const names = [
  '_ts_init',
  '_ts_tree_cursor_current_node_type_id_wasm',
  '_ts_tree_cursor_current_field_id_wasm',
  '_ts_tree_cursor_start_index_wasm',
  '_ts_tree_cursor_end_index_wasm',
  '_ts_tree_cursor_goto_first_child_wasm',
  '_ts_tree_cursor_goto_next_sibling_wasm',
  '_ts_tree_cursor_goto_parent_wasm',
] as const;

type RuntimeCalls = Readonly<Record<(typeof names)[number], (tree?: number) => number>> & {
  readonly HEAP32: Int32Array;
};

function runtimeCalls(runtime: Runtime): RuntimeCalls | undefined {
  const isComplete =
    names.every(name => typeof runtime[name] === 'function') && runtime['HEAP32'] instanceof Int32Array;
  return isComplete ? (runtime as unknown as RuntimeCalls) : undefined;
}
