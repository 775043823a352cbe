/**
 * Where a text stops being JSON, as an index into it; undefined where it is JSON. What runtimes tell of that differs from
 * version to version, and with the length of the text.
 */
export function brokenAt(text: string): number | undefined {
  const open: ('{' | '[')[] = [];
  /** What may stand next; `first` is a value or name that the bracket may close before. */
  let next: Next = 'value';
  let at = skip(blank, text, 0);
  while (next !== 'nothing' || at < text.length) {
    const inner = open.at(-1);
    const sign = text[at];
    if (inner !== undefined && (next === 'first' || next === 'more') && sign === closing[inner]) {
      open.pop();
      next = open.length === 0 ? 'nothing' : 'more';
      at++;
    } else if (next === 'more' && sign === ',') {
      next = 'value';
      at++;
    } else if (next === 'more' || next === 'nothing') return at;
    else {
      const { begins, broken } = inner === '{' ? memberAt(text, at) : { begins: at };
      const bracket = text[begins];
      const isOpening = bracket === '{' || bracket === '[';
      at = isOpening ? begins + 1 : skip(bracket === '"' ? string : plainValue, text, begins);
      if (broken !== undefined || at === begins) return broken ?? begins;
      if (isOpening) open.push(bracket);
      next = isOpening ? 'first' : open.length === 0 ? 'nothing' : 'more';
    }
    at = skip(blank, text, at);
  }
  return undefined;
}

/** Where the value of an object's member begins, or where what leads there breaks. */
function memberAt(text: string, at: number): { readonly begins: number; readonly broken?: number } {
  const name = skip(string, text, at);
  const colon = skip(blank, text, name);
  if (name === at || text[colon] !== ':') return { begins: at, broken: name === at ? at : colon };
  return { begins: skip(blank, text, colon + 1) };
}

type Next = 'value' | 'first' | 'more' | 'nothing';

const closing = { '{': '}', '[': ']' } as const;
const blank = /[ \t\n\r]*/y;
const string = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[^"\\\u0000-\u001f]*)*"/y;
const plainValue = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Behind what the pattern takes there; the same place where it takes nothing. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
