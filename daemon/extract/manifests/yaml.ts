/** What the line reader makes of YAML: texts, lists and objects of them; null where a key has nothing. */
export type Yaml = string | null | Yaml[] | { [key: string]: Yaml };

/**
 * YAML as manifests write it, read line by line: block mappings and sequences by their indentation, plain and quoted
 * scalars (all of them texts), and flow sequences of scalars on one line. Block scalars are passed over, as are anchors,
 * tags, flow mappings and whatever lies deeper than `maxDepth`: no input costs more than its length.
 */
export function readYaml(source: string): Yaml {
  const open: Collection[] = [];
  let blockIndent = -1;
  for (const { indent, text } of linesOf(source)) {
    if (blockIndent >= 0 && indent > blockIndent) continue;
    blockIndent = /(?:^|[:-])\s+[|>][+-]?\d?$/.test(text) ? indent : -1;
    readLine(open, indent, text);
  }
  return open[0]?.node ?? null;
}

/** A mapping or a sequence that goes on: its entries stand at `column`; what stands deeper is the last entry's. */
interface Collection {
  readonly column: number;
  readonly node: Yaml[] | { [key: string]: Yaml };
  /** Gives the last entry its value; undefined once it has one. */
  putLast: ((value: Yaml) => void) | undefined;
}

const maxDepth = 20;
const maxLines = 50_000;
const longestLine = 2_000;

function* linesOf(source: string): Iterable<{ readonly indent: number; readonly text: string }> {
  let start = 0;
  for (let count = 0; start < source.length && count < maxLines; count++) {
    const newline = source.indexOf('\n', start);
    const end = newline < 0 ? source.length : newline;
    const line = source.slice(start, Math.min(end, start + longestLine));
    start = end + 1;
    const text = withoutComment(line).trim();
    if (text === '' || text === '---' || text === '...' || text.startsWith('%')) continue;
    yield { indent: line.length - line.trimStart().length, text };
  }
}

/** `#` begins a comment at the line's start and after a space, outside of quotes. */
function withoutComment(line: string): string {
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const sign = line[at]!;
    if (quote !== '') {
      if (sign === quote) quote = '';
    } else if ((sign === '"' || sign === "'") && /[\s:[,-]/.test(line[at - 1] ?? ' ')) quote = sign;
    else if (sign === '#' && /\s/.test(line[at - 1] ?? ' ')) return line.slice(0, at);
  }
  return line;
}

function readLine(open: Collection[], indent: number, line: string): void {
  let column = indent;
  let rest = line;
  // `- key: value` is an item, and a mapping that begins where its key stands.
  while (rest === '-' || rest.startsWith('- ')) {
    const list = collectionAt(open, column, () => []);
    if (list === undefined || !Array.isArray(list.node)) return;
    const { node } = list;
    const index = node.push(null) - 1;
    list.putLast = value => {
      node[index] = value;
    };
    const inner = rest.slice(1).trimStart();
    column += rest.length - inner.length;
    rest = inner;
  }
  const [, key, value = ''] = /^("[^"]*"|'[^']*'|[^\s"'#[{&*!|>][^:]*(?::\S[^:]*)*)\s*:(?:\s+(.*))?$/.exec(rest) ?? [];
  if (key === undefined) {
    settle(open.at(-1), rest);
    return;
  }
  const map = collectionAt(open, column, () => Object.create(null) as { [key: string]: Yaml });
  if (map === undefined || Array.isArray(map.node)) return;
  const { node } = map;
  const name = unquoted(key);
  node[name] = null;
  map.putLast = inner => {
    node[name] = inner;
  };
  settle(map, value);
}

/** The collection whose entry stands at that column, begun there if need be; undefined where none can. */
function collectionAt(open: Collection[], column: number, begin: () => Collection['node']): Collection | undefined {
  const isList = Array.isArray(begin());
  const isOver = ({ column: at, node }: Collection): boolean =>
    at > column || (at === column && !isList && Array.isArray(node));
  while (open.length > 0 && isOver(open.at(-1)!)) open.pop();
  const top = open.at(-1);
  if (top?.column === column && Array.isArray(top.node) === isList) return top;
  // A list may stand right under its key.
  if (top !== undefined && (top.putLast === undefined || open.length >= maxDepth)) return undefined;
  const begun: Collection = { column, node: begin(), putLast: undefined };
  settleAs(top, begun.node);
  open.push(begun);
  return begun;
}

function settle(of: Collection | undefined, text: string): void {
  if (text !== '' && !/^[&*!|>{]/.test(text)) settleAs(of, scalarOf(text));
}

function settleAs(of: Collection | undefined, value: Yaml): void {
  of?.putLast?.(value);
  if (of !== undefined) of.putLast = undefined;
}

function scalarOf(text: string): Yaml {
  if (text.startsWith('[') && text.endsWith(']')) {
    const items = text.slice(1, -1).matchAll(/\s*("[^"]*"|'[^']*'|[^,\s][^,]*)\s*(?:,|$)/g);
    return [...items].map(([, item]) => unquoted(item!.trim()));
  }
  return unquoted(text);
}

function unquoted(text: string): string {
  const [, quote, inner] = /^(["'])(.*)\1$/.exec(text) ?? [];
  return quote === undefined ? text : inner!;
}
