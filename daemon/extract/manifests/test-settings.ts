import { type Content, object, said, text, texts } from './values.ts';

/**
 * What the settings of a runner of tests say of which files it takes, under the keys that they have there: lists of texts
 * and paths, `open` the keys whose values are not literals in whole, or several. Patterns that are regular expressions are
 * told of by `testRegex: true`, and by `testPathIgnorePatterns` as they are written.
 */
export type TestSettings = Content;

const lists = ['testMatch', 'roots', 'testPathIgnorePatterns'];
const places = ['rootDir', 'testDir'];
const setups = ['setupFiles', 'setupFilesAfterEnv', 'globalSetup', 'globalTeardown'];

/** Of `jest` in a package.json; undefined where it has none. */
export function jestSettings(jest: unknown): TestSettings | undefined {
  const file = object(jest);
  if (Object.keys(file).length === 0) return undefined;
  return {
    runner: 'jest',
    ...said({
      ...Object.fromEntries(lists.map(key => [key, texts(file[key] ?? [])])),
      rootDir: text(file['rootDir']),
      testRegex: file['testRegex'] === undefined ? undefined : true,
      projects: file['projects'] === undefined ? undefined : true,
      setup: setups.flatMap(key => texts(file[key] ?? [])),
    }),
  };
}

/** Of pytest's options, by what gives the values of one. */
export function pytestSettings(valuesOf: (key: string) => readonly string[]): TestSettings {
  const words = (key: string): readonly string[] =>
    valuesOf(key).flatMap(one => one.split(/[\s]+/).filter(word => word !== ''));
  return { runner: 'pytest', ...said({ testpaths: words('testpaths'), python_files: words('python_files') }) };
}

/** Of a configuration of Jest, Vitest or Playwright that is code; empty where nothing is said. */
export function codeTestSettings(source: string): TestSettings {
  const open = new Set<string>();
  const found: Content = {};
  const note = (key: string, values: readonly Literal[]): readonly string[] => {
    if (values.length > 1 || values.some(one => !one.isWhole)) open.add(key);
    return values.flatMap(one => one.texts);
  };
  for (const key of lists) found[key] = note(key, valuesOf(source, key));
  for (const key of places) found[key] = note(key, valuesOf(source, key))[0];
  const tests = [...source.matchAll(/\btest["']?\s*:\s*\{/g)].map(({ 0: whole, index }) => index + whole.length);
  if (tests.length > mostTests) open.add('include');
  const inTests = tests.slice(0, mostTests).flatMap(start => propertiesFrom(source, start));
  const included = inTests.filter(({ key }) => key === 'include');
  found['include'] = note(
    'include',
    included.map(({ value }) => literalAt(source, value)),
  );
  const moved = inTests.some(({ key }) => key === 'root' || key === 'dir') || /\broot["']?\s*:/.test(source);
  if (moved) open.add('root');
  found['testRegex'] = /\btestRegex["']?\s*:/.test(source) ? true : undefined;
  found['projects'] = /\b(?:projects|workspace)["']?\s*:/.test(source) ? true : undefined;
  return said({ ...found, open: [...open].sort() });
}

interface Literal {
  readonly texts: readonly string[];
  /** It is a text or a list of texts, and nothing else. */
  readonly isWhole: boolean;
}

const mostValues = 50;
/** Objects of settings that are looked through: one for each project. */
const mostTests = 10;

/** The values of a key, wherever it stands. */
function valuesOf(source: string, key: string): readonly Literal[] {
  const found: Literal[] = [];
  for (let at = source.indexOf(key); at >= 0 && found.length < mostValues; at = source.indexOf(key, at + 1)) {
    if (/[\w$.]/.test(source[at - 1] ?? '')) continue;
    const sign = /^["']?\s*:\s*/.exec(source.slice(at + key.length, at + key.length + 200));
    if (sign !== null && !isInComment(source, at)) found.push(literalAt(source, at + key.length + sign[0].length));
  }
  return found;
}

/** As far as its line tells. */
function isInComment(source: string, at: number): boolean {
  return /^\s*(?:\/\/|\*|\/\*)/.test(source.slice(source.lastIndexOf('\n', at) + 1, at).slice(0, 200));
}

const longestValue = 8_000;

function literalAt(source: string, start: number): Literal {
  const texts: string[] = [];
  let isList = false;
  for (const { sign, written } of tokensFrom(source, start, longestValue)) {
    if (sign === 'text') texts.push(written);
    else if (sign === '[' && !isList && texts.length === 0) {
      isList = true;
      continue;
    } else if (sign === ']' && isList) return { texts, isWhole: true };
    else if (sign !== ',' || !isList) return { texts, isWhole: false };
    if (!isList) return { texts, isWhole: !texts.some(one => one.includes('${')) };
  }
  return { texts, isWhole: false };
}

interface Property {
  readonly key: string;
  /** Where its value begins. */
  readonly value: number;
}

/** The properties of an object, from behind its brace. */
function propertiesFrom(source: string, start: number): readonly Property[] {
  const found: Property[] = [];
  let depth = 0;
  let word = '';
  for (const { sign, written, end } of tokensFrom(source, start, longestObject)) {
    if (/^[([{]$/.test(sign)) depth++;
    else if (/^[)\]}]$/.test(sign) && depth-- === 0) break;
    else if (depth === 0 && sign === ':' && word !== '') found.push({ key: word, value: end });
    word = sign === 'text' || sign === 'word' ? written : '';
  }
  return found;
}

const longestObject = 50_000;

interface Token {
  /** A bracket, a sign, or what kind of word it is. */
  readonly sign: string;
  readonly written: string;
  readonly end: number;
}

/** The tokens of JavaScript, no further than so many characters. */
function* tokensFrom(source: string, start: number, length: number): Iterable<Token> {
  const token = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(["'`])([^"'`\n]{0,1000})\1|([A-Za-z_$][\w$]*)|[^\s]/g;
  token.lastIndex = start;
  for (let one = token.exec(source); one !== null && one.index < start + length; one = token.exec(source)) {
    const [whole, quote, text, word] = one;
    if (/^\/[/*]/.test(whole)) continue;
    const sign = quote !== undefined ? 'text' : word !== undefined ? 'word' : whole;
    yield { sign, written: text ?? whole, end: token.lastIndex };
  }
}
