import { stringAt } from '../text/blanked.ts';
import { textConstants, textTemplates } from '../text/constants.ts';
import { argumentsAt, closingOf, type Source } from '../text/source.ts';

/** A path of an HTTP API as routes have it: `/carts/{}`, and the host where one is written before it. */
export interface WrittenPath {
  readonly path: string;
  readonly host?: string;
}

/** Stands for what a program puts in. */
const hole = '\0';

/**
 * The path that an expression writes: a string, strings and values joined, a string that is filled in, or an address that is
 * made of such. Undefined where no literal tells it. `isRelative`: whether one may do without a slash before it.
 */
export function writtenPath(source: Source, from: number, to: number, isRelative = false): WrittenPath | undefined {
  return normalPath(flattened(source, from, Math.min(to, from + longestExpression), 0), isRelative);
}

/** As `writtenPath`, of what is served: a string that begins with a parameter, `{id}/lines`, has no address before it. */
export function servedPath(source: Source, from: number, to: number, isRelative = false): WrittenPath | undefined {
  const [, , text] = isRelative
    ? (/^\s*(["'])([{<]\w[^"'\n]{0,300})\1\s*$/.exec(source.readable.slice(from, Math.min(to, from + 400))) ?? [])
    : [];
  return text === undefined ? writtenPath(source, from, to, isRelative) : normalPath(withHoles(`/${text}`));
}

const longestExpression = 1_500;

/** As `writtenPath`, of a text whose holes are written in any of the usual ways. */
export function normalPath(text: string, isRelative = false): WrittenPath | undefined {
  const [, host, afterHost] = /^(?:https?|lb|grpc):\/\/([^/?#]{1,200})([\s\S]*)$/.exec(text) ?? [];
  const isOpen = text.startsWith(hole);
  const rest = afterHost ?? text.replace(/^\0+/, '');
  if (!/[\w/]/.test(rest) && host === undefined) return undefined;
  if (host === undefined && !rest.startsWith('/') && !isOpen && !isRelative) return undefined;
  const bare = rest.replace(/[?#][\s\S]*$/, '').trim();
  if (host === undefined && !bare.startsWith('/') && !/^[\w{}:.~%\0@-]+(?:\/|$)/.test(bare)) return undefined;
  const segments = bare
    .split('/')
    .filter(part => part !== '')
    .map(segmentOf);
  const path = `/${segments.join('/')}`;
  if (path.length > 300 || segments.length > 30 || !/^[\w\-.~%{}@+,;=!$&'()*/:]+$/.test(path)) return undefined;
  const named =
    host === undefined || host.includes(hole) || !/^[\w.-]{1,150}(?::\d{1,5})?$/.test(host) ? undefined : host;
  return { path, ...(named === undefined ? {} : { host: named }) };
}

/** The path of strings and names with slashes between, `"carts" / LongNumber`: names are parameters. */
export function segmentsOf(text: string): string | undefined {
  const parts = [...text.matchAll(/"([^"\n]{0,200})"|[\w.]{1,100}(?:\([^()]{0,100}\))?/g)];
  return normalPath(`/${parts.map(([, string]) => string ?? ':part').join('/')}`)?.path;
}

/** The path that a regular expression stands for, `^carts/(?P<id>\\d+)/$`; undefined of one that may be several. */
export function pathOfExpression(expression: string, isRelative = false): WrittenPath | undefined {
  const bare = expression.replace(/^(?:\^|\\A)/, '').replace(/(?:\/\?)?(?:\$|\\Z)?$/i, '');
  let text = '';
  for (let i = 0; i < bare.length; ) {
    const piece = /^(?:\\[dwsDWS]|\[\^?\]?[^\]]{1,60}\]|\.)(?:[+*]|\{[\d,]{1,9}\})\??/.exec(bare.slice(i, i + 80))?.[0];
    if (bare[i] === '(') {
      const end = groupEnd(bare, i);
      if (end < 0 || bare.startsWith('(?:', i)) return undefined;
      text += hole;
      i = end;
    } else if (piece !== undefined) {
      text += hole;
      i += piece.length;
    } else if (bare[i] === '\\' && /[^\w\s]/.test(bare[i + 1] ?? '')) {
      text += bare[i + 1]!;
      i += 2;
    } else if (/[\\[\]()|*+?{}^$]/.test(bare[i]!)) return undefined;
    else text += bare[i++]!;
  }
  return normalPath(text, isRelative);
}

/** The offset behind the group that opens at `open`, or -1. */
function groupEnd(expression: string, open: number): number {
  let depth = 0;
  let isInClass = false;
  for (let i = open; i < expression.length; i++) {
    const one = expression[i]!;
    if (one === '\\') i++;
    else if (one === '[') isInClass = true;
    else if (one === ']') isInClass = false;
    else if (one === '(' && !isInClass) depth++;
    else if (one === ')' && !isInClass && --depth === 0) return i + 1;
  }
  return -1;
}

/** `:id`, `{id}`, `<int:id>`, `[id]`, `*rest` and holes are one parameter; of others what is put in is one. */
function segmentOf(part: string): string {
  if (/^(?::\w+\0?[?*+]?(?:\([^()]*\))?|<[^<>]+>|\[+[.\w-]+\]+|\*\w*|\(\?P<\w+>.*\))$/.test(part)) return '{}';
  return part
    .replace(/\{[^{}]*\}/g, hole)
    .replace(/<[^<>]*>/g, hole)
    .replace(/(?<=\w):\w+$/, match => match)
    .replace(/\0+/g, '{}');
}

/** The text of an expression, with holes for what isn't written. */
function flattened(source: Source, from: number, to: number, depth: number): string {
  const { code, readable } = source;
  let text = '';
  let wasValue = false;
  let wasString = false;
  for (let i = from; i < to; ) {
    const string = stringAt(readable, i, source.lexis);
    if (string !== undefined) {
      text += withHoles(readable.slice(string.from, string.to), text === '' ? textConstants(source) : undefined);
      i = Math.max(i + 1, string.end);
      wasValue = true;
      wasString = true;
    } else if (/[\w$@]/.test(code[i]!)) {
      const chain =
        /^[\w$@]+(?:(?:\?\.|\.|::|->|!)[\w$]+)*!?/.exec(code.slice(i, Math.min(to, i + 200)))?.[0] ?? code[i]!;
      const end = i + chain.length;
      const called = callAt(source, chain, end, to);
      wasString = false;
      if (isPrefix(chain, readable, end)) i = end;
      else if (called !== undefined) {
        text += ofTemplate(source, chain) ?? (depth < 4 ? ofCall(source, chain, called.open, depth) : hole);
        i = called.end;
      } else {
        const name = chain.replace(/^(?:this|self)\./, '');
        const template = textTemplates(source).get(name);
        text += textConstants(source).get(name) ?? (isKeyword(chain) ? '' : ofTemplateText(template));
        wasString = template !== undefined;
        i = end;
      }
      wasValue = !isKeyword(chain);
    } else if (wasValue && (code[i] === '.' || code.startsWith('?.', i)) && /[\w?]/.test(code[i + 1] ?? '')) {
      i = afterMember(source, i, to);
    } else if (code[i] === '(' || code[i] === '[' || code[i] === '{') {
      const end = Math.min(to, Math.max(i + 1, closingOf(source, i, 2_000)));
      if (code[i] === '(' && depth < 4) text += flattened(source, i + 1, end - 1, depth + 1);
      // What is called on a string in parentheses gives the same string, or one like it.
      if (code[i] === '(') wasValue = true;
      i = end;
    } else {
      if (code[i] === '?' && code[i + 1] !== '.') return text;
      if (code[i] === ',' && depth > 0) return text;
      // What a string of Python or Ruby is filled with is none of it.
      i = code[i] === '%' && wasString ? afterOperand(source, i + 1, to) : i + 1;
    }
  }
  return text;
}

/** A hole, unless what is filled in is known. */
function ofTemplateText(template: string | undefined): string {
  return template === undefined ? hole : withHoles(template);
}

/** `URL.format(id)`, where `URL` is a string to be filled in. */
function ofTemplate(source: Source, chain: string): string | undefined {
  const [, name] = /^(?:(?:this|self)\.)?(\w+)\.(?:format|formatted)$/.exec(chain) ?? [];
  const template = name === undefined ? undefined : textTemplates(source).get(name);
  return template === undefined ? undefined : withHoles(template);
}

/** The offset behind a name with what is called and taken of it, or behind what parentheses hold. */
function afterOperand(source: Source, from: number, to: number): number {
  const [before] = /^\s{0,60}(?:[\w@.]{1,200})?/.exec(source.code.slice(from, Math.min(to, from + 300))) ?? [''];
  let end = from + before!.length;
  for (let i = 0; i < 10 && end < to && /[([]/.test(source.code[end]!); i++) {
    const close = closingOf(source, end, 2_000);
    if (close < 0) return to;
    end = close + (/^(?:\.\w{1,100})+/.exec(source.code.slice(close, close + 200))?.[0].length ?? 0);
  }
  return Math.min(to, end);
}

/** What stands before a string and belongs to it: `f"…"`, `@"…"`, `r'…'`, `uri"…"`. */
function isPrefix(chain: string, readable: string, end: number): boolean {
  return /^(?:[fFrRbBuUsL]{1,2}|uri|[$@]{1,2})$/.test(chain) && /["'`]/.test(readable[end] ?? '');
}

function isKeyword(chain: string): boolean {
  return /^(?:new|await|return|as|string|String|const)$/.test(chain);
}

/** A call, and what C++ makes in braces: `cpr::Url{base + "/carts"}`. */
function callAt(
  source: Source,
  chain: string,
  end: number,
  to: number,
): { readonly open: number; readonly end: number } | undefined {
  const { code } = source;
  const open = end + (/^\s{0,5}/.exec(code.slice(end, end + 6))?.[0].length ?? 0);
  const isMade = code[open] === '{' && /::(?:Ur[li]|string|string_view)$/.test(chain);
  if ((code[open] !== '(' && !isMade) || open >= to) return undefined;
  const close = closingOf(source, open, 3_000);
  return close < 0 ? { open, end: to } : { open, end: Math.min(to, close) };
}

/** Of a call that makes an address: joined parts, or what its first argument has; a hole where that tells nothing. */
function ofCall(source: Source, chain: string, open: number, depth: number): string {
  const given = argumentsAt(source, open);
  if (/(?:^|[.:])(?:urljoin|JoinPath|joinPath|join|resolve|uri_join)$/i.test(chain)) {
    const parts = given.slice(0, 10).map(({ from, to }) => flattened(source, from, to, depth + 1));
    return parts
      .map(part => part.replace(/^\/|\/$/g, ''))
      .filter(part => part !== '')
      .map((part, i) => (i === 0 && !part.startsWith(hole) && !part.includes('://') ? `/${part}` : part))
      .join('/');
  }
  const [first, second] = given;
  if (first === undefined) return hole;
  if (/(?:^|:)StrCat$/.test(chain)) return given.map(({ from, to }) => flattened(source, from, to, depth + 1)).join('');
  const text = flattened(source, first.from, first.to, depth + 1);
  // `new URL('/carts', base)`, and formats that come second.
  if (!/[/\w]/.test(text) && second !== undefined && /printf$|format$/i.test(chain))
    return flattened(source, second.from, second.to, depth + 1) || hole;
  return text.includes('/') || /(?:format!?|Sprintf|sprintf|parse|create|URL|URI|Uri)$/.test(chain)
    ? text || hole
    : hole;
}

function afterMember(source: Source, at: number, to: number): number {
  const { code } = source;
  const name = /^\??\.\s{0,5}\w{1,100}!?/.exec(code.slice(at, at + 120))?.[0] ?? '.';
  const end = at + name.length;
  return code[end] === '(' ? Math.min(to, Math.max(end + 1, closingOf(source, end, 2_000))) : end;
}

/**
 * What a string holds, with a hole for each thing that the usual languages put into one; of what it begins with, what a constant
 * has: `${BASE}/stock`.
 */
export function withHoles(content: string, constants?: ReadonlyMap<string, string>): string {
  let text = '';
  for (let i = 0; i < content.length; i++) {
    const two = content.slice(i, i + 2);
    if (two === '${' || two === '#{' || two === '\\(' || content[i] === '{') {
      const end = holeEnd(content, i + (content[i] === '{' ? 1 : 2), two === '\\(' ? ')' : '}');
      // A parameter of a route's own may be an expression of its own: `{id:[0-9]+}`.
      const name = i > 0 ? '' : content.slice(content[0] === '{' ? 1 : 2, end);
      text += constants?.get(name.replace(/^(?:this|self)\./, '')) ?? hole;
      i = end;
      continue;
    }
    const [format] =
      /^(?:%\(\w{1,60}\)[sd]|%(?:\d\$)?[-+0]?\d{0,3}(?:l{0,2}[du]|[sdvqix@])(?![\da-fA-F]{2})|\$[A-Za-z_]\w*(?:->\w+)*)/.exec(
        content.slice(i, i + 100),
      ) ?? [];
    if (format !== undefined && !/^%d[\da-fA-F]/.test(content.slice(i, i + 3))) {
      text += hole;
      i += format.length - 1;
    } else text += content[i]!;
  }
  return text;
}

function holeEnd(content: string, from: number, close: string): number {
  const open = close === ')' ? '(' : '{';
  let depth = 1;
  for (let i = from; i < content.length; i++) {
    if (content[i] === open) depth++;
    else if (content[i] === close && --depth === 0) return i;
  }
  return content.length;
}
