/**
 * The text under a path of keys of YAML: plain, over several lines or not, quoted, or a block (`|`, `>`). Undefined where
 * there is none, or where it is no text. Reads lines by their indentation.
 */
export function yamlText(source: string, keys: readonly string[]): string | undefined {
  const lines = source.slice(0, 256 * 1024).split(/\r?\n/);
  let [from, indent] = [0, -1];
  for (const [depth, key] of keys.entries()) {
    const found = keyLine(lines, from, indent, key);
    if (found === undefined) return undefined;
    if (depth === keys.length - 1) return textAt(lines, found, key);
    [from, indent] = [found + 1, indentOf(lines[found]!)];
  }
  return undefined;
}

/** Where a key stands among what lies deeper than an indentation, directly. */
function keyLine(lines: readonly string[], from: number, above: number, key: string): number | undefined {
  let own: number | undefined;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at]!;
    if (isEmpty(line)) continue;
    const indent = indentOf(line);
    if (indent <= above) return undefined;
    own ??= indent;
    if (indent === own && line.startsWith(`${key}:`, indent)) return at;
  }
  return undefined;
}

function textAt(lines: readonly string[], at: number, key: string): string | undefined {
  const indent = indentOf(lines[at]!);
  const first = lines[at]!.slice(indent + key.length + 1).trim();
  const more: string[] = [];
  for (let next = at + 1; next < lines.length; next++) {
    const line = lines[next]!;
    if (line.trim() !== '' && indentOf(line) <= indent) break;
    more.push(line.trim());
  }
  if (/^[|>][+-]?\d?$/.test(first)) return present(more.join(first.startsWith('|') ? '\n' : ' '));
  if (/^[[{&*!]/.test(first)) return undefined;
  const [, double, single] = /^"((?:[^"\\]|\\.)*)"|^'((?:[^']|'')*)'/.exec([first, ...more].join(' ')) ?? [];
  if (double !== undefined) return present(double.replace(/\\n/g, ' ').replace(/\\(["\\])/g, '$1'));
  if (single !== undefined) return present(single.replaceAll("''", "'"));
  const isNested = first === '' && more.some(line => /^(?:- |[\w-]{1,80}:(?:\s|$))/.test(line));
  return isNested ? undefined : present([first, ...more].map(line => line.replace(/\s#.*$/, '')).join(' '));
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function isEmpty(line: string): boolean {
  return line.trim() === '' || /^\s*#|^---/.test(line);
}

function present(text: string): string | undefined {
  const told = text.trim();
  return told === '' ? undefined : told;
}
