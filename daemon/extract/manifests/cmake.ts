import { includeStatements } from './cmake-includes.ts';
import { maxItems, type Reading, said } from './values.ts';

interface Target {
  /** '' where it has to be computed. */
  readonly name: string;
  readonly kind: 'executable' | 'library';
  /** As written, without those that something has to be computed for. */
  readonly sources: readonly string[];
}

/**
 * CMakeLists.txt: the folders that are looked through for includes, of all that is compiled there and of each target, and what
 * targets link; a folder that begins with `/` is one of a project around. Of the project: its name, the folders that it adds, its targets
 * with the sources that literals and variables set to literals name, and the headers and folders that it installs.
 */
export function readCmake(source: string): Reading {
  const variables = new Map<string, readonly string[]>();
  const folders = new Set<string>();
  const targets: Target[] = [];
  const installed = new Set<string>();
  const includes = includeStatements();
  const budget = { words: mostWords };
  let name: string | undefined;
  for (const { command, words } of commandsIn(source)) {
    includes.take(command, words, one => expanded([one], variables, budget));
    const given = expanded(words, variables, budget);
    const [first, ...rest] = given;
    if (first === undefined || targets.length > maxItems) continue;
    if (command === 'set') variables.set(first, rest.slice(0, maxItems));
    else if (command === 'list' && first === 'APPEND' && rest[0] !== undefined) {
      variables.set(rest[0], [...(variables.get(rest[0]) ?? []), ...rest.slice(1)].slice(0, maxItems));
    } else if (command === 'project') {
      name ??= first;
      variables.set('PROJECT_NAME', [first]);
    } else if (command === 'add_subdirectory') folders.add(first);
    else if (/^(?:install|set_target_properties|target_sources)$/.test(command)) {
      for (const one of installedBy(given)) if (installed.size < maxItems) installed.add(one);
    } else if (command === 'add_executable' || command === 'add_library') {
      const kind = command === 'add_library' ? 'library' : 'executable';
      const [called = ''] = expanded(words.slice(0, 1), variables, budget);
      if (rest[0] !== 'ALIAS' && !rest.includes('IMPORTED'))
        targets.push({ name: called, kind, sources: given.filter(isSource) });
    }
  }
  const project = said({ name, folders: [...folders], targets, installed: [...installed] });
  return { scope: '', content: includes.all(), project };
}

/** In one file, variables filled in: lists of lists grow without end. */
const mostWords = 200_000;

/** Headers that others get, by `FILES`, `PUBLIC_HEADER` or a set of files, and folders by `DIRECTORY`, which end with `/`. */
function installedBy(words: readonly string[]): readonly string[] {
  const found: string[] = [];
  let about = '';
  for (const word of words) {
    if (/^[A-Z_]+$/.test(word)) about = word;
    else if (/^(?:FILES|PUBLIC_HEADER)$/.test(about) && header.test(word)) found.push(word);
    else if (about === 'DIRECTORY' && /^[^$]{1,300}$/.test(word)) found.push(`${word.replace(/\/$/, '')}/`);
  }
  return found;
}

const header = /^[^$]{1,300}\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp)$/;

function isSource(word: string): boolean {
  return /^[^$]{1,300}\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|m|mm)$/.test(word);
}

function expanded(
  words: readonly string[],
  variables: ReadonlyMap<string, readonly string[]>,
  budget: { words: number },
): readonly string[] {
  const found: string[] = [];
  for (const word of words) {
    found.push(...wordsOf(word, variables));
    if (found.length > maxItems || found.length > budget.words) break;
  }
  budget.words -= found.length;
  return found;
}

/** A list where the word is a variable that was set to one; nothing where it has to be computed. */
function wordsOf(word: string, variables: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const here = word.replace(
    /^\$\{(?:CMAKE_CURRENT_SOURCE_DIR|CMAKE_CURRENT_LIST_DIR|PROJECT_SOURCE_DIR|CMAKE_SOURCE_DIR)\}(\/|$)/,
    '.$1',
  );
  const [, variable = '', rest = ''] = /^\$\{([\w.-]{1,200})\}(.*)$/.exec(here) ?? [];
  if (variable === '') return [here];
  // Of a folder that has no project of its own the name is said further out.
  if (variable === 'PROJECT_NAME' && !variables.has(variable)) return [here];
  const values = variables.get(variable) ?? [];
  if (rest === '') return values;
  return values.length === 1 ? [`${values[0]!}${rest}`] : [here];
}

/** Commands with their words; comments are none, quoted words are without quotes, nested parentheses are passed over. */
function* commandsIn(source: string): Iterable<{ readonly command: string; readonly words: readonly string[] }> {
  const token = /#\[\[[\s\S]*?(?:\]\]|$)|#[^\n]*|"([^"\\]*(?:\\[\s\S][^"\\]*)*)(?:"|\\?$)|([()])|([^\s()#"]+)/g;
  let previous = '';
  let command = '';
  let words: string[] = [];
  let depth = 0;
  for (const [whole, quoted, parenthesis, plain] of source.matchAll(token)) {
    if (whole.startsWith('#')) continue;
    if (parenthesis === '(') {
      if (depth++ === 0) [command, words] = [previous.toLowerCase(), []];
    } else if (parenthesis === ')') {
      if (depth > 0 && --depth === 0 && command !== '') yield { command, words };
    } else if (depth === 1 && words.length < maxItems) words.push(quoted ?? plain ?? '');
    previous = plain ?? '';
  }
}
