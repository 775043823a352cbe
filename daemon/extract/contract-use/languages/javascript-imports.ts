import { perSource } from '../text/per-source.ts';
import type { Source } from '../text/source.ts';

/** A name of a file of JavaScript that stands for a module, or for something of it. */
export interface Import {
  readonly name: string;
  readonly module: string;
  /** As the module calls it: `default`, `*` for all of it. */
  readonly member: string;
  readonly at: number;
}

/** `import` statements, `require` in declarations, and `import x = require('y')`. */
export const importsIn = perSource(foundImportsIn);

function foundImportsIn(source: Source): readonly Import[] {
  const found: Import[] = [];
  for (const find of [ofStatements, ofRequires]) {
    for (const one of find(source)) {
      if (found.length >= mostImports) return found;
      found.push(one);
    }
  }
  return found;
}

const mostImports = 3_000;

/** What stands between `import` and its string holds names alone: where it doesn't, reading goes on behind that. */
function* ofStatements({ code, readable }: Source): Iterable<Import> {
  let at = code.indexOf('import');
  for (; at >= 0; at = code.indexOf('import', at + 1)) {
    if (/[\w$.]/.test(code[at - 1] ?? '')) continue;
    const { head, end } = headFrom(code, at + 6);
    const quote = code[end] ?? '';
    if ((quote === '"' || quote === "'") && (/\bfrom\s*$/.test(head) || head.trim() === '')) {
      const close = readable.indexOf(quote, end + 1);
      if (close > 0 && close - end < 400)
        yield* bindings(head.replace(/\bfrom\s*$/, ''), readable.slice(end + 1, close), at);
    } else if (code[end] === '(' && /=\s*require\s*$/.test(head)) {
      const [, module] = /^\(\s{0,20}["']([^"'\n]{1,300})["']/.exec(readable.slice(end, end + 400)) ?? [];
      const [, name] = /^\s*(\w{1,200})\s*=/.exec(head) ?? [];
      if (module !== undefined && name !== undefined) yield { name, module, member: '*', at };
    }
    at = Math.max(at, end - 1);
  }
}

function headFrom(code: string, from: number): { readonly head: string; readonly end: number } {
  let end = from;
  const most = Math.min(code.length, from + longestHead);
  while (end < most && !`"';(=\``.includes(code[end]!)) end++;
  if (code[end] === '=' && /^=\s{0,10}require\s{0,10}\(/.test(code.slice(end, end + 40))) end = code.indexOf('(', end);
  return { head: code.slice(from, end), end };
}

const longestHead = 4_000;

function* bindings(head: string, module: string, at: number): Iterable<Import> {
  const clause = head.trim().replace(/^type\s+/, '');
  const open = clause.indexOf('{');
  const outside = open < 0 ? clause : clause.slice(0, open);
  for (const part of outside.split(',')) {
    const [, all, only] = /^\s*(?:\*\s*as\s+([\w$]{1,200})|([\w$]{1,200}))\s*$/.exec(part) ?? [];
    if (all !== undefined) yield { name: all, module, member: '*', at };
    else if (only !== undefined) yield { name: only, module, member: 'default', at };
  }
  if (open >= 0) yield* named(clause.slice(open + 1).replace(/\}[\s\S]*$/, ''), module, at, /\s+as\s+/);
  if (clause === '') yield { name: '', module, member: '*', at };
}

/** Names in braces: `a, type b, c as d`, or `c: d` of a destructured object. */
function* named(list: string, module: string, at: number, between: RegExp): Iterable<Import> {
  for (const one of list.split(',')) {
    const [member = '', name = member] = one
      .trim()
      .replace(/^type\s+/, '')
      .replace(/\s*=[\s\S]*$/, '')
      .split(between);
    if (/^[\w$]{1,200}$/.test(member) && /^[\w$]{1,200}$/.test(name)) yield { name, module, member, at };
  }
}

/** `const x = require('y')`, with a member behind, or names in braces before. */
function* ofRequires({ code, readable }: Source): Iterable<Import> {
  for (const match of readable.matchAll(
    /(?<![\w$.])(?:require|await import)\(\s{0,20}["'`]([^"'`\n]{1,300})["'`]\s{0,20}\)(?:\.([\w$]{1,200}))?/g,
  )) {
    const module = match[1]!;
    const before = code.slice(Math.max(0, match.index - 600), match.index);
    if (code[match.index] !== readable[match.index]) continue;
    const [, braced, name] =
      /(?:const|let|var|,)\s{0,20}(?:\{([^{}]{1,500})\}|([\w$]{1,200}))\s{0,10}(?::\s{0,5}[\w.<>]{1,80}\s{0,5})?=\s{0,20}$/.exec(
        before,
      ) ?? [];
    if (braced !== undefined) yield* named(braced, module, match.index, /\s*:\s*/);
    else yield { name: name ?? '', module, member: match[2] ?? '*', at: match.index };
  }
}

/** Names that a file gives to strings: `const PROTO_PATH = path.join(__dirname, '../proto/demo.proto')`; the last string counts. */
export const constantsIn = perSource(foundConstantsIn);

function foundConstantsIn(source: Source): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const { readable, code } = source;
  for (const match of code.matchAll(
    /(?<![\w$])([A-Za-z_$][\w$]{0,150})\s{0,10}(?::\s{0,5}string\s{0,5})?=\s{0,20}(?=["'`]|(?:path\.)?(?:join|resolve)\(|__dirname|new URL\(|require\.resolve\()/g,
  )) {
    const from = match.index + match[0].length;
    const last = lastString(readable.slice(from, Math.max(from, endOfExpression(code, from))));
    if (last !== undefined && !found.has(match[1]!) && found.size < 500) found.set(match[1]!, last);
  }
  return found;
}

function endOfExpression(code: string, from: number): number {
  let depth = 0;
  const most = Math.min(code.length, from + 500);
  for (let i = from; i < most; i++) {
    const unit = code.charCodeAt(i);
    if (unit === 0x28 || unit === 0x5b || unit === 0x7b) depth++;
    else if (unit === 0x29 || unit === 0x5d || unit === 0x7d) {
      if (--depth < 0) return i;
    } else if (
      depth === 0 &&
      (unit === 0x3b || unit === 0x2c || (unit === 10 && !/[+,(]\s*$/.test(code.slice(from, i))))
    )
      return i;
  }
  return most;
}

/** Of an expression: what its last string holds. */
export function lastString(expression: string): string | undefined {
  let last: string | undefined;
  for (const match of expression.matchAll(/(["'`])([^"'`\n]{1,300})\1/g)) last = match[2]!;
  return last;
}
