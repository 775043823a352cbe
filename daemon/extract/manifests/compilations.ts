import { jsonc, maxItems, object, type Reading, said, text } from './values.ts';

/**
 * compile_commands.json: a file that is compiled, and the folders that are looked through for includes, all by their places
 * on the machine where that was written down. Of the project: whether it is a list of compilations.
 */
export function readCompilations(source: string): Reading {
  const list = [jsonc(source)].flat().slice(0, maxItems).map(object);
  const files = new Set<string>();
  const includes = new Set<string>();
  for (const one of list) {
    const directory = text(one['directory']) ?? '';
    const file = text(one['file']);
    if (file === undefined) continue;
    if (files.size < mostFiles) files.add(within(directory, file));
    for (const folder of foldersIn(one)) if (includes.size < maxItems) includes.add(within(directory, folder));
  }
  if (files.size === 0) return { scope: '', content: {} };
  return {
    scope: '',
    content: said({ files: [...files], includes: [...includes].sort() }),
    project: { compiles: true },
  };
}

/** By so many it is told where the repository lay. */
const mostFiles = 5;

/** What stands behind `-I` and its like, or in one word with it. */
function* foldersIn({ command, arguments: given }: Record<string, unknown>): Iterable<string> {
  const words = Array.isArray(given) ? given.map(String) : (text(command) ?? '').split(/\s+/);
  for (const [at, word] of words.entries()) {
    const [, flag, folder = ''] = /^"?(-I|-isystem|-iquote|-idirafter|\/I)(.*?)"?$/.exec(word) ?? [];
    if (flag === undefined) continue;
    const path = folder === '' ? words[at + 1] : folder;
    if (path !== undefined && path !== '') yield path.replaceAll('"', '');
  }
}

function within(directory: string, path: string): string {
  const plain = path.replaceAll('\\', '/');
  return /^(?:\/|[A-Za-z]:\/)/.test(plain) ? plain : `${directory.replaceAll('\\', '/')}/${plain}`;
}
