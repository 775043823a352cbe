import { type DocumentMentions, nothingSaid } from '../../model/mentions.ts';
import { fenceOf } from './fence.ts';
import { languageByImports } from './fence-imports.ts';
import { type FenceLanguage, fenceLanguage } from './fence-languages.ts';
import { callsInFence, namesInFence } from './fence-mentions.ts';
import { type MarkdownNode, markdownTree } from './markdown.ts';
import { definedInCode, parametersInCode } from './names-of-code.ts';
import { NotedMentions } from './noted-mentions.ts';
import { isTooDeep, readableText } from './readable-text.ts';
import { mayHaveRoutes, routesInFence, writtenRoute } from './route-mentions.ts';
import { isFileName, writtenName, writtenPath } from './written-name.ts';

/** Larger documents are listed and not read: they are made by programs. */
export const mostDocumentBytes = 256 * 1024;
/** Of a code span where callbacks are looked for. */
const longestCallback = 200;
/** Code whose language nobody says. */
const unsaid: FenceLanguage = { language: '', lexis: 'c' };

/** What a Markdown document mentions of code. Never throws for what it holds; its time grows with its length. */
export function readDocument(source: string): DocumentMentions {
  if (Buffer.byteLength(source) > mostDocumentBytes) return nothingSaid('too large');
  if (isTooDeep(source)) return nothingSaid('too deep');
  const text = readableText(source);
  const reading = new Reading(text);
  markdownTree(text).iterate({ enter: node => reading.enter(node), leave: node => reading.leave(node) });
  return reading.told();
}

const proseWord = /(?<![\p{L}\p{N}_.-])\p{Ll}{3,30}(?![\p{L}\p{N}_-])/gu;

/** A link, an image or a definition of where labels lead. */
interface Leading {
  /** The first name in it. */
  readonly first: number;
  /** Where what it shows begins and ends; -1 before that. */
  from: number;
  to: number;
  label: string;
  target: string;
}

/** Labels are the same whatever their case and spaces. */
function plainLabel(label: string): string {
  return label
    .replace(/\s{1,1000}/g, ' ')
    .trim()
    .toLowerCase();
}

