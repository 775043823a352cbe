/** Whether a repository's id is one of those that a pattern means: `*` all, `<prefix>/*` all below, else the id itself. */
export function fitsPattern(id: string, pattern: string): boolean {
  if (pattern === '*') return true;
  return pattern.endsWith('/*') ? id.startsWith(pattern.slice(0, -1)) && id.length >= pattern.length : id === pattern;
}
