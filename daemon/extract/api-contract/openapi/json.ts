import type { DocumentNode } from '../document/nodes.ts';

/** Values of contracts are short; what is longer is cut, so that aliases can't make much of little. */
const longestValue = 500;

/** As JSON, keys in their order. */
export function jsonOf(node: DocumentNode): string {
  let text = '';
  for (const part of jsonParts(node)) {
    text += part;
    if (text.length > longestValue) return `${text.slice(0, longestValue)}…`;
  }
  return text;
}

function* jsonParts(node: DocumentNode): Iterable<string> {
  if (node.kind === 'scalar') return yield JSON.stringify(node.value);
  if (node.kind === 'list') {
    yield '[';
    for (const [index, item] of node.items.entries()) {
      if (index > 0) yield ',';
      yield* jsonParts(item);
    }
    return yield ']';
  }
  yield '{';
  let mark = '';
  for (const [name, { value }] of node.entries) {
    yield `${mark}${JSON.stringify(name)}:`;
    yield* jsonParts(value);
    mark = ',';
  }
  yield '}';
}
