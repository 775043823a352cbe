import { lastDescriptorAt, prototypeOf } from '../model/identity.ts';
import type { RenameEvidence, SymbolEvidence } from './rename-evidence.ts';

/**
 * Old hash → new, of the symbols that are the same thing under another identity: the same content at another path; else
 * the same container and kind and the only ones with their body; else what stood in something renamed and stands there
 * still. What was renamed together is found from the outermost in.
 */
export function matchRenames({ gone, appeared }: RenameEvidence): ReadonlyMap<string, string> {
  const matches = new Map<string, string>();
  const taken = new Set<string>();
  const renames = createRenames();
  const match = (old: SymbolEvidence, found: SymbolEvidence | undefined): void => {
    if (found === undefined || matches.has(old.hash) || taken.has(found.hash)) return;
    matches.set(old.hash, found.hash);
    taken.add(found.hash);
    renames.add(old, found);
  };
  const pair = (keyOfOld: (old: SymbolEvidence) => string, keyOfNew: (found: SymbolEvidence) => string): void => {
    const targets = uniqueBy(appeared, keyOfNew);
    for (const [key, old] of uniqueBy(gone, keyOfOld)) match(old, targets.get(key));
  };
  pair(fileOf, fileOf);
  for (let known = -1; known < matches.size; ) {
    known = matches.size;
    pair(renames.place, place);
    pair(
      one => bodyIn(renames.container(one), one),
      one => bodyIn(containerOf(one.tail), one),
    );
  }
  return matches;
}

/** What was renamed so far, and so where in the new tree something of the old one stands if nobody renamed it too. */
interface Renames {
  add(old: SymbolEvidence, found: SymbolEvidence): void;
  /** Tail of the container as it is now. */
  container(old: SymbolEvidence): string;
  place(old: SymbolEvidence): string;
}

function createRenames(): Renames {
  const tails = new Map<string, string>();
  const names = new Map<string, string>();
  const renamed = (text: string): string => text.replace(word, name => names.get(name) ?? name);
  const follow = (scope: string, tail: string): string => {
    if (tail === '' || names.size === 0) return tail;
    const known = tails.get(placeOf(scope, tail));
    if (known !== undefined) return known;
    const container = containerOf(tail);
    const followed = follow(scope, container);
    const last = tail.slice(container.length);
    // Types of parameters, and in a renamed class what bears its name: constructors, destructors.
    return followed + (followed === container ? last.replace(/\(.*\)/s, renamed) : renamed(last));
  };
  return {
    add(old, found) {
      if (old.scope !== found.scope) return;
      tails.set(placeOf(old.scope, old.tail), found.tail);
      tails.set(placeOf(old.scope, prototypeOf(old.tail)), prototypeOf(found.tail));
      names.set(old.name, found.name);
    },
    container: old => follow(old.scope, containerOf(old.tail)),
    place: old => `${old.kind}\0${placeOf(old.scope, follow(old.scope, old.tail))}`,
  };
}

const word = /[\p{L}\p{N}_$]+/gu;

function containerOf(tail: string): string {
  return tail.slice(0, lastDescriptorAt(tail));
}

function placeOf(scope: string, tail: string): string {
  return `${scope}\0${tail}`;
}

function place({ kind, scope, tail }: SymbolEvidence): string {
  return `${kind}\0${placeOf(scope, tail)}`;
}

function fileOf({ file }: SymbolEvidence): string {
  return file;
}

function bodyIn(container: string, { scope, kind, body }: SymbolEvidence): string {
  return body === '' ? '' : [scope, container, kind, body].join('\0');
}

/** The symbols that alone bear their evidence; '' is none. */
function uniqueBy(
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
