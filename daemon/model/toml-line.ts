/** The line on which a key stands in a TOML text: enough for `[table]` and `key =`, dotted keys included; else 1. */
export function lineOf(text: string, path: readonly string[]): number {
  let table = '';
  const wanted = path.join('.');
  for (const [index, line] of text.split('\n').entries()) {
    const header = /^\s*\[([^\]]+)\]/.exec(line);
    if (header !== null) {
      table = header[1]!.replaceAll(/["'\s]/g, '');
      if (table === wanted || table.startsWith(`${wanted}.`)) return index + 1;
      continue;
    }
    const name = /^\s*([^=#]+?)\s*=/.exec(line)?.[1]?.replaceAll(/["'\s]/g, '');
    if (name === undefined) continue;
    const full = table === '' ? name : `${table}.${name}`;
    if (full === wanted || (path.length > 1 && full === path[0])) return index + 1;
  }
  return 1;
}
