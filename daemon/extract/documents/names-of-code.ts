import type { Fence } from './fence.ts';

const types =
  /^[ \t>.]{0,80}(?:(?:export|default|declare|abstract|public|private|protected|internal|static|final|sealed|data|open|partial|const|pub(?:\([^()\n]{0,40}\))?)[ \t]{1,8}){0,5}(?:class|struct|enum|trait|interface|type|record|object)[ \t]{1,8}([\p{L}_$][\p{L}\p{N}_$]{0,127})/gmu;
const values =
  /^([ \t]{0,80})(?:(?:export|default|public|static|async|inline|unsafe|pub(?:\([^()\n]{0,40}\))?)[ \t]{1,8}){0,5}(function\*?|func|fn|fun|def|const|val)[ \t]{1,8}([\p{L}_$][\p{L}\p{N}_$]{0,127})/gmu;

/**
 * What a piece of code defines: types wherever they stand, functions and constants at its own top. A function without a body is
 * told of, as references do, and is not defined.
 */
export function definedInCode({ plain, imports: { locals } }: Fence): readonly string[] {
  const found = [...plain.matchAll(types)].map(([, name]) => name!);
  const indent = Math.min(...plain.split('\n').flatMap(line => (line.trim() === '' ? [] : [line.search(/\S/)])));
  for (const { 0: whole, 1: space = '', 2: word = '', 3: name = '', index } of plain.matchAll(values)) {
    const rest = plain.slice(index + whole.length, index + whole.length + 800);
    if (space.length > indent) continue;
    if (word === 'const' || word === 'val' || hasBody(word, rest)) found.push(name);
  }
  return found.filter(name => !locals.has(name));
}

/** Whether what begins a function goes on with what it does. `rest`: what follows on its name. */
function hasBody(word: string, rest: string): boolean {
  const [line = ''] = /^[^\n]{0,600}/.exec(rest) ?? [];
  if (word === 'def') return !/:\s{0,9}\.\.\.\s{0,9}$/.test(line);
  return /\)[^();\n]{0,200}(?:\{|=\s)/.test(line) || /^[^;{}]{0,600}\)[^();{}\n]{0,200}\{/.test(rest);
}

const lists: readonly RegExp[] = [
  /\(([^()]{0,300})\)\s{0,9}(?::\s{0,9}[^=(){};\n]{1,100})?=>/g,
  /(?<![\w$.])([\w$]{1,100})\s{0,9}=>/g,
  /\blambda\s{1,9}([^:\n]{1,200}):/g,
  /\b(?:function\*?|func)\s{0,9}\(([^()]{0,300})\)/g,
];
const closure = /(?:[(,=]|\bmove)\s{0,9}\|([^|\n]{1,100})\|/g;

/** What callbacks of a piece of code are handed. `language`: '' where nobody says. */
export function parametersInCode(plain: string, language: string): readonly string[] {
  const patterns = language === 'rust' ? [...lists, closure] : lists;
  return patterns.flatMap(pattern => [...plain.matchAll(pattern)].flatMap(([, list = '']) => namesOfList(list)));
}

/** `a, b: B, { c, d: e }: F` hands over a, b, c and e. */
function namesOfList(list: string): readonly string[] {
  const taken = [...list.matchAll(/\{([^{}]{0,300})\}/g)].flatMap(([, inside = '']) =>
    inside.split(',').map(piece => /^[^:=]{0,100}:\s{0,9}([\w$]{1,100})/.exec(piece)?.[1] ?? firstName(piece)),
  );
  const plain = list
    .replace(/\{[^{}]{0,300}\}/g, '')
    .split(',')
    .map(firstName);
  return [...taken, ...plain].filter(name => name !== '');
}

function firstName(piece: string): string {
  return /^[\s.*&[\]]{0,20}(?:mut\s{1,9})?([\p{L}_$][\p{L}\p{N}_$]{0,99})/u.exec(piece)?.[1] ?? '';
}
