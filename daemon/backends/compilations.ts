import { existsSync, mkdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

export interface CopiedTree {
  /** Absolute, both. */
  readonly root: string;
  readonly copy: string;
}

interface Places extends CopiedTree {
  readonly has: (path: string) => boolean;
}

/** What may stand in an argument before a path: `-I/src`, `--sysroot=/src`, `@/src/words`. */
const beforePath = /^(?:-{1,2}[\w+-]*=?|@)/;
/** Entries between two turns of whoever else waits. */
const inOneTurn = 50;

/**
 * A compilation database (https://clang.llvm.org/docs/JSONCompilationDatabase.html) of a tree as one of its copy: what it
 * names below the root it names in the copy, but for what the tree alone has. The folders that it compiles in are made there. What
 * is no such database stays as it is.
 */
export async function compilationsInCopy(database: string, tree: CopiedTree): Promise<string> {
  const entries = read(database);
  if (entries === undefined) return database;
  const known = new Map<string, boolean>();
  const has = (path: string): boolean => {
    const answer = known.get(path) ?? existsSync(path);
    known.set(path, answer);
    return answer;
  };
  const written: string[] = [];
  for (const [at, entry] of entries.entries()) {
    written.push(JSON.stringify(isRecord(entry) ? inCopy(entry, { ...tree, has }) : entry));
    if (at % inOneTurn === inOneTurn - 1) await setImmediate();
  }
  return `[${written.join(',\n')}]`;
}

function read(database: string): readonly unknown[] | undefined {
  try {
    const value = JSON.parse(database) as unknown;
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function inCopy(entry: Readonly<Record<string, unknown>>, tree: Places): Readonly<Record<string, unknown>> {
  const { directory, file, output, command, arguments: given, ...others } = entry;
  const folder = typeof directory === 'string' ? moved(directory, tree) : undefined;
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const words = Array.isArray(given) ? given : typeof command === 'string' ? wordsOf(command) : undefined;
  const first = typeof words?.[0] === 'string' ? compilerOf(words[0], directory, folder) : undefined;
  return {
    ...others,
    ...(directory === undefined ? {} : { directory: folder ?? directory }),
    ...(file === undefined ? {} : { file: wordInCopy(file, tree) }),
    ...(output === undefined ? {} : { output: wordInCopy(output, tree) }),
    ...(words === undefined
      ? {}
      : { arguments: [first ?? words[0], ...words.slice(1)].map(word => wordInCopy(word, tree)) }),
  };
}

/** One that is named by its place from the folder, and that the copy has not, is that of the tree. */
function compilerOf(word: string, directory: unknown, folder: string | undefined): string {
  if (typeof directory !== 'string' || isAbsolute(word) || !word.includes('/')) return word;
  return existsSync(join(folder ?? directory, word)) ? word : join(directory, word);
}

function wordInCopy(word: unknown, tree: Places): unknown {
  if (typeof word !== 'string') return word;
  const before = isAbsolute(word) ? '' : (beforePath.exec(word)?.[0] ?? '');
  const named = word.slice(before.length);
  const path = moved(named, tree);
  return path !== undefined && (tree.has(path) || !tree.has(named)) ? `${before}${path}` : word;
}

/** Where the copy has what the tree has at this path; undefined where that is outside of the tree. */
function moved(path: string, { root, copy }: CopiedTree): string | undefined {
  return path === root || path.startsWith(`${root}/`) ? `${copy}${path.slice(root.length)}` : undefined;
}

/** The words of a command, by the shell's rules for quotes and backslashes. */
function wordsOf(command: string): readonly string[] {
  const words: string[] = [];
  for (const [whole] of command.matchAll(/(?:[^\s'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/g)) {
    words.push(
      whole.replace(
        /\\([\s\S])|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"/g,
        (_, escaped?: string, literal?: string, quoted?: string) =>
          escaped ?? literal ?? quoted!.replace(/\\([\s\S])/g, '$1'),
      ),
    );
  }
  return words;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
