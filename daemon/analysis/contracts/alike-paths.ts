/** A path as a configuration writes it, from wherever it leads: `..\\api\\proto\\cart.proto` is `api/proto/cart.proto`. */
export function writtenPath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.{1,2}\/|\/)+/, '');
}

export function endsWithPath(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`);
}

/** Whether one path ends as the other does, as far as the shorter goes. */
export function alikePaths(one: string, other: string): boolean {
  return endsWithPath(one, other) || endsWithPath(other, one);
}
