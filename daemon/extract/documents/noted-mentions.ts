import type {
  DocumentMentions,
  Mention,
  MisspeltDirective,
  ModuleMention,
  PathMention,
  RouteMention,
} from '../../model/mentions.ts';
import type { WrittenRoute } from './route-mentions.ts';
import type { WrittenName } from './written-name.ts';

/** Of each kind. */
const mostMentions = 20_000;
const longestText = 200;
/** Of what code defines, and of what its callbacks are handed, in each language. */
const mostOwn = 2000;

/** A name with the place that it is written at, from the start of some text. */
type NotedName = WrittenName & { readonly written?: number } & Pick<Mention, 'from' | 'whose'>;

/** What has been seen of a document so far, each with its line and column. Offsets are those of the text. */
export class NotedMentions {
  readonly #text: string;
  readonly #lines: readonly number[];
  readonly #headings: string[] = [];
  readonly #mentions: Mention[] = [];
  readonly #paths: PathMention[] = [];
  readonly #routes: RouteMention[] = [];
  readonly #modules: ModuleMention[] = [];
  readonly #misspelt: MisspeltDirective[] = [];
  /** By name the line that says it. */
  readonly #known = new Map<string, number>();
  /** What the code has for itself, by its language. */
  readonly #own = new Map<string, { readonly defined: Set<string>; readonly parameters: Set<string> }>();
  #isCut = false;

  constructor(text: string) {
    this.#text = text;
    const lines = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.push(at + 1);
    this.#lines = lines;
  }

  /** How many names there are. */
  get names(): number {
    return this.#mentions.length;
  }

  told(words: string): DocumentMentions {
    return {
      headings: this.#headings,
      mentions: this.#mentions,
      paths: this.#paths,
      routes: this.#routes,
      modules: this.#modules,
      misspelt: this.#misspelt,
      known: [...this.#known].map(([name, line]) => ({ name, line })),
      code: [...this.#own].map(([language, { defined, parameters }]) => ({
        language,
        defined: [...defined],
        parameters: [...parameters],
      })),
      words,
      trouble: '',
      isCut: this.#isCut,
    };
  }

  heading(text: string): void {
    this.#headings.push(text.slice(0, longestText));
  }

  known(name: string, at: number): void {
    if (!this.#known.has(name)) this.#known.set(name, this.#lineOf(at));
  }

  module(module: string, directive: string, at: number): void {
    this.#modules.push({ module, directive, line: this.#lineOf(at) });
  }

  misspelt(directive: string, at: number): void {
    this.#misspelt.push({ directive: directive.slice(0, longestText), line: this.#lineOf(at) });
  }

  /** `start`: where the text begins that the name's own places are in. */
  name(kind: Mention['kind'], raw: string, { from, whose, ...name }: NotedName, start: number, language = ''): void {
    if (this.#isFull(this.#mentions)) return;
    const { names, separator, isCall, written = names.length } = name;
    const origin = { ...(from === undefined ? {} : { from }), ...(whose === undefined ? {} : { whose }) };
    const rawText = raw.slice(0, longestText);
    const place = this.#place(start + name.start, name.end - name.start);
    this.#mentions.push({ kind, rawText, names, written, isCall, separator, language, ...origin, ...place });
  }

  path(kind: PathMention['kind'], rawText: string, at: number): void {
    if (this.#isFull(this.#paths)) return;
    this.#paths.push({ kind, rawText, ...this.#place(at, rawText.length) });
  }

  route(kind: RouteMention['kind'], { start, end, rawText, ...route }: WrittenRoute, at: number): void {
    if (this.#isFull(this.#routes)) return;
    const written = this.#text.slice(at + start, at + end);
    const shown = rawText.slice(0, longestText);
    this.#routes.push({ kind, rawText: shown, written, ...route, ...this.#place(at + start, end - start) });
  }

  /** A link that leads elsewhere stands around a name. */
  leads(name: number, target: string): void {
    const mention = this.#mentions[name];
    if (mention === undefined || !/^https?:\/\//i.test(target)) return;
    this.#mentions[name] = { ...mention, linkedTo: target.slice(0, longestText) };
  }

  own(language: string, defined: readonly string[], parameters: readonly string[]): void {
    const own = this.#own.get(language) ?? { defined: new Set(), parameters: new Set() };
    this.#own.set(language, own);
    for (const name of defined) if (own.defined.size < mostOwn) own.defined.add(name);
    for (const name of parameters) if (own.parameters.size < mostOwn) own.parameters.add(name);
  }

  /** 1-based. */
  #lineOf(at: number): number {
    let [low, high] = [0, this.#lines.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#lines[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  #place(at: number, length: number): Pick<Mention, 'line' | 'column' | 'endColumn' | 'heading'> {
    const line = this.#lineOf(at);
    const column = at - this.#lines[line - 1]! + 1;
    return { line, column, endColumn: column + length, heading: this.#headings.length - 1 };
  }

  #isFull(list: readonly unknown[]): boolean {
    const isFull = list.length >= mostMentions;
    this.#isCut ||= isFull;
    return isFull;
  }
}
