import type { TestLines } from '../../../model/facts.ts';
import { lineAt, lineOf, type SyntaxTree } from '../../tree.ts';

/**
 * What is compiled for tests alone, and functions that a runner of tests runs: from the attribute that says so to the end of
 * what it stands before, or of the module or file that it stands in.
 */
export function testLines(tree: SyntaxTree): readonly TestLines[] {
  const found: TestLines[] = [];
  let end = -1;
  for (let node = 0; node < tree.size; node++) {
    const isInner = tree.kind(node) === 'inner_attribute_item';
    if ((!isInner && tree.kind(node) !== 'attribute_item') || tree.start[node]! < end) continue;
    if (!marksTests(tree, tree.childOfKind(node, 'attribute'))) continue;
    const marked = isInner ? around(tree, node) : behind(tree, node);
    if (marked < 0) continue;
    end = tree.end[marked]!;
    const from = tree.start[node]!;
    const isRun = runs.test(tree.source.slice(from, end));
    found.push({ startLine: lineOf(tree, isInner ? marked : node), endLine: lineAt(tree, end - 1), isRun });
  }
  return found;
}

/** What an attribute at the top of a module or a file is of. */
function around(tree: SyntaxTree, node: number): number {
  const parent = tree.parent[node]!;
  return tree.kind(parent) === 'declaration_list' ? tree.parent[parent]! : parent;
}

/** What an attribute stands before. */
function behind(tree: SyntaxTree, node: number): number {
  let at = tree.nextSibling(node);
  while (at >= 0 && /^(?:attribute_item|line_comment|block_comment|,)$/.test(tree.kind(at))) at = tree.nextSibling(at);
  return tree.isNamed(at) ? at : -1;
}

/** Of a function that is run, whatever makes it one: `#[test]`, `#[tokio::test(…)]`. */
const running = /^(?:\w+::)*(?:test|rstest|test_case|test_matrix|wasm_bindgen_test|quickcheck|proptest|gtest)$/;
/** The same in a text, which may be a macro's. */
const runs =
  /#\[\s*(?:\w+::)*(?:test|rstest|test_case|test_matrix|wasm_bindgen_test|quickcheck|proptest|gtest)\s*[\](]|\bquickcheck!/;

function marksTests(tree: SyntaxTree, attribute: number): boolean {
  const name = tree.text(tree.firstChild(attribute));
  if (name === 'cfg') return needsTest(tree, tree.namedChildren(tree.child(attribute, 'arguments')));
  return name === 'bench' || running.test(name);
}

/** Whether a condition holds in tests alone: `test`, `all(test, …)`. */
function needsTest(tree: SyntaxTree, tokens: readonly number[]): boolean {
  const parts = tokens.flatMap((token, at) =>
    tree.kind(token) === 'identifier' ? [{ token, list: tokens[at + 1] }] : [],
  );
  return parts.some(({ token, list = -1 }) => {
    const isList = tree.kind(list) === 'token_tree';
    switch (tree.text(token)) {
      case 'test':
        return !isList;
      case 'all':
        return isList && needsTest(tree, tree.namedChildren(list));
      default:
        return false;
    }
  });
}
