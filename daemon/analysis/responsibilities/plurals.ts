import { wordsOfName } from './name-words.ts';

/** Of a noun in English, by the rules. */
export function plural(word: string): string {
  if (/[^aeiou]y$/i.test(word)) return `${word.slice(0, -1)}ies`;
  if (/sis$/i.test(word)) return `${word.slice(0, -2)}es`;
  return /(?:s|x|ch|sh)$/i.test(word) ? `${word}es` : `${word}s`;
}

/** Whether two texts have the same words but for singular and plural, case, articles and signs: `Create users`, `creates a user.` */
export function isSameButForNumber(one: string, other: string): boolean {
  const [words, others] = [wordsIn(one), wordsIn(other)];
  return words.length === others.length && words.every((word, at) => isSameWord(word, others[at]!));
}

function wordsIn(text: string): readonly string[] {
  return wordsOfName(text).filter(word => !articles.has(word));
}

const articles: ReadonlySet<string> = new Set(['a', 'an', 'the']);

function isSameWord(one: string, other: string): boolean {
  return one === other || isPlural(one, other) || isPlural(other, one);
}

function isPlural(word: string, singular: string): boolean {
  return word === plural(singular) || irregular.get(singular) === word;
}

/** Those that names in code are made of. */
const irregular: ReadonlyMap<string, string> = new Map([
  ['child', 'children'],
  ['person', 'people'],
  ['index', 'indices'],
  ['vertex', 'vertices'],
  ['matrix', 'matrices'],
]);
