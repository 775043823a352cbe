/**
 * Whether an `If-None-Match` header (a list, or `*`) names the entity tag. Tags compare weakly, as RFC 9110 section
 * 13.1.2 has it: `W/"a"` and `"a"` are the same.
 */
export function namesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = withoutWeakness(etag);
  return (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some(candidate => withoutWeakness(candidate) === opaque);
}

function withoutWeakness(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}
