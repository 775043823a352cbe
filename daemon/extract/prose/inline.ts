/** A run of Markdown without its marks, and how much of it are words that are no link. */
export interface PlainRun {
  readonly text: string;
  /** The text outside of links. */
  readonly unlinked: string;
}

/** No more of one paragraph is read. */
const longestRun = 4_000;

/**
 * Inline Markdown as plain text: links and emphasis are their words, pictures and HTML tags nothing, entities what they
 * stand for. Takes time linear in the text.
 */
export function plainInline(source: string): PlainRun {
  const run = source.slice(0, longestRun);
  const reading = new Reading(run, bracketPairs(run));
  reading.read(0, run.length);
  return { text: tidy(reading.text), unlinked: tidy(reading.unlinked) };
}

class Reading {
  text = '';
  unlinked = '';
  readonly #source: string;
  readonly #pairs: ReadonlyMap<number, number>;
  #links = 0;

  constructor(source: string, pairs: ReadonlyMap<number, number>) {
    this.#source = source;
    this.#pairs = pairs;
  }

  read(from: number, to: number): void {
    for (let at = from; at < to; ) at = this.#next(at, to);
  }

  /** Takes what begins at a place; where the next begins. */
  #next(at: number, to: number): number {
    const source = this.#source;
    switch (source[at]) {
      case '\\':
        if (!punctuation.test(source[at + 1] ?? '')) return this.#take('\\', at + 1);
        return this.#take(source[at + 1]!, at + 2);
      case '`':
        return this.#code(at, to);
      case '!':
        return this.#picture(at) ?? this.#take('!', at + 1);
      case '[':
        return this.#link(at, to) ?? this.#take('[', at + 1);
      case '<':
        return this.#tag(at) ?? this.#take('<', at + 1);
      case '&':
        return this.#entity(at) ?? this.#take('&', at + 1);
      case '*':
      case '~':
      case '_':
        return this.#emphasis(at);
      case ':':
        return this.#shortcode(at) ?? this.#take(':', at + 1);
      default:
        return this.#take(source[at]!, at + 1);
    }
  }

  #take(text: string, next: number): number {
    this.text += text;
    if (this.#links === 0) this.unlinked += text;
    return next;
  }

  #code(at: number, to: number): number {
    const fence = /`+/y;
    fence.lastIndex = at;
    const [ticks = '`'] = fence.exec(this.#source) ?? [];
    const begin = at + ticks.length;
    const end = this.#source.indexOf(ticks, begin);
    return end < 0 || end > to
      ? this.#take(ticks, begin)
      : this.#take(this.#source.slice(begin, end), end + ticks.length);
  }

  #picture(at: number): number | undefined {
    const close = this.#source[at + 1] === '[' ? this.#pairs.get(at + 1) : undefined;
    return close === undefined ? undefined : this.#behindTarget(close + 1);
  }

  #link(at: number, to: number): number | undefined {
    const close = this.#pairs.get(at);
    if (close === undefined || close >= to) return undefined;
    const next = this.#behindTarget(close + 1);
    const label = this.#source.slice(at + 1, close);
    if (next === close + 1) {
      // A footnote, or the box of a task.
      if (/^(?:\^[^\]]{0,80}|[ xX]?)$/.test(label)) return next;
      // What reads like a name or a phrase is a link to what is defined elsewhere, anything else no link.
      if (!/^[\p{L}`][^,;]*$/u.test(label)) return undefined;
    }
    this.#links++;
    this.read(at + 1, close);
    this.#links--;
    return next;
  }

  /** Where what follows on brackets ends: `(target "title")` or `[reference]`; right there where neither does. */
  #behindTarget(at: number): number {
    const opening = this.#source[at];
    const close = opening === '(' || opening === '[' ? this.#pairs.get(at) : undefined;
    return close === undefined ? at : close + 1;
  }

  #tag(at: number): number | undefined {
    const rest = this.#source.slice(at, at + longestTag);
    const [tag] = /^<!--[\s\S]*?(?:-->|$)|^<\/?[a-zA-Z][^<>]*>/.exec(rest) ?? [];
    if (tag === undefined) return undefined;
    const [, address] = /^<((?:https?|mailto):[^>\s]+)>$/.exec(tag) ?? [];
    if (address !== undefined) {
      this.text += address;
      return at + tag.length;
    }
    return this.#take(/^<(?:br|p|li|div|td)\b/i.test(tag) ? ' ' : '', at + tag.length);
  }

  #entity(at: number): number | undefined {
    const [whole, name = ''] = /^&([a-z]{2,8}|#\d{1,6}|#x[\da-f]{1,6});/i.exec(this.#source.slice(at, at + 12)) ?? [];
    if (whole === undefined) return undefined;
    const meant = name.startsWith('#') ? characterAt(name.slice(1)) : entities[name.toLowerCase()];
    return meant === undefined ? undefined : this.#take(meant, at + whole.length);
  }

  /** Marks of emphasis stand at the edge of a word: `2 * 3` and `snake_case` have none. */
  #emphasis(at: number): number {
    const source = this.#source;
    const mark = source[at]!;
    let end = at + 1;
    while (source[end] === mark) end++;
    const [before = ' ', after = ' '] = [source[at - 1], source[end]];
    const isInside = mark === '_' ? /\w/.test(before) && /\w/.test(after) : /\s/.test(before) && /\s/.test(after);
    const isOne = mark === '~' && end - at === 1;
    return isInside || isOne ? this.#take(source.slice(at, end), end) : end;
  }

  /** `:rocket:` */
  #shortcode(at: number): number | undefined {
    const [code] = /^:[a-z][a-z0-9_+-]{1,40}:/.exec(this.#source.slice(at, at + 44)) ?? [];
    return code === undefined || /\w/.test(this.#source[at - 1] ?? ' ') ? undefined : at + code.length;
  }
}

const longestTag = 1_000;
const punctuation = /[!-/:-@[-`{-~]/;

const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', mdash: '—', ndash: '–', hellip: '…', copy: '©' },
  ...{ rsquo: '’', lsquo: '‘', ldquo: '“', rdquo: '”', bull: '•', trade: '™', reg: '®', times: '×' },
};

function characterAt(number: string): string | undefined {
  const code = number.startsWith('x') ? Number.parseInt(number.slice(1), 16) : Number(number);
  return code >= 32 && code < 0x110000 && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : undefined;
}

/** Where each bracket or parenthesis that is open closes. Escaped ones are none. */
function bracketPairs(source: string): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < source.length; at++) {
    const character = source[at]!;
    if (character === '\\') at++;
    else if (character === '[' || character === '(') open.push(at);
    else if (character === ']' || character === ')') {
      const opening = character === ']' ? '[' : '(';
      // A parenthesis in words may have none that closes it: what is open inside of brackets ends with them.
      const from = open.findLastIndex(one => source[one] === opening);
      if (from < 0) continue;
      pairs.set(open[from]!, at);
      open.length = from;
    }
  }
  return pairs;
}

/** White space as one blank each, and none in front of signs. */
export function tidy(text: string): string {
  return (
    text
      .replace(/\s+/g, ' ')
      .replace(/ ([,.;:!?)])(?=\s|$)/g, '$1')
      // RDoc makes links of names unless they are escaped, in texts of other markup too.
      .replace(/(?<=^|\s)\\(?=\p{Lu})/gu, '')
      .trim()
  );
}