/** A tag up to the end of where it leads; nothing with spaces, or with signs written in other ways. */
const leadingTag = /<(?:img|a)(?=\s)[^<>]{0,1000}?\s(?:src|href)\s{0,9}=\s{0,9}(["'])([^"'<>\s&]{1,500})\1/gi;

const isProse = /^(?:Paragraph|TableCell|(?:ATX|Setext)Heading\d)$/;
const isHeading = /^(?:ATX|Setext)Heading\d$/;

/** Whose a thing is that is named next: a name, its version, and a few words. */
const owner = /(?:^|[\s([*_])(\p{Lu}[\p{L}\d.]{1,40})(?: \d[\d.]{0,9})?['’]s (?:[\p{Ll}-]{1,20} ){0,3}\[?$/u;
const mostBefore = 120;

/** Goes over the tree of a document. */
class Reading {
  readonly #text: string;
  readonly #noted: NotedMentions;
  readonly #words = new Set<string>();
  /** Where prose begins that has not been gone over. */
  #prose = 0;
  #info = '';
  /** Runs of the text that make up the code that is gone over. */
  #code: [start: number, end: number][] = [];
  readonly #open: Leading[] = [];
  /** Names in links whose target stands elsewhere in the document, which may be further down. */
  readonly #labelled: (readonly [name: number, label: string])[] = [];
  readonly #targets = new Map<string, string>();

  constructor(text: string) {
    this.#text = text;
    this.#noted = new NotedMentions(text);
  }

  told(): DocumentMentions {
    for (const [name, label] of this.#labelled) this.#noted.leads(name, this.#targets.get(label) ?? '');
    return this.#noted.told([...this.#words].sort().join(' '));
  }

  enter({ name, from, to }: MarkdownNode): void {
    if (isProse.test(name)) this.#prose = from;
    switch (name) {
      case 'Link':
      case 'Image':
      case 'LinkReference':
        this.#open.push({ first: this.#noted.names, from: -1, to: -1, label: '', target: '' });
        return;
      case 'FencedCode':
      case 'CodeBlock':
        this.#info = '';
        this.#code = [];
        return;
      case 'CodeInfo':
        this.#info = this.#text.slice(from, to);
        return;
      case 'CodeText':
        this.#code.push([from, to]);
        return;
      case 'InlineCode':
        this.#inline(from, to);
        break;
      case 'HTMLBlock':
      case 'HTMLTag':
        this.#attributes(from, this.#text.slice(from, to));
        this.#directives(from, this.#text.slice(from, to));
        break;
      case 'CommentBlock':
      case 'Comment':
        this.#directives(from, this.#text.slice(from, to));
        break;
      case 'LinkMark':
        this.#mark(from, to);
        return;
      case 'LinkLabel':
        this.#label(this.#text.slice(from + 1, to - 1));
        break;
      case 'URL':
        this.#lead(from, to);
        break;
      case 'LinkTitle':
      case 'HeaderMark':
        break;
      default:
        return;
    }
    // What is no prose ends what came before it.
    this.#prosaic(from);
    this.#prose = to;
  }

  leave({ name, from, to }: MarkdownNode): void {
    if (isProse.test(name)) this.#prosaic(to);
    if (isHeading.test(name)) this.#noted.heading(headingText(this.#text.slice(from, to)));
    else if (name === 'FencedCode') this.#fence();
    else if (name === 'CodeBlock') this.#fencesBelow();
    else if (name === 'Link') this.#close();
    else if (name === 'Image') this.#open.pop();
    else if (name === 'LinkReference') this.#define();
  }

  #prosaic(to: number): void {
    for (const [word] of this.#text.slice(this.#prose, to).matchAll(proseWord)) this.#words.add(word);
  }

  #inline(from: number, to: number): void {
    const whole = this.#text.slice(from, to);
    const ticks = /^`{1,300}/.exec(whole)?.[0].length ?? 1;
    const inside = whole.slice(ticks, -ticks);
    const text = inside.trim();
    if (text === '' || text.includes('\n')) return;
    if (/=>|\blambda\b/.test(text)) this.#noted.own('', [], parametersInCode(text.slice(0, longestCallback), ''));
    const start = from + ticks + inside.indexOf(text);
    const route = writtenRoute(text);
    if (route !== undefined) {
      this.#noted.route('inline', route, start);
      return;
    }
    const path = writtenPath(text);
    const name = writtenName(text);
    if (path !== undefined && (name === undefined || isFileName(path) || !text.includes('.'))) {
      this.#noted.path('code', path, start);
    } else if (name !== undefined) {
      const [, whose] = owner.exec(this.#text.slice(Math.max(0, from - mostBefore), from)) ?? [];
      this.#noted.name('inline', text, whose === undefined ? name : { ...name, whose }, start);
    }
  }

  #fence(): void {
    const [first] = this.#code;
    const isUnsaid = this.#info.trim() === '';
    if (first === undefined || !(isUnsaid || fenceLanguage(this.#info) || mayHaveRoutes(this.#info))) return;
    const start = first[0];
    // As it stands in the text: what quotes and lists put before each line is blanked.
    let code = '';
    for (const [from, to] of this.#code) {
      code += this.#text.slice(start + code.length, from).replace(/[^\n]/g, ' ');
      code += this.#text.slice(from, to);
    }
    const said = isUnsaid ? (fenceLanguage(languageByImports(code) ?? '') ?? unsaid) : fenceLanguage(this.#info);
    if (mayHaveRoutes(this.#info)) {
      for (const route of routesInFence(code, this.#info)) this.#noted.route('fence', route, start);
    }
    if (said !== undefined) this.#fenced(code, said, start);
  }

  #fenced(code: string, said: FenceLanguage, start: number): void {
    const fence = fenceOf(code, said);
    this.#noted.own(said.language, definedInCode(fence), parametersInCode(fence.plain, said.language));
    for (const { rawText, ...name } of said === unsaid ? callsInFence(fence) : namesInFence(fence)) {
      this.#noted.name('fence', rawText, name, start, said.language);
    }
  }

  /** Notes of some dialects are indented, and the fences in them code to others: what those define is the document's as well. */
  #fencesBelow(): void {
    let said: FenceLanguage | undefined;
    let code: string[] = [];
    const indented = this.#code.map(([from, to]) => this.#text.slice(from, to)).join('');
    for (const line of indented.split('\n')) {
      const info = /^[ \t]{0,20}```([^`]{0,200})$/.exec(line)?.[1];
      if (info === undefined) code.push(line);
      else {
        if (said !== undefined) this.#noted.own(said.language, definedInCode(fenceOf(code.join('\n'), said)), []);
        said = said === undefined ? fenceLanguage(info) : undefined;
        code = [];
      }
    }
  }

  #directives(at: number, html: string): void {
    for (const found of html.matchAll(/<!--\s{0,20}svc:[^<>]{0,4000}?-->/g)) {
      const from = at + found.index;
      if (!this.#directive(found[0], from)) this.#noted.misspelt(found[0], from);
    }
  }

  /** Whether a comment is a directive. */
  #directive(text: string, at: number): boolean {
    const [directive, kind, said = ''] =
      /^<!--\s{0,20}svc:(module|symbol|known_symbols)\s{1,20}([^<>]{1,4000}?)\s{0,20}-->$/.exec(text) ?? [];
    if (directive === undefined) return false;
    const words = [...said.matchAll(kind === 'known_symbols' ? /[^\s,]{1,300}/g : /\S{1,300}/g)];
    const [word] = words;
    if (word === undefined) return false;
    const from = at + directive.indexOf(said);
    if (kind === 'known_symbols') for (const { 0: name, index } of words) this.#noted.known(name, from + index);
    else if (kind === 'module') this.#noted.module(word[0], directive, at);
    else {
      const name = writtenName(word[0]);
      if (name === undefined) return false;
      this.#noted.name('directive', word[0], name, from + word.index);
    }
    return true;
  }

  #mark(from: number, to: number): void {
    const open = this.#open.at(-1);
    if (open === undefined) return;
    if (open.from < 0) open.from = to;
    else if (open.to < 0) open.to = from;
  }

  #label(label: string): void {
    const open = this.#open.at(-1);
    if (open !== undefined) open.label = label;
  }

  #lead(from: number, to: number): void {
    const open = this.#open.at(-1);
    if (open === undefined) return;
    const isBracketed = this.#text[from] === '<';
    open.target = isBracketed ? this.#text.slice(from + 1, to - 1) : this.#text.slice(from, to);
    this.#linked(open.target, isBracketed ? from + 1 : from);
  }

  #linked(target: string, at: number): void {
    const [path = ''] = /^[^#?]{0,500}/.exec(target) ?? [];
    if (path === '' || /^(?:[a-z][a-z\d+.-]*:|\/\/|mailto)/i.test(path) || /[{}<>$*]/.test(path)) return;
    this.#noted.path('link', path, at);
  }

  /** Where tags lead: nothing of scripts, and of what is shown as it is. */
  #attributes(at: number, html: string): void {
    if (/<(?:script|style|pre|code|textarea|template)\b/i.test(html)) return;
    const plain = withoutComments(html);
    for (const found of plain.matchAll(leadingTag)) {
      const [whole, , target = ''] = found;
      this.#linked(target, at + found.index + whole.length - 1 - target.length);
    }
  }

  #close(): void {
    const open = this.#open.pop()!;
    const label = plainLabel(open.label === '' ? this.#text.slice(open.from, open.to) : open.label);
    for (let name = open.first; name < this.#noted.names; name++) {
      if (open.target !== '') this.#noted.leads(name, open.target);
      else this.#labelled.push([name, label]);
    }
  }

  #define(): void {
    const { label, target } = this.#open.pop()!;
    const key = plainLabel(label);
    if (!this.#targets.has(key)) this.#targets.set(key, target);
  }
}

/** A piece of HTML with spaces for its comments; one that does not end is none. */
function withoutComments(html: string): string {
  let out = '';
  let at = 0;
  for (;;) {
    const begin = html.indexOf('<!--', at);
    const end = begin < 0 ? -1 : html.indexOf('-->', begin + 4);
    if (end < 0) return out + html.slice(at);
    out += html.slice(at, begin) + ' '.repeat(end + 3 - begin);
    at = end + 3;
  }
}

/** What a heading says, without the marks that make it one. */
function headingText(text: string): string {
  if (!text.startsWith('#')) return text.slice(0, text.lastIndexOf('\n')).trim();
  return text
    .replace(/^#{1,6}/, '')
    .replace(/(?:^|[ \t])#{1,200}[ \t]{0,200}$/, '')
    .trim();
}
