/**
 * Whether the list in an `If-None-Match` header names the entity tag. Tags compare weakly, as RFC 9110 section 13.1.2 has
 * it: `W/"a"` and `"a"` are the same. Whoever names one has had the answer. `*` names whatever is there, which only that
 * answer can tell: it is for whoever has it.
 */
export function namesEtag(ifNoneMatch: string, etag: string): boolean {
  const opaque = withoutWeakness(etag);
  return (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some(candidate => withoutWeakness(candidate) === opaque);
}

function withoutWeakness(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}
