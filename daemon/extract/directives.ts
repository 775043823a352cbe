/** Directives that choose between pieces of code, or say nothing about it. A backslash at the end continues one. */
const directive =
  /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif|region|endregion|pragma|nullable|warning|error)\b(?:.*\\\r?\n)*.*$/gm;

/** All pieces of code that conditional directives choose between, one after the other. */
export function withoutDirectives(source: string): string {
  return source.replace(directive, blank);
}

/** Of the pieces of code that conditional directives choose between, the first of each choice. */
export function withFirstAlternatives(source: string): string {
  const parts: string[] = [];
  const isLeftOut: boolean[] = [];
  let from = 0;
  const add = (end: number): void => {
    const text = source.slice(from, end);
    parts.push(isLeftOut.includes(true) ? blank(text) : text);
    from = end;
  };
  for (const found of source.matchAll(directive)) {
    add(found.index);
    const word = found[1]!;
    if (word.startsWith('if')) isLeftOut.push(false);
    else if (word === 'endif') isLeftOut.pop();
    else if (word.startsWith('el') && isLeftOut.length > 0) isLeftOut[isLeftOut.length - 1] = true;
    parts.push(blank(found[0]));
    from += found[0].length;
  }
  add(source.length);
  return parts.join('');
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}
