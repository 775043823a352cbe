/**
 * The line on which a key stands in a TOML text: enough for `[table]`, `[[list of tables]]` and `key =`, dotted keys included;
 * else 1. A number in the path tells which of a list of tables is meant, from 0.
 */
export function lineOf(text: string, path: readonly (string | number)[]): number {
  const wanted = path.join('.');
  const counted = new Map<string, number>();
  let table = '';
  for (const [index, line] of text.split('\n').entries()) {
    const header = /^\s*\[(\[?)([^\]]+)\]/.exec(line);
    if (header !== null) {
      const name = header[2]!.replaceAll(/["'\s]/g, '');
      if (header[1] === '[') counted.set(name, (counted.get(name) ?? -1) + 1);
      table = numbered(name, counted);
      if (table === wanted || table.startsWith(`${wanted}.`)) return index + 1;
      continue;
    }
    const name = /^\s*([^=#]+?)\s*=/.exec(line)?.[1]?.replaceAll(/["'\s]/g, '');
    if (name === undefined) continue;
    const full = table === '' ? name : `${table}.${name}`;
    if (full === wanted || wanted.startsWith(`${full}.`)) return index + 1;
  }
  return 1;
}

/** `[repos.privacy]` below the second `[[repos]]` is `repos.1.privacy`. */
function numbered(name: string, counted: ReadonlyMap<string, number>): string {
  let prefix = '';
  let full = '';
  for (const segment of name.split('.')) {
    prefix = prefix === '' ? segment : `${prefix}.${segment}`;
    full = full === '' ? segment : `${full}.${segment}`;
    const count = counted.get(prefix);
    if (count !== undefined) full = `${full}.${count}`;
  }
  return full;
}
