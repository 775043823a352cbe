import { type LongName, longName } from '../long-name.ts';

/** A function as those who run it call it, taken apart as any language writes it. */
export type ObservedName = Pick<LongName, 'name' | 'qualifier'>;

/** What runtimes put into names that nobody wrote: closures of Go and Java, local scopes of Python, state machines of C#. */
const made: readonly (readonly [RegExp, string])[] = [
  [/\(\*(\w{1,200})\)/g, '$1'],
  [/\[\.\.\.\]/g, ''],
  [/(?:\.func\d{1,5}|\.gowrap\d{1,5}|-fm|-range\d{1,5})(?:\.\d{1,5}){0,9}(?=\.func|\.gowrap|$)/g, ''],
  [/\.<locals>/g, ''],
  [/\+?<(\w{1,200})>[a-z]__\d{1,9}(?:\.MoveNext)?/g, '.$1'],
  [/\.lambda\$(\w{1,200})\$\d{1,9}$/, '.$1'],
  [/\$(?:lambda|anonfun|suspendImpl|default)(?:[$-]\w{1,200}){0,9}$/, ''],
  [/\{\{closure\}\}|::\{closure#\d{1,5}\}/g, ''],
  [/^(?:async |new |bound )/, ''],
  [/(?<=\w)<[^<>]{1,200}>$/, ''],
  [/\([^()]{0,2000}\)(?: ?const)?$/, ''],
];

/** Names of what has none of its own, and of code at the top of a file. */
const nameless = /^(?:|<?(?:anonymous|lambda|unknown|module|eval)>?|\(anonymous\)|default|\d{1,9})$/i;

/** Constructors, as machines call them: they bear the name of what they make. */
const makers: ReadonlySet<string> = new Set(['<init>', '.ctor', 'ctor', '__construct']);

/** Undefined where the function has no name to be known by. */
export function observedName(name: string, namespace: string): ObservedName | undefined {
  if (nameless.test(name.trim())) return undefined;
  const around = namespace === '' ? [] : wordsOf(cleaned(namespace));
  const text = cleaned(name);
  const { name: bare, qualifier } = longName(text.replaceAll('::<', '<'));
  const own = qualifier.filter(isWord);
  if (makers.has(bare) || makers.has(name)) return makerOf([...around, ...own]);
  if (nameless.test(bare)) return undefined;
  return { name: bare, qualifier: withoutRepetition(around, own) };
}

function cleaned(text: string): string {
  let rest = text.trim();
  for (const [pattern, put] of made) rest = rest.replace(pattern, put);
  return rest;
}

function wordsOf(namespace: string): readonly string[] {
  const { name, qualifier } = longName(namespace);
  return [...qualifier, name].filter(isWord);
}

function isWord(word: string): boolean {
  return word !== '' && !word.startsWith('<');
}

function makerOf(words: readonly string[]): ObservedName | undefined {
  const name = words.at(-1);
  return name === undefined ? undefined : { name, qualifier: words };
}

/** Some tell a namespace, and the name with it once more. */
function withoutRepetition(around: readonly string[], own: readonly string[]): readonly string[] {
  const isThere = own.length >= around.length && around.every((word, at) => own[at] === word);
  return isThere ? own : [...around, ...own];
}
