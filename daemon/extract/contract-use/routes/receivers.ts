import { perSource } from '../text/per-source.ts';
import { inCode, type Source } from '../text/source.ts';

/**
 * Names that a file declares as clients of HTTP and as nothing else, whatever they are: what is called on them are calls. Each
 * pattern has the groups `name` and `type`.
 */
export function clientsBy(
  patterns: readonly RegExp[],
  isClient: (type: string, source: Source) => boolean,
): (source: Source) => ReadonlySet<string> {
  return perSource(source => {
    const clients = new Set<string>();
    const others = new Set<string>();
    for (const pattern of patterns) {
      for (const match of inCode(source, pattern)) {
        const { name, type } = match.groups!;
        (isClient(type!, source) ? clients : others).add(name!);
      }
    }
    for (const name of others) clients.delete(name);
    return clients;
  });
}
