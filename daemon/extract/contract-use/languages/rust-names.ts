import { perSource } from '../text/per-source.ts';
import { inCode, type Source } from '../text/source.ts';

/** A path with what its first name stands for in the file: `user::A` is `acme::user::v2::A` after `use acme::user::v2 as user;`. */
export function wholePath(source: Source, path: string): string {
  const [first = ''] = path.split('::', 1);
  const meant = modulesUsed(source).get(first);
  return meant === undefined ? path : meant + path.slice(first.length);
}

/** Modules that a file uses by a name of its own, or by their last; none of those whose name is of several. */
const modulesUsed = perSource(source => {
  const found = new Map<string, string>();
  const several = new Set<string>();
  for (const { name, path } of usedIn(source)) {
    if (found.has(name) && found.get(name) !== path) several.add(name);
    if (found.size < mostNames) found.set(name, path);
  }
  for (const name of several) found.delete(name);
  return found;
});

const mostNames = 500;

function* usedIn(source: Source): Iterable<{ readonly name: string; readonly path: string }> {
  const pattern =
    /\buse\s{1,10}((?:\w{1,100}::){1,12})(?:\{([^;{}]{1,2000})\}|([a-z]\w{0,100}(?:\s{1,5}as\s{1,5}\w{1,100})?))\s{0,10};/g;
  for (const match of inCode(source, pattern)) {
    const [, outer, listed, only] = match;
    for (const item of (listed ?? only)!.split(',')) {
      const [, inner, last, alias] =
        /^\s{0,200}((?:\w{1,100}::){0,12})([a-z]\w{0,100})(?:\s{1,20}as\s{1,20}(\w{1,100}))?\s{0,200}$/.exec(item) ??
        [];
      if (last === undefined) continue;
      const isSelf = last === 'self' && inner === '';
      const path = isSelf ? outer!.slice(0, -2) : outer! + inner! + last;
      yield { name: alias ?? path.slice(path.lastIndexOf(':') + 1), path };
    }
  }
}
