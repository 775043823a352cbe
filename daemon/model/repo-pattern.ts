/** Whether a repository's id is one of those that a pattern means: `*` all, `<prefix>/*` all below, else the id itself. */
export function fitsPattern(id: string, pattern: string): boolean {
  if (pattern === '*') return true;
  return pattern.endsWith('/*') ? id.startsWith(pattern.slice(0, -1)) && id.length >= pattern.length : id === pattern;
}

/** Whether a text is a pattern that means anything. */
export function isPattern(text: string): boolean {
  return text === '*' || isServedId(text.endsWith('/*') ? text.slice(0, -2) : text);
}

/** Whether a repository may be served under an id, such as `acme/billing`. */
export function isServedId(id: string): boolean {
  return id.length <= 512 && id.split('/').every(segment => /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(segment));
}

/** What `isServedId` asks for, to be told. */
export const servedIdRule = 'letters, digits, dots, dashes and underscores between slashes, at most 512 characters';
