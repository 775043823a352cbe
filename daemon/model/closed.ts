/** Somebody's rights keep us out, which says nothing of whether there is something. */
export function isClosed(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EACCES' || code === 'EPERM';
}
