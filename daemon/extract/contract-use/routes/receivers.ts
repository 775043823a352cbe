import { perSource } from '../text/per-source.ts';
import { inCode, type Source } from '../text/source.ts';

/**
 * Names that a file declares as one kind of thing and as nothing else, whatever they are: clients of HTTP, or what takes routes.
 * Each pattern has the groups `name` and `type`.
 */
export function receiversBy(
  patterns: readonly RegExp[],
  isOne: (type: string, source: Source) => boolean,
): (source: Source) => ReadonlySet<string> {
  return perSource(source => {
    const found = new Set<string>();
    const others = new Set<string>();
    for (const pattern of patterns) {
      for (const match of inCode(source, pattern)) {
        const { name, type } = match.groups!;
        (isOne(type!, source) ? found : others).add(name!);
      }
    }
    for (const name of others) found.delete(name);
    return found;
  });
}
