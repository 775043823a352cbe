import { parse, postprocess, preprocess } from 'micromark';
import { gfm } from 'micromark-extension-gfm';
import {
  type Mention,
  type MisspeltDirective,
  type ModuleMention,
  nothingSaid,
  type PathMention,
  type RouteMention,
} from '../../model/mentions.ts';
import { type FenceLanguage, fenceLanguage, withoutTexts } from './fence-languages.ts';
import { callsInFence, namesInFence } from './fence-mentions.ts';
import { definedInCode, parametersInCode, type ReadDocument } from './names-of-code.ts';
import { mayHaveRoutes, routesInFence, type WrittenRoute, writtenRoute } from './route-mentions.ts';
import { isFileName, type WrittenName, writtenName, writtenPath } from './written-name.ts';

/** Larger documents are listed and not read: they are made by programs. */
export const mostDocumentBytes = 256 * 1024;
/** More quotes and lists in one another than this nobody writes, and they take time with the square of their depth. */
const mostNesting = 40;
/** Of a line with the mark of a list or quote: characters before what it says. */
const widestLead = 200;
/** Of each kind. */
const mostMentions = 20_000;
const longestText = 200;
/** Of what code defines, and of what its callbacks are handed, in each language. */
const mostOwn = 2000;
/** Code whose language nobody says. */
const unsaid: FenceLanguage = { language: '', lexis: 'c' };

/**
 * Tables alone of what GitHub adds: where addresses may begin at any letter, text falls apart into letters. What emphasis is is
 * nothing to us, and takes most of the time that hostile text takes.
 */
const { flow = {} } = gfm();
const options = { extensions: [{ flow }, { disable: { null: ['attention', 'characterReference'] } }] };

/** What a Markdown document mentions of code. Never throws for what it holds; its time grows with its length. */
export function readDocument(source: string): ReadDocument {
  if (Buffer.byteLength(source) > mostDocumentBytes) return nothingSaid('too large');
  if (isTooDeep(source)) return nothingSaid('too deep');
  const text = withoutFrontMatter(source);
  const events = postprocess(
    parse(options)
      .document()
      .write(preprocess()(text, undefined, true)),
  );
  const reading = new Reading(text);
  for (const [phase, { type, start, end }] of events) {
    if (phase === 'enter') reading.enter(type, start.offset, end.offset);
    else reading.exit(type, start.offset, end.offset);
  }
  return reading.read();
}

const proseWord = /(?<![\p{L}\p{N}_.-])\p{Ll}{3,30}(?![\p{L}\p{N}_-])/gu;

/** Counts the marks that begin quotes and lists at the start of each line. */
function isTooDeep(source: string): boolean {
  for (const line of source.split('\n')) {
    const [lead = ''] = /^[ \t>*+-]{0,4000}/.exec(line) ?? [];
    let marks = 0;
    for (const sign of lead) if (sign === '>' || sign === '*' || sign === '+' || sign === '-') marks++;
    const isRule = /^[ \t]{0,3}([*+-])[ \t*+-]{0,4000}$/.test(line) && !lead.includes('>');
    const isDeep = lead.length > widestLead && marks > 0;
    if ((isDeep || marks > mostNesting) && !isRule) return true;
  }
  return false;
}

/** Settings above the text, as generators of sites have them, are blanked. */
function withoutFrontMatter(source: string): string {
  const [matter = ''] = /^\uFEFF?---[ \t]{0,20}\r?\n[\s\S]{0,20000}?\n---[ \t]{0,20}(?=\r?\n|$)/.exec(source) ?? [];
  return matter === '' ? source : matter.replace(/[^\r\n]/g, ' ') + source.slice(matter.length);
}

interface OpenLink {
  readonly first: number;
  target: string;
  label: string;
  text: string;
}

/** Labels are the same whatever their case and spaces. */
function plainLabel(label: string): string {
  return label
    .replace(/\s{1,1000}/g, ' ')
    .trim()
    .toLowerCase();
}

/** Collects mentions as the tokens of a document go by. */
class Reading {
  readonly #text: string;
  readonly #lines: readonly number[];
  /** A mark of the byte order is no character to the parser. */
  readonly #shift: number;
  readonly #headings: string[] = [];
  readonly #mentions: Mention[] = [];
  readonly #paths: PathMention[] = [];
  readonly #routes: RouteMention[] = [];
  readonly #modules: ModuleMention[] = [];
  readonly #misspelt: MisspeltDirective[] = [];
  readonly #known = new Set<string>();
  readonly #words = new Set<string>();
  /** What the code has for itself, by its language. */
  readonly #own = new Map<string, { readonly defined: Set<string>; readonly parameters: Set<string> }>();
  #info = '';
  #isFenced = false;
  #fence: [start: number, end: number][] = [];
  /** Lines of code that is indented. */
  #indented: string[] = [];
  #isCut = false;
  /** Links that are open: the first mention in each, and what names its target. */
  readonly #links: OpenLink[] = [];
  /** Mentions in links whose target stands elsewhere in the document, which may be further down. */
  readonly #labelled: (readonly [mention: number, label: string])[] = [];
  readonly #targets = new Map<string, string>();
  #label = '';

