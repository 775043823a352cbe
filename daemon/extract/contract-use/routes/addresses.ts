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
    const path = normalPath(withHoles(match[0]));
    if (path !== undefined) yield { kind: 'route-call', at: match.index, method: '', ...path };
  }
}
