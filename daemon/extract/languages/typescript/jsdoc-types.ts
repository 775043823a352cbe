/** A type as a comment of JavaScript writes it. */
export type DocType =
  | { readonly kind: 'name'; readonly path: readonly string[]; readonly arguments: readonly DocType[] }
  /** `import('m').A.B`; `typeof import('m')` is what the module is, not a value of it. */
  | {
      readonly kind: 'import';
      readonly specifier: string;
      readonly path: readonly string[];
      readonly arguments: readonly DocType[];
    }
  | { readonly kind: 'typeof'; readonly of: DocType }
  | { readonly kind: 'array'; readonly of: DocType }
  | { readonly kind: 'tuple'; readonly members: readonly DocType[] }
  | { readonly kind: 'union'; readonly options: readonly DocType[] }
  | { readonly kind: 'function'; readonly parameters: readonly DocType[]; readonly result: DocType }
  | { readonly kind: 'unknown' };

const maxLength = 1000;
const maxNesting = 12;
const unknown: DocType = { kind: 'unknown' };
const tokenPattern =
  /\.\.\.|=>|"[^"\n]*"|'[^'\n]*'|`[^`]*`|[A-Za-z_$][\w$]*(?:(?:\.|~|#)[A-Za-z_$][\w$]*)*|\d[\w.]*|\.(?=<)|[^\s]/g;

/** Reads TypeScript's types and those of older comments (`?A`, `!A`, `A=`, `Array.<A>`, `function(A): B`). */
export function readDocType(text: string): DocType {
  return new Reader(text.slice(0, maxLength).match(tokenPattern) ?? []).union(0);
}

class Reader {
  readonly #tokens: readonly string[];
  #next = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  union(nesting: number): DocType {
    const options: DocType[] = [];
    this.#takes('|');
    do options.push(this.#postfixed(nesting));
    while (this.#takes('|') || this.#takes('&'));
    return options.length === 1 ? options[0]! : { kind: 'union', options };
  }

  #postfixed(nesting: number): DocType {
    while (['?', '!', '...', 'readonly', 'unique', 'asserts'].includes(this.#peek())) this.#next++;
    let found = nesting > maxNesting ? unknown : this.#primary(nesting + 1);
    for (;;) {
      if (this.#takes('=') || this.#takes('?') || this.#takes('!')) continue;
      if (!this.#takes('[')) return found;
      // `A['key']` is none that is known here.
      found = this.#peek() === ']' ? { kind: 'array', of: found } : unknown;
      this.#skipTo(']');
    }
  }

  #primary(nesting: number): DocType {
    const token = this.#peek();
    this.#next++;
    switch (token) {
      case '(':
        return this.#parenthesized(nesting);
      case '[':
        return { kind: 'tuple', members: this.#list(']', nesting) };
      case '{':
        this.#skipTo('}');
        return unknown;
      case 'typeof':
        return { kind: 'typeof', of: this.#primary(nesting + 1) };
      case 'keyof':
        this.#postfixed(nesting);
        return unknown;
      case 'function':
        return this.#takes('(') ? this.#closure(nesting) : unknown;
      case 'import':
        return this.#imported(nesting);
      default:
        return /^[A-Za-z_$]/.test(token)
          ? { kind: 'name', path: token.split(/[.~#]/), arguments: this.#typeArguments(nesting) }
          : unknown;
    }
  }

  /** `(A | B)`, or the parameters of `(a: A) => B`. */
  #parenthesized(nesting: number): DocType {
    const members = this.#list(')', nesting);
    if (!this.#takes('=>')) return members.length === 1 ? members[0]! : unknown;
    return { kind: 'function', parameters: members, result: this.union(nesting) };
  }

  #closure(nesting: number): DocType {
    const parameters = this.#list(')', nesting);
    return { kind: 'function', parameters, result: this.#takes(':') ? this.union(nesting) : unknown };
  }

  #imported(nesting: number): DocType {
    if (!this.#takes('(')) return unknown;
    const specifier = this.#peek().slice(1, -1);
    this.#skipTo(')');
    const path: string[] = [];
    while (this.#takes('.')) path.push(...(this.#tokens[this.#next++] ?? '').split('.'));
    return { kind: 'import', specifier, path, arguments: this.#typeArguments(nesting) };
  }

  #typeArguments(nesting: number): readonly DocType[] {
    if (this.#peek() === '.' && this.#tokens[this.#next + 1] === '<') this.#next++;
    return this.#takes('<') ? this.#list('>', nesting) : [];
  }

  /** Types between commas, each perhaps behind a name: `a: A`. */
  #list(end: string, nesting: number): DocType[] {
    const found: DocType[] = [];
    while (this.#peek() !== '' && !this.#takes(end)) {
      const before = this.#next;
      this.#takes('...');
      const isNamed = /^\??:/.test(this.#tokens.slice(this.#next + 1, this.#next + 3).join(''));
      if (isNamed) this.#next = this.#tokens.indexOf(':', this.#next) + 1;
      found.push(this.union(nesting));
      if (!this.#takes(',') && this.#next === before) this.#next++;
    }
    return found;
  }

  /** Up to what closes the bracket that was just opened. */
  #skipTo(end: string): void {
    for (let depth = 1; this.#next < this.#tokens.length; ) {
      const token = this.#tokens[this.#next++]!;
      if ('([{<'.includes(token)) depth++;
      else if (')]}>'.includes(token) && --depth === 0) return;
      else if (token === end && depth === 0) return;
    }
  }

  #peek(): string {
    return this.#tokens[this.#next] ?? '';
  }

  #takes(token: string): boolean {
    const isThere = this.#peek() === token;
    if (isThere) this.#next++;
    return isThere;
  }
}
