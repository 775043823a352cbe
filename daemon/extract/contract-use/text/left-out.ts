/**
 * What a preprocessor leaves out whatever is defined: `#if 0`, `#if false`, and what stands beside `#if 1`. Where it depends on what is
 * defined, all branches are code.
 */
export interface Conditions {
  /** Of the conditions that are open: whether a branch was taken, so that no other will be. */
  readonly taken: boolean[];
}

/**
 * Of a directive whose mark is at `at`: the lines that it leaves out, up to the directive that ends them; undefined where it leaves
 * out none. Called for one directive after another, but for those that were left out.
 */
export function leftOut(
  text: string,
  at: number,
  { taken }: Conditions,
): { readonly from: number; readonly to: number } | undefined {
  const directive = directiveAt(text, at);
  if (directive === undefined) return undefined;
  const { word, end } = directive;
  if (word === 'endif') {
    taken.pop();
    return undefined;
  }
  const value = word === 'else' ? true : truthOf(word, text.slice(directive.condition, end));
  let isLeftOut = value === false;
  if (word.startsWith('if')) taken.push(value === true);
  else if (taken.length > 0) {
    isLeftOut ||= taken.at(-1)!;
    taken[taken.length - 1] ||= value === true;
  }
  return isLeftOut ? { from: end, to: branchEnd(text, end) } : undefined;
}

/** The line of the next directive that is of the same condition. */
function branchEnd(text: string, from: number): number {
  let depth = 0;
  for (let line = from; line < text.length; line = lineEnd(text, line + 1)) {
    const at = firstOfLine(text, line + 1);
    if (text.charCodeAt(at) !== hash) continue;
    const word = directiveAt(text, at)?.word ?? '';
    if (depth === 0 && word.startsWith('e')) return at;
    if (word.startsWith('if')) depth++;
    else if (word === 'endif') depth--;
  }
  return text.length;
}

/** Whether nothing stands before it in its line. */
export function isFirstOfLine(text: string, at: number): boolean {
  let i = at - 1;
  while (i >= 0 && at - i <= longestIndentation && isSpace(text.charCodeAt(i))) i--;
  return i < 0 || text.charCodeAt(i) === newline;
}

function firstOfLine(text: string, from: number): number {
  let i = from;
  while (i - from < longestIndentation && isSpace(text.charCodeAt(i))) i++;
  return i;
}

function isSpace(unit: number): boolean {
  return unit === 32 || unit === 9;
}

const longestIndentation = 200;
const newline = 10;
const hash = 0x23;

interface Directive {
  readonly word: string;
  readonly condition: number;
  readonly end: number;
}

function directiveAt(text: string, at: number): Directive | undefined {
  const [whole, word] =
    /^#[ \t]{0,40}(if(?:n?def)?|elif(?:n?def)?|elseif|else|endif)(?!\w)/.exec(text.slice(at, at + 60)) ?? [];
  return word === undefined ? undefined : { word, condition: at + whole!.length, end: lineEnd(text, at) };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** Of a condition that is the same everywhere, as `0 && X` is; undefined of others. */
function truthOf(word: string, written: string): boolean | undefined {
  if (word.endsWith('def')) return undefined;
  const condition = written
    .slice(0, 200)
    .replace(/\/[/*].*$/s, '')
    .replaceAll(/\s/g, '');
  // Where parts of one kind are joined, parentheses make no difference.
  if (/!\(/.test(condition) || (condition.includes('&&') && condition.includes('||'))) return undefined;
  const parts = condition.replaceAll(/[()]/g, '').split(/&&|\|\|/);
  const isAnd = !condition.includes('||');
  const [deciding, other] = isAnd ? [never, always] : [always, never];
  if (parts.some(part => deciding.test(part))) return !isAnd;
  return parts.every(part => other.test(part)) ? isAnd : undefined;
}

const never = /^(?:0|false|!1|!true)$/;
const always = /^(?:1|true|!0|!false)$/;
