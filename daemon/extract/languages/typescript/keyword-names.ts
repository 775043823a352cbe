/**
 * A field or method called `abstract` or `accessor` is to the grammar a modifier without what it modifies. Where what
 * follows shows that it is a name, another word of that length stands for it; names are read from the source as it was.
 */
export function respellKeywordNames(source: string): string {
  if (!/\b(?:abstract|accessor)\b/.test(source)) return source;
  return source.replace(/\b(?:abstract|accessor)\b(?=\s*(?:[?!]?:|[=;(,)]))/g, name => `${name.slice(0, -1)}_`);
}
