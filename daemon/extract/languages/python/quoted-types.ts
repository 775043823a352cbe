/** A type as a quoted annotation names it: `list[pkg.Engine]`. */
export interface QuotedType {
  /** Dotted; `Union` for alternatives, '' for a list of types. */
  readonly path: string;
  /** Where the path begins in the text, -1 where it has no name. */
  readonly at: number;
  readonly arguments: readonly QuotedType[];
}

const maxLength = 500;
const maxNesting = 8;

/** Reads the text of a quoted annotation; what is no type in it is passed over. */
export function readQuotedType(text: string): QuotedType | undefined {
  const tokens = [...text.slice(0, maxLength).matchAll(/[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*|[[\],|]/g)];
  let next = 0;
  const peek = (): string | undefined => tokens[next]?.[0];

  const list = (nesting: number): QuotedType[] => {
    const found: QuotedType[] = [];
    next++;
    while (peek() !== undefined && peek() !== ']') {
      const one = alternatives(nesting + 1);
      if (one !== undefined) found.push(one);
      else if (peek() !== ']') next++;
    }
    next++;
    return found;
  };

  const single = (nesting: number): QuotedType | undefined => {
    const token = tokens[next];
    if (token === undefined || nesting > maxNesting) return undefined;
    if (token[0] === '[') return { path: '', at: -1, arguments: list(nesting) };
    if (!/^[A-Za-z_]/.test(token[0])) return undefined;
    next++;
    return { path: token[0], at: token.index, arguments: peek() === '[' ? list(nesting) : [] };
  };

  const alternatives = (nesting: number): QuotedType | undefined => {
    const found: QuotedType[] = [];
    for (let one = single(nesting); one !== undefined; one = single(nesting)) {
      found.push(one);
      if (peek() !== '|') break;
      next++;
    }
    return found.length > 1 ? { path: 'Union', at: -1, arguments: found } : found[0];
  };

  return alternatives(0);
}
