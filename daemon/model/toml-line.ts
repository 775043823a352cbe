/** Where keys stand in a TOML text. */
export type TomlLines = (path: readonly (string | number)[]) => number;

/** What settings have is told of at most three; deeper names are somebody's idea of a large one. */
const deepest = 8;

/**
 * The lines on which keys stand, from 1: enough for `[table]`, `[[list of tables]]` and `key =`, dotted keys included; else 1. A
 * number in a path tells which of a list of tables is meant, from 0. Takes a step for each character, whatever they are.
 */
export function linesOf(text: string): TomlLines {
  const places = new Map<string, number>();
  const counted = new Map<string, number>();
  let table = '';
  const put = (name: string, line: number): void => {
    const segments = name.split('.', deepest);
    for (let depth = 1; depth <= segments.length; depth++) {
      const prefix = segments.slice(0, depth).join('.');
      if (!places.has(prefix)) places.set(prefix, line);
    }
  };
  for (const [index, line] of text.split('\n').entries()) {
    const start = line.trimStart();
    if (start.startsWith('[')) {
      const isListed = start.startsWith('[[');
      const from = isListed ? 2 : 1;
      const to = start.indexOf(']', from);
      if (to <= from) continue;
      const name = bare(start.slice(from, to));
      if (isListed) counted.set(name, (counted.get(name) ?? -1) + 1);
      table = numbered(name, counted);
      put(table, index + 1);
      continue;
    }
    const left = line.slice(0, Math.max(line.indexOf('='), 0));
    const name = left.includes('#') ? '' : bare(left);
    if (name !== '') put(table === '' ? name : `${table}.${name}`, index + 1);
  }
  return path => {
    for (let depth = path.length; depth > 0; depth--) {
      const line = places.get(path.slice(0, depth).join('.'));
      if (line !== undefined) return line;
    }
    return 1;
  };
}

function bare(name: string): string {
  return name.replaceAll(/["'\s]/g, '');
}

/** `[repos.privacy]` below the second `[[repos]]` is `repos.1.privacy`. */
function numbered(name: string, counted: ReadonlyMap<string, number>): string {
  let prefix = '';
  let full = '';
  for (const segment of name.split('.', deepest)) {
    prefix = prefix === '' ? segment : `${prefix}.${segment}`;
    full = full === '' ? segment : `${full}.${segment}`;
    const count = counted.get(prefix);
    if (count !== undefined) full = `${full}.${count}`;
  }
  return full;
}
