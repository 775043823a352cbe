import type { ScopeKey } from '../../model/document.ts';
import { lastDescriptorAt } from '../../model/identity.ts';
import type { SymbolEvidence } from './rename-evidence.ts';

/** Where a tree has something, or has room for it. */
export interface Place {
  readonly scope: ScopeKey;
  readonly tail: string;
}

export function placeKey({ scope, tail }: Place): string {
  return `${scope}\0${tail}`;
}

/** What a symbol stands in; with an empty tail what all of its scope does. */
export function containerOf({ scope, tail }: Place): Place {
  return { scope, tail: tail.slice(0, lastDescriptorAt(tail)) };
}

/** That a container has a body, whatever it is called there; '' where the body tells nothing. */
export function bodyIn(container: Place, { kind, body }: SymbolEvidence): string {
  return body === '' ? '' : [placeKey(container), kind, body].join('\0');
}

/** The symbols that alone bear their evidence; '' is none. */
export function uniqueBy(
  symbols: readonly SymbolEvidence[],
  keyOf: (one: SymbolEvidence) => string,
): ReadonlyMap<string, SymbolEvidence> {
  const found = new Map<string, SymbolEvidence | undefined>();
  for (const one of symbols) {
    const key = keyOf(one);
    if (key !== '') found.set(key, found.has(key) ? undefined : one);
  }
  return new Map([...found].filter((entry): entry is [string, SymbolEvidence] => entry[1] !== undefined));
}
