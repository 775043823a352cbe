import { type Found, inStrings, type Source } from '../text/source.ts';
import { normalPath, withHoles } from './written-path.ts';

/**
 * Addresses in strings that lead to another service by what they look like: the host is put in when the program runs, or has
 * no domain. Whatever calls them stands elsewhere: in settings, behind a helper.
 */
export function* addresses(source: Source): Iterable<Found> {
  if (!source.text.includes('http://')) return;
  for (const match of inStrings(source, /(?<=["'`])http:\/\/([^\s"'`/]{1,120})(\/[^\s"'`?#]{1,250})/g)) {
    const host = withHoles(match[1]!);
    if (!/^(?:\0|[a-z][a-z\d-]{0,60})(?::(?:\d{1,5}|\0))?$/.test(host) || host.startsWith('localhost')) continue;
    if (isQuoted(source, match.index)) continue;
    const path = normalPath(withHoles(match[0]));
    if (path !== undefined) yield { kind: 'route-call', at: match.index, method: '', ...path };
  }
}

/** Whether a string is none of the code's own, but stands in a text that began on a line above. */
function isQuoted({ code, readable }: Source, at: number): boolean {
  if (code[at - 1] === readable[at - 1]) return false;
  const before = code.slice(Math.max(0, at - 500), at);
  return before.slice(before.lastIndexOf('\n') + 1).trim() === '';
}
