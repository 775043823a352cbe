/** The type that a doc comment gives under a tag: `@return Foo|null`, `@var Foo[]`; '' where it gives none. */
export function taggedType(comment: string, tag: 'return' | 'var'): string {
  const found = tags[tag].exec(comment);
  return found === null ? '' : typeAt(comment, found.index + found[0].length);
}

/** The type of one parameter: `@param Foo $name`. */
export function parameterType(comment: string, name: string): string {
  for (const found of comment.matchAll(/@(?:phpstan-|psalm-)?param\s+/g)) {
    const at = found.index + found[0].length;
    const type = typeAt(comment, at);
    const named = /^\s+&?(?:\.\.\.)?\$(\w+)/.exec(comment.slice(at + type.length, at + type.length + 200));
    if (named?.[1] === name) return type;
  }
  return '';
}

/** The variable that an inline `@var Foo $name` is about, '' where it names none. */
export function taggedVariable(comment: string): string {
  const found = /@var\s+/.exec(comment);
  if (found === null) return '';
  const at = found.index + found[0].length;
  const type = typeAt(comment, at);
  return /^\s+\$(\w+)/.exec(comment.slice(at + type.length, at + type.length + 200))?.[1] ?? '';
}

const tags = { return: /@(?:phpstan-|psalm-)?return\s+/, var: /@(?:phpstan-|psalm-)?var\s+/ } as const;

const maxLength = 300;

/** Up to the first space outside of brackets. */
function typeAt(text: string, start: number): string {
  let depth = 0;
  let at = start;
  for (; at < text.length && at - start < maxLength; at++) {
    const one = text[at]!;
    if ('<({['.includes(one)) depth++;
    else if ('>)}]'.includes(one)) depth--;
    else if (depth <= 0 && /\s/.test(one)) break;
  }
  return text.slice(start, at).replace(/\*\/$/, '');
}
