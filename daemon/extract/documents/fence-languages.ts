/** How code is written in comments and texts: what begins them. */
export type Lexis = 'c' | 'hash' | 'rust';

export interface FenceLanguage {
  /** As extractors name it. */
  readonly language: string;
  readonly lexis: Lexis;
}

const languages: Readonly<Record<string, string>> = {
  ...{ ts: 'typescript', mts: 'typescript', cts: 'typescript', tsx: 'typescript', typescript: 'typescript' },
  ...{ js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsx: 'javascript', javascript: 'javascript' },
  ...{ vue: 'javascript', svelte: 'javascript', astro: 'javascript', node: 'javascript' },
  ...{ py: 'python', python: 'python', python3: 'python', pycon: 'python', go: 'go', golang: 'go' },
  ...{ rs: 'rust', rust: 'rust', java: 'java', kt: 'kotlin', kotlin: 'kotlin', kts: 'kotlin' },
  ...{ c: 'c', cpp: 'cpp', 'c++': 'cpp', cc: 'cpp', cxx: 'cpp', h: 'c', hpp: 'cpp' },
  ...{ cs: 'csharp', csharp: 'csharp', 'c#': 'csharp', php: 'php', rb: 'ruby', ruby: 'ruby', dart: 'dart' },
};

/** What the first word behind a fence says; undefined of what is no code that is read: commands, data, output. */
export function fenceLanguage(info: string): FenceLanguage | undefined {
  const [word = ''] = /^[\w+#-]{1,30}/.exec(info.trim()) ?? [];
  const name = word.toLowerCase();
  if (!Object.hasOwn(languages, name)) return undefined;
  const language = languages[name]!;
  const lexis = language === 'python' || language === 'ruby' ? 'hash' : language === 'rust' ? 'rust' : 'c';
  return { language, lexis };
}

/** What may begin a comment or text. */
const begins: Readonly<Record<Lexis, RegExp>> = { c: /["'`]|\/[/*]/g, rust: /"|\/[/*]/g, hash: /["'`#]/g };

/** The code with spaces for what stands in comments and texts, so that all else stays where it is. In one pass. */
export function withoutTexts(code: string, lexis: Lexis): string {
  let out = '';
  let at = 0;
  const begin = begins[lexis];
  for (;;) {
    begin.lastIndex = at;
    const found = begin.exec(code);
    if (found === null) return out + code.slice(at);
    const end = endOfText(code, found.index, lexis);
    out += code.slice(at, found.index) + code.slice(found.index, end).replace(/[^\n]/g, ' ');
    at = end;
  }
}

/** Where the comment or text ends that begins at a place. */
function endOfText(code: string, at: number, lexis: Lexis): number {
  const sign = code[at]!;
  if (sign === '#' || code.startsWith('//', at)) return indexOr(code, '\n', at);
  if (sign === '/') return indexOr(code, '*/', at + 2, 2);
  const triple = sign.repeat(3);
  if (lexis === 'hash' && code.startsWith(triple, at)) return indexOr(code, triple, at + 3, 3);
  for (let index = at + 1; index < code.length; index++) {
    if (code[index] === '\\') index++;
    else if (code[index] === sign) return index + 1;
    else if (code[index] === '\n' && sign !== '`') return index;
  }
  return code.length;
}

function indexOr(code: string, text: string, from: number, beyond = 0): number {
  const found = code.indexOf(text, from);
  return found < 0 ? code.length : found + beyond;
}