  constructor(text: string) {
    this.#text = text;
    this.#shift = text.startsWith('\uFEFF') ? 1 : 0;
    const lines = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.push(at + 1);
    this.#lines = lines;
  }

  read(): ReadDocument {
    for (const [at, label] of this.#labelled) this.#leads(at, this.#targets.get(label) ?? '');
    return {
      headings: this.#headings,
      mentions: this.#mentions,
      paths: this.#paths,
      routes: this.#routes,
      modules: this.#modules,
      ...(this.#misspelt.length === 0 ? {} : { misspelt: this.#misspelt }),
      known: [...this.#known],
      words: [...this.#words].sort().join(' '),
      trouble: '',
      isCut: this.#isCut,
      code: [...this.#own].map(([language, { defined, parameters }]) => ({
        language,
        defined: [...defined],
        parameters: [...parameters],
      })),
    };
  }

  enter(type: string, from: number, to: number): void {
    if (type === 'link') this.#links.push({ first: this.#mentions.length, target: '', label: '', text: '' });
    else if (type === 'codeFenced') {
      this.#isFenced = true;
      this.#info = '';
      this.#fence = [];
    } else if (type === 'codeFencedFenceInfo') this.#info = this.#slice(from, to);
    else if (type === 'codeIndented') this.#indented = [];
    else if (type === 'codeFlowValue' && !this.#isFenced) this.#indented.push(this.#slice(from, to));
    else if (type === 'codeFlowValue') this.#fence.push([from + this.#shift, to + this.#shift]);
  }

  exit(type: string, from: number, to: number): void {
    switch (type) {
      case 'atxHeadingText':
      case 'setextHeadingText':
        this.#headings.push(this.#slice(from, to).trim().slice(0, longestText));
        return;
      case 'data':
        for (const [word] of this.#slice(from, to).matchAll(proseWord)) this.#words.add(word);
        return;
      case 'codeText':
        this.#inline(from + this.#shift, to + this.#shift);
        return;
      case 'codeFenced':
        this.#isFenced = false;
        this.#code();
        return;
      case 'codeIndented':
        this.#fencesBelow(this.#indented);
        return;
      case 'htmlFlow':
      case 'htmlText':
        this.#directives(from + this.#shift, this.#slice(from, to));
        return;
      case 'labelText':
      case 'referenceString':
        this.#labelOpen(type, this.#slice(from, to));
        return;
      case 'definitionLabelString':
        this.#label = plainLabel(this.#slice(from, to));
        return;
      case 'link':
        this.#close();
        return;
      case 'resourceDestinationString':
      case 'definitionDestinationString':
        this.#lead(type, this.#slice(from, to));
        this.#link(from + this.#shift, this.#slice(from, to));
    }
  }

  #slice(from: number, to: number): string {
    return this.#text.slice(from + this.#shift, to + this.#shift);
  }

  #inline(from: number, to: number): void {
    const whole = this.#text.slice(from, to);
    const ticks = /^`{1,300}/.exec(whole)?.[0].length ?? 1;
    const inside = whole.slice(ticks, -ticks);
    const text = inside.trim();
    if (text === '' || text.includes('\n')) return;
    if (/=>|\blambda\b/.test(text)) this.#keep('', [], parametersInCode(text.slice(0, longestText), ''));
    const start = from + ticks + inside.indexOf(text);
    const route = writtenRoute(text);
    if (route !== undefined) {
      this.#route('inline', route, start);
      return;
    }
    const path = writtenPath(text);
    const name = writtenName(text);
    if (path !== undefined && (name === undefined || isFileName(path) || !text.includes('.'))) {
      this.#path('code', path, start);
    } else if (name !== undefined) this.#name('inline', text, name, start);
  }

  #code(): void {
    const language = this.#info.trim() === '' ? unsaid : fenceLanguage(this.#info);
    const [first] = this.#fence;
    if (first === undefined || (language === undefined && !mayHaveRoutes(this.#info))) return;
    const start = first[0];
    // As it stands in the text: what quotes and lists put before each line is blanked.
    let code = '';
    for (const [from, to] of this.#fence) {
      code += this.#text.slice(start + code.length, from).replace(/[^\n]/g, ' ');
      code += this.#text.slice(from, to);
    }
    if (language === undefined || language === unsaid) {
      for (const route of routesInFence(code, this.#info)) this.#route('fence', route, start);
    }
    if (language === undefined) return;
    const parameters = parametersInCode(withoutTexts(code, language.lexis), language.language);
    this.#keep(language.language, definedInCode(code, language), parameters);
    const names = language === unsaid ? callsInFence(code) : namesInFence(code, language);
    for (const { rawText, ...name } of names) this.#name('fence', rawText, name, start, language.language, name.from);
  }

  /** Notes of some dialects are indented, and the fences in them code to others: what those define is the document's as well. */
  #fencesBelow(lines: readonly string[]): void {
    let language: FenceLanguage | undefined;
    let code: string[] = [];
    for (const line of lines) {
      const info = /^[ \t]{0,20}```([^`]{0,200})$/.exec(line)?.[1];
      if (info === undefined) code.push(line);
      else {
        if (language !== undefined) this.#keep(language.language, definedInCode(code.join('\n'), language), []);
        language = language === undefined ? fenceLanguage(info) : undefined;
        code = [];
      }
    }
  }

  #keep(language: string, defined: readonly string[], parameters: readonly string[]): void {
    const own = this.#own.get(language) ?? { defined: new Set(), parameters: new Set() };
    this.#own.set(language, own);
    for (const name of defined) if (own.defined.size < mostOwn) own.defined.add(name);
    for (const name of parameters) if (own.parameters.size < mostOwn) own.parameters.add(name);
  }

  #directives(at: number, html: string): void {
    for (const found of html.matchAll(/<!--\s{0,20}svc:[^<>]{0,4000}?-->/g)) {
      const from = at + found.index;
      if (!this.#directive(found[0], from))
        this.#misspelt.push({ directive: found[0].slice(0, longestText), ...this.#lineOf(from) });
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
    if (kind === 'known_symbols') for (const [name] of words) this.#known.add(name);
    else if (kind === 'module') this.#modules.push({ module: word[0], directive, ...this.#lineOf(at) });
    else {
      const name = writtenName(word[0]);
      if (name === undefined) return false;
      this.#name('directive', word[0], name, at + directive.indexOf(said) + word.index);
    }
    return true;
  }

  #link(at: number, target: string): void {
    const [path = ''] = /^[^#?]{0,500}/.exec(target) ?? [];
    if (path === '' || /^(?:[a-z][a-z\d+.-]*:|\/\/|mailto)/i.test(path) || /[{}<>$*]/.test(path)) return;
    this.#path('link', path, at);
  }

  #lead(type: string, target: string): void {
    const open = this.#links.at(-1);
    if (type === 'definitionDestinationString') {
      if (!this.#targets.has(this.#label)) this.#targets.set(this.#label, target);
    } else if (open !== undefined) open.target = target;
  }

  #labelOpen(type: string, label: string): void {
    const open = this.#links.at(-1);
    if (open === undefined) return;
    if (type === 'referenceString') open.label = label;
    else open.text = label;
  }

  #close(): void {
    const open = this.#links.pop();
    if (open === undefined) return;
    for (let at = open.first; at < this.#mentions.length; at++) {
      if (open.target !== '') this.#leads(at, open.target);
      else this.#labelled.push([at, plainLabel(open.label === '' ? open.text : open.label)]);
    }
  }

  #leads(at: number, target: string): void {
    if (/^https?:\/\//i.test(target))
      this.#mentions[at] = { ...this.#mentions[at]!, linkedTo: target.slice(0, longestText) };
  }

  #path(kind: PathMention['kind'], rawText: string, at: number): void {
    if (this.#paths.length >= mostMentions) {
      this.#isCut = true;
      return;
    }
    const { line, column } = this.#place(at);
    const heading = this.#headings.length - 1;
    this.#paths.push({ kind, rawText, line, column, endColumn: column + rawText.length, heading });
  }

  #route(kind: RouteMention['kind'], { start, end, rawText, ...route }: WrittenRoute, at: number): void {
    if (this.#routes.length >= mostMentions) {
      this.#isCut = true;
      return;
    }
    const { line, column } = this.#place(at + start);
    const place = { line, column, endColumn: column + end - start, heading: this.#headings.length - 1 };
    const written = this.#text.slice(at + start, at + end);
    this.#routes.push({ kind, rawText: rawText.slice(0, longestText), written, ...route, ...place });
  }

  #name(
    kind: Mention['kind'],
    raw: string,
    name: WrittenName & { readonly written?: number },
    start: number,
    language = '',
    from?: string,
  ): void {
    if (this.#mentions.length >= mostMentions) {
      this.#isCut = true;
      return;
    }
    const { line, column } = this.#place(start + name.start);
    const { names, separator, isCall, written = name.names.length } = name;
    const endColumn = column + name.end - name.start;
    const heading = this.#headings.length - 1;
    const places = { written, line, column, endColumn };
    const origin = from === undefined ? {} : { from };
    const rawText = raw.slice(0, longestText);
    this.#mentions.push({ kind, rawText, names, ...places, isCall, separator, language, ...origin, heading });
  }

  #lineOf(at: number): { readonly line: number } {
    return { line: this.#place(at).line };
  }

  /** 1-based. */
  #place(at: number): { readonly line: number; readonly column: number } {
    let [low, high] = [0, this.#lines.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#lines[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: at - this.#lines[low]! + 1 };
  }
}
